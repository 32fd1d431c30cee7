import FoundationEssentials

/// What an evaluation knows besides the predicate.
struct EvaluationContext {
    /// `SELF`.
    var object: Value
    /// `$name`.
    var bindings: [String: Value]
    /// The time of the evaluation, the same wherever the predicate asks for it.
    private(set) lazy var now = Date()

    init(object: Value, bindings: [String: Value]) {
        self.object = object
        self.bindings = bindings
    }
}
