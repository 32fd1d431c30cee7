/// What a program has decided about a context.
struct ContextSettings {
    var name: String?
    var transactionAuthor: String?
    var mergePolicy = MergePolicy.error
    var constraintPolicy: MergePolicy?
    var propagatesDeletesAtEndOfEvent = true
    var stalenessInterval: Duration?
    /// Whether this is the scratch context of a batch request, which checks less.
    var isBatch = false
    /// Whether a save checks the rules of the model and the classes.
    var validates = true
    /// Whether Observation may track reads.
    var tracksReads = false
    var beforeWriting: (() throws -> Void)?
}
