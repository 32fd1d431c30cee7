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
        } else if !isOurs, !isReadOnly {
            try findTriggers()
        } else if isOurs {
            let tables = SearchTables(schema)
            let isCurrent = metadata[MetadataList.search] == .string(tables.digest(schema))
            if isCurrent, !tables.isEmpty { searchTables = tables }
        }
        dataVersion = try connection.integer("PRAGMA data_version") ?? 0
        connection.beginNotingForeignWrites()
    }

    /// Finds the derived attributes that the file's triggers keep, by the triggers' names:
    /// `Z_DA_<table>_<entity>_<attribute>_<event>`.
    ///
    /// Such a trigger counts up or down from the value that it finds. An update that has written the
    /// new value before would make it count twice.
    private func findTriggers() throws {
        let statement = try connection.statement(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'Z@_DA@_%' ESCAPE '@'"
        )
        defer { statement.reset() }
        var names: [String] = []
        while try statement.step() { names.append(statement.text(0)) }
        if names.isEmpty { return }
        for schema in schema.entities {
            for attribute in schema.entity.attributes where attribute.isDerived {
                let owner = attribute.entity?.name ?? ""
                let part = "_\(owner)_\(attribute.name)_"
                if names.contains(where: { $0.contains(part) }) {
                    schema.triggeredSlots.insert(attribute.slot)
                }
            }
        }
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
            for index in wanted {
                do {
                    try connection.execute(index.statement)
                } catch let error as SQLiteError where error.isConstraintViolation {
                    throw schema.duplicates(under: index.name)
                }
            }
            try writeMetadata()
        }
        changedMetadata = []
    }
}
