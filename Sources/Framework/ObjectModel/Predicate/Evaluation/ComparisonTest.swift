/// The operator and the right side of a comparison, prepared.
class ComparisonTest {
    let `operator`: FetchComparison.Operator
    let options: FetchComparison.Options

    init(_ comparison: FetchComparison) {
        `operator` = comparison.operator
        options = comparison.options
    }

    func holds(_ left: GraphValue, _ context: inout EvaluationContext) throws -> Bool {
        try matcher(&context).matches(left)
    }

    /// The matcher that decides for every left side.
    func matcher(_ context: inout EvaluationContext) throws -> Matcher {
        preconditionFailure("a test without a rule")
    }
}
