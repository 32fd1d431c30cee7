import CSQLite
package import FoundationEssentials
package import ObjectModel
package import ObjectStore

/// The result of opening, from which a store starts.
struct OpenedFile {
    let url: URL
    let configuration: String?
    let options: SQLiteStoreOptions
    let connection: Connection
    let identifier: UUID
    let metadata: StoreMetadata
    let schema: StoreSchema
    let isOurs: Bool
    let isNew: Bool
    /// Whether the file has the tables of a history.
    var hasHistory = false
    /// Messages for the user; one sentence each.
    var notices: [String] = []
}

extension SQLiteStoreOptions {
    /// Whether a file that could not be opened may be readable with its flipped bits corrected.
    fileprivate func mayTrustChecksums(after error: ObjectGraphError) -> Bool {
        if trustsChecksums { return false }
        if error.code == .damagedFile { return true }
        // SQLite's own words for a first page that makes no sense.
        return error.code == .cannotOpen
            && error.underlying.contains { ($0 as? SQLiteError)?.primaryCode == SQLITE_NOTADB }
    }
}

extension SQLiteStore {
    /// Opens a store, or creates one if the file does not exist.
    ///
    /// This freezes the model.
    ///
    /// - Throws: `ObjectGraphError`: ``ObjectGraphError/Code/incompatibleVersion`` if the file was
    ///   made with another model, or by a newer version,
    ///   ``ObjectGraphError/Code/storeTypeMismatch`` if its metadata name another type,
    ///   ``ObjectGraphError/Code/cannotOpen`` if it is missing or is not a database,
    ///   ``ObjectGraphError/Code/damagedFile`` if it is damaged.
    package convenience init(
        url: URL,
        model: ManagedObjectModel,
        configuration: String? = nil,
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws {
        try model.freeze()
        do {
            try self.init(url, model, configuration, options)
        } catch let error as ObjectGraphError where options.mayTrustChecksums(after: error) {
            var options = options
            options.trustsChecksums = true
            try self.init(url, model, configuration, options)
        }
    }

    private convenience init(
        _ url: URL,
        _ model: ManagedObjectModel,
        _ configuration: String?,
        _ options: SQLiteStoreOptions
    ) throws {
        let opening = StoreOpening(
            url: url,
            model: model,
            configuration: configuration,
            options: options
        )
        self.init(try translatingErrors { try opening.open() })
        try translatingErrors {
            try prepareAdditions()
            try watchPlace()
        }
    }

    /// The present state of the store, on its own connection that stays in one read transaction.
    package func snapshot() throws -> any PersistentStore {
        guard let url else {
            throw ObjectGraphError(.unsupported, "A store without a file cannot give a snapshot.")
        }
        var options = options
        options.isReadOnly = true
        try translatingErrors { try place?.check() }
        let snapshot = try SQLiteStore(
            url: url,
            model: schema.model,
            configuration: configurationName,
            options: options
        )
        try translatingErrors {
            try snapshot.connection.execute("BEGIN")
            // The first read fixes the state that the transaction sees.
            _ = try snapshot.connection.integer("SELECT COUNT(*) FROM sqlite_master")
            try snapshot.watchPlace()
        }
        // The last connection that closes leaves one file.
        snapshot.foldsLog = foldsLog
        return snapshot
    }

    package func reopened() throws -> any PersistentStore {
        guard let url else {
            throw ObjectGraphError(.unsupported, "A store without a file cannot be opened again.")
        }
        var options = options
        options.createsFile = false
        return try SQLiteStore(
            url: url,
            model: schema.model,
            configuration: configurationName,
            options: options
        )
    }

    /// Whether a file begins as an SQLite database.
    ///
    /// The file may be open in this process: no lock of a connection is lost.
    package static func isDatabase(at url: URL) -> Bool {
        StoreFile.isDatabase(FilePlace.resolved(url.path))
    }

    /// Reads a store's metadata without opening it with a model.
    package static func metadata(at url: URL) throws -> StoreMetadata {
        try translatingErrors {
            try StoreOpening(reading: url).readMetadata()
        }
    }
}

/// The steps of opening a store: file, connection, metadata, layout.
struct StoreOpening {
    let url: URL
    let model: ManagedObjectModel
    let configuration: String?
    let options: SQLiteStoreOptions
    /// The file itself, if the URL is a link to it: the log is beside the file, not beside the
    /// link.
    let path: String
    var name: String { url.lastPathComponent }

    init(url: URL, model: ManagedObjectModel, configuration: String?, options: SQLiteStoreOptions) {
        self.url = url
        self.model = model
        self.configuration = configuration
        self.options = options
        path = FilePlace.resolved(url.path)
    }

