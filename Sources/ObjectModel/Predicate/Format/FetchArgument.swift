/// What may be given for a placeholder of a format string: a value, an object, an expression or
/// a predicate.
public protocol FetchArgument {
    var fetchArgument: FetchArgumentContent { get }
}

/// The content of a ``FetchArgument``.
public enum FetchArgumentContent {
    case value(Value)
    case expression(FetchExpression)
    case predicate(FetchPredicate)
}

/// What a predicate can be evaluated with and a sort descriptor can order: a value or an object
/// that answers to keys.
public protocol FetchOperand: FetchArgument {
    var operandValue: Value { get }
}

extension FetchOperand {
    public var fetchArgument: FetchArgumentContent { .value(operandValue) }
}

extension ValueConvertible {
    public var operandValue: Value { value }
}

extension KeyValueCoding {
    public var operandValue: Value { .object(self) }
}

extension ValueConvertible where Self: KeyValueCoding {
    public var operandValue: Value { .object(self) }
}

extension FetchPredicate: FetchArgument {
    public var fetchArgument: FetchArgumentContent { .predicate(self) }
}

extension FetchExpression: FetchArgument {
    public var fetchArgument: FetchArgumentContent { .expression(self) }
}

extension Optional: FetchArgument, FetchOperand where Wrapped: ValueConvertible {}

extension Array: FetchArgument, FetchOperand where Element: ValueConvertible {}

extension Set: FetchArgument, FetchOperand where Element: ValueConvertible {}

extension Dictionary: FetchArgument, FetchOperand where Key == String, Value: ValueConvertible {}
