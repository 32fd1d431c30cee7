import FoundationEssentials
public import ObjectContext
import ObjectMigration
public import ObjectModel
public import ObjectStore
import SQLiteStore

extension PersistentStoreCoordinator {
    /// Opens a store, after a migration if it needs one.
    func openMigrating(_ description: StoreDescription) throws -> any PersistentStore {
        do {
            return try open(description)
        } catch let error as ObjectGraphError where error.code == .incompatibleVersion {
            guard description.options.migration.migratesAutomatically, let url = description.url
            else { throw error }
            switch try StoreClass.of(description.type) {
            case .inMemory: throw error
            case .incremental(let storeClass):
                throw ObjectGraphError(
                    .incompatibleVersion,
                    error.message + " It is a \(storeClass), an incremental store, which this"
                        + " framework cannot migrate.",
                    recovery:
                        "Let the class bring its data up to date before it loads its metadata, or"
                        + " open the store with the model it was made with.",
                    underlying: [error]
                )
            case .sqlite:
                let store = try migrated(description, at: url, nil, error)
                try (store as? SQLiteStore)?.removeUnusedFiles()
                return store
            case .atomic(let storeClass):
                return try migrated(description, at: url, storeClass, error)
            case .database(let storeClass):
                return try migrated(description, at: url, nil, error, in: storeClass)
            }
        }
    }

    /// Migrates a store and opens it, whoever else does the same at this moment.
    private func migrated(
        _ description: StoreDescription,
        at url: URL,
        _ storeClass: AtomicStore.Type?,
        _ cause: ObjectGraphError,
        in database: (any DatabaseStoreClass)? = nil
    ) throws -> any PersistentStore {
        let type = description.type
        while true {
            let former = try PersistentStoreCoordinator.metadata(ofStoreAt: url, type: type)
            do {
                try StoreMigrator(url, description, model, storeClass, cause, in: database).run()
                return try open(description)
            } catch {
                // Another program may have migrated it between two readings, in one step or in some.
                if let store = try? open(description) { return store }
                let present = try? PersistentStoreCoordinator.metadata(ofStoreAt: url, type: type)
                guard let present, present != former else { throw error }
            }
        }
    }

    /// Whether a store has to be migrated before it can be opened with the model of this coordinator.
    ///
    /// - Parameters:
    ///   - metadata: the metadata of the store, see ``metadata(ofStoreAt:type:)``.
    ///   - configuration: the part of the model that the store holds; `nil` = all of it.
    /// - Returns: false if the store has exactly the entities of the model, in its form.
    public func needsMigration(_ metadata: StoreMetadata, configuration: String? = nil) -> Bool {
        !model.matches(storeMetadata: metadata, configuration: configuration)
    }

    /// Makes a new store from another one, of any type and of any version.
    ///
    /// - Parameters:
    ///   - source: the old store, which stays as it is.
    ///   - sourceModel: the model that it was made with.
    ///   - destination: the place and the type of the new store; there must be no file yet.
    ///   - destinationModel: the model of the new store.
    ///   - mapping: how the objects change; `nil` infers it.
    ///   - monitor: receives the progress, and can cancel.
    /// - Throws: `ObjectGraphError`, as described for ``MigrationManager``. The new file is removed
    ///   then.
    /// - Complexity: O(objects), in bounded memory if the stores do not keep all of theirs in memory.
    public static func migrateStore(
        from source: StoreDescription,
        model sourceModel: ManagedObjectModel,
        to destination: StoreDescription,
        model destinationModel: ManagedObjectModel,
        mapping: MappingModel? = nil,
        monitor: MigrationMonitor = MigrationMonitor()
    ) throws {
        monitor.begin()
        let mapping = try mapping ?? .inferred(from: sourceModel, to: destinationModel)
        if let url = destination.url, FileManager.default.fileExists(atPath: url.path) {
            throw ObjectGraphError(
                .cannotWrite,
                "The file \"\(url.lastPathComponent)\" for the new store exists already.",
                recovery: "Choose another name, or remove it."
            )
        }
        var reading = source
        reading.options.isReadOnly = source.url != nil
        reading.options.migration.migratesAutomatically = false
        let old = try PersistentStoreCoordinator(model: sourceModel)
        let new = try PersistentStoreCoordinator(model: destinationModel)
        defer { for coordinator in [old, new] { coordinator.closeAll() } }
        _ = try old.addStore(reading)
        let migrate = {
            try MigrationManager(from: old, to: new, mapping: mapping, monitor: monitor).migrate()
            new.closeAll()
        }
        // The file gets its name when it is complete.
        if case .atomic = try StoreClass.of(destination.options.type), let url = destination.url {
            let stage = try StoreTransferStage(beside: url)
            defer { stage.remove() }
            var staged = destination
            staged.url = stage.file
            _ = try new.addStore(staged)
            try migrate()
            return try stage.place(at: url, replacing: false)
        }
        guard destination.options.type == .sqlite, let url = destination.url else {
            _ = try new.addStore(destination)
            return try migrate()
        }
        let file = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent)-new")
        defer {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: file.path + suffix)
            }
        }
        try? FileManager.default.removeItem(at: file)
        var options = SQLiteStoreOptions()
        options.keepsHistory = destination.options.keepsHistory
        options.keepsSearchIndex = destination.options.keepsSearchIndex
        options.readableBy = destination.options.migration.readableBy
        options.externalFolder = SQLiteStore.externalFolder(of: url)
        new.add(
            try SQLiteStore(
                url: file,
                model: destinationModel,
                configuration: destination.options.configuration,
                options: options
            )
        )
        try migrate()
        try SQLiteStore.place(file, at: url)
    }

    /// Closes every store.
    public func closeAll() { for store in openStores { remove(store) } }
}
