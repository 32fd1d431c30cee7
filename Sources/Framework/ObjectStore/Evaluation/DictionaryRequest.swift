package import ObjectModel

// A dictionary request: columns computed from objects, perhaps grouped.
//
//   objects → groups by the values of propertiesToGroupBy → `having` → columns → distinct → order
//   → window
//
// A column with an aggregate of a single value (`sum(size)`) gives one result for each group, or a
// single result without groups. An aggregate of a to-many relationship (`tags.@count`) belongs to
// one object.

package struct DictionaryRequest {
    package let request: FetchDescription
    package let entity: EntityDescription
    /// The columns of the request, or one for each attribute.
    package let columns: [FetchDescription.Column]
    /// Whether results stand for groups and not for single objects.
    package let isGrouped: Bool

    /// Checks the columns of a request.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` for a column
    ///   that is a to-many relationship, and, with groups, for one that is neither an aggregate nor
    ///   a grouping column.
    package init(_ request: FetchDescription, _ entity: EntityDescription) throws {
        self.request = request
        self.entity = entity
        columns =
            request.propertiesToFetch.isEmpty
            ? entity.attributes.filter { !$0.isTransient }.map {
                FetchDescription.Column($0.name)
            } : request.propertiesToFetch
        let grouped = Set(request.propertiesToGroupBy.map(\.expression))
        isGrouped =
            !grouped.isEmpty
            || columns.contains { $0.expression.isAggregate(in: entity) }
            || request.having != nil
        for column in columns + request.propertiesToGroupBy { try entity.check(column) }
        if isGrouped {
            for column in columns
            where !grouped.contains(column.expression)
                && !column.expression.isAggregate(in: entity) && !column.expression.isFixed
            {
                throw ObjectGraphError(
                    .invalidRequest,
                    "The column \"\(column.name)\" is neither an aggregate nor in the grouping.",
                    recovery: "Group by it, or use an aggregate of it.",
                    key: column.name
                )
            }
        }
    }

    /// Whether a column needs more of an object than the values that make the groups.
    package var readsMoreThanGroups: Bool {
        let grouped = Set(request.propertiesToGroupBy.map(\.expression))
        return columns.contains { column in
            if grouped.contains(column.expression) { return false }
            guard case .function(_, let arguments) = column.expression else { return true }
            return !arguments.allSatisfy { $0 == .evaluatedObject || grouped.contains($0) }
        }
    }

    /// The column with a name in `having` or in a sort descriptor; `nil` if there is none.
    package func column(named name: String) -> FetchDescription.Column? {
        columns.first { $0.name == name }
            ?? request.propertiesToGroupBy.first { $0.name == name }
    }

    /// The results for the objects that meet the request's predicate, in their order.
    package func results(_ objects: [StoredObject]) throws -> [[String: GraphValue]] {
        var rows: [Row] = []
        for group in try groups(objects) {
            if let having = request.having {
                let condition = try resolved(having, group)
                guard try condition.evaluate(with: group.first) else { continue }
            }
            var values: [String: GraphValue] = [:]
            for column in columns {
                values[column.name] = try value(of: column.expression, group)
            }
            let keys = try request.sortDescriptors.map { descriptor in
                let expression =
                    column(named: descriptor.keyPath)?.expression
                    ?? .keyPath(descriptor.keyPath)
                return try value(of: expression, group)
            }
            rows.append(Row(values: values, keys: keys))
        }
        if request.returnsDistinctResults {
            var seen: Set<[String: GraphValue]> = []
            rows = rows.filter { seen.insert($0.values).inserted }
        }
        if !request.sortDescriptors.isEmpty { rows = try sorted(rows) }
        return rows[request.window(of: rows.count)].map(\.values)
    }

    // MARK: Groups

    private struct Row {
        let values: [String: GraphValue]
        let keys: [GraphValue]
    }

    private struct Group {
        var objects: [StoredObject]

        var first: GraphValue { objects.first.map { .object($0) } ?? .null }
    }

    private func groups(_ objects: [StoredObject]) throws -> [Group] {
        if !isGrouped { return objects.map { Group(objects: [$0]) } }
        if request.propertiesToGroupBy.isEmpty { return [Group(objects: objects)] }
        let expressions = request.propertiesToGroupBy.map { CompiledExpression($0.expression) }
        var groups: [Group] = []
        var indexes: [[GraphValue]: Int] = [:]
        for object in objects {
            let key = try expressions.map { try $0.value(with: .object(object)) }
            if let index = indexes[key] {
                groups[index].objects.append(object)
            } else {
                indexes[key] = groups.count
                groups.append(Group(objects: [object]))
            }
        }
        return groups
    }

    private func value(of expression: FetchExpression, _ group: Group) throws -> GraphValue {
        let value = try resolved(expression, group).value(with: group.first)
        if case .object(let object) = value, let id = object.managedObjectID {
            return .objectID(id)
        }
        return value
    }

    private func sorted(_ rows: [Row]) throws -> [Row] {
        try rows.enumerated().sorted { left, right in
            for (index, descriptor) in request.sortDescriptors.enumerated() {
                switch try descriptor.order(left.element.keys[index], right.element.keys[index]) {
                case .before: return true
                case .after: return false
                case .same: continue
                }
            }
            return left.offset < right.offset
        }.map(\.element)
    }

    // MARK: Aggregates

    /// An expression with its aggregates replaced by their values for a group.
    private func resolved(_ expression: FetchExpression, _ group: Group) throws -> FetchExpression {
        if !isGrouped { return expression }
        guard case .function(let name, let arguments) = expression else { return expression }
        if let function = expression.aggregate(in: entity) {
            return .constant(try value(function, of: arguments[0], group))
        }
        return .function(name, try arguments.map { try resolved($0, group) })
    }

    private func value(
        _ function: BuiltInFunction,
        of argument: FetchExpression,
        _ group: Group
    ) throws -> GraphValue {
        let compiled = CompiledExpression(argument)
        let values = try group.objects.map { try compiled.value(with: .object($0)) }
            .filter { !$0.isNull }
        switch function {
        case .count: return .int(Int64(values.count))
        case .sum: return try Statistics.sum(values)
        case .average: return try Statistics.average(values)
        case .min: return try Statistics.minimum(values)
        case .max: return try Statistics.maximum(values)
        case .median: return try Statistics.median(values)
        case .mode: return .array(Statistics.mode(values))
        default: return try Statistics.standardDeviation(values)
        }
    }

    private func resolved(_ predicate: FetchPredicate, _ group: Group) throws -> FetchPredicate {
        switch predicate {
        case .constant, .block: return predicate
        case .and(let parts): return .and(try parts.map { try resolved($0, group) })
        case .or(let parts): return .or(try parts.map { try resolved($0, group) })
        case .not(let part): return .not(try resolved(part, group))
        case .comparison(var comparison):
            comparison.left = try resolvedName(comparison.left, group)
            comparison.right = try resolvedName(comparison.right, group)
            return .comparison(comparison)
        }
    }

    /// An operand of `having`, which may be the name of a column.
    private func resolvedName(
        _ expression: FetchExpression,
        _ group: Group
    ) throws -> FetchExpression {
        if case .keyPath(let name) = expression, let column = column(named: name) {
            return try resolved(column.expression, group)
        }
        return try resolved(expression, group)
    }
}

