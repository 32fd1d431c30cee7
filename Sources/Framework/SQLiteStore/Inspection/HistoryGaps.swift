import ObjectStore

/// Checks that the history is whole: transactions without gaps, and all of their changes.
final class HistoryGaps {
    private let inspector: InspectionRun
    private var connection: Connection { inspector.connection }

    /// The condition that a change `c` can be read.
    private static let readable =
        "c.kind IN (0, 1, 2) AND c.n BETWEEN 1 AND \(HistoryTables.longestRun)"
        + " AND c.pk >= 1 AND c.ent IN (SELECT id FROM OG_NAME)"
    /// Changes that belong to no transaction.
    private static let orphans =
        "OG_CHANGE AS c WHERE NOT EXISTS (SELECT 1 FROM OG_TRANSACTION t WHERE t.number ="
        + " (SELECT MAX(number) FROM OG_TRANSACTION u WHERE u.first <= c.id AND u.count > 0)"
        + " AND c.id < t.first + t.count)"
    /// Transactions with numbers that nothing has given them.
    private static let stray =
        "OG_TRANSACTION WHERE number NOT BETWEEN 1 AND \(HistoryWriter.largestNumber)"
        + " OR typeof(first) <> 'integer' OR first NOT BETWEEN 0 AND \(HistoryWriter.largestNumber)"
        + " OR typeof(count) <> 'integer' OR count NOT BETWEEN 0 AND \(HistoryWriter.largestNumber)"
    /// Commands whose state leads nowhere.
    private static let stateless =
        "OG_TRANSACTION WHERE state IS NOT NULL AND (state NOT IN (0, 1, 2)"
        + " OR latest IS NULL OR latest NOT IN (SELECT number FROM OG_TRANSACTION))"

    init(_ inspector: InspectionRun) { self.inspector = inspector }

    func run() throws {
        let stray = try connection.integer("SELECT COUNT(*) FROM \(HistoryGaps.stray)") ?? 0
        if stray > 0 {
            inspector.add(
                StoreFinding(
                    .historyGap,
                    count: Int(stray),
                    "\(counted(Int(stray), "transaction")) of the history"
                        + " \(stray == 1 ? "has a number" : "have numbers") that no program gives.",
                    repair: "They are deleted; they cannot be undone any more."
                )
            )
        }
        let (bad, count) = try defects()
        inspector.setTransactionCount(count)
        if let last = bad.last {
            inspector.add(
                StoreFinding(
                    .historyGap,
                    count: bad.count,
                    examples: Array(bad.prefix(StoreFinding.mostExamples)),
                    "The history is damaged at \(counted(bad.count, "transaction")).",
                    repair: "Undo ends after transaction \(last): what is older is deleted."
                )
            )
        }
        let orphans = try orphanCount()
        if orphans > 0 {
            inspector.add(
                StoreFinding(
                    .historyGap,
                    count: orphans,
                    "The history has \(counted(orphans, "change")) of unknown transactions.",
                    repair: "They are deleted."
                )
            )
        }
        let stateless = try connection.integer("SELECT COUNT(*) FROM \(HistoryGaps.stateless)") ?? 0
        if stateless > 0 {
            inspector.add(
                StoreFinding(
                    .historyGap,
                    count: Int(stateless),
                    "The state of \(counted(Int(stateless), "command")) of the history is damaged.",
                    repair: "They cannot be undone any more."
                )
            )
        }
    }

    /// The numbers of transactions that are incomplete, or before which others are missing.
    private func defects() throws -> (bad: [Int64], count: Int) {
        let statement = try Statement(
            "SELECT t.number, t.first, t.count, t.kind, (SELECT COUNT(*) FROM OG_CHANGE c"
                + " WHERE c.id >= t.first AND c.id < t.first + t.count AND \(HistoryGaps.readable))"
                + " FROM OG_TRANSACTION t WHERE number NOT IN (SELECT number FROM"
                + " \(HistoryGaps.stray)) ORDER BY t.number",
            on: connection
        )
        defer { statement.finish() }
        var bad: [Int64] = []
        var count = 0
        var last: (number: Int64, end: Int64)?
        while try statement.step() {
            count += 1
            if count % 1024 == 0 { try inspector.note(0) }
            let (number, first) = (statement.integer(0), statement.integer(1))
            let changes = statement.integer(2)
            let isWhole =
                statement.integer(4) == changes
                && TransactionInfo.Kind(rawValue: statement.integer(3)) != nil
            let isNext = last.map { number == $0.number + 1 && first == $0.end } ?? true
            if !isWhole || !isNext { bad.append(isWhole ? number - 1 : number) }
            let end = first.addingReportingOverflow(changes)
            last = (number, end.overflow ? .max : end.partialValue)
        }
        return (bad, count)
    }

    private func orphanCount() throws -> Int {
        // The changes of transactions are neighbours, so counting is enough where nothing is wrong.
        let all = try connection.integer("SELECT COUNT(*) FROM OG_CHANGE") ?? 0
        let owned = try connection.integer(
            "SELECT SUM((SELECT COUNT(*) FROM OG_CHANGE c WHERE c.id >= t.first"
                + " AND c.id < t.first + t.count)) FROM OG_TRANSACTION t"
        )
        return Int(max(0, all - (owned ?? 0)))
    }

    /// Deletes what cannot be true, and everything older.
    ///
    /// The newest transaction stays, so numbers are not used twice.
    func repair() throws {
        try connection.run("DELETE FROM \(HistoryGaps.stray)")
        let (bad, _) = try defects()
        if let last = bad.last,
            let newest = try connection.integer("SELECT MAX(number) FROM OG_TRANSACTION")
        {
            if last >= newest {
                try connection.statement(
                    "UPDATE OG_TRANSACTION SET count = 0, state = NULL, latest = NULL, kind = 3,"
                        + " first = MAX(first, IFNULL((SELECT MAX(id) + 1 FROM OG_CHANGE"
                        + " WHERE id < \(HistoryWriter.largestNumber)), 1))"
                        + " WHERE number = ?"
                ).run(.integer(newest))
            }
            try connection.statement("DELETE FROM OG_TRANSACTION WHERE number < ?")
                .run(.integer(min(last + 1, newest)))
        }
        if try orphanCount() > 0 { try connection.run("DELETE FROM \(HistoryGaps.orphans)") }
        // A state can lead to a transaction that was deleted just now.
        try connection.run(
            "UPDATE OG_TRANSACTION SET state = NULL, latest = NULL WHERE number IN"
                + " (SELECT number FROM \(HistoryGaps.stateless))"
        )
    }
}
