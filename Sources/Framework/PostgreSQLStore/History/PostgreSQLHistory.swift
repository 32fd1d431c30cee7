import FoundationEssentials
import ObjectModel
import ObjectStore

/// The history tables, inside the transaction of one save.
final class PostgreSQLHistory: HistoryTarget {
    private unowned let save: PostgreSQLSave
    /// Changes that are not sent yet.
    private var rows: [(row: HistoryRow, data: [UInt8])] = []
    /// The transaction with its changes, for the store's memory; `nil` if it is large.
    private var own: (HistoryTransactionRow, [(row: HistoryRow, data: [UInt8])])?

    init(_ save: PostgreSQLSave) { self.save = save }

    private var connection: PostgreSQLConnection { save.connection }

    func historyNumber(_ name: String) throws -> Int64 {
        if let number = save.store.nameNumbers[name] { return number }
        // Opening has made those of the model.
        throw ObjectGraphError(
            .damagedFile,
            "The history of the store has no number for \"\(name)\".",
            recovery: "Open the store again."
        )
    }

    func lastHistoryNumbers() throws -> (transaction: Int64, change: Int64) {
        (save.state.number, save.state.change)
    }

    func dropUndoneCommands(by author: String?) throws {
        let sql = "UPDATE OG_TRANSACTION SET state = 2 WHERE state = 1"
        if let author {
            try connection.enqueue(sql + " AND author = $1", .text(author))
        } else {
            try connection.enqueue(sql)
        }
    }

    func moveCommand(_ move: CommandMove, of kind: TransactionInfo.Kind) throws {
        guard save.commandState == move.from.rawValue else {
            throw ObjectGraphError.cannotInvert(kind)
        }
        try connection.enqueue(
            "UPDATE OG_TRANSACTION SET state = $1, latest = $2 WHERE number = $3",
            .integer(move.to.rawValue),
            .integer(move.latest),
            .integer(move.command)
        )
    }

    func writeHistory(_ row: HistoryRow, _ data: [UInt8]) throws { rows.append((row, data)) }

    func writeHistory(_ row: HistoryTransactionRow) throws {
        if rows.count < PostgreSQLSave.copyLimit { own = (row, rows) }
        try writeChanges()
        let statement = connection.statement(
            """
            INSERT INTO OG_TRANSACTION (number, date, author, context, process, kind, name, grp, \
            target, state, latest, first, count, save) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            """,
            [
                .integer, .real, .text, .text, .integer, .integer, .text, .integer, .integer,
                .integer, .integer, .integer, .integer, .data,
            ]
        )
        var fields = FieldWriter()
        func add(_ text: String?) { if let text { fields.add(text) } else { fields.null() } }
        func add(_ number: Int64?) { if let number { fields.add(number) } else { fields.null() } }
        fields.add(row.number)
        fields.add(row.date)
        add(row.info.author)
        add(row.info.contextName)
        fields.add(Int64(ProcessInfo.processInfo.processIdentifier))
        fields.add(row.info.kind.rawValue)
        add(row.info.groupName)
        fields.add(row.group)
        add(row.info.target)
        add(row.startsCommand ? CommandState.done.rawValue : nil)
        add(row.startsCommand ? row.number : nil)
        fields.add(row.firstChange)
        fields.add(row.count)
        withUnsafeBytes(of: save.identifier.uuid) { fields.add(data: $0) }
        try connection.enqueue(statement, fields)
        save.state.number = row.number
        save.state.change = row.firstChange + row.count
    }

    private func writeChanges() throws {
        func add(_ item: (row: HistoryRow, data: [UInt8]), to fields: inout FieldWriter) {
            let row = item.row
            for number in [row.id, row.entity, row.key, row.count, row.kind.rawValue] {
                fields.add(number)
            }
            if item.data.isEmpty {
                fields.null()
            } else {
                item.data.withUnsafeBytes { fields.add(data: $0) }
            }
        }
        let target = "OG_CHANGE (id, ent, pk, n, kind, data)"
        if rows.count >= PostgreSQLSave.copyLimit {
            var fields = FieldWriter(copying: rows.count)
            for row in rows {
                fields.beginRow(6)
                add(row, to: &fields)
            }
            fields.end()
            try save.flush()
            try connection.copy(into: target, fields)
        } else {
            let statement = connection.statement(
                "INSERT INTO \(target) VALUES ($1, $2, $3, $4, $5, $6)",
                [.integer, .integer, .integer, .integer, .integer, .data]
            )
            for row in rows {
                var fields = FieldWriter()
                add(row, to: &fields)
                try connection.enqueue(statement, fields)
            }
        }
        rows = []
    }

    func historyCommitted(_ number: Int64, _ date: Double) {
        let store = save.store
        if store.answersFromMemory, let own, let known = try? store.transaction(own.0, own.1) {
            store.knowledge?.add(own.0, known)
        } else {
            store.knowledge = PostgreSQLKnowledge(after: number)
        }
    }
    func historyCancelled() {}
}

/// Ends the history of a store at a save that does not write it: every token expires.
final class PostgreSQLHistoryBreak: RowObserver {
    private unowned let save: PostgreSQLSave

    init(_ save: PostgreSQLSave) { self.save = save }

    var needsOldValues: Bool { false }

    func begin(_ plan: SavePlan) throws {
        // Without a transaction nobody has a token.
        if save.state.number == 0 { return }
        save.state.number += 2
        try save.connection.enqueue("DELETE FROM OG_CHANGE")
        try save.connection.enqueue("DELETE FROM OG_TRANSACTION")
        try save.connection.enqueue(
            "INSERT INTO OG_TRANSACTION (number, date, kind, grp, first, count)"
                + " VALUES ($1, $2, $3, $1, $4, 0)",
            .integer(save.state.number),
            .real(Date().timeIntervalSinceReferenceDate),
            .integer(TransactionInfo.Kind.silent.rawValue),
            .integer(save.state.change)
        )
    }

    func inserted(_ rows: InsertedRows) throws {}
    func updated(_ row: UpdatedRow) throws {}
    func deleted(_ row: DeletedRow) throws {}
}
