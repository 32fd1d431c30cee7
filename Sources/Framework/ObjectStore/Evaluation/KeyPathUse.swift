public import ObjectModel

/// The key paths that predicates, expressions and sort descriptors follow from the object that they
/// are evaluated with.
///
/// It answers two questions: whether a store's rows are enough to evaluate something, and on which
/// other objects the result for one object depends.
public struct KeyPathUse {
    /// The paths by their keys, without collection operators.
    public private(set) var paths: Set<[String]> = []
    /// Whether these paths are all that is read; false for closures, registered functions and
    /// `ANYKEY`.
    public private(set) var isComplete = true

    /// The key paths of a predicate and sort descriptors.
    public init(_ predicate: FetchPredicate?, _ sortDescriptors: [FetchSortDescriptor] = []) {
        if let predicate { add(predicate, [:]) }
        for descriptor in sortDescriptors { add(keyPath: descriptor.keyPath) }
    }

    /// Adds a key path that something else follows.
    public mutating func add(keyPath: String) { insert(KeyPathUse.keys(keyPath)) }

    // MARK: Walking the tree

    /// The paths that variables of subqueries stand for.
    private typealias Variables = [String: [String]]

    private static func keys(_ keyPath: String) -> [String] {
        keyPath.split(separator: ".").filter { $0.first != "@" && $0 != "self" && $0 != "SELF" }
            .map { String($0) }
    }

    private mutating func insert(_ keys: [String]) {
        if !keys.isEmpty { paths.insert(keys) }
    }

    private mutating func add(_ predicate: FetchPredicate, _ variables: Variables) {
        switch predicate {
        case .constant: break
        case .block: isComplete = false
        case .and(let parts), .or(let parts):
            for part in parts { add(part, variables) }
        case .not(let part): add(part, variables)
        case .comparison(let comparison):
            if case .custom = comparison.operator { isComplete = false }
            add(comparison.left, variables)
            add(comparison.right, variables)
        }
    }

    private mutating func add(_ expression: FetchExpression, _ variables: Variables) {
        switch expression {
        case .constant, .evaluatedObject, .variable: break
        case .keyPath(let path): insert(KeyPathUse.keys(path))
        case .keyPathOf(let operand, let path):
            if let start = self.path(of: operand, variables) {
                insert(start + KeyPathUse.keys(path))
            }
            add(operand, variables)
        case .subscripted(let operand, let position):
            add(operand, variables)
            if case .index(let index) = position { add(index, variables) }
        case .function(_, let arguments), .aggregate(let arguments):
            for argument in arguments { add(argument, variables) }
        case .subquery(let collection, let variable, let predicate):
            add(collection, variables)
            var inner = variables
            inner[variable] = path(of: collection, variables)
            add(predicate, inner)
        case .union(let left, let right), .intersect(let left, let right),
            .minus(let left, let right):
            add(left, variables)
            add(right, variables)
        case .conditional(let predicate, let first, let second):
            add(predicate, variables)
            add(first, variables)
            add(second, variables)
        case .assignment(_, let operand), .cast(let operand, _): add(operand, variables)
        case .call, .anyKey: isComplete = false
        }
    }

    /// The path of an operand; `nil` if it is not a path.
    private func path(of expression: FetchExpression, _ variables: Variables) -> [String]? {
        switch expression {
        case .evaluatedObject: []
        case .variable(let name): variables[name]
        case .keyPath(let path): KeyPathUse.keys(path)
        case .keyPathOf(let operand, let path):
            self.path(of: operand, variables).map { $0 + KeyPathUse.keys(path) }
        case .subscripted(let operand, _), .cast(let operand, _): path(of: operand, variables)
        case .subquery(let collection, _, _): path(of: collection, variables)
        case .union(let left, _), .intersect(let left, _), .minus(let left, _):
            path(of: left, variables)
        default: nil
        }
    }
}

extension KeyPathUse {
    /// Whether the stored values of an entity's objects, and of those that they lead to, are
    /// enough.
    ///
    /// False for transient and fetched properties and for keys that only a class knows.
    public func isStored(in entity: EntityDescription) -> Bool {
        isComplete && paths.allSatisfy { KeyPathUse.isStored($0[...], entity) }
    }

    private static func isStored(_ keys: ArraySlice<String>, _ entity: EntityDescription) -> Bool {
        guard let key = keys.first else { return true }
        if key == "objectID" || key == "entity" { return true }
        guard let property = entity.propertyInHierarchy(named: key), !property.isTransient else {
            return false
        }
        if let attribute = property as? AttributeDescription {
            guard attribute.type == .composite, let element = keys.dropFirst().first else {
                return attribute.leaves.allSatisfy { !$0.isTransient }
            }
            return isStored(["\(key).\(element)"] + keys.dropFirst(2), entity)
        }
        guard let relationship = property as? RelationshipDescription,
            let destination = relationship.destination
        else { return false }
        return isStored(keys.dropFirst(), destination)
    }

    /// A chain of relationships, and the keys that are read at its end.
    public struct Chain {
        public let relationships: [RelationshipDescription]
        /// The keys that are read of the objects at the end.
        public fileprivate(set) var keys: Set<String>
    }

    /// The followed relationships, each with the path of relationships to its owner.
    ///
    /// - Returns: `nil` if the reads are unknown.
    public func chains(from entity: EntityDescription) -> [Chain]? {
        if !isComplete { return nil }
        var result: [[RelationshipDescription]: Chain] = [:]
        for path in paths {
            var chain: [RelationshipDescription] = []
            var current = entity
            for (index, key) in path.enumerated() {
                guard
                    let relationship = current.propertyInHierarchy(named: key)
                        as? RelationshipDescription,
                    let destination = relationship.destination
                else { break }
                chain.append(relationship)
                let keys = path.dropFirst(index + 1).prefix(1)
                result[chain, default: Chain(relationships: chain, keys: [])].keys.formUnion(keys)
                current = destination
            }
        }
        return Array(result.values)
    }
}
