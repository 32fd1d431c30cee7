import CPostgreSQL
import FoundationEssentials
import ObjectModel
import ObjectStore

/// The tables that a store has beside those of its objects.
enum PostgreSQLTables {
    /// Those of the history, which are SQLite's.
    ///
    /// `save` identifies a save whose COMMIT had no answer.
    static let history: [String] = [
        """
        CREATE TABLE OG_TRANSACTION (number BIGINT PRIMARY KEY, date DOUBLE PRECISION, \
        author TEXT, context TEXT, process BIGINT, kind BIGINT, name TEXT, grp BIGINT, \
        target BIGINT, state BIGINT, latest BIGINT, first BIGINT, count BIGINT, save BYTEA)
        """,
        """
        CREATE TABLE OG_CHANGE (id BIGINT PRIMARY KEY, ent BIGINT, pk BIGINT, n BIGINT, \
        kind BIGINT, data BYTEA)
        """,
        "CREATE TABLE OG_NAME (id BIGINT PRIMARY KEY, name TEXT COLLATE \"C\" UNIQUE)",
        "CREATE INDEX OG_DONE ON OG_TRANSACTION (latest) WHERE state = 0",
        "CREATE INDEX OG_DONE_BY ON OG_TRANSACTION (author, latest) WHERE state = 0",
        "CREATE INDEX OG_UNDONE ON OG_TRANSACTION (latest) WHERE state = 1",
        "CREATE INDEX OG_CONTINUED ON OG_TRANSACTION (grp) WHERE grp <> number",
        "CREATE INDEX OG_SAVED ON OG_TRANSACTION (save)",
    ]

    /// One row: how many saves there were, the last numbers of the history, the last save, how often
    /// the tables were migrated, and when others were last notified of a save, in seconds.
    static let state = [
        """
        CREATE TABLE OG_STATE (id BIGINT PRIMARY KEY, serial BIGINT NOT NULL, \
        number BIGINT NOT NULL, change BIGINT NOT NULL, form BIGINT NOT NULL, save BYTEA, \
        notified DOUBLE PRECISION NOT NULL DEFAULT 0)
        """,
        "INSERT INTO OG_STATE (id, serial, number, change, form) VALUES (1, 0, 0, 1, 0)",
    ]

    static let metadata = "SELECT Z_UUID, Z_PLIST FROM Z_METADATA"

    static let model = "CREATE TABLE OG_MODEL (id BIGINT PRIMARY KEY, archive BYTEA)"
}

extension StoreSchema {
    /// What identifies the tables and columns of a store.
    var serverLayout: String { textDigest(creation(in: .postgresql)) }
    /// The names of entities and properties.
    var historyNames: Set<String> {
        entities.reduce(into: []) { names, schema in
            names.insert(schema.entity.name)
            names.formUnion(schema.entity.slots.map(\.name))
        }
    }

    var serverIndexes: String { textDigest(indexes(in: .postgresql).map(\.statement)) }
}

extension PostgreSQLPlace {
    /// A number for the store's advisory lock, under which tables are made and changed.
    var lockNumber: Int64 {
        Int64(bitPattern: UInt64(textDigest(["ObjectGraph", schema]), radix: 16) ?? 0)
    }

    /// The error of a place without a store.
    var missing: ObjectGraphError {
        ObjectGraphError(
            .cannotOpen,
            "There is no store in the schema \"\(schema)\" of the database server \(server).",
            recovery: "Check the address, or open it for writing to make one."
        )
    }

    /// The error of a place where this user may not make a store.
    func notMade(_ error: any Error) -> ObjectGraphError {
        ObjectGraphError(
            .serverAccess,
            "There is no store in the schema \"\(schema)\" of the database server \(server), and you"
                + " may not make one.",
            recovery: "Check the address, or ask the owner of the database for the right"
                + " (GRANT CREATE ON DATABASE).",
            underlying: [error]
        )
    }
}

extension PostgreSQLConnection {
    /// Runs work in a transaction that makes or changes tables; only one at a time for a store.
    func exclusively(_ place: PostgreSQLPlace, _ body: () throws -> Void) throws {
        try transaction {
            _ = try run("SELECT pg_advisory_xact_lock($1)", [.integer(place.lockNumber)])
            try body()
        }
    }

    func checkEncoding() throws {
        let name = cpg_parameter(handle, "server_encoding").map { String(cString: $0) } ?? ""
        if name == "UTF8" { return }
        throw ObjectGraphError(
            .cannotOpen,
            "The database on the server \(server) has the encoding \(name), not UTF8.",
            recovery: "Make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0."
        )
    }

    func hasTable(_ name: String) throws -> Bool {
        try number(
            "SELECT 1 FROM information_schema.tables"
                + " WHERE table_schema = current_schema() AND table_name = $1",
            .text(name)
        ) != nil
    }

