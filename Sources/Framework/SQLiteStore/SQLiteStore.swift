import CSQLite
package import FoundationEssentials
package import ObjectModel
package import ObjectStore

/// A store in an SQLite file of Core Data's layout.
///
/// Opens files that Apple's framework wrote as well as its own. In its own files it also keeps a
/// history of every save (`OG_TRANSACTION`, `OG_CHANGE`) and an index for text search
/// (`OG_SEARCH_…`); a foreign file gets neither.
///
/// Invariants:
/// 1. `rows` holds committed data only; a save changes `rows` only after COMMIT.
/// 2. Every write of a save happens in one transaction.
/// 3. Outside a call no statement is running and no transaction is open.
package final class SQLiteStore: TableStore {
    package let type = StoreType.sqlite
    package let identifier: UUID
    package let url: URL?
    package let configurationName: String?
    package let isReadOnly: Bool
    package let space: IDSpace
    package let rows = RowCache()
    package var metadata: StoreMetadata {
        didSet {
            if !setsOwnMetadata {
                // The framework needs these to open the store again, so they cannot be removed.
                for key in MetadataList.kept where metadata[key] != oldValue[key] {
                    metadata[key] = oldValue[key]
                }
            }
            for key in Set(metadata.keys).union(oldValue.keys)
            where metadata[key] != oldValue[key] { changedMetadata.insert(key) }
        }
    }

    /// Whether an entry of the framework itself is being set.
    var setsOwnMetadata = false

    let connection: Connection
    package let schema: StoreSchema
    package let dialect = SQLDialect.sqlite
    let options: SQLiteStoreOptions
    /// Whether this framework made the file, so that it may hold tables of ours.
    let isOurs: Bool
    package let keepsHistory: Bool
    /// Whether the store has a history from other times that this one does not write.
    let breaksHistory: Bool
    /// Messages about the opening for the user; one sentence each.
    package let notices: [String]
    /// Whether closing moves the log into the file; false if the file must not change.
    var foldsLog: Bool
    /// The file as it was when it was opened without locks, to be looked at.
    var restMark: FileIdentity?
    /// The path of a file that had no index of its log when it was opened to be looked at.
    var indexPath: String?
    /// Checks whether the files are still the store's own; `nil` for a file that does not change.
    var place: StorePlace?
    package var readsLostFile = false
    /// The newest transaction that this store knows of, and its date.
    var newest: (number: Int64, date: Double) = (0, 0)
    var isImporting = false

    /// Whether closing the store closes its connection; false for a view during a migration.
    var ownsConnection = true
    /// The keys of the metadata that were set and are not written yet.
    var changedMetadata: Set<String> = []
    package var hasUnsavedMetadata: Bool { !changedMetadata.isEmpty }
    var names = HistoryNames()
    /// Row selections by entity number in the model; with descendants in the first list.
    @exclusivity(unchecked) var selections: [[RowSelection?]]
    /// The last selection of some properties.
    var narrowSelection: (entity: EntityDescription, keys: Set<String>, selection: RowSelection)?
    @exclusivity(unchecked) var loadStatements: [Int: Statement] = [:]
    var saveStatements = SaveStatements()
    var dataVersion: Int64 = 0
    /// Whether this store has deleted rows since it was opened.
    var hasDeletedRows = false
    /// Rows read for comparison during a save; empty between calls.
    let scratchRows = RowCache()
    /// The search index; empty for a store without an index.
    var searchTables = SearchTables()
    /// The objects that the triggers of a foreign file changed.
    let affected = AffectedObjects()

    /// The bits of an object ID by the number of its entity in the file.
    ///
    /// Safety: freed with the store.
    let idBases: UnsafeMutableBufferPointer<UInt64>

    init(_ opened: OpenedFile) {
        identifier = opened.identifier
        url = opened.url
        configurationName = opened.configuration
        isReadOnly = opened.options.isReadOnly
        space = IDSpace.space(for: opened.identifier, entityNames: opened.schema.model.entityNames)
        var known = opened.metadata
        known[MetadataList.storeUUID] = .string(opened.identifier.uuidString)
        metadata = known
        connection = opened.connection
        schema = opened.schema
        options = opened.options
        notices = opened.notices
        foldsLog = !opened.options.isReadOnly
        isOurs = opened.isOurs
        keepsHistory = opened.isOurs && opened.hasHistory && opened.options.keepsHistory
        breaksHistory = opened.isOurs && opened.hasHistory && !opened.options.keepsHistory
        let count = schema.byModelNumber.count
        selections = Array(repeating: Array(repeating: nil, count: count), count: 2)
        let number = space.number
        let bases = schema.byNumber.map { schema -> UInt64 in
            guard let schema else { return 0 }
            return ManagedObjectID(space: number, entity: schema.entity.number, key: 0).raw
        }
        idBases = .allocate(capacity: bases.count)
        _ = idBases.initialize(from: bases)
    }

    /// Sets an entry that programs cannot change.
    func setOwnMetadata(_ value: GraphValue, for key: String) {
        setsOwnMetadata = true
        metadata[key] = value
        setsOwnMetadata = false
    }

    deinit {
        // From here on, no callback may use this object any more.
        place?.isContinued = { true }
        finishStatements()
        closeConnection()
        idBases.deallocate()
    }

    package func layout(_ entity: EntityDescription) -> RowLayout {
        schema.schema(of: entity)?.layout ?? RowLayout(entity)
    }

    package func close() {
        finishStatements()
        rows.removeAll()
        closeConnection()
    }

    func finishStatements() {
        for statement in loadStatements.values { statement.finish() }
        loadStatements = [:]
        saveStatements = SaveStatements()
        for table in searchTables.byRoot.values { table.finish() }
    }

    /// The ID of a row, by the number of its entity in the file.
    @inline(__always)
    func id(number: Int64, key: Int64) -> ManagedObjectID? {
        guard number > 0, number < idBases.count, key > 0, key <= ManagedObjectID.largestKey,
            idBases[Int(number)] != 0
        else { return nil }
        return ManagedObjectID(raw: idBases[Int(number)] | UInt64(key))
    }
}

extension SQLiteStore {
    package func takes(_ statement: String) -> Bool {
        (try? Statement(statement, on: connection)) != nil
    }

    package func historyName(_ number: Int64) throws -> String? {
        try names.name(number, in: connection)
    }

    /// Stops the running statement, from any thread; it fails with a cancellation.
    package func interrupt() { connection.interrupt() }

    package func releaseMemory() { sqlite3_db_release_memory(connection.handle) }

    /// Reports every statement with its duration, for a log or a test; `nil` ends it.
    package func trace(_ observer: ((_ sql: String, _ duration: Duration) -> Void)?) {
        connection.trace(observer)
    }
}
