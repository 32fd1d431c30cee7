/// What a predicate can be evaluated with, a sort descriptor can order and a placeholder of a
/// format string can take: a value, an object that answers to keys, a predicate, an expression.
public protocol FetchOperand {
    var operandValue: Value { get }
}
