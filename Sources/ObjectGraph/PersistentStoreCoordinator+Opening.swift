public import FoundationEssentials
public import ObjectContext
import ObjectModel
public import ObjectStore
import SQLiteStore

extension PersistentStoreCoordinator {
    /// Opens a store, creating the file if it does not exist, and adds it to the open stores.
    ///
    ///     let vault = try container.coordinator.addStore(StoreDescription(url: file, options: secret))
    ///     try context.assign(note, to: vault)
    ///
    /// - Throws: `ObjectGraphError`: the file cannot be opened, is damaged, was made with another
    ///   model, or is open here already.
    public func addStore(_ description: StoreDescription) throws -> StoreReference {
        let store = try open(description)
        let reference = StoreReference(store)
        if persistentStores.contains(reference) {
            store.close()
            throw ObjectGraphError(
                .cannotOpen,
                "The store \(store.url?.path ?? store.identifier.uuidString) is open already.",
                recovery: "Use the one among the persistent stores; a copy that is to be "
                    + "open beside it needs its own identifier."
            )
        }
        add(store)
        return reference
    }

    /// The metadata of a store, read without opening it and without a model.
    ///
    /// - Parameter url: an SQLite store's file.
    /// - Returns: property-list values by key.
    /// - Throws: `ObjectGraphError` if the file does not exist or is not a store.
    public static func metadata(ofStoreAt url: URL) throws -> StoreMetadata {
        try SQLiteStore.metadata(at: url)
    }

    /// Puts a copy of one store in the place of another one, for example of a backup.
    ///
    /// At each moment, also after a crash, one of the two is at the place as a whole.
    ///
    /// - Parameters:
    ///   - url: the place of an SQLite store; it must not be open in this or another process.
    ///   - source: the file of the other store, which may be in use.
    /// - Throws: `ObjectGraphError`: the source is not a store, is damaged or is the same file; the
    ///   store at the place is open; the copy cannot be written. Then nothing has changed.
    public static func replaceStore(at url: URL, with source: URL) throws {
        try SQLiteStore.replaceStore(at: url, with: source)
    }

    private func open(_ store: StoreDescription) throws -> any PersistentStore {
        let options = store.options
        switch (options.type, store.url) {
        case (.inMemory, let url):
            return try InMemoryStore(model: model, configuration: options.configuration, url: url)
        case (.sqlite, let url?):
            var sqlite = SQLiteStoreOptions()
            sqlite.isReadOnly = options.isReadOnly
            sqlite.keepsHistory = options.keepsHistory
            sqlite.keepsSearchIndex = options.keepsSearchIndex
            return try SQLiteStore(
                url: url,
                model: model,
                configuration: options.configuration,
                options: sqlite
            )
        case (.sqlite, nil):
            throw ObjectGraphError(
                .cannotOpen,
                "A SQLite store needs a file.",
                recovery: "Give its URL."
            )
        default:
            throw ObjectGraphError(
                .invalidStoreType,
                "\"\(options.type.rawValue)\" is not a store type.",
                recovery: "Use SQLite or InMemory."
            )
        }
    }
}
