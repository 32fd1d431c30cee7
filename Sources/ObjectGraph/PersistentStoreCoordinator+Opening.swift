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
    /// A store that was made with another version of the model is migrated first, unless
    /// ``MigrationOptions/migratesAutomatically`` is off.
    ///
    /// - Throws: `ObjectGraphError`: the file cannot be opened, is damaged, was made with another
    ///   model and cannot be migrated, or is open here already.
    public func addStore(_ description: StoreDescription) throws -> StoreReference {
        let store = try openMigrating(description)
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

    func open(_ store: StoreDescription) throws -> any PersistentStore {
        let options = store.options
        switch (options.type, store.url) {
        case (.inMemory, let url):
            return try InMemoryStore(model: model, configuration: options.configuration, url: url)
        case (.sqlite, let url?):
            var sqlite = SQLiteStoreOptions()
            sqlite.isReadOnly = options.isReadOnly
            sqlite.keepsHistory = options.keepsHistory
            sqlite.keepsSearchIndex = options.keepsSearchIndex
            sqlite.ignoresVersionHashes = options.migration.ignoresVersions
            sqlite.readableBy = options.migration.readableBy
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
