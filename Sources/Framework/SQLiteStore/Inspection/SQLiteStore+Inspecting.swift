import CSQLite
package import FoundationEssentials
import Glibc
package import ObjectModel
package import ObjectStore

extension SQLiteStore {
    /// A store that was opened to be looked at.
    package struct Inspected {
        package let store: SQLiteStore
        /// The model as it was found: with transformable and derived attributes, not frozen.
        package let found: StoredModel
    }

    /// Opens any store for reading, with its model or without, and leaves no trace of it.
    ///
    /// The file is not changed, also not by a migration, a checkpoint or a rollback. Nothing is
    /// created beside it, except the index of a log that is there without one; it is removed at the
    /// end. All reads of the store see one state: a transaction holds it while others write; a store
    /// at rest is read without locks, and ``hasMovedOn`` says that somebody has changed the file
    /// since.
    ///
    /// - Parameters:
    ///   - url: the store's file.
    ///   - model: its model; `nil` to find one in the file.
    ///   - mayReadAtRest: whether a file that nobody seems to write may be read without locks.
    /// - Returns: the open store, and the model as it was found.
    /// - Throws: `ObjectGraphError`, as opening a store does.
    /// - Complexity: O(tables).
    package static func inspect(
        _ url: URL,
        model: ManagedObjectModel? = nil,
        mayReadAtRest: Bool = true
    ) throws -> Inspected {
        try translatingErrors {
            var options = SQLiteStoreOptions()
            options.isReadOnly = true
            options.createsFile = false
            options.ignoresVersionHashes = true
            let opening = StoreOpening(
                url: url,
                model: ManagedObjectModel(),
                configuration: nil,
                options: options
            )
            return try opening.inspect(given: model, mayReadAtRest: mayReadAtRest)
        }
    }

    /// Whether the file was changed since it was opened without locks, so that what was read
    /// meanwhile may belong to different states.
    package var hasMovedOn: Bool {
        guard let restMark, let path = url?.path else { return false }
        return FileIdentity(FilePlace.resolved(path)) != restMark
    }

    /// An entity's own objects in the order of their numbers, after one.
    ///
    /// - Complexity: O(limit), with an index on the entity or without subentities.
    package func ids(
        of entity: EntityDescription,
        after key: Int64,
        limit: Int
    ) throws -> [ManagedObjectID] {
        try ids(of: entity, after: key, limit: limit, offset: 0)
    }

    /// An entity's own objects in the order of their numbers, without the first ones.
    ///
    /// - Complexity: O(offset + limit), with an index on the entity or without subentities.
    package func ids(
        of entity: EntityDescription,
        from offset: Int,
        limit: Int
    ) throws -> [ManagedObjectID] {
        try ids(of: entity, after: 0, limit: limit, offset: offset)
    }

    private func ids(
        of entity: EntityDescription,
        after key: Int64,
        limit: Int,
        offset: Int
    ) throws -> [ManagedObjectID] {
        let schema = try requireSchema(of: entity)
        return try translatingErrors {
            let statement = try connection.statement(
                "SELECT Z_PK FROM \(quoted(schema.table.name))"
                    + " WHERE Z_ENT = ? AND Z_PK > ? ORDER BY Z_PK LIMIT ? OFFSET ?"
            )
            defer { statement.reset() }
            statement.bind(schema.number, at: 1)
            statement.bind(key, at: 2)
            statement.bind(Int64(limit), at: 3)
            statement.bind(Int64(offset), at: 4)
            var result: [ManagedObjectID] = []
            while try statement.step() {
                if let id = id(number: schema.number, key: statement.integer(0)) {
                    result.append(id)
                }
            }
            return result
        }
    }

    /// How many objects each entity has itself, by the entity's name.
    ///
    /// - Complexity: O(rows); where the table has an index on the entity, only that is read.
    package func ownCounts() throws -> [String: Int] {
        try translatingErrors {
            var result: [String: Int] = [:]
            for schema in schema.entities {
                let count = try connection.integer(
                    "SELECT COUNT(*) FROM \(quoted(schema.table.name)) WHERE Z_ENT = ?",
                    .integer(schema.number)
                )
                result[schema.entity.name] = Int(count ?? 0)
            }
            return result
        }
    }

    /// The model that the store was opened with.
    package var model: ManagedObjectModel { schema.model }

    /// The number of an entity in the file.
    public func number(of entity: EntityDescription) -> Int64? {
        schema.schema(of: entity)?.number
    }
}

extension StoreOpening {
    fileprivate func inspect(
        given: ManagedObjectModel?,
        mayReadAtRest: Bool
    ) throws -> SQLiteStore.Inspected {
        _ = try StoreFile.inspect(path, isReadOnly: true, false)
        let hadIndex = StoreFile.size(path + "-shm") != nil
        let (connection, mark) = try connectWithoutTrace(mayReadAtRest)
        do {
            try checkIsStore(connection)
            try connection.execute("PRAGMA temp_store=MEMORY; PRAGMA query_only=1; BEGIN")
            let (identifier, metadata) = try readRow(from: connection)
            try checkType(metadata)
            var isOurs = false
            if case .int(let format)? = metadata[MetadataList.format] {
                isOurs = true
                if format > MetadataList.currentFormat { throw newerFormat(metadata) }
            }
            let (found, schema) = try findModel(given, metadata, connection, isOurs: isOurs)
            let store = SQLiteStore(
                OpenedFile(
                    url: url,
                    configuration: nil,
                    options: options,
                    connection: connection,
                    identifier: identifier,
                    metadata: metadata,
                    schema: schema,
                    isOurs: isOurs,
                    isNew: false,
                    hasHistory: isOurs ? try HistoryTables.exist(in: connection) : false
                )
            )
            store.restMark = mark
            if !hadIndex { store.indexPath = path }
            return SQLiteStore.Inspected(store: store, found: found)
        } catch {
            connection.close()
            if !hadIndex { StoreOpening.removeIndex(of: path) }
            throw error
        }
    }

