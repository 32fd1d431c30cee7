import CSQLite
package import FoundationEssentials
package import ObjectModel
package import ObjectStore

// A lightweight migration: the file itself is changed, in one transaction, so that it has the layout
// of a new store with the new model. Whatever fails, and whenever the process is killed, the file is
// as it was before, or completely migrated.
//
// During the migration no other connection may have the file open: one that has prepared its
// statements for the old layout could write rows of wrong entities into the new one. So the migration
// holds the lock that only a connection alone on its file can have.

extension SQLiteStore {
    /// Changes a store of our own, in place, for another version of its model.
    ///
    /// - Parameters:
    ///   - url: the file of the store, which nobody else may have open.
    ///   - source: the model that the store was made with; `nil` for the one that the file keeps.
    ///   - destination: the new model.
    ///   - configuration: the part of the new model that the store holds.
    ///   - options: as for opening the store.
    ///   - backup: whether a copy of the file is kept beside it, see ``StoreBackup``.
    ///   - monitor: receives the progress, and can cancel.
    /// - Throws: `ObjectGraphError`: ``ObjectGraphError/Code/inferredMapping`` if the changes cannot
    ///   be inferred, ``ObjectGraphError/Code/missingSourceModel`` if the model of the store is not
    ///   known, ``ObjectGraphError/Code/migrationConstraint`` and
    ///   ``ObjectGraphError/Code/migration`` if objects do not fit the new model,
    ///   ``ObjectGraphError/Code/cancelled``, and errors of opening. Nothing is changed then.
    /// - Complexity: O(rows of changed tables), in bounded memory; adding optional attributes and
    ///   renaming without other changes is O(1).
    package static func migrate(
        _ url: URL,
        from source: ManagedObjectModel? = nil,
        to destination: ManagedObjectModel,
        configuration: String? = nil,
        options: SQLiteStoreOptions = SQLiteStoreOptions(),
        backup: Bool = false,
        monitor: MigrationMonitor? = nil
    ) throws {
        try destination.freeze()
        let opening = StoreOpening(
            url: url,
            model: destination,
            configuration: configuration,
            options: options
        )
        try translatingErrors {
            try StoreMigration(opening, monitor ?? MigrationMonitor(), backup)
                .run(from: source)
        }
    }
}

/// The steps of one migration.
struct StoreMigration {
    let opening: StoreOpening
    let monitor: MigrationMonitor
    let keepsBackup: Bool

    init(_ opening: StoreOpening, _ monitor: MigrationMonitor, _ keepsBackup: Bool) {
        self.opening = opening
        self.monitor = monitor
        self.keepsBackup = keepsBackup
    }

    func run(from source: ManagedObjectModel?) throws {
        try monitor.check()
        monitor.note(0, "Opening the store")
        let (connection, isAlone) = try opening.connectAlone()
        var isDone = false
        defer {
            if isAlone { csqlite_release_file(connection.handle) }
            // The log moves into the file, as when a store is closed.
            if isDone { try? connection.foldLog(empties: false) }
            connection.close(folds: isAlone)
        }
        if !isAlone { return }
        let (_, metadata) = try opening.readRow(from: connection)
        try opening.checkIsMigratable(metadata)
        if opening.isCurrent(metadata) { return }
        let model = try source ?? opening.keptModel(connection)
        try model.freeze()
        let configuration = try opening.configuration(of: model, fitting: metadata)
        let correspondence = try ModelCorrespondence(
            from: model,
            to: opening.model,
            configuration: (configuration, opening.configuration)
        )
        let before = StoreOpening(
            url: opening.url,
            model: model,
            configuration: configuration,
            options: opening.options
        )
        let plan = try MigrationPlan(
            correspondence,
            from: before.layout(metadata, connection, isOurs: true),
            to: StoreSchema(
                model: opening.model,
                configuration: opening.configuration,
                externalFolder: opening.externalFolder
            ),
            in: .sqlite
        ) { try $1.argument($0, slot: $2).literal }
        if keepsBackup {
            try StoreBackup(opening.path, externalFolder: opening.externalFolder)
                .make(from: connection, monitor)
        }
        let work = MigrationWork(plan, connection, monitor, opening, metadata)
        do {
            try work.run()
        } catch let error as SQLiteError where error.primaryCode == SQLITE_INTERRUPT {
            throw MigrationMonitor.error
        }
        isDone = true
        if opening.options.externalFolder == nil { try? plan.removeUnusedFiles(connection) }
        monitor.note(1, "Done")
    }
}

extension StoreOpening {
    /// Opens the file for writing and makes sure that no other connection has it open.
    ///
    /// - Returns: the connection, and whether it is alone. If it is not, another process has migrated
    ///   the store meanwhile, and uses it.
    func connectAlone() throws -> (connection: Connection, isAlone: Bool) {
        try takeBackUnfinishedWork()
        // Two processes that want to migrate the store stand in each other's way while both have it
        // open, so one that is not alone closes it and tries again at some later moment.
        for _ in 0..<40 {
            let file = try StoreFile.inspect(path, isReadOnly: false, false)
            let (connection, _) = try connectNamingZeros(file)
            do {
                try useLog(connection)
                // Large work needs room, and a list of pairs must not stay in memory.
                try connection.execute("PRAGMA temp_store=FILE; PRAGMA cache_size=-32768")
                _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
                if csqlite_hold_file(connection.handle) == SQLITE_OK { return (connection, true) }
                if isCurrent(try readRow(from: connection).metadata) { return (connection, false) }
            } catch {
                connection.close(folds: !StoreFile.hasLog(path))
                throw error
            }
            connection.close(folds: !StoreFile.hasLog(path))
            sqlite3_sleep(Int32.random(in: 5...80))
        }
        throw ObjectGraphError(
            .timedOut,
            "The store \"\(name)\" needs to be migrated, but it is open elsewhere.",
            recovery: "Close the other programs and windows that use it, then try again."
        )
    }

    /// - Throws: `ObjectGraphError` for a store that must not be changed in place.
    func checkIsMigratable(_ metadata: StoreMetadata) throws {
        guard case .int(let format)? = metadata[MetadataList.format] else {
            throw ObjectGraphError(
                .migration,
                "The store \"\(name)\" was made by another framework, whose triggers and history "
                    + "would not survive a change of its tables.",
                recovery: "Migrate it into a new store, with the model that it was made with."
            )
        }
        if format > MetadataList.currentFormat { throw newerFormat(metadata) }
    }

    /// Whether another process has migrated the store meanwhile.
    func isCurrent(_ metadata: StoreMetadata) -> Bool {
        model.matches(storeMetadata: metadata, configuration: configuration)
    }

    fileprivate func keptModel(_ connection: Connection) throws -> ManagedObjectModel {
        if let archive = try ModelTable.read(from: connection) {
            return try archive.storedModel()
        }
        throw ObjectGraphError(
            .missingSourceModel,
            "The model that the store \"\(name)\" was made with is not known.",
            recovery: "Give that model among the versions, or open the store once with it."
        )
    }

    /// The configuration of a model whose entities a store has.
    fileprivate func configuration(
        of model: ManagedObjectModel,
        fitting metadata: StoreMetadata
    ) throws -> String? {
        let others = model.configurations.keys.sorted()
        let names: [String?] = [configuration, nil] + others.map(Optional.some)
        for name in names {
            if let name, model.configurations[name] == nil { continue }
            if model.matches(storeMetadata: metadata, configuration: name) { return name }
        }
        throw ObjectGraphError(
            .missingSourceModel,
            "The model given for the store \"\(self.name)\" is not the one that it was made with.",
            recovery: "Give the model of its version."
        )
    }
}
