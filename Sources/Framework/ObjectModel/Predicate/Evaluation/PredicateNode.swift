class PredicateNode {
    func holds(_ context: inout EvaluationContext) throws -> Bool {
        preconditionFailure("a condition without a rule")
    }
}
