import FoundationEssentials
package import ObjectModel
package import ObjectStore

// Deleting old history; the rules are those of a SQLite store. The newest transaction always stays.

extension PostgreSQLStore {
    package func trimHistory(_ limit: HistoryLimit) throws -> Int {
        guard keepsHistory, !isReadOnly else { return 0 }
        knowledge = nil
        return try perform { connection in
            try connection.transaction {
                try connection.lockState()
                let cut = min(
                    try wantedCut(limit, connection),
                    try stepCut(limit.keepsSteps, connection)
                )
                let first = try connection.number(
                    "SELECT first FROM OG_TRANSACTION WHERE number = $1",
                    .integer(cut)
                )
                guard let first else { return 0 }
                try connection.enqueue("DELETE FROM OG_CHANGE WHERE id < $1", .integer(first))
                let place = try connection.enqueue(
                    "WITH gone AS (DELETE FROM OG_TRANSACTION WHERE number < $1 RETURNING number)"
                        + " SELECT COUNT(*) FROM gone",
                    .integer(cut),
                    keepsRows: true
                )
                return Int(try connection.finish()[place]?.number ?? 0)
            }
        }
    }

    package func historyExtent() throws -> HistoryExtent {
        guard keepsHistory else { return HistoryExtent() }
        let result = try perform {
            try $0.run("SELECT COUNT(*), MIN(date) FROM OG_TRANSACTION WHERE state = 0")
        }
        guard let count = result.number, count > 0 else { return HistoryExtent() }
        return HistoryExtent(
            steps: Int(count),
            oldest: Date(timeIntervalSinceReferenceDate: result.real(0, 1))
        )
    }

    /// The first transaction to keep by age, number and size.
    private func wantedCut(
        _ limit: HistoryLimit,
        _ connection: PostgreSQLConnection
    ) throws -> Int64 {
        let newest = try connection.number("SELECT MAX(number) FROM OG_TRANSACTION") ?? 0
        var cut: Int64 = 0
        if let date = limit.keepsSince {
            cut =
                try connection.number(
                    "SELECT MIN(number) FROM OG_TRANSACTION WHERE date >= $1",
                    .real(date.timeIntervalSinceReferenceDate)
                ) ?? newest
        }
        if let number = limit.keepsAfter { cut = max(cut, min(number, .max - 1) + 1) }
        if let most = limit.mostSteps {
            let steps = try connection.number(
                "SELECT COUNT(*) FROM OG_TRANSACTION WHERE state = 0"
            )
            if Int(steps ?? 0) > most { cut = max(cut, try stepCut(most, connection)) }
        }
        if let bytes = limit.keepsBytes { cut = max(cut, try sizeCut(bytes, connection)) }
        return min(cut, newest)
    }

    /// The oldest transaction that keeps the total of the newest ones within a size.
    private func sizeCut(_ bytes: Int, _ connection: PostgreSQLConnection) throws -> Int64 {
        let result = try connection.run(
            """
            SELECT t.number, COALESCE((SELECT SUM(COALESCE(LENGTH(c.data), 0) + 32) \
            FROM OG_CHANGE c WHERE c.id >= t.first AND c.id < t.first + t.count), 0) \
            FROM OG_TRANSACTION t ORDER BY t.number DESC
            """
        )
        var total: Int64 = 0
        var cut: Int64 = 0
        for row in 0..<result.count {
            total += result.integer(row, 1) + 64
            if total > bytes { return cut == 0 ? result.integer(row, 0) : cut }
            cut = result.integer(row, 0)
        }
        return 0
    }

    /// The oldest transaction that the newest commands need.
    private func stepCut(_ steps: Int, _ connection: PostgreSQLConnection) throws -> Int64 {
        try connection.number(
            """
            SELECT MIN(LEAST(number, latest)) FROM (SELECT number, latest FROM OG_TRANSACTION \
            WHERE state = 0 ORDER BY latest DESC LIMIT $1) newest
            """,
            .integer(Int64(steps))
        ) ?? .max
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
