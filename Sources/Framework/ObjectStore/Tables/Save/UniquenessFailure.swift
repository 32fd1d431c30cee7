package import ObjectModel

/// A violated uniqueness constraint, before the store decides whether to retry.
package struct UniquenessFailure: Error {
    package let error: ObjectGraphError

    package init(error: ObjectGraphError) {
        self.error = error
    }
}
