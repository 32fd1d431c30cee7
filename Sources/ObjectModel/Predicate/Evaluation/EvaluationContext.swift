import FoundationEssentials

/// The input of an evaluation besides the predicate.
struct EvaluationContext {
    /// `SELF`.
    var object: Value
    /// `$name`.
    var bindings: [String: Value]
    /// The time of the evaluation: one value, however often the predicate asks for it.
    private(set) lazy var now = Date()

    init(object: Value, bindings: [String: Value]) {
        self.object = object
        self.bindings = bindings
    }
}