    /// Those of the tables beside the objects' that show what there is and that this user may use.
    func ownTables() throws -> Set<String> {
        let found = try run(
            "SELECT CAST(table_name AS TEXT) FROM information_schema.tables"
                + " WHERE table_schema = current_schema() AND table_name IN ('z_metadata', 'og_change')"
        )
        return Set((0..<found.count).map { found.text($0, 0) })
    }

    func hasStore(_ place: PostgreSQLPlace) throws -> Bool { try hasTable("z_metadata") }

    func metadata(
        _ place: PostgreSQLPlace
    ) throws -> (identifier: UUID, metadata: StoreMetadata) {
        try run(PostgreSQLTables.metadata).metadata(of: place)
    }

    /// Creates all tables but the metadata's row, inside a transaction.
    func make(_ schema: StoreSchema, history: Bool) throws {
        var statements = schema.creation(in: .postgresql) + PostgreSQLTables.state
        if history { statements += PostgreSQLTables.history }
        for statement in statements + [PostgreSQLTables.model] { try enqueue(statement) }
        _ = try finish()
    }

    /// Writes the archive of a model, inside a transaction.
    func write(_ model: ManagedObjectModel) throws {
        try enqueue("DELETE FROM OG_MODEL")
        try enqueue(
            "INSERT INTO OG_MODEL (id, archive) VALUES (1, $1)",
            .blob(ModelArchive(model).data)
        )
    }

    func historyNames() throws -> [String: Int64] {
        let result = try run("SELECT name, id FROM OG_NAME")
        let pairs = (0..<result.count).map { (result.text($0, 0), result.integer($0, 1)) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Gives all names that a save of a model can need a number, inside a transaction.
    ///
    /// - Returns: the numbers of all names.
    func addHistoryNames(_ schema: StoreSchema) throws -> [String: Int64] {
        var known = try historyNames()
        var last = known.values.max() ?? 0
        for name in schema.historyNames.sorted() where known[name] == nil {
            last += 1
            known[name] = last
            try enqueue(
                "INSERT INTO OG_NAME (id, name) VALUES ($1, $2)",
                .integer(last),
                .text(name)
            )
        }
        return known
    }

    /// Tables, columns and numbers, in upper case as in a model's layout.
    func existingTables() throws -> ExistingTables {
        var existing = ExistingTables()
        let columns = try run(
            "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT)"
                + " FROM information_schema.columns WHERE table_schema = current_schema()"
        )
        for row in 0..<columns.count {
            existing.columns[columns.text(row, 0).uppercased(), default: []]
                .insert(columns.text(row, 1).uppercased())
        }
        let numbers = try run("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY")
        for row in 0..<numbers.count {
            existing.numbers[numbers.text(row, 0)] = numbers.integer(row, 1)
        }
        return existing
    }

    /// The indexes of the tables of objects, as names in statements.
    func objectIndexes() throws -> [String] {
        let present = try run(
            "SELECT CAST(indexname AS TEXT) FROM pg_indexes"
                + " WHERE schemaname = current_schema() AND LOWER(indexname) LIKE 'z%'"
                + " AND indexname NOT IN (SELECT conname FROM pg_constraint WHERE contype = 'p')"
        )
        return (0..<present.count).map { row in
            "\"\(present.text(row, 0).replacing("\"", with: "\"\""))\""
        }
    }

    /// Creates the indexes that the model has gained and drops those that it has lost.
    func updateIndexes(of store: PostgreSQLStore) throws {
        let digest = GraphValue.string(store.schema.serverIndexes)
        if store.metadata[MetadataList.indexes] == digest { return }
        let wanted = store.schema.indexes(in: .postgresql)
        try exclusively(store.place) {
            for name in try objectIndexes() { try enqueue("DROP INDEX \(name)") }
            for index in wanted {
                do {
                    try enqueue(index.statement)
                    _ = try finish()
                } catch let error as PostgreSQLError where error.isUniqueViolation {
                    throw store.schema.duplicates(under: index.name)
                }
            }
            store.metadata[MetadataList.indexes] = digest
            try store.enqueueMetadata(try metadata(store.place).metadata, on: self)
        }
        store.changedMetadata = []
    }
}

extension PostgreSQLResult {
    /// The metadata that it has.
    func metadata(
        of place: PostgreSQLPlace
    ) throws -> (identifier: UUID, metadata: StoreMetadata) {
        guard count == 1, let identifier = UUID(uuidString: text(0, 0)),
            let metadata = try? MetadataList.metadata(Data(bytes(0, 1)))
        else {
            throw ObjectGraphError(
                .damagedFile,
                "The metadata of the store in the schema \"\(place.schema)\" are damaged.",
                recovery: "Restore a backup."
            )
        }
        return (identifier, metadata)
    }
}