    /// To read what needs no model.
    init(reading url: URL) {
        var options = SQLiteStoreOptions()
        options.isReadOnly = true
        self.init(url: url, model: ManagedObjectModel(), configuration: nil, options: options)
    }

    func open() throws -> OpenedFile {
        try model.checkConfiguration(configuration)
        try model.checkTransformers(configuration)
        if !options.isReadOnly { try takeBackUnfinishedWork() }
        let file = try StoreFile.inspect(path, isReadOnly: options.isReadOnly, options.createsFile)
        let notices = options.isReadOnly ? [] : try clearUnfinishedWork(file)
        let isNew = file == .absent || file == .empty
        if file == .absent { try makeFile() }
        let (connection, moreNotices) = try connectNamingZeros(file)
        do {
            // Create the tables before the log. With a rollback journal, a kill of this process
            // leaves either the whole file or one that is empty at its next opening.
            if file == .empty { try makeStore(on: connection) }
            var opened = try read(from: connection, isNew: isNew)
            // Not before: a file that is refused stays as it is.
            if !options.isReadOnly { try useLog(connection) }
            opened.notices = notices + moreNotices
            if opened.isOurs { opened.hasHistory = try prepareHistory(connection) }
            if opened.isOurs, !options.isReadOnly { narrow(connection) }
            return opened
        } catch {
            connection.close(folds: !StoreFile.hasLog(path))
            throw error
        }
    }

    /// Gives a store that was made without a history the tables of one, if it is to have one now.
    ///
    /// - Returns: whether it has them.
    private func prepareHistory(_ connection: Connection) throws -> Bool {
        if try HistoryTables.exist(in: connection) { return true }
        if options.isReadOnly || !options.keepsHistory { return false }
        try connection.transaction {
            // Another process may have made them since.
            if try HistoryTables.exist(in: connection) { return }
            for statement in HistoryTables.creation { try connection.execute(statement) }
        }
        return true
    }

    func readMetadata() throws -> StoreMetadata {
        try reading { connection in
            let (identifier, found) = try readRow(from: connection)
            var metadata = found
            metadata[MetadataList.storeUUID] = .string(identifier.uuidString)
            return metadata
        }
    }

    /// Runs work on a connection that is open for it alone.
    func reading<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let file = try StoreFile.inspect(path, isReadOnly: true, false)
        let (connection, _) = try connectNamingZeros(file)
        defer { connection.close(folds: !StoreFile.hasLog(path)) }
        try checkIsStore(connection)
        return try body(connection)
    }

    // MARK: Connection

    func openFile(_ access: Connection.Access) throws -> Connection {
        try Connection(
            path,
            access,
            fileSystem: options.fileSystem,
            trustsChecksums: options.trustsChecksums
        )
    }

    func connectNamingZeros(_ file: StoreFile) throws -> (Connection, [String]) {
        do {
            return try connect(file)
        } catch let error as SQLiteError
            where error.primaryCode == SQLITE_NOTADB && StoreFile.isBlank(path)
        {
            throw ObjectGraphError(
                .cannotOpen,
                "The file \"\(name)\" contains only zeros, perhaps after a power loss.",
                recovery: "Restore a backup.",
                underlying: [error]
            )
        }
    }

    private func connect(_ file: StoreFile) throws -> (Connection, [String]) {
        if options.isReadOnly { return try connectReadOnly() }
        let connection = try openFile(.readWrite)
        do {
            if sqlite3_db_readonly(connection.handle, "main") == 1 {
                throw ObjectGraphError(
                    .cannotWrite,
                    "The store \"\(name)\" is read-only.",
                    recovery: "Change the permissions of the file and its folder."
                )
            }
            let settled = file == .empty ? nil : try settle(connection)
            // Before the log is created, because the log gets the permissions of the file.
            if file == .empty || FileHeader(connection)?.stamp.isNone == false {
                narrow(connection)
            }
            // A foreign file keeps its journal mode: the log mode would be a permanent change.
            if file == .database || file == .absent { try checkIsStore(connection) }
            try setUp(connection, isNew: file == .empty)
            return (connection, settled.map { [$0] } ?? [])
        } catch {
            connection.close(folds: !StoreFile.hasLog(path))
            throw error
        }
    }

    func setUp(_ connection: Connection, isNew: Bool) throws {
        if isNew {
            try connection.execute("PRAGMA page_size=4096")
            if options.keepsChecksums { connection.checkNewPages() }
        }
        try connection.execute(
            "PRAGMA synchronous=FULL; PRAGMA foreign_keys=OFF; PRAGMA temp_store=MEMORY;"
                + " PRAGMA cache_size=-8192; PRAGMA recursive_triggers=OFF;"
                + " PRAGMA secure_delete=ON; PRAGMA journal_size_limit=4194304"
        )
    }

