import FoundationEssentials
import ObjectStore

/// Ends the history of a store at a save that does not write it.
///
/// What was read before by the history could not be brought up to date by it any more, so every token
/// expires: the old transactions are deleted, and an empty one follows whose number is one too high.
final class HistoryBreak: RowObserver {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    var needsOldValues: Bool { false }

    func begin(_ plan: SavePlan) throws {
        let last = try connection.statement(
            "SELECT number, first + count FROM OG_TRANSACTION ORDER BY number DESC LIMIT 1"
        )
        defer { last.reset() }
        // Without a transaction nobody has a token.
        guard try last.step() else { return }
        let (number, change) = (last.integer(0) + 2, last.integer(1))
        last.reset()
        try connection.run("DELETE FROM OG_CHANGE")
        try connection.run("DELETE FROM OG_TRANSACTION")
        try connection.statement(
            "INSERT INTO OG_TRANSACTION (number, date, kind, grp, first, count)"
                + " VALUES (?, ?, ?, ?, ?, 0)"
        ).run(
            .integer(number),
            .real(Date().timeIntervalSinceReferenceDate),
            .integer(Int64(TransactionInfo.Kind.silent.rawValue)),
            .integer(number),
            .integer(change)
        )
    }

    func inserted(_ rows: InsertedRows) throws {}
    func updated(_ row: UpdatedRow) throws {}
    func deleted(_ row: DeletedRow) throws {}
}
