/// Compares the key paths of a request with the model, before a store runs the request.
///
/// Otherwise a wrong key would fail only where a row is evaluated: an empty table, or a `nil` on
/// the way, would hide it behind an empty result. If the model does not have a key, the class is
/// asked. The check does not follow a path behind keys that only a class or a transformer knows.
package struct RequestCheck {
    /// The description of the request, for messages: `a fetch of Employee`.
    fileprivate let request: String
    fileprivate let entity: EntityDescription
    fileprivate let isKnownToClass: (EntityDescription, String) -> Bool

    /// - Parameters:
    ///   - request: the description of the request, for messages.
    ///   - entity: the entity at which key paths begin.
    ///   - isKnownToClass: whether a class of an entity's objects, subentities included, answers to
    ///     a key that the model does not have.
    package init(
        _ request: String,
        of entity: EntityDescription,
        isKnownToClass: @escaping (EntityDescription, String) -> Bool
    ) {
        self.request = request
        self.entity = entity
        self.isKnownToClass = isKnownToClass
    }

    /// Checks the window and every key path of a fetch.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/undefinedKey`` for a key that
    ///   an entity does not have, and with ``ObjectGraphError/Code/invalidRequest`` for a
    ///   relationship that is compared with a plain value, and for a negative limit, offset or
    ///   batch size.
    /// - Complexity: O(size of the request); no row is read.
    package func check(_ description: FetchDescription) throws {
        try Self.refuseNegative(description.limit, "limit of \(request)")
        try Self.refuseNegative(description.offset, "offset of \(request)")
        try Self.refuseNegative(description.batchSize, "batch size of \(request)")
        if let predicate = description.predicate { try check(predicate, as: "predicate") }
        let columns = description.propertiesToFetch + description.propertiesToGroupBy
        for column in columns { try check(column.expression, as: "column \"\(column.name)\"") }
        // In the order and the condition of groups, a name may be that of a column.
        let isDictionary = description.resultType == .dictionaries
        let names = isDictionary ? Set(columns.map(\.name)) : []
        if let having = description.having {
            try PlaceCheck(self, "condition of the groups", names).check(having, [:])
        }
        for descriptor in description.sortDescriptors where !names.contains(descriptor.keyPath) {
            try check(keyPath: descriptor.keyPath, as: "sort descriptor")
        }
    }

    /// Refuses a negative number.
    ///
    /// - Parameters:
    ///   - number: the number.
    ///   - what: its name for messages: `limit of a fetch of Employee`.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest``.
    package static func refuseNegative(_ number: Int, _ what: String) throws {
        if number >= 0 { return }
        throw ObjectGraphError(
            .invalidRequest,
            "The \(what) is \(number), and cannot be negative.",
            recovery: "Give 0 or more."
        )
    }

    package func check(_ predicate: FetchPredicate, as place: String) throws {
        try PlaceCheck(self, place).check(predicate, [:])
    }

    package func check(_ expression: FetchExpression, as place: String) throws {
        _ = try PlaceCheck(self, place).target(of: expression, [:])
    }

    package func check(keyPath: String, as place: String) throws {
        if keyPath.isEmpty { return }
        _ = try PlaceCheck(self, place).target(of: .keyPath(keyPath), [:])
    }
}

/// The check of one part of a request.
private struct PlaceCheck {
    typealias Variables = [String: KeyPathTarget]

    let place: String
    let entity: EntityDescription
    let isKnownToClass: (EntityDescription, String) -> Bool
    /// Names of columns, which are keys here.
    let columns: Set<String>

    init(_ check: RequestCheck, _ place: String, _ columns: Set<String> = []) {
        self.place = "The \(place) of \(check.request)"
        entity = check.entity
        isKnownToClass = check.isKnownToClass
        self.columns = columns
    }

    private var root: KeyPathTarget { .objects(entity, isCollection: false, name: entity.name) }

    // MARK: Walking the tree

