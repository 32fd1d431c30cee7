/// A predicate prepared to be evaluated many times.
///
/// Preparation splits key paths, folds constants, compiles patterns and hashes lists once; each
/// evaluation does only what depends on the object. To filter, compile the predicate once and
/// evaluate it for each element.
///
/// Not thread-safe: compile one for each thread.
///
/// - Complexity: O(size of the predicate) to create.
public final class CompiledPredicate {
    private let condition: PredicateNode
    private let bindings: [String: GraphValue]

    /// Prepares a predicate; `bindings` are the values of its variables.
    ///
    /// An error such as an invalid pattern is thrown when an evaluation reaches it, as it is
    /// without preparation.
    public init(_ predicate: FetchPredicate, bindings: [String: GraphValue] = [:]) {
        self.bindings = bindings
        if let error = predicate.nestingError(of: "The predicate") {
            condition = FailingCondition(error)
            return
        }
        let predicate =
            bindings.isEmpty ? predicate : predicate.withSubstitutionVariables(bindings)
        condition = PredicateNode.make(predicate)
    }

    /// Whether the predicate holds for a value or an object.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cannotEvaluate`` where the
    ///   predicate makes no sense for the object: a variable without a value, text ordered against
    ///   a number, BETWEEN without two bounds; with ``ObjectGraphError/Code/undefinedKey`` for
    ///   an unknown key; and with ``ObjectGraphError/Code/invalidRequest`` for a predicate that is
    ///   nested more than 1000 levels deep.
    public func evaluate(with object: GraphValue) throws -> Bool {
        var context = EvaluationContext(object: object, bindings: bindings)
        return try condition.holds(&context)
    }
}

/// An expression prepared to be evaluated many times, like ``CompiledPredicate``.
public final class CompiledExpression {
    private let operand: Operand
    private let bindings: [String: GraphValue]

    public init(_ expression: FetchExpression, bindings: [String: GraphValue] = [:]) {
        self.bindings = bindings
        if expression.isNested(deeperThan: FetchPredicate.deepestNesting) {
            operand = FailingOperand(
                "The expression is nested more than \(FetchPredicate.deepestNesting) levels deep."
            )
            return
        }
        let expression =
            bindings.isEmpty ? expression : expression.withSubstitutionVariables(bindings)
        operand = Operand.make(expression)
    }

    /// The value of the expression for a value or an object.
    ///
    /// - Throws: `ObjectGraphError`, see ``CompiledPredicate/evaluate(with:)``.
    public func value(with object: GraphValue) throws -> GraphValue {
        var context = EvaluationContext(object: object, bindings: bindings)
        return try operand.value(&context)
    }
}