    /// Removes the permissions of other users from a store of an earlier version, or from a copy
    /// under a wide umask.
    private func narrow(_ connection: Connection) {
        let isChanged = PrivateFile.narrow(path)
        for suffix in ["-shm", "-wal"] { _ = PrivateFile.narrow(path + suffix) }
        // The file must not look newer than its log.
        if isChanged, StoreFile.hasLog(path) { connection.touchLog() }
    }

    /// Switches to a write-ahead log; another process may do the same at this moment.
    func useLog(_ connection: Connection) throws {
        for attempt in 0... {
            do {
                try connection.execute("PRAGMA journal_mode=WAL")
                return
            } catch let error as SQLiteError
                where error.primaryCode == SQLITE_BUSY && attempt < 200
            {
                sqlite3_sleep(10)
            }
        }
    }

    /// Opens without changing stored data.
    ///
    /// The file is opened for writing if permissions allow it: only then can the index of the log
    /// be removed at the end. Without that index nothing can be read.
    private func connectReadOnly() throws -> (Connection, [String]) {
        let connection = try openFile(.readWrite)
        do {
            if let notice = try settle(connection) {
                connection.close()
                return (try openFile(.immutable), [notice])
            }
            // The first read shows whether the index of the log can be created here.
            try connection.execute("PRAGMA query_only=1")
            _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
            return (connection, [])
        } catch let error as SQLiteError
            where [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL].contains(
                error.primaryCode
            )
        {
            connection.close()
            if StoreFile.hasLog(path) { throw error }
            return (try openFile(.immutable), [])
        } catch {
            connection.close()
            throw error
        }
    }

    // MARK: Making

    func makeStore(on connection: Connection) throws {
        let schema = try StoreSchema(model: model, configuration: configuration)
        let identifier = options.identifier ?? UUID()
        let metadata = newMetadata(schema)
        connection.stampsStates = true
        // Deferred, because the vacuum mode is fixed once a write has begun, and setting it is
        // itself a write.
        try connection.transaction(beginning: "BEGIN") {
            try connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
            // Another process may have created it since the check.
            if try connection.integer("SELECT COUNT(*) FROM sqlite_master") ?? 0 > 0 { return }
            for statement in schema.creation { try connection.execute(statement) }
            if options.keepsHistory {
                for statement in HistoryTables.creation { try connection.execute(statement) }
            }
            try ModelTable.write(model, to: connection)
            let insert = try connection.statement(
                "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)"
            )
            try insert.run(
                .text(identifier.uuidString),
                .blob(try MetadataList.data(metadata))
            )
        }
    }

    func newMetadata(_ schema: StoreSchema) -> StoreMetadata {
        var metadata: StoreMetadata = [
            MetadataList.storeType: .string(StoreType.sqlite.rawValue),
            MetadataList.hashes: .dictionary(hashes.mapValues { .data($0) }),
            MetadataList.hashesVersion: .int(3),
            MetadataList.identifiers: .array(model.versionIdentifiers.sorted().map { .string($0) }),
            MetadataList.vacuumLevel: .string("2"),
            MetadataList.format: .int(MetadataList.currentFormat),
            MetadataList.layout: .string(textDigest(schema.creation)),
            MetadataList.indexes: .string(textDigest(schema.indexes.map(\.statement))),
            MetadataList.model: .int(MetadataList.currentModelForm),
        ]
        if let text = options.readableBy { metadata[MetadataList.readableBy] = .string(text) }
        return metadata
    }

    /// The error of a file in a form that this version does not know.
    func newerFormat(_ metadata: StoreMetadata) -> ObjectGraphError {
        ObjectGraphError(
            .cannotOpen,
            "The store \"\(name)\" was made by a newer version of this program.",
            recovery: "Use \(writer(metadata) ?? "that version"), or a backup."
        )
    }

    /// What can read the store, as the program that wrote it last has said.
    func writer(_ metadata: StoreMetadata) -> String? {
        guard case .string(let text)? = metadata[MetadataList.readableBy], !text.isEmpty else {
            return nil
        }
        return text
    }

    private var hashes: [String: Data] { model.storedVersionHashes(configuration) }

    // MARK: Reading