    func check(_ predicate: FetchPredicate, _ variables: Variables) throws {
        switch predicate {
        case .constant, .block: break
        case .and(let parts), .or(let parts):
            for part in parts { try check(part, variables) }
        case .not(let part): try check(part, variables)
        case .comparison(let comparison):
            let left = try target(of: comparison.left, variables)
            let right = try target(of: comparison.right, variables)
            if case .custom = comparison.operator { return }
            try refuseMismatch(left, comparison.right, right)
            try refuseMismatch(right, comparison.left, left)
        }
    }

    func target(of expression: FetchExpression, _ variables: Variables) throws -> KeyPathTarget {
        switch expression {
        case .constant(let value): return target(of: value)
        case .anyKey: return .unknown
        case .evaluatedObject: return root
        case .variable(let name): return variables[name] ?? .unknown
        case .keyPath(let path):
            if columns.contains(path) { return .unknown }
            return try follow(KeyPathPlan(path), from: root)
        case .keyPathOf(let operand, let path):
            return try follow(KeyPathPlan(path), from: try target(of: operand, variables))
        case .subscripted(let operand, let position):
            let whole = try target(of: operand, variables)
            switch position {
            case .index(let index): _ = try target(of: index, variables)
            case .size: return .unknown
            case .first, .last: break
            }
            return whole.member
        case .function(_, let arguments), .aggregate(let arguments):
            for argument in arguments { _ = try target(of: argument, variables) }
            return .unknown
        case .call(let operand, _, let arguments):
            for part in [operand] + arguments { _ = try target(of: part, variables) }
            return .unknown
        case .subquery(let collection, let variable, let predicate):
            let members = try target(of: collection, variables)
            var inner = variables
            inner[variable] = members.member
            try check(predicate, inner)
            return members
        case .union(let left, let right), .intersect(let left, let right),
            .minus(let left, let right):
            _ = try target(of: right, variables)
            return try target(of: left, variables)
        case .conditional(let predicate, let first, let second):
            try check(predicate, variables)
            for part in [first, second] { _ = try target(of: part, variables) }
            return .unknown
        case .assignment(_, let operand), .cast(let operand, _):
            _ = try target(of: operand, variables)
            return .unknown
        }
    }

    /// The target at which a path from a value begins, such as from the source of a fetched
    /// property.
    private func target(of value: GraphValue) -> KeyPathTarget {
        guard case .object(let object) = value, let name = object.entityNames.first,
            let entity = entity.model?.entity(named: name)
        else { return .unknown }
        return .objects(entity, isCollection: false, name: name)
    }

    // MARK: Key paths

    private func follow(_ plan: KeyPathPlan, from start: KeyPathTarget) throws -> KeyPathTarget {
        var target = start
        for key in plan.keys { target = try step(key, from: target) }
        guard let operation = plan.operation else { return target }
        return try apply(operation, to: target)
    }

    private func step(_ key: String, from target: KeyPathTarget) throws -> KeyPathTarget {
        if key == "self" || key == "SELF" { return target }
        switch target {
        case .unknown: return .unknown
        case .objects(let entity, let isCollection, _):
            return try step(key, from: entity, isCollection) ?? target
        case .composite(let entity, let prefix, let isCollection):
            let name = "\(prefix).\(key)"
            if let property = entity.propertyInHierarchy(named: name) {
                return KeyPathTarget(property, of: entity, isCollection: isCollection)
            }
            let elements = (entity.propertyInHierarchy(named: prefix) as? AttributeDescription)?
                .elements.map(\.elementName)
            throw undefined(key, "\(entity.name).\(prefix)", elements ?? [])
        case .values(let sample, let isCollection, let name):
            guard let value = sample.builtInValue(forKey: key) else {
                throw undefined(key, "the \(sample.kindName) \(name)", [])
            }
            if value.isNull { return .unknown }
            return .values(value, isCollection: isCollection, name: "\(name).\(key)")
        }
    }

