import FoundationEssentials
public import ObjectContext
import ObjectModel
import ObjectStore
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
        try addOpened(try openMigrating(description))
    }

    /// Adds a store that was opened; closes it if it cannot be added.
    func addOpened(_ store: any PersistentStore) throws -> StoreReference {
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

    /// Opens a store without adding it.
    ///
    /// - Parameters:
    ///   - store: its place, and how to open it.
    ///   - newIdentifier: of a store that is created; `nil` for a new one.
    /// - Returns: the open store.
    /// - Throws: `ObjectGraphError`, as ``addStore(_:)`` lists them.
    func open(_ store: StoreDescription, newIdentifier: UUID? = nil) throws -> any PersistentStore {
        let options = store.options
        let type = store.type
        try store.checkType()
        switch try StoreClass.of(type) {
        case .inMemory:
            return try InMemoryStore(
                model: model,
                configuration: options.configuration,
                identifier: newIdentifier ?? UUID(),
                url: store.url
            )
        case .sqlite:
            return try SQLiteStore(
                url: try store.file,
                model: model,
                configuration: options.configuration,
                options: options.sqlite(newIdentifier)
            )
        case .atomic(let storeClass):
            return try AtomicStoreOpening.open(
                storeClass,
                as: type,
                url: try store.file,
                model: model,
                configuration: options.configuration,
                isReadOnly: options.isReadOnly,
                newIdentifier: newIdentifier,
                readableBy: options.migration.readableBy,
                ignoresVersions: options.migration.ignoresVersions
            ).engine
        case .database(let storeClass):
            return try storeClass.open(try store.databaseRequest(model, newIdentifier))
        case .incremental(let storeClass):
            return try IncrementalStoreAdapter(
                storeClass,
                as: type,
                url: store.url,
                model: model,
                configuration: options.configuration,
                isReadOnly: options.isReadOnly
            )
        }
    }
}

extension StoreOptions {
    fileprivate func sqlite(_ newIdentifier: UUID?) -> SQLiteStoreOptions {
        var sqlite = SQLiteStoreOptions()
        sqlite.isReadOnly = isReadOnly
        sqlite.keepsHistory = keepsHistory
        sqlite.keepsSearchIndex = keepsSearchIndex
        sqlite.identifier = newIdentifier
        sqlite.ignoresVersionHashes = migration.ignoresVersions
        sqlite.readableBy = migration.readableBy
        return sqlite
    }
}

extension StoreDescription {
    /// The type of the store: that of its URL, if it has a scheme of its own.
    var type: StoreType {
        guard let url, options.type == .sqlite, let found = StoreClass.database(of: url) else {
            return options.type
        }
        return found.type
    }

    func databaseRequest(
        _ model: ManagedObjectModel,
        _ newIdentifier: UUID? = nil
    ) throws -> DatabaseStoreRequest {
        var request = DatabaseStoreRequest(
            url: try file,
            model: model,
            configuration: options.configuration
        )
        request.isReadOnly = options.isReadOnly
        request.keepsHistory = options.keepsHistory
        request.ignoresVersions = options.migration.ignoresVersions
        request.identifier = newIdentifier
        request.readableBy = options.migration.readableBy
        return request
    }

    /// Refuses a file that begins as a store of another type of the framework's own.
    fileprivate func checkType() throws {
        let type = self.type
        guard let url, type != .inMemory, StoreClass.ownTypes.contains(type),
            let found = StoreType.ofFile(at: url), found != type
        else { return }
        throw ObjectGraphError(
            .storeTypeMismatch,
            "The store \"\(url.lastPathComponent)\" is of type \(found.rawValue), not"
                + " \(type.rawValue).",
            recovery: "Open it with its own type."
        )
    }

    /// The file of a store that needs one.
    fileprivate var file: URL {
        get throws {
            if let url { return url }
            let name = options.type.rawValue
            throw ObjectGraphError(
                .cannotOpen,
                "A store of the type \(name) needs a file.",
                recovery: "Give its URL."
            )
        }
    }
}
