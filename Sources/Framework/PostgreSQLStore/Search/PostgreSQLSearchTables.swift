import ObjectModel
import ObjectStore

/// The tables of folded texts: for each root entity with searched attributes the key of each row and
/// the folded form of each of its texts, with one trigram index over all of them.
///
/// They are beside the rows, so that a change of something else writes no index of texts.
struct PostgreSQLSearchTables {
    struct Table {
        /// As in a statement.
        let name: String
        /// All columns with searched texts, as in a statement.
        let columns: [String]
        fileprivate let schema: TableSchema
        /// The slots of texts and their columns, by number of the entity in the model.
        fileprivate let texts: [UInt16: [(slot: Int, column: String)]]

        func texts(of entity: EntityDescription) -> [(slot: Int, column: String)] {
            texts[entity.number] ?? []
        }

        fileprivate var creation: String {
            let columns = columns.map { ", \($0) TEXT COLLATE \"C\"" }.joined()
            return "CREATE TABLE \(name) (k BIGINT PRIMARY KEY\(columns))"
        }

        /// The name of the trigram index, as in a statement.
        fileprivate var index: String {
            quoted(SQLDialect.postgresql.indexName("OG_TRIGRAMS_\(schema.name)"))
        }

        fileprivate func indexCreation(_ operators: String) -> String {
            let columns = columns.map { "\($0) \(operators)" }.joined(separator: ", ")
            return "CREATE INDEX IF NOT EXISTS \(index) ON \(name) USING gin (\(columns))"
        }
    }

    private(set) var byRoot: [UInt16: Table] = [:]

    init() {}

    init(_ schema: StoreSchema) {
        for (root, searched) in SearchedTables(schema).byRoot {
            var columns: [String] = []
            var texts: [UInt16: [(slot: Int, column: String)]] = [:]
            for entity in schema.entities where entity.table === searched.table {
                let found = searched.slots(of: entity.entity).compactMap { slot in
                    entity.columns[slot].map { (slot: slot, column: quoted($0.name)) }
                }
                texts[entity.entity.number] = found
                columns += found.map(\.column).filter { !columns.contains($0) }
            }
            byRoot[root] = Table(
                name: quoted("OG_SEARCH_\(searched.table.name)"),
                columns: columns,
                schema: searched.table,
                texts: texts
            )
        }
    }

    var all: [Table] { byRoot.values.sorted { $0.name < $1.name } }

    func table(of entity: EntityDescription) -> Table? { byRoot[entity.root.number] }

    /// What identifies the tables; empty without one.
    func digest(_ schema: StoreSchema) -> String {
        if byRoot.isEmpty { return "" }
        var texts = ["folded 1"] + all.map(\.creation)
        for entity in schema.entities {
            let columns = table(of: entity.entity)?.texts(of: entity.entity) ?? []
            texts.append(([entity.entity.name] + columns.map(\.column)).joined(separator: " "))
        }
        return textDigest(texts)
    }

    /// What marks a digest in the metadata: the tables have their trigram indexes.
    static let indexed = "/trgm"
}

extension PostgreSQLConnection {
    /// The operators of trigram indexes; `nil` if the server has none for this user.
    ///
    /// Outside of a transaction, which a refusal would end.
    func trigramOperators(makes: Bool) throws -> String? {
        func found() throws -> String? {
            let schema = try run(
                "SELECT CAST(n.nspname AS TEXT) FROM pg_extension e"
                    + " JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm'"
            )
            return schema.count == 1 ? "\(quoted(schema.text(0, 0))).gin_trgm_ops" : nil
        }
        if let operators = try found() { return operators }
        guard makes else { return nil }
        _ = try? execute("CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public")
        return try found()
    }

    /// Makes the tables of a new store, inside a transaction.
    ///
    /// - Returns: what identifies them in the metadata.
    func make(
        _ tables: PostgreSQLSearchTables,
        _ schema: StoreSchema,
        _ operators: String?
    ) throws -> String {
        for table in tables.all {
            try enqueue(table.creation)
            if let operators { try enqueue(table.indexCreation(operators)) }
        }
        let digest = tables.digest(schema)
        return digest.isEmpty || operators == nil ? digest : digest + PostgreSQLSearchTables.indexed
    }

