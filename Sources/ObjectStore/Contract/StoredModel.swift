package import ObjectModel

/// The model of a store, as far as its file tells.
package struct StoredModel {
    /// Where a model was found.
    package enum Origin: Sendable {
        /// The caller has given it.
        case given
        /// The archive in a store of this framework: everything but code.
        case archive
        /// The compiled model in a store of Apple's framework (`Z_MODELCACHE`).
        case cache
        /// The tables: names in lower case, types as they are stored, and of the relationships those
        /// that the names and the rows leave no doubt about.
        case tables
    }

    package let model: ManagedObjectModel
    package let origin: Origin

    package init(_ model: ManagedObjectModel, _ origin: Origin) {
        self.model = model
        self.origin = origin
    }
}
