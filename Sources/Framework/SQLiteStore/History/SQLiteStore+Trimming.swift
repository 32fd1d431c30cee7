import FoundationEssentials
package import ObjectModel
package import ObjectStore

// Deleting old history.

extension SQLiteStore {
    package func trimHistory(_ limit: HistoryLimit) throws -> Int {
        guard keepsHistory, !isReadOnly else { return 0 }
        try place?.check("no history was deleted")
        return try translatingErrors {
            defer { try? removeUnusedFiles() }
            return try connection.transaction {
                guard let cut = try historyCut(limit) else { return 0 }
                try connection.statement("DELETE FROM OG_CHANGE WHERE id < ?")
                    .run(.integer(cut.change))
                try connection.statement("DELETE FROM OG_TRANSACTION WHERE number < ?")
                    .run(.integer(cut.transaction))
                let count = connection.changes
                // Return the pages to the disk, not only to the file.
                if count > 0 { try connection.run("PRAGMA incremental_vacuum") }
                return count
            }
        }
    }

    package func eraseHistory(of ids: [ManagedObjectID]) throws {
        guard keepsHistory, !isReadOnly, !ids.isEmpty else { return }
        try place?.check("nothing was erased")
        try translatingErrors {
            var writer = HistoryBytesWriter()
            writer.entry(.erased, name: 0)
            try connection.transaction {
                var keys: [String: [Int64]] = [:]
                for id in ids { keys[id.entityName, default: []].append(id.key) }
                for (name, keys) in keys {
                    let entity = try names.number(name, in: connection)
                    for chunk in KeyChunks(keys) {
                        let statement = try connection.statement(
                            "UPDATE OG_CHANGE SET data = ? WHERE ent = ? AND kind <> 0"
                                + " AND data IS NOT NULL AND pk IN \(chunk.marks)"
                        )
                        try statement.bind(writer.bytes, at: 1)
                        statement.bind(entity, at: 2)
                        chunk.bind(to: statement, from: 3)
                        try statement.run()
                    }
                }
            }
            // The index keeps the words of deleted texts until its parts are merged.
            for table in searchTables.byRoot.values {
                let name = quoted(table.name)
                try connection.execute("INSERT INTO \(name) (\(name)) VALUES ('optimize')")
            }
            try removeUnusedFiles()
            // Deleted data is overwritten in the file; the log still has it.
            try checkpoint()
            try scrubMemory()
        }
    }
}