    /// Makes the tables of folded texts again if other attributes are searched now, and the indexes
    /// if the server has got the operators for them.
    func updateSearch(of store: PostgreSQLStore) throws {
        let tables = PostgreSQLSearchTables(store.schema)
        let digest = tables.digest(store.schema)
        func state() -> (isCurrent: Bool, isIndexed: Bool) {
            guard case .string(let text)? = store.metadata[MetadataList.search] else {
                return (digest.isEmpty, true)
            }
            let isIndexed = digest.isEmpty || text.hasSuffix(PostgreSQLSearchTables.indexed)
            return (text == digest || text == digest + PostgreSQLSearchTables.indexed, isIndexed)
        }
        if !state().isCurrent || !state().isIndexed, !store.isReadOnly {
            let operators = try trigramOperators(makes: !state().isCurrent)
            if !state().isCurrent || operators != nil {
                try exclusively(store.place) {
                    try lockState()
                    try store.mergeMetadata(self)
                    // Another program may have made them meanwhile.
                    guard store.isOfItsModel else { throw ObjectGraphError.migrated }
                    let isCurrent = state().isCurrent
                    if isCurrent, state().isIndexed { return }
                    if !isCurrent { try keepingGrants { try rebuild(tables, store) } }
                    if let operators {
                        for table in tables.all { try enqueue(table.indexCreation(operators)) }
                    }
                    store.metadata[MetadataList.search] = .string(
                        operators == nil ? digest : digest + PostgreSQLSearchTables.indexed
                    )
                    try store.enqueueMetadata(store.metadata, on: self)
                }
                store.changedMetadata = []
                try store.readForm(self)
            }
        }
        if state().isCurrent { store.searchTables = tables }
    }

    private func rebuild(_ tables: PostgreSQLSearchTables, _ store: PostgreSQLStore) throws {
        let present = try run(
            "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema()"
                + " AND tablename LIKE 'og!_search!_%' ESCAPE '!'"
        )
        for row in 0..<present.count {
            try enqueue("DROP TABLE \(quotedExactly(present.text(row, 0)))")
        }
        for table in tables.all {
            try enqueue(table.creation)
            for schema in store.schema.entities where schema.table === table.schema {
                try fill(table, schema)
            }
        }
        try enqueue(
            "ALTER TABLE OG_STATE"
                + " ADD COLUMN IF NOT EXISTS notified DOUBLE PRECISION NOT NULL DEFAULT 0"
        )
        // Who has the store open without writing these tables must not go on.
        try enqueue("UPDATE OG_STATE SET form = form + 1")
        _ = try finish()
        for table in tables.all { try execute("ANALYZE \(table.name)") }
    }

    private func fill(_ table: PostgreSQLSearchTables.Table, _ schema: EntitySchema) throws {
        let texts = table.texts(of: schema.entity)
        if texts.isEmpty { return }
        let columns = texts.map(\.column).joined(separator: ", ")
        var last: Int64 = 0
        while true {
            let rows = try run(
                "SELECT Z_PK, \(columns) FROM \(quoted(schema.table.name))"
                    + " WHERE Z_ENT = $1 AND Z_PK > $2 ORDER BY Z_PK LIMIT 5000",
                [.integer(schema.number), .integer(last)]
            )
            if rows.count == 0 { return }
            var fields = FieldWriter(copying: rows.count)
            for row in 0..<rows.count {
                last = rows.integer(row, 0)
                fields.beginRow(texts.count + 1)
                fields.add(last)
                for column in texts.indices {
                    fields.add(folded: rows.optionalText(row, column + 1))
                }
            }
            fields.end()
            try copy(into: "\(table.name) (k, \(columns))", fields)
        }
    }
}

extension PostgreSQLStore {
    /// Whether the store's metadata are still those of the model.
    fileprivate var isOfItsModel: Bool {
        options.ignoresVersionHashes
            || schema.model.matches(storeMetadata: metadata, configuration: configurationName)
    }

    /// Leaves the trigram indexes out while an empty store is filled: they are made faster at once.
    package func setImporting(_ isImporting: Bool) throws {
        guard case .string(let text)? = metadata[MetadataList.search],
            text.hasSuffix(PostgreSQLSearchTables.indexed)
        else { return }
        try perform { connection in
            for table in searchTables.all {
                if isImporting {
                    let isFilled =
                        try connection.number("SELECT k FROM \(table.name) LIMIT 1") != nil
                    if !isFilled { try connection.execute("DROP INDEX IF EXISTS \(table.index)") }
                } else if let operators = try connection.trigramOperators(makes: false) {
                    try connection.execute(table.indexCreation(operators))
                    try connection.execute("ANALYZE \(table.name)")
                }
            }
        }
    }
}

extension FieldWriter {
    mutating func add(folded text: String?) {
        if let text { add(FoldedText.form(text)) } else { null() }
    }
}
