import FoundationEssentials
import ObjectModel
package import ObjectStore

extension SQLiteStore {
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/historyExpired`` if
    ///   transactions after the token have been trimmed.
    package func history(after token: Int64, limit: Int) throws -> [HistoryTransaction] {
        try checkPlace()
        guard keepsHistory else { return [] }
        return try translatingErrors {
            try connection.readTransaction {
                let oldest = try connection.integer("SELECT MIN(number) FROM OG_TRANSACTION")
                if let oldest, token > 0, token < oldest - 1 {
                    throw ObjectGraphError.historyExpired(after: token)
                }
                return try transactions(
                    "WHERE number > ? ORDER BY number LIMIT ?",
                    .integer(token),
                    .integer(Int64(limit))
                )
            }
        }
    }

    package func historyTransaction(_ number: Int64) throws -> HistoryTransaction? {
        guard keepsHistory else { return nil }
        return try translatingErrors {
            try connection.readTransaction {
                try transactions("WHERE number = ?", .integer(number)).first
            }
        }
    }

    package func historyChangeCount(after token: Int64, limit: Int) throws -> Int {
        guard keepsHistory else { return 0 }
        return try translatingErrors {
            try connection.readTransaction {
                let rows = try connection.integer(
                    "SELECT SUM(count) FROM OG_TRANSACTION WHERE number > ?",
                    .integer(token)
                )
                guard let rows, rows > 0, rows <= limit else { return Int(rows ?? 0) }
                // One row may contain many inserts.
                let first = "SELECT MIN(first) FROM OG_TRANSACTION WHERE number > ?"
                return Int(
                    try connection.integer(
                        "SELECT SUM(n) FROM OG_CHANGE WHERE id >= (\(first))",
                        .integer(token)
                    ) ?? 0
                )
            }
        }
    }

    package func undoSteps(limit: Int, by author: String?) throws -> [HistoryStep] {
        try steps(.done, limit, author)
    }

    package func redoSteps(limit: Int, by author: String?) throws -> [HistoryStep] {
        try steps(.undone, limit, author)
    }

    /// The number of the newest transaction; 0 if there is none.
    ///
    /// - Complexity: O(1).
    package func latestTransaction() throws -> Int64 {
        try checkPlace()
        guard keepsHistory else { return 0 }
        return try translatingErrors {
            try connection.integer("SELECT MAX(number) FROM OG_TRANSACTION") ?? 0
        }
    }

    package var seenState: UInt32 { connection.pagerVersion }

    /// Reads only the log's index, not the file, unless somebody has written.
    package func foreignMark() throws -> Int64? {
        try checkPlace()
        return try translatingErrors {
            let version = try connection.integer("PRAGMA data_version") ?? 0
            if version != dataVersion {
                try mergeMetadata()
                dataVersion = version
            }
            return version
        }
    }

    // MARK: Reading

    private func steps(
        _ state: CommandState,
        _ limit: Int,
        _ author: String?
    ) throws -> [HistoryStep] {
        try checkPlace()
        guard keepsHistory, limit > 0 else { return [] }
        return try translatingErrors {
            try connection.readTransaction {
                let statement = try connection.statement(
                    "SELECT number, name, date, author, latest FROM OG_TRANSACTION"
                        + " WHERE state = \(state.rawValue)"
                        + (author == nil ? "" : " AND author = ?2")
                        + " ORDER BY latest DESC LIMIT ?1"
                )
                defer { statement.reset() }
                statement.bind(Int64(limit), at: 1)
                if let author { try statement.bind(.text(author), at: 2) }
                var result: [HistoryStep] = []
                while try statement.step() {
                    result.append(
                        HistoryStep(
                            command: statement.integer(0),
                            name: statement.isNull(1) ? nil : statement.text(1),
                            date: Date(timeIntervalSinceReferenceDate: statement.real(2)),
                            author: statement.isNull(3) ? nil : statement.text(3),
                            transactions: try members(ofStep: statement.integer(4))
                        )
                    )
                }
                return result
            }
        }
    }

    /// The transactions of a step, newest first.
    private func members(ofStep group: Int64) throws -> [Int64] {
        let statement = try connection.statement(
            "SELECT number FROM OG_TRANSACTION WHERE grp = ? AND grp <> number"
                + " ORDER BY number DESC"
        )
        defer { statement.reset() }
        statement.bind(group, at: 1)
        var result: [Int64] = []
        while try statement.step() { result.append(statement.integer(0)) }
        result.append(group)
        return result
    }

    private func transactions(
        _ condition: String,
        _ arguments: SQLValue...
    ) throws -> [HistoryTransaction] {
        let statement = try connection.statement(
            "SELECT number, date, author, context, process, kind, name, grp, target, first, count"
                + " FROM OG_TRANSACTION \(condition)"
        )
        defer { statement.reset() }
        try statement.bind(arguments)
        var result: [HistoryTransaction] = []
        while try statement.step() {
            result.append(
                HistoryTransaction(
                    number: statement.integer(0),
                    date: Date(timeIntervalSinceReferenceDate: statement.real(1)),
                    author: statement.isNull(2) ? nil : statement.text(2),
                    contextName: statement.isNull(3) ? nil : statement.text(3),
                    processIdentifier: Int32(truncatingIfNeeded: statement.integer(4)),
                    kind: TransactionInfo.Kind(rawValue: statement.integer(5)) ?? .silent,
                    groupName: statement.isNull(6) ? nil : statement.text(6),
                    group: statement.integer(7),
                    target: statement.isNull(8) ? nil : statement.integer(8),
                    changes: try changes(first: statement.integer(9), count: statement.integer(10))
                )
            )
        }
        return result
    }

    private func changes(first: Int64, count: Int64) throws -> [HistoryChange] {
        let statement = try connection.statement(
            "SELECT ent, pk, n, kind, data FROM OG_CHANGE WHERE id >= ?1 AND id < ?1 + ?2 ORDER BY id"
        )
        defer { statement.reset() }
        statement.bind(first, at: 1)
        statement.bind(count, at: 2)
        var result: [HistoryChange] = []
        var found: Int64 = 0
        while try statement.step() {
            found += 1
            guard let name = try names.name(statement.integer(0), in: connection),
                let entity = schema.model.entity(named: name),
                let kind = HistoryChange.Kind(rawValue: statement.integer(3))
            else { continue }
            let key = statement.integer(1)
            func id(_ key: Int64) -> ManagedObjectID {
                ManagedObjectID(space: space.number, entity: entity.number, key: key)
            }
            if kind == .insert {
                for key in try historyKeys(from: key, count: statement.integer(2)) {
                    result.append(HistoryChange(objectID: id(key), kind: .insert))
                }
            } else {
                result.append(try historyChange(id(key), kind, statement.bytes(4), entity))
            }
        }
        if found != count {
            throw ObjectGraphError(
                .damagedFile,
                "The history of the store names \(count) changes of a save and has \(found) of them.",
                recovery: "Nothing was changed; repair the store."
            )
        }
        return result
    }
}
