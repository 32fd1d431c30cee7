import FoundationEssentials
import ObjectModel
import ObjectStore

/// The history tables of a file.
final class SQLiteHistoryTarget: HistoryTarget {
    private unowned let store: SQLiteStore

    init(_ store: SQLiteStore) { self.store = store }

    private var connection: Connection { store.connection }

    func historyNumber(_ name: String) throws -> Int64 {
        try store.names.number(name, in: connection)
    }

    func lastHistoryNumbers() throws -> (transaction: Int64, change: Int64) {
        let last = try connection.statement(
            "SELECT number, first + count FROM OG_TRANSACTION ORDER BY number DESC LIMIT 1"
        )
        defer { last.reset() }
        guard try last.step() else { return (0, 1) }
        return (last.integer(0), last.integer(1))
    }

    func dropUndoneCommands(by author: String?) throws {
        let sql = "UPDATE OG_TRANSACTION SET state = 2 WHERE state = 1"
        guard let author else { return try connection.run(sql) }
        try connection.statement(sql + " AND author = ?").run(.text(author))
    }

    func moveCommand(_ move: CommandMove, of kind: TransactionInfo.Kind) throws {
        let update = try connection.statement(
            "UPDATE OG_TRANSACTION SET state = ?, latest = ? WHERE number = ? AND state = ?"
        )
        try update.run(
            .integer(move.to.rawValue),
            .integer(move.latest),
            .integer(move.command),
            .integer(move.from.rawValue)
        )
        if connection.changes == 0 { throw ObjectGraphError.cannotInvert(kind) }
    }

    func writeHistory(_ row: HistoryTransactionRow) throws {
        let insert = try connection.statement(
            """
            INSERT INTO OG_TRANSACTION (number, date, author, context, process, kind, name, grp, \
            target, state, latest, first, count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        try insert.run(
            .integer(row.number),
            .real(row.date),
            row.info.author.map { .text($0) } ?? .null,
            row.info.contextName.map { .text($0) } ?? .null,
            .integer(Int64(ProcessInfo.processInfo.processIdentifier)),
            .integer(row.info.kind.rawValue),
            row.info.groupName.map { .text($0) } ?? .null,
            .integer(row.group),
            row.info.target.map { .integer($0) } ?? .null,
            row.startsCommand ? .integer(CommandState.done.rawValue) : .null,
            row.startsCommand ? .integer(row.number) : .null,
            .integer(row.firstChange),
            .integer(row.count)
        )
    }

    func writeHistory(_ row: HistoryRow, _ data: [UInt8]) throws {
        let insert = try connection.statement(
            "INSERT INTO OG_CHANGE (id, ent, pk, n, kind, data) VALUES (?, ?, ?, ?, ?, ?)"
        )
        insert.bind(row.id, at: 1)
        insert.bind(row.entity, at: 2)
        insert.bind(row.key, at: 3)
        insert.bind(row.count, at: 4)
        insert.bind(row.kind.rawValue, at: 5)
        if data.isEmpty {
            try insert.bind(.null, at: 6)
        } else {
            try insert.bind(data, at: 6)
        }
        try insert.run()
    }

    func historyCommitted(_ number: Int64, _ date: Double) { store.newest = (number, date) }

    func historyCancelled() { store.names = HistoryNames() }
}

extension HistoryWriter {
    convenience init(_ store: SQLiteStore) { self.init(to: SQLiteHistoryTarget(store)) }
}
