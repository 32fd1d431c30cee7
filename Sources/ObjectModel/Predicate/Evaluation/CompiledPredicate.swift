/// A predicate made ready to be evaluated many times.
///
/// Key paths are split, constants folded, patterns compiled and lists hashed once, here; each
/// evaluation does only what depends on the object. To filter with a predicate is to compile it
/// and evaluate it for each element.
///
/// Not thread-safe: compile one for each thread.
///
/// - Complexity: O(size of the predicate) to make.
public final class CompiledPredicate {
    private let condition: Condition
    private let bindings: [String: Value]

    /// Prepares a predicate; `bindings` are the values of its variables.
    ///
    /// Mistakes such as a bad pattern are reported when an evaluation comes upon them, so that a
    /// predicate behaves the same in either form.
    public init(_ predicate: FetchPredicate, bindings: [String: Value] = [:]) {
        let predicate =
            bindings.isEmpty ? predicate : predicate.withSubstitutionVariables(bindings)
        condition = Condition.make(predicate)
        self.bindings = bindings
    }

    /// Whether the predicate holds for a value or an object.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotEvaluate`` where the
    ///   predicate makes no sense for the object: an unbound variable, text ordered against a
    ///   number, BETWEEN without two bounds; or the error of an unknown key.
    public func evaluate(with object: Value) throws -> Bool {
        var context = EvaluationContext(object: object, bindings: bindings)
        return try condition.holds(&context)
    }
}

/// An expression made ready to be evaluated many times, as ``CompiledPredicate``.
public final class CompiledExpression {
    private let operand: Operand
    private let bindings: [String: Value]

    public init(_ expression: FetchExpression, bindings: [String: Value] = [:]) {
        let expression =
            bindings.isEmpty ? expression : expression.withSubstitutionVariables(bindings)
        operand = Operand.make(expression)
        self.bindings = bindings
    }

    /// The value for a value or an object.
    public func value(with object: Value) throws -> Value {
        var context = EvaluationContext(object: object, bindings: bindings)
        return try operand.value(&context)
    }
}
