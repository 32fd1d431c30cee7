extension FetchPredicate {
    /// Whether the predicate holds for a value or an object.
    ///
    /// Compiles the predicate each time; for many objects create a ``CompiledPredicate``.
    ///
    /// Rules, which are Core Data's: `nil == nil` holds and `nil != x` holds. An order with `nil`
    /// fails, except `<=` and `>=` of two `nil`. Text operators fail with `nil`, and `CONTAINS ''`
    /// fails. Values of different kinds are not equal, and ordering them is an error. Integers
    /// divide as integers, and a division by zero is `nil`. Text compares literally unless `[cdn]`
    /// is given.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    public func evaluate(
        with object: GraphValue,
        bindings: [String: GraphValue] = [:]
    ) throws -> Bool {
        try CompiledPredicate(self, bindings: bindings).evaluate(with: object)
    }

    /// Whether the predicate holds for an object.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    public func evaluate(
        with object: any KeyValueCoding,
        bindings: [String: GraphValue] = [:]
    ) throws -> Bool {
        try evaluate(with: .object(object), bindings: bindings)
    }
}

extension FetchExpression {
    /// The value of the expression for a value or an object.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    public func value(
        with object: GraphValue,
        bindings: [String: GraphValue] = [:]
    ) throws -> GraphValue {
        try CompiledExpression(self, bindings: bindings).value(with: object)
    }

    /// The value of the expression for an object.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    public func value(
        with object: any KeyValueCoding,
        bindings: [String: GraphValue] = [:]
    ) throws -> GraphValue {
        try value(with: .object(object), bindings: bindings)
    }
}
