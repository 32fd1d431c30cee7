import FoundationEssentials
package import ObjectModel
package import ObjectStore

// Deleting old history. A cut keeps all transactions from some number on: the log stays without
// gaps, and a token has expired exactly if it is before the cut. The newest transaction always
// stays, so numbers are never reused.

extension SQLiteStore {
    package func trimHistory(_ limit: HistoryLimit) throws -> Int {
        guard keepsHistory, !isReadOnly else { return 0 }
        try place?.check("no history was deleted")
        return try translatingErrors {
            defer { try? removeUnusedFiles() }
            return try connection.transaction {
                let cut = min(try wantedCut(limit), try stepCut(limit.keepsSteps))
                let first = try connection.integer(
                    "SELECT first FROM OG_TRANSACTION WHERE number = ?",
                    .integer(cut)
                )
                guard let first else { return 0 }
                try connection.statement("DELETE FROM OG_CHANGE WHERE id < ?")
                    .run(.integer(first))
                try connection.statement("DELETE FROM OG_TRANSACTION WHERE number < ?")
                    .run(.integer(cut))
                let count = connection.changes
                // Return the pages to the disk, not only to the file.
                if count > 0 { try connection.run("PRAGMA incremental_vacuum") }
                return count
            }
        }
    }

    package func historyExtent() throws -> HistoryExtent {
        guard keepsHistory else { return HistoryExtent() }
        return try translatingErrors {
            let statement = try connection.statement(
                "SELECT COUNT(*), MIN(date) FROM OG_TRANSACTION WHERE state = 0"
            )
            defer { statement.reset() }
            guard try statement.step(), statement.integer(0) > 0 else { return HistoryExtent() }
            return HistoryExtent(
                steps: Int(statement.integer(0)),
                oldest: Date(timeIntervalSinceReferenceDate: statement.real(1))
            )
        }
    }

    /// The first transaction to keep by age, number and size.
    private func wantedCut(_ limit: HistoryLimit) throws -> Int64 {
        let newest = try connection.integer("SELECT MAX(number) FROM OG_TRANSACTION") ?? 0
        var cut: Int64 = 0
        if let date = limit.keepsSince {
            cut =
                try connection.integer(
                    "SELECT MIN(number) FROM OG_TRANSACTION WHERE date >= ?",
                    .real(date.timeIntervalSinceReferenceDate)
                ) ?? newest
        }
        if let number = limit.keepsAfter { cut = max(cut, min(number, .max - 1) + 1) }
        if let most = limit.mostSteps, try historyExtent().steps > most {
            cut = max(cut, try stepCut(most))
        }
        if let bytes = limit.keepsBytes { cut = max(cut, try sizeCut(bytes)) }
        return min(cut, newest)
    }

    /// The oldest transaction that keeps the total of the newest ones within a size.
    private func sizeCut(_ bytes: Int) throws -> Int64 {
        let statement = try connection.statement(
            """
            SELECT t.number, (SELECT SUM(LENGTH(c.data) + 32) FROM OG_CHANGE c \
            WHERE c.id >= t.first AND c.id < t.first + t.count) \
            FROM OG_TRANSACTION t ORDER BY t.number DESC
            """
        )
        defer { statement.reset() }
        var total: Int64 = 0
        var cut: Int64 = 0
        while try statement.step() {
            total += statement.integer(1) + 64
            if total > bytes { return cut == 0 ? statement.integer(0) : cut }
            cut = statement.integer(0)
        }
        return 0
    }

    /// The oldest transaction that the newest commands need.
    private func stepCut(_ steps: Int) throws -> Int64 {
        try connection.integer(
            """
            SELECT MIN(MIN(number, latest)) FROM (SELECT number, latest FROM OG_TRANSACTION \
            WHERE state = 0 ORDER BY latest DESC LIMIT ?)
            """,
            .integer(Int64(steps))
        ) ?? .max
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
