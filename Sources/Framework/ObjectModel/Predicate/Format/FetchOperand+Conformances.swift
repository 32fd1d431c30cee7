extension GraphValueConvertible {
    public var operandValue: GraphValue { value }
}

extension KeyValueCoding {
    public var operandValue: GraphValue { .object(self) }
}

extension GraphValueConvertible where Self: KeyValueCoding {
    public var operandValue: GraphValue { .object(self) }
}

extension Optional: FetchOperand where Wrapped: GraphValueConvertible {}

extension Array: FetchOperand where Element: GraphValueConvertible {}

extension Set: FetchOperand where Element: GraphValueConvertible {}

extension Dictionary: FetchOperand where Key == String, Value: GraphValueConvertible {}

extension FetchPredicate: FetchOperand {
    /// The predicate as an argument for `%@`; it becomes part of the format's tree.
    public var operandValue: GraphValue { .opaque(EmbeddedTree(.predicate(self))) }
}

extension FetchExpression: FetchOperand {
    /// The expression as an argument for `%@`; it becomes part of the format's tree.
    public var operandValue: GraphValue { .opaque(EmbeddedTree(.expression(self))) }
}

/// A predicate or an expression as an argument of a format.
final class EmbeddedTree {
    enum Content {
        case predicate(FetchPredicate)
        case expression(FetchExpression)
    }

    let content: Content

    init(_ content: Content) { self.content = content }
}
