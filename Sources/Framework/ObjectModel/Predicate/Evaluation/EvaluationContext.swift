import FoundationEssentials

/// The input of an evaluation besides the predicate.
struct EvaluationContext {
    /// `SELF`.
    var object: GraphValue
    /// `$name`.
    var bindings: [String: GraphValue]
    /// The time of the evaluation: one value, however often the predicate asks for it.
    private(set) lazy var now = Date()
}