    func checkIsStore(_ connection: Connection) throws {
        for attempt in 0... {
            let exists = try connection.integer(
                "SELECT COUNT(*) FROM sqlite_master WHERE name = 'Z_METADATA' AND type = 'table'"
            )
            if exists == 1 { return }
            // A file without tables may be one that another process is creating at this moment.
            let tables = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
            if tables ?? 0 > 0 || attempt == 100 { break }
            sqlite3_sleep(10)
        }
        throw ObjectGraphError(
            .cannotOpen,
            "The database \"\(name)\" is not an object store: it has no metadata.",
            recovery: "Check the name; another program made this file."
        )
    }

    func readRow(
        from connection: Connection
    ) throws -> (identifier: UUID, metadata: StoreMetadata) {
        try checkIsStore(connection)
        let statement = try connection.statement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA")
        defer { statement.reset() }
        guard try statement.step(), let identifier = UUID(uuidString: statement.text(0)),
            let metadata = try? MetadataList.metadata(Data(statement.bytes(1)))
        else {
            throw ObjectGraphError(
                .damagedFile,
                "The metadata of the store \"\(name)\" are damaged.",
                recovery: "Keep a copy of it and restore a backup."
            )
        }
        return (identifier, metadata)
    }

    private func read(from connection: Connection, isNew: Bool) throws -> OpenedFile {
        let (identifier, metadata) = try readRow(from: connection)
        if case .string(let type)? = metadata[MetadataList.storeType],
            type != StoreType.sqlite.rawValue
        {
            throw ObjectGraphError(
                .storeTypeMismatch,
                "The store \"\(name)\" is of type \(type), not SQLite.",
                recovery: "Open it with its own type."
            )
        }
        var isOurs = false
        if case .int(let format)? = metadata[MetadataList.format] {
            isOurs = true
            if format > MetadataList.currentFormat {
                throw newerFormat(metadata)
            }
        }
        if !options.ignoresVersionHashes { try checkHashes(metadata, isOurs: isOurs) }
        connection.stampsStates = isOurs && !options.isReadOnly
        return OpenedFile(
            url: url,
            configuration: configuration,
            options: options,
            connection: connection,
            identifier: identifier,
            metadata: metadata,
            schema: try layout(metadata, connection, isOurs: isOurs),
            isOurs: isOurs,
            isNew: isNew
        )
    }

    /// The folder for files of large data.
    var externalFolder: String {
        options.externalFolder ?? SQLiteStore.externalFolder(of: url)
    }

    /// The layout: from the model alone if the file was created with this layout, else looked up in
    /// the file.
    func layout(
        _ metadata: StoreMetadata,
        _ connection: Connection,
        isOurs: Bool
    ) throws -> StoreSchema {
        if isOurs {
            let schema = try StoreSchema(
                model: model,
                configuration: configuration,
                externalFolder: externalFolder
            )
            let own = textDigest(schema.creation)
            if metadata[MetadataList.layout] == .string(own) { return schema }
        }
        var existing = ExistingTables()
        let columns = try connection.statement(
            "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p"
                + " WHERE m.type = 'table' AND m.name LIKE 'Z%'"
        )
        defer { columns.reset() }
        while try columns.step() {
            existing.columns[columns.text(0).uppercased(), default: []]
                .insert(columns.text(1).uppercased())
        }
        let numbers = try connection.statement("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY")
        defer { numbers.reset() }
        while try numbers.step() { existing.numbers[numbers.text(0)] = numbers.integer(1) }
        return try StoreSchema(
            model: model,
            configuration: configuration,
            existing: existing,
            externalFolder: externalFolder
        )
    }

    /// Compares the file's version hashes with the model's.
    ///
    /// Apple's hash is not documented. So for a foreign file this compares the entity names, and
    /// the layout compares tables and columns.
    private func checkHashes(_ metadata: StoreMetadata, isOurs: Bool) throws {
        guard case .dictionary(let list)? = metadata[MetadataList.hashes] else { return }
        let own = hashes
        var different: [String] = []
        for name in Set(own.keys).union(list.keys).sorted() {
            guard let theirs = list[name], let ours = own[name] else {
                different.append(name)
                continue
            }
            if isOurs, theirs != .data(ours) { different.append(name) }
        }
        // A foreign file may be opened for some of its entities only.
        if !isOurs { different.removeAll { own[$0] == nil } }
        if different.isEmpty { return }
        let names = different.prefix(5).joined(separator: ", ")
        let more = different.count > 5 ? " and \(different.count - 5) more" : ""
        throw ObjectGraphError(
            .incompatibleVersion,
            "The store \"\(name)\" was made with another version of the model"
                + " (different: \(names)\(more)).",
            recovery: "Migrate it to this version, or open it with the model it was made with."
        )
    }
}
