/// A node of a compiled predicate.
class Condition {
    func holds(_ context: inout EvaluationContext) throws -> Bool {
        preconditionFailure("a condition without a rule")
    }
}
