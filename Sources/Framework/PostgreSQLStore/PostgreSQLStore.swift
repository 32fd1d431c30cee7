package import FoundationEssentials
import Glibc
package import ObjectModel
package import ObjectStore

/// A store in a schema of a PostgreSQL database, which several programs and computers share.
///
/// The tables are those of a SQLite store. In addition `OG_STATE` has one row, which every save
/// locks: so saves follow each other, and history is numbered in the order of their commits.
///
/// Invariants:
/// 1. `rows` holds committed data only; a save changes `rows` only after COMMIT.
/// 2. Every write of a save happens in one transaction, which holds the lock of `OG_STATE`.
/// 3. A save whose COMMIT has no answer is looked for in the database before anything else.
package final class PostgreSQLStore: TableStore, WatchedStore {
    package let type = StoreType.postgresql
    package let identifier: UUID
    package let url: URL?
    package let configurationName: String?
    package let isReadOnly: Bool
    package let missingRight: String?
    package let space: IDSpace
    package let rows = RowCache()
    package let dialect = SQLDialect.postgresql
    package let schema: StoreSchema
    package let keepsHistory: Bool
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
    package var hasUnsavedMetadata: Bool { !changedMetadata.isEmpty }

    let place: PostgreSQLPlace
    let options: PostgreSQLStoreOptions
    /// Whether the store has a history from other times that this one does not write.
    let breaksHistory: Bool
    /// Whether this is one state of a store, which its connection keeps open.
    var isSnapshot = false
    private var connection: PostgreSQLConnection?
    private var isClosed = false
    var changedMetadata: Set<String> = []
    private var setsOwnMetadata = false

    /// The names of the history by number, and the other way round.
    var names: [Int64: String] = [:]
    var nameNumbers: [String: Int64] = [:]
    /// How many saves the store had when it was looked at last, and how many of them were ours.
    var serial: Int64 = 0
    var ownSaves: Int64 = 0
    package var answersFromMemory = false
    /// What it knows without asking; `nil` before it has seen a state of the database.
    var knowledge: PostgreSQLKnowledge?
    package let watched = WatchedSerial()
    /// Whether a reading of one state has begun that may need no transaction.
    var isReading = false
    /// How often the tables had been migrated when the store was opened.
    private(set) var form: Int64
    /// The tables of folded texts; none if they are not those of the model.
    var searchTables = PostgreSQLSearchTables()
    /// What ``foreignMark()`` was when the store was opened.
    let firstMark: Int64
    /// What the metadata were read for.
    var metadataMark: Int64
    /// The number of the newest transaction while a save of this store holds the lock.
    var lockedNumber: Int64?
    /// Whether this store has deleted rows since it was opened.
    var hasDeletedRows = false
    /// A save whose COMMIT had no answer, and about which the server could not be asked.
    var unresolved: UUID?
    /// Rows read for comparison during a save; empty between calls.
    let scratchRows = RowCache()
    private var selections: [[PostgreSQLSelection?]]
    private var observer: ((_ sql: String, _ duration: Duration) -> Void)?

    /// The bits of an object ID by the number of its entity in the database.
    ///
    /// Safety: freed with the store.
    let idBases: UnsafeMutableBufferPointer<UInt64>

    init(_ opened: OpenedSchema) {
        identifier = opened.identifier
        url = opened.place.url
        configurationName = opened.configuration
        isReadOnly = opened.options.isReadOnly || opened.missingRight != nil
        missingRight = opened.missingRight
        space = IDSpace.space(for: opened.identifier, entityNames: opened.schema.model.entityNames)
        var known = opened.metadata
        known[MetadataList.storeUUID] = .string(opened.identifier.uuidString)
        metadata = known
        place = opened.place
        options = opened.options
        schema = opened.schema
        connection = opened.connection
        keepsHistory = opened.hasHistory && opened.options.keepsHistory
        breaksHistory = opened.hasHistory && !opened.options.keepsHistory
        serial = opened.serial
        form = opened.form
        firstMark = opened.serial
        metadataMark = opened.serial
        let count = schema.byModelNumber.count
        selections = Array(repeating: Array(repeating: nil, count: count), count: 2)
        let number = space.number
        let bases = schema.byNumber.map { schema -> UInt64 in
            guard let schema else { return 0 }
            return ManagedObjectID(space: number, entity: schema.entity.number, key: 0).raw
        }
        idBases = .allocate(capacity: bases.count)
        _ = idBases.initialize(from: bases)
        for (name, number) in opened.names { note(name, number) }
    }

    deinit { idBases.deallocate() }

    package func layout(_ entity: EntityDescription) -> RowLayout {
        schema.schema(of: entity)?.layout ?? RowLayout(entity)
    }

    package func close() {
        rows.removeAll()
        connection = nil
        isClosed = true
    }

    package func takes(_ statement: String) -> Bool { statement.utf8.count < 1 << 20 }

    package func interrupt() { connection?.interrupt() }

    package func trace(_ observer: ((_ sql: String, _ duration: Duration) -> Void)?) {
        self.observer = observer
        connection?.onStatement = observer
    }

    /// The ID of a row, by the number of its entity in the database.
    @inline(__always)
    func id(number: Int64, key: Int64) -> ManagedObjectID? {
        guard number > 0, number < idBases.count, key > 0, key <= ManagedObjectID.largestKey,
            idBases[Int(number)] != 0
        else { return nil }
        return ManagedObjectID(raw: idBases[Int(number)] | UInt64(key))
    }

    func readForm(_ connection: PostgreSQLConnection) throws {
        form = try connection.number("SELECT form FROM OG_STATE") ?? form
    }

    /// Sets entries as they are in the database.
    func takeMetadata(_ merged: StoreMetadata) {
        let changed = changedMetadata
        setsOwnMetadata = true
        metadata = merged
        setsOwnMetadata = false
        changedMetadata = changed
    }

    func note(_ name: String, _ number: Int64) {
        names[number] = name
        nameNumbers[name] = number
    }

    /// The selection for an entity's rows, alone or with its descendants'.
    func selection(_ entity: EntityDescription, withDescendants: Bool) -> PostgreSQLSelection {
        let list = withDescendants ? 0 : 1
        let index = Int(entity.number)
        if let known = selections[list][index] { return known }
        let members =
            withDescendants
            ? schema.hierarchy(of: entity) : [schema.byModelNumber[index]].compactMap { $0 }
        let made = PostgreSQLSelection(
            SelectedColumns(members, schema: schema, space: space.number)
        )
        selections[list][index] = made
        return made
    }
}

