/// Equality and order of two values, as predicates see them.
enum Comparing {
    /// Literal equality of text, numeric equality of numbers, identity of objects; `nil` equals
    /// only `nil`, values of different kinds are never equal.
    @inline(__always)
    static func areEqual(_ left: GraphValue, _ right: GraphValue) -> Bool {
        if case .string(let a) = left, case .string(let b) = right { return a.isIdentical(to: b) }
        return left == right
    }

    static func isOrdered(
        _ left: GraphValue,
        _ comparison: FetchComparison.Operator,
        _ right: GraphValue
    ) throws -> Bool {
        if left.isNull || right.isNull {
            let allowsSame = comparison == .lessOrEqual || comparison == .greaterOrEqual
            return allowsSame && left.isNull && right.isNull
        }
        return holds(try left.naturalOrder(to: right), comparison)
    }

    static func holds(_ order: Order?, _ comparison: FetchComparison.Operator) -> Bool {
        switch (comparison, order) {
        case (.less, .before), (.lessOrEqual, .before), (.lessOrEqual, .same),
            (.greater, .after), (.greaterOrEqual, .after), (.greaterOrEqual, .same):
            true
        default: false
        }
    }
}
