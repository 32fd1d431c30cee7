/// A value, an object that answers to keys, a predicate or an expression: something that a
/// predicate evaluates, a sort descriptor orders, or a placeholder of a format string takes.
public protocol FetchOperand {
    var operandValue: GraphValue { get }
}
