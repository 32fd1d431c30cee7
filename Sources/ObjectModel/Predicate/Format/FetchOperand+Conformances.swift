extension ValueConvertible {
    public var operandValue: Value { value }
}

extension KeyValueCoding {
    public var operandValue: Value { .object(self) }
}

extension ValueConvertible where Self: KeyValueCoding {
    public var operandValue: Value { .object(self) }
}

extension Optional: FetchOperand where Wrapped: ValueConvertible {}

extension Array: FetchOperand where Element: ValueConvertible {}

extension Set: FetchOperand where Element: ValueConvertible {}

extension Dictionary: FetchOperand where Key == String, Value: ValueConvertible {}

extension FetchPredicate: FetchOperand {
    /// The predicate as an argument for `%@`; it becomes part of the format's tree.
    public var operandValue: Value { .opaque(EmbeddedTree(.predicate(self))) }
}

extension FetchExpression: FetchOperand {
    /// The expression as an argument for `%@`; it becomes part of the format's tree.
    public var operandValue: Value { .opaque(EmbeddedTree(.expression(self))) }
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
