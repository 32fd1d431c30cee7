import ObjectModel
import ObjectStore

// The last steps of opening: functions for the triggers of foreign files, and, in a store of our
// own that is open for writing, indexes that follow the model.

extension SQLiteStore {
    func prepareAdditions() throws {
        affected.makeID = { [unowned self] in id(number: $0, key: $1) }
        affected.register(on: connection)
        if isOurs, !isReadOnly {
            try updateIndexes()
            try updateSearchIndex()
            try keepModel()
        } else if isOurs {
            let tables = SearchTables(schema)
            let isCurrent = metadata[MetadataList.search] == .string(tables.digest(schema))
            if isCurrent, !tables.isEmpty { searchTables = tables }
        }
        dataVersion = try connection.integer("PRAGMA data_version") ?? 0
    }

    /// Creates the indexes that the model has gained and drops those that it has lost.
    private func updateIndexes() throws {
        let wanted = schema.indexes
        let digest = GraphValue.string(textDigest(wanted.map(\.statement)))
        if metadata[MetadataList.indexes] == digest { return }
        metadata[MetadataList.indexes] = digest
        try connection.transaction {
            var present: Set<String> = []
            let statement = try connection.statement(
                "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'Z%'"
            )
            while try statement.step() { present.insert(statement.text(0)) }
            statement.reset()
            for name in present { try connection.execute("DROP INDEX \(quoted(name))") }
            for index in wanted { try connection.execute(index.statement) }
            try writeMetadata()
        }
        changedMetadata = []
    }
}
