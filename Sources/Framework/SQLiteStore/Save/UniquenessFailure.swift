import ObjectModel

/// A violated uniqueness constraint, before the store decides whether to retry.
struct UniquenessFailure: Error {
    let error: ObjectGraphError
}
