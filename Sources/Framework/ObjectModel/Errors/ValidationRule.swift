/// A rule of the model that a value must follow.
///
/// A validation error carries the rule that was broken, so that a message can show its bound.
///
/// The editor's minimum, maximum and pattern become these; any other predicate is
/// ``predicate(_:message:)``.
public enum ValidationRule: Hashable {
    case required
    case minimum(GraphValue)
    case maximum(GraphValue)
    case minimumLength(Int)
    case maximumLength(Int)
    case pattern(String)
    case minimumCount(Int)
    case maximumCount(Int)
    /// An arbitrary condition with the sentence to show when it fails.
    case predicate(FetchPredicate, message: String)
}
