package import FoundationEssentials
package import ObjectModel

/// How a module beside the framework opens stores in a database server, which have a URL of their own
/// scheme instead of a file.
package protocol DatabaseStoreClass: Sendable {
    var type: StoreType { get }
    /// Whether a URL is of such a store.
    func isPlace(_ url: URL) -> Bool
    func open(_ request: DatabaseStoreRequest) throws -> any PersistentStore
    func metadata(ofStoreAt url: URL) throws -> StoreMetadata
    /// The archive of the model that a store was made with; `nil` if it keeps none.
    func modelArchive(ofStoreAt url: URL) throws -> ModelArchive?
    /// Changes a store, in place, for another version of its model.
    ///
    /// - Parameters:
    ///   - request: the store, with the new model.
    ///   - source: the model that it was made with.
    ///   - monitor: receives the progress, and can cancel.
    /// - Throws: `ObjectGraphError`; nothing is changed then.
    func migrate(
        _ request: DatabaseStoreRequest,
        from source: ManagedObjectModel,
        _ monitor: MigrationMonitor
    ) throws
}

/// What a store in a database server is opened with.
package struct DatabaseStoreRequest {
    package let url: URL
    package let model: ManagedObjectModel
    package let configuration: String?
    package var isReadOnly = false
    package var keepsHistory = true
    package var ignoresVersions = false
    /// Of a store that is created; `nil` for a new one.
    package var identifier: UUID?
    /// See `MigrationOptions.readableBy`.
    package var readableBy: String?

    package init(url: URL, model: ManagedObjectModel, configuration: String?) {
        self.url = url
        self.model = model
        self.configuration = configuration
    }
}

/// A store that tells by itself when somebody else has written to it.
package protocol WatchedStore: PersistentStore {
    /// - Parameter wake: called on another thread after writes of others, perhaps once for several.
    /// - Returns: what ends the watching; `nil` where the store cannot be watched.
    func startWatching(_ wake: @escaping @Sendable () -> Void) -> (any StoreWatch)?
}

/// The watching of one store.
package protocol StoreWatch: Sendable {
    func stop()
}