extension FetchExpression {
    /// The statistic that this is, if it combines single values: an aggregate over objects.
    package func aggregate(in entity: EntityDescription) -> BuiltInFunction? {
        guard case .function(let name, let arguments) = self, arguments.count == 1,
            let function = BuiltInFunction(name: name), function.isStatistic
        else { return nil }
        switch arguments[0] {
        case .keyPath(let path): return entity.hasToMany(path) ? nil : function
        case .evaluatedObject, .conditional: return function
        case .function: return arguments[0].isAggregate(in: entity) ? nil : function
        default: return nil
        }
    }

    /// Whether the expression contains an aggregate over objects.
    package func isAggregate(in entity: EntityDescription) -> Bool {
        if aggregate(in: entity) != nil { return true }
        guard case .function(_, let arguments) = self else { return false }
        return arguments.contains { $0.isAggregate(in: entity) }
    }

    /// Whether the expression is a constant.
    fileprivate var isFixed: Bool {
        if case .constant = self { return true }
        return false
    }
}

extension EntityDescription {
    /// Checks one column for the entity of the request.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` for a key
    ///   path over a to-many relationship, and for one whose first key is not a property of the
    ///   entity or of its subentities.
    package func check(_ column: FetchDescription.Column) throws {
        guard case .keyPath(let path) = column.expression else { return }
        if hasToMany(path) {
            throw ObjectGraphError(
                .invalidRequest,
                "The column \"\(column.name)\" names a to-many relationship.",
                recovery: "Use its count or another aggregate.",
                key: path
            )
        }
        var current: EntityDescription? = self
        for key in path.split(separator: ".").map(String.init) {
            guard let entity = current, key.first != "@",
                !["self", "SELF", "objectID", "entity"].contains(key)
            else { return }
            guard let property = entity.propertyInHierarchy(named: key) else {
                let place = "A column of \(entity.name)"
                if let error = UndeclaredKeyPath.error(key, in: place) { throw error }
                throw ObjectGraphError(
                    .invalidRequest,
                    "The column \"\(column.name)\" names \"\(key)\", which \(entity.name) does not have.",
                    recovery: "It has: \(entity.hierarchyNames.sorted().joined(separator: ", ")).",
                    key: path
                )
            }
            current = (property as? RelationshipDescription)?.destination
        }
    }

    /// Whether a key path ends in or goes through a to-many relationship, without an operator.
    package func hasToMany(_ path: String) -> Bool {
        var entity: EntityDescription? = self
        for key in path.split(separator: ".") {
            if key.first == "@" { return false }
            guard let property = entity?.propertyInHierarchy(named: String(key)) else {
                return false
            }
            guard let relationship = property as? RelationshipDescription else { return false }
            if relationship.isToMany {
                return !path.contains("@")
            }
            entity = relationship.destination
        }
        return false
    }
}