    /// Removes the index of a log that was made to read it, unless somebody uses it by now.
    static func removeIndex(of path: String) {
        guard StoreFile.size(path + "-shm") != nil,
            let connection = try? Connection(path, .readWrite)
        else { return }
        defer { connection.close() }
        guard csqlite_lock_file(connection.handle) == SQLITE_OK else { return }
        unlink(path + "-shm")
        csqlite_unlock_file(connection.handle)
    }

    /// The model, and the layout of the file for it: that which was given, else the first that fits
    /// the tables.
    private func findModel(
        _ given: ManagedObjectModel?,
        _ metadata: StoreMetadata,
        _ connection: Connection,
        isOurs: Bool
    ) throws -> (StoredModel, StoreSchema) {
        let names = try entityNames(connection)
        func schema(_ model: ManagedObjectModel) throws -> StoreSchema {
            // A store may hold the entities of one configuration.
            let plain = model.plainStorage(of: names)
            if plain.entities.isEmpty { throw strange(model) }
            try plain.freeze()
            let opening = StoreOpening(url: url, model: plain, configuration: nil, options: options)
            return try opening.layout(metadata, connection, isOurs: isOurs)
        }
        if let given { return (StoredModel(given, .given), try schema(given)) }
        if let archived = try? ModelTable.read(from: connection)?.storedModel(),
            let schema = try? schema(archived)
        {
            return (StoredModel(archived, .archive), schema)
        }
        if let cached = try ModelCache.read(from: connection) {
            cached.useFormerNames(of: names)
            if let schema = try? schema(cached) { return (StoredModel(cached, .cache), schema) }
        }
        var deduced = try DeducedModel(connection)
        let model = try deduced.model()
        return (StoredModel(model, .tables), try schema(model))
    }

    private func strange(_ model: ManagedObjectModel) -> ObjectGraphError {
        ObjectGraphError(
            .incompatibleVersion,
            "The store \"\(name)\" has none of the entities of the model.",
            recovery: "Use the model that it was made with, or none."
        )
    }

    private func entityNames(_ connection: Connection) throws -> Set<String> {
        let statement = try connection.statement("SELECT Z_NAME FROM Z_PRIMARYKEY")
        defer { statement.reset() }
        var names: Set<String> = []
        while try statement.step() { names.insert(statement.text(0)) }
        return names
    }

    // MARK: Connection

    /// Opens the file so that nothing of it is changed and nothing is left beside it.
    ///
    /// - Returns: the connection; with the identity of the file if it is read without locks.
    private func connectWithoutTrace(_ mayReadAtRest: Bool) throws -> (Connection, FileIdentity?) {
        let hasJournal = StoreFile.size(path + "-journal") ?? 0 > 0
        if mayReadAtRest, !hasJournal, let mark = settledMark() {
            let connection = try Connection(path, .immutable, fileSystem: options.fileSystem)
            if LogOwnership.log(of: path, header: FileHeader(connection)) != .belongs {
                return (connection, mark)
            }
            connection.close()
        }
        return (try connectToLive(), nil)
    }

    /// The identity of the file, by which a later change can be noticed.
    ///
    /// - Returns: `nil` if the file is being changed all the time.
    private func settledMark() -> FileIdentity? {
        for _ in 0..<2 {
            guard let mark = FileIdentity(path) else { return nil }
            let freshness = mark.freshness
            if freshness <= 0 { return mark }
            usleep(UInt32(freshness / 1000) + 1)
        }
        return nil
    }

    /// Opens a file that others may be writing, or have left in the middle of it.
    private func connectToLive() throws -> Connection {
        let connection = try Connection(path, .readOnly, fileSystem: options.fileSystem)
        do {
            _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
            return connection
        } catch let error as SQLiteError {
            connection.close()
            switch error.primaryCode {
            case SQLITE_READONLY where StoreFile.size(path + "-journal") ?? 0 > 0:
                throw ObjectGraphError(
                    .cannotOpen,
                    "A program that was writing to \"\(name)\" has not ended properly, and its"
                        + " journal is to be rolled back first.",
                    recovery: "Open the file once with that program, or look at a copy of both.",
                    underlying: [error]
                )
            case SQLITE_CANTOPEN, SQLITE_READONLY:
                // The index of the log cannot be made here; without a log, none is needed.
                if LogOwnership.log(of: path, header: nil) != .empty, StoreFile.hasLog(path) {
                    throw error
                }
                return try Connection(path, .immutable, fileSystem: options.fileSystem)
            default: throw error
            }
        }
    }

    private func checkType(_ metadata: StoreMetadata) throws {
        guard case .string(let type)? = metadata[MetadataList.storeType],
            type != StoreType.sqlite.rawValue
        else { return }
        throw ObjectGraphError(
            .storeTypeMismatch,
            "The store \"\(name)\" is of type \(type), not SQLite.",
            recovery: "Open it with its own type."
        )
    }
}

extension FileIdentity {
    /// The longest tick of a file system's clock: changes within one have the same time.
    fileprivate static let tick = 20_000_000

    /// The nanoseconds until a further change of the file will certainly have another time.
    fileprivate var freshness: Int {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let age = now.tv_sec * 1_000_000_000 + now.tv_nsec - changed
        return age < 0 ? FileIdentity.tick : FileIdentity.tick - age
    }
}