// MARK: The connection

extension PostgreSQLStore {
    /// How often the server was waited for, on the present connection.
    package var roundTrips: Int { connection?.roundTrips ?? 0 }

    /// Whether a transaction of this store is open.
    var isInTransaction: Bool { connection?.isInTransaction ?? false }

    /// The open connection, opened again where it was lost.
    ///
    /// - Throws: ``PostgreSQLError``; `ObjectGraphError` if the store is closed.
    func connected() throws -> PostgreSQLConnection {
        if let connection, connection.isAlive { return connection }
        if isClosed {
            throw ObjectGraphError(
                .storeClosed,
                "The store was closed.",
                recovery: "Open it again."
            )
        }
        if isSnapshot, connection != nil {
            throw PostgreSQLError(lost: "the snapshot has ended", server: place.server)
        }
        let made = try PostgreSQLConnection.open(place)
        made.onStatement = observer
        connection = made
        return made
    }

    /// Runs work that can be repeated; once more with a new connection if the old one is lost.
    ///
    /// - Throws: `ObjectGraphError`.
    func perform<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        try translatingServerErrors {
            let used = try connected()
            let isInside = used.isInTransaction
            do {
                return try body(used)
            } catch let error as PostgreSQLError
                where error.isLost && !isInside && !isSnapshot && !isReading
            {
                connection = nil
                return try body(try connected())
            }
        }
    }

    /// Gives up a connection that is lost.
    func dropConnection() { connection = nil }
}

extension PostgreSQLConnection {
    /// A connection, after the server has started: at most for some seconds.
    static func open(_ place: PostgreSQLPlace) throws -> PostgreSQLConnection {
        let end = ContinuousClock.now + .seconds(10)
        while true {
            do {
                return try PostgreSQLConnection(place)
            } catch let error as PostgreSQLError
                where error.isStarting && ContinuousClock.now < end
            {
                usleep(50_000)
            }
        }
    }
}
