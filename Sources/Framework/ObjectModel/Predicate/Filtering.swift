extension Array where Element: FetchOperand {
    /// The elements for which the predicate holds, in their order.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    /// - Complexity: one evaluation an element; the predicate is compiled once.
    public func filtered(
        using predicate: FetchPredicate,
        bindings: [String: GraphValue] = [:]
    ) throws -> [Element] {
        let compiled = CompiledPredicate(predicate, bindings: bindings)
        return try filter { try compiled.evaluate(with: $0.operandValue) }
    }

    /// Keeps the elements for which the predicate holds; unchanged if that fails.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    /// - Complexity: one evaluation an element.
    public mutating func filter(
        using predicate: FetchPredicate,
        bindings: [String: GraphValue] = [:]
    ) throws {
        self = try filtered(using: predicate, bindings: bindings)
    }
}

extension Array where Element == any KeyValueCoding {
    /// The objects for which the predicate holds, in their order.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    /// - Complexity: one evaluation an object.
    public func filtered(
        using predicate: FetchPredicate,
        bindings: [String: GraphValue] = [:]
    ) throws -> [Element] {
        let compiled = CompiledPredicate(predicate, bindings: bindings)
        return try filter { try compiled.evaluate(with: .object($0)) }
    }

    /// Keeps the objects for which the predicate holds; unchanged if that fails.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    /// - Complexity: one evaluation an object.
    public mutating func filter(
        using predicate: FetchPredicate,
        bindings: [String: GraphValue] = [:]
    ) throws {
        self = try filtered(using: predicate, bindings: bindings)
    }
}

extension Set where Element: FetchOperand {
    /// The elements for which the predicate holds.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    /// - Complexity: one evaluation an element.
    public func filtered(
        using predicate: FetchPredicate,
        bindings: [String: GraphValue] = [:]
    ) throws -> Set<Element> {
        let compiled = CompiledPredicate(predicate, bindings: bindings)
        return try filter { try compiled.evaluate(with: $0.operandValue) }
    }

    /// Keeps the elements for which the predicate holds; unchanged if that fails.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    /// - Complexity: one evaluation an element.
    public mutating func filter(
        using predicate: FetchPredicate,
        bindings: [String: GraphValue] = [:]
    ) throws {
        self = try filtered(using: predicate, bindings: bindings)
    }
}

extension Dictionary where Value: FetchOperand {
    /// The entries for whose values the predicate holds.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    /// - Complexity: one evaluation an entry.
    public func filtered(
        using predicate: FetchPredicate,
        bindings: [String: GraphValue] = [:]
    ) throws -> [Key: Value] {
        let compiled = CompiledPredicate(predicate, bindings: bindings)
        return try filter { try compiled.evaluate(with: $0.value.operandValue) }
    }

    /// Keeps the entries for whose values the predicate holds; unchanged if that fails.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    /// - Complexity: one evaluation an entry.
    public mutating func filter(
        using predicate: FetchPredicate,
        bindings: [String: GraphValue] = [:]
    ) throws {
        self = try filtered(using: predicate, bindings: bindings)
    }
}
