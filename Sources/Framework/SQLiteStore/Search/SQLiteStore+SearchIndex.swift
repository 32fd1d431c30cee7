import ObjectModel
import ObjectStore

extension SQLiteStore {
    /// Makes the search index match the model: builds it again if other attributes are searched
    /// now, and removes it if the store was opened without an index.
    func updateSearchIndex() throws {
        let wanted = options.keepsSearchIndex ? SearchTables(schema) : SearchTables()
        let digest = GraphValue.string(wanted.digest(schema))
        let present = metadata[MetadataList.search] ?? .string("")
        searchTables = wanted
        if present == digest { return }
        try connection.transaction {
            try buildSearchIndex()
            metadata[MetadataList.search] = digest
            try writeMetadata()
        }
        changedMetadata = []
    }

    /// Builds the search index again, inside a write transaction.
    func buildSearchIndex() throws {
        for table in searchTables.byRoot.values { table.finish() }
        try SearchTables.dropAll(from: connection)
        for table in searchTables.byRoot.values.sorted(by: { $0.name < $1.name }) {
            for statement in table.creation { try connection.execute(statement) }
            try fill(table)
        }
    }

    /// Indexes all rows of a table.
    private func fill(_ table: SearchTable) throws {
        let text = SearchText()
        for schema in schema.entities where schema.table === table.table {
            let columns = table.slots(of: schema.entity).compactMap { schema.columns[$0]?.name }
            if columns.isEmpty { continue }
            let rows = try Statement(
                "SELECT Z_PK, \(columns.map(quoted).joined(separator: ", "))"
                    + " FROM \(quoted(schema.table.name)) WHERE Z_ENT = \(schema.number)",
                on: connection
            )
            defer { rows.finish() }
            while try rows.step() {
                text.removeAll()
                for index in columns.indices { text.append(rows.textBytes(Int32(index + 1))) }
                try table.insert(rows.integer(0), text, on: connection)
            }
        }
        table.finish()
    }
}

extension SearchTables {
    /// Drops the search index of a store, inside a write transaction.
    static func dropAll(from connection: Connection) throws {
        var names: [String] = []
        let statement = try connection.statement(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'OG!_SEARCH!_%'"
                + " ESCAPE '!' AND sql LIKE 'CREATE VIRTUAL TABLE%'"
        )
        while try statement.step() { names.append(statement.text(0)) }
        statement.reset()
        for name in names { try connection.execute("DROP TABLE \(quoted(name))") }
    }
}
