import ObjectModel

/// A violated uniqueness constraint, before it is decided whether to try again.
struct UniquenessFailure: Error {
    let error: ObjectGraphError
}
