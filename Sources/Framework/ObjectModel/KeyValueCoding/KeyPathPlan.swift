/// A key path that is split once and followed many times.
///
/// Keys come first. A collection operator ends the plan and keeps the rest of the path as a plan of
/// its own: in `tasks.@sum.estimate` the operator applies `estimate` to every task.
package struct KeyPathPlan {
    package let keys: [String]
    package let operation: Operation?

    package final class Operation {
        package let kind: CollectionOperator
        /// What to combine; `nil` if nothing follows the operator.
        package let right: KeyPathPlan?

        init(_ kind: CollectionOperator, _ right: KeyPathPlan?) {
            self.kind = kind
            self.right = right
        }
    }

    package init(_ keyPath: String) {
        self.init(keyPath.split(separator: ".", omittingEmptySubsequences: false)[...])
    }

    private init(_ components: ArraySlice<Substring>) {
        var keys: [String] = []
        var rest = components
        while let component = rest.popFirst() {
            if let kind = CollectionOperator(key: component) {
                self.keys = keys
                operation = Operation(kind, rest.isEmpty ? nil : KeyPathPlan(rest))
                return
            }
            // `entity.name` is the same as `entity`, which is the name already.
            if component == "name", keys.last == "entity" { continue }
            keys.append(String(component))
        }
        self.keys = keys
        operation = nil
    }

    /// The value at the end of the path.
    package func value(from start: GraphValue) throws -> GraphValue {
        var value = start
        for (index, key) in keys.enumerated() {
            if value.isNull { return .null }
            if let operation, operation.kind == .count, index == keys.count - 1,
                case .object(let object as any DirectMembers) = value,
                let count = object.memberCount(forKey: key)
            {
                return .int(Int64(count))
            }
            value = try value.value(forKey: key)
        }
        guard let operation else { return value }
        return try operation.apply(to: value)
    }

    /// Calls `body` with every member of the collection at the end of the path, until it
    /// returns `false`.
    ///
    /// Collections on the way are walked, not copied, and nested collections count as one, like a
    /// join in SQL. `nil` is an empty collection. If a path meets `nil` within a collection, its
    /// member there is `nil`.
    ///
    /// - Returns: whether there was a collection (or `nil`) at all.
    package func forEachMember(
        from start: GraphValue,
        _ body: (GraphValue) throws -> Bool
    ) throws -> Bool {
        if operation != nil { return try Self.visit(try value(from: start), body) != nil }
        return try walk(start, keys[...], false, body) != nil
    }

    /// - Returns: `nil` if no collection was met, else whether to go on.
    private func walk(
        _ start: GraphValue,
        _ keys: ArraySlice<String>,
        _ isInside: Bool,
        _ body: (GraphValue) throws -> Bool
    ) throws -> Bool? {
        var value = start
        var keys = keys
        while let key = keys.first {
            switch value {
            case .null: return isInside ? try body(.null) : true
            case .array(let values):
                for value in values where try walk(value, keys, true, body) == false {
                    return false
                }
                return true
            case .set(let values):
                for value in values where try walk(value, keys, true, body) == false {
                    return false
                }
                return true
            default: value = try value.value(forKey: key)
            }
            keys = keys.dropFirst()
        }
        if isInside, value.isNull { return try body(.null) }
        if let goesOn = try Self.visit(value, body) { return goesOn }
        return isInside ? try body(value) : nil
    }

    private static func visit(
        _ value: GraphValue,
        _ body: (GraphValue) throws -> Bool
    ) throws -> Bool? {
        switch value {
        case .array(let values):
            for value in values where try !body(value) { return false }
        case .set(let values):
            for value in values where try !body(value) { return false }
        case .dictionary(let values):
            for value in values.values where try !body(value) { return false }
        case .null: return true
        default: return nil
        }
        return true
    }
}
