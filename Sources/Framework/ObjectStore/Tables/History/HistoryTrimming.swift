package import FoundationEssentials
import ObjectModel

// How much history there is, and where old history ends. A cut keeps all transactions from some
// number on: the log stays without gaps, and a token has expired exactly if it is before the cut. The
// newest transaction always stays, so numbers are never reused.

extension TableStore {
    package func historyExtent() throws -> HistoryExtent {
        guard keepsHistory else { return HistoryExtent() }
        let found = try select(
            "SELECT COUNT(*), MIN(date) FROM OG_TRANSACTION WHERE state = 0",
            [],
            as: [.integer, .real]
        )
        guard case .integer(let count)? = found.first?[0], case .real(let date)? = found.first?[1]
        else { return HistoryExtent() }
        return HistoryExtent(
            steps: Int(count),
            oldest: Date(timeIntervalSinceReferenceDate: date)
        )
    }

    /// - Complexity: a scan of the transactions without their changes.
    package func lastTransaction(before date: Date) throws -> Int64 {
        guard keepsHistory else { return 0 }
        let found = try select(
            """
            SELECT (SELECT MIN(number) FROM OG_TRANSACTION WHERE date >= \(dialect.parameter(1))), \
            (SELECT MIN(number) FROM OG_TRANSACTION), (SELECT MAX(number) FROM OG_TRANSACTION)
            """,
            [.real(date.timeIntervalSinceReferenceDate)],
            as: [.integer, .integer, .integer]
        )
        guard case .integer(let newest)? = found.first?[2] else { return 0 }
        // After a clock was set back, later numbers may have earlier dates.
        guard case .integer(let first)? = found.first?[0] else { return newest }
        return found.first?[1] == .integer(first) ? 0 : first - 1
    }

    package func historySize(of number: Int64) throws -> Int {
        guard keepsHistory else { return 0 }
        if let known = knownTransaction(number) { return known.changes.count }
        // The rows of a transaction are neighbours; one row may contain many inserts.
        let sum = """
            SELECT CAST(SUM(c.n) AS BIGINT) FROM OG_TRANSACTION t JOIN OG_CHANGE c \
            ON c.id BETWEEN t.first AND t.first + t.count - 1 \
            WHERE t.number = \(dialect.parameter(1))
            """
        return Int(try self.number(sum, .integer(number)) ?? 0)
    }

    private func number(_ sql: String, _ arguments: SQLValue...) throws -> Int64? {
        guard case .integer(let number)? = try select(sql, arguments, as: [.integer]).first?[0]
        else { return nil }
        return number
    }

    /// The number of the first transaction to keep, and of its first change; `nil` if there is none.
    package func historyCut(_ limit: HistoryLimit) throws -> (transaction: Int64, change: Int64)? {
        let parameter = dialect.parameter(1)
        /// The oldest transaction that the newest commands need.
        func stepCut(_ steps: Int) throws -> Int64 {
            try number(
                """
                SELECT MIN(CASE WHEN latest < number THEN latest ELSE number END) FROM \
                (SELECT number, latest FROM OG_TRANSACTION WHERE state = 0 \
                ORDER BY latest DESC LIMIT \(parameter)) newest
                """,
                .integer(Int64(steps))
            ) ?? .max
        }
        let newest = try number("SELECT MAX(number) FROM OG_TRANSACTION") ?? 0
        var cut: Int64 = 0
        if let date = limit.keepsSince {
            let since = SQLValue.real(date.timeIntervalSinceReferenceDate)
            let first = "SELECT MIN(number) FROM OG_TRANSACTION WHERE date >= \(parameter)"
            cut = try number(first, since) ?? newest
        }
        if let number = limit.keepsAfter { cut = max(cut, min(number, .max - 1) + 1) }
        if let most = limit.mostSteps, try historyExtent().steps > most {
            cut = max(cut, try stepCut(most))
        }
        if let bytes = limit.keepsBytes {
            // The newest ones whose total is within the size.
            let oldest = try number(
                """
                SELECT MIN(number) FROM (SELECT t.number AS number, SUM(64 + COALESCE((SELECT \
                SUM(COALESCE(LENGTH(c.data), 0) + 32) FROM OG_CHANGE c \
                WHERE c.id >= t.first AND c.id < t.first + t.count), 0)) \
                OVER (ORDER BY t.number DESC) AS total FROM OG_TRANSACTION t) sizes \
                WHERE total <= \(parameter)
                """,
                .integer(Int64(bytes))
            )
            cut = max(cut, oldest ?? newest)
        }
        cut = min(cut, newest, try stepCut(limit.keepsSteps))
        return try number(
            "SELECT first FROM OG_TRANSACTION WHERE number = \(parameter)",
            .integer(cut)
        ).map { (cut, $0) }
    }
}
