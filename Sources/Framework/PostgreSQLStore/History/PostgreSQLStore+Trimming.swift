import FoundationEssentials
package import ObjectModel
package import ObjectStore

// Deleting old history.

extension PostgreSQLStore {
    package func trimHistory(_ limit: HistoryLimit) throws -> Int {
        guard keepsHistory, !isReadOnly else { return 0 }
        knowledge = nil
        return try perform { connection in
            try connection.transaction {
                try connection.lockState()
                guard let cut = try historyCut(limit) else { return 0 }
                try connection.enqueue("DELETE FROM OG_CHANGE WHERE id < $1", .integer(cut.change))
                let place = try connection.enqueue(
                    "WITH gone AS (DELETE FROM OG_TRANSACTION WHERE number < $1 RETURNING number)"
                        + " SELECT COUNT(*) FROM gone",
                    .integer(cut.transaction),
                    keepsRows: true
                )
                return Int(try connection.finish()[place]?.number ?? 0)
            }
        }
    }

    package func eraseHistory(of ids: [ManagedObjectID]) throws {
        guard keepsHistory, !isReadOnly, !ids.isEmpty else { return }
        knowledge = nil
        var writer = HistoryBytesWriter()
        writer.entry(.erased, name: 0)
        var keys: [String: [Int64]] = [:]
        for id in ids { keys[id.entityName, default: []].append(id.key) }
        try perform { connection in
            try connection.transaction {
                try connection.lockState()
                let statement = connection.statement(
                    "UPDATE OG_CHANGE SET data = $1 WHERE ent = $2 AND kind <> 0"
                        + " AND data IS NOT NULL AND pk = ANY($3)",
                    [.data, .integer, .integers]
                )
                for (name, keys) in keys.sorted(by: { $0.key < $1.key }) {
                    guard let entity = nameNumbers[name] else { continue }
                    var fields = FieldWriter()
                    writer.bytes.withUnsafeBytes { fields.add(data: $0) }
                    fields.add(entity)
                    fields.add(keys)
                    try connection.enqueue(statement, fields)
                }
            }
        }
    }
}

extension PostgreSQLConnection {
    /// Waits until no other save runs, and lets none begin before the end of the transaction.
    func lockState() throws { _ = try number("SELECT serial FROM OG_STATE FOR UPDATE") }
}