    /// `nil` for a key that leads to the objects themselves.
    private func step(
        _ key: String,
        from entity: EntityDescription,
        _ isCollection: Bool
    ) throws -> KeyPathTarget? {
        if let property = entity.propertyInHierarchy(named: key) {
            return KeyPathTarget(property, of: entity, isCollection: isCollection)
        }
        switch key {
        case "objectID": return .unknown
        case "entity":
            return .values(.string(""), isCollection: isCollection, name: "\(entity.name).entity")
        case "allObjects" where isCollection: return nil
        default: break
        }
        // Objects of another branch of the hierarchy do not have the property: its value is `nil`
        // for them.
        if entity.hierarchyNames.contains(key) || isKnownToClass(entity, key) { return .unknown }
        throw undefined(
            key,
            entity.name,
            entity.slots.filter { $0.declared === $0 }.map(\.name),
            entity
        )
    }

    private func apply(
        _ operation: KeyPathPlan.Operation,
        to target: KeyPathTarget
    ) throws -> KeyPathTarget {
        let name: String
        switch target {
        case .unknown, .composite: return .unknown
        case .objects(_, true, let path), .values(_, true, let path):
            name = path
        case .objects(_, false, let path), .values(_, false, let path):
            throw misplaced(operation, "\(path), which is not a collection")
        }
        if operation.kind == .count { return .values(.int(0), isCollection: false, name: name) }
        guard operation.kind.needsKeyPath, let right = operation.right else {
            throw misplaced(operation, "\(name) without a key path after it")
        }
        let combined = try follow(right, from: target.member)
        switch operation.kind {
        case .sum, .average: return .unknown
        case .minimum, .maximum: return combined
        default: return combined.collection
        }
    }

    // MARK: What is wrong

    private func undefined(
        _ key: String,
        _ owner: String,
        _ known: [String],
        _ entity: EntityDescription? = nil
    ) -> ObjectGraphError {
        if let error = UndeclaredKeyPath.error(key, in: place) { return error }
        return ObjectGraphError(
            .undefinedKey,
            "\(place) names \"\(key)\", which \(owner) does not have.",
            recovery: known.isEmpty
                ? "" : "It has: \(known.joined(separator: ", ")).\(others(entity, known))",
            key: key
        )
    }

    /// The properties of other entities of the hierarchy, which a request may name too.
    private func others(_ entity: EntityDescription?, _ known: [String]) -> String {
        guard let entity else { return "" }
        let names = entity.hierarchyNames.subtracting(known).sorted()
        return names.isEmpty
            ? "" : " Others of its hierarchy have: \(names.joined(separator: ", "))."
    }

    private func misplaced(_ operation: KeyPathPlan.Operation, _ what: String) -> ObjectGraphError {
        let name = operation.kind.rawValue
        return ObjectGraphError(
            .undefinedKey,
            "\(place) applies \"\(name)\" to \(what).",
            recovery: "Write it after a to-many relationship.",
            key: name
        )
    }

    /// Refuses to compare objects with a value that no object equals.
    private func refuseMismatch(
        _ target: KeyPathTarget,
        _ other: FetchExpression,
        _ otherTarget: KeyPathTarget
    ) throws {
        guard case .objects(let entity, _, let name) = target else { return }
        let kind: String
        if let value = other.plainConstant {
            kind = value.kindWithArticle
        } else if case .values(let sample, _, let path) = otherTarget {
            kind = "\(path), \(sample.kindWithArticle)"
        } else {
            return
        }
        throw ObjectGraphError(
            .invalidRequest,
            "\(place) compares \(name) with \(kind).",
            recovery: "Compare it with \(entity.name.withArticle) or its ID, or name a property of"
                + " the \(entity.name).",
            key: name.split(separator: ".").last.map(String.init)
        )
    }
}

extension FetchExpression {
    /// A constant, or the first constant of a list, that is not `nil`, an object or an ID.
    fileprivate var plainConstant: GraphValue? {
        switch self {
        case .constant(let value): value.plain
        case .aggregate(let elements): elements.lazy.compactMap(\.plainConstant).first
        default: nil
        }
    }
}

extension GraphValue {
    fileprivate var plain: GraphValue? {
        switch self {
        case .bool, .int, .double, .decimal, .string, .date, .data, .uuid, .url: self
        case .array(let values): values.lazy.compactMap(\.plain).first
        case .set(let values): values.lazy.compactMap(\.plain).first
        default: nil
        }
    }
}
