import FoundationEssentials
import ObjectModel
import ObjectStore

/// Writes the history of one save, inside its transaction.
final class HistoryWriter: RowObserver {
    private unowned let store: SQLiteStore
    private var info = TransactionInfo()
    private var number: Int64 = 0
    /// The date of the transaction, as it is stored.
    private var date = 0.0
    private var group: Int64 = 0
    private var firstChange: Int64 = 0
    private var nextChange: Int64 = 0
    private var bytes = HistoryBytesWriter()
    private let noIDs = IDMap()

    /// Inserts of neighbouring keys that are not yet written.
    private var run: (entity: Int64, key: Int64, count: Int64)?
    private var runSchema: EntitySchema?

    init(_ store: SQLiteStore) { self.store = store }

    private var connection: Connection { store.connection }

    var needsOldValues: Bool { true }
    var needsLinks: Bool { true }
    /// Undo of the save puts the old file back.
    var keepsOldFiles: Bool { true }

    /// Takes a number and moves the command to its new state.
    func begin(_ plan: SavePlan) throws { try begin(plan.transaction) }

    func begin(_ transaction: TransactionInfo) throws {
        info = transaction
        (number, firstChange) = try next()
        nextChange = firstChange
        group = info.continues ?? number
        if info.continues == nil { try changeState() }
    }

    /// The largest number of a transaction or a change; only damage makes a larger one.
    static let largestNumber: Int64 = 1 << 60

    /// The numbers of the next transaction and of its first change.
    private func next() throws -> (number: Int64, change: Int64) {
        let last = try connection.statement(
            "SELECT number, first + count FROM OG_TRANSACTION ORDER BY number DESC LIMIT 1"
        )
        defer { last.reset() }
        guard try last.step() else { return (1, 1) }
        let (number, change) = (last.integer(0), last.integer(1))
        guard number < HistoryWriter.largestNumber, change < HistoryWriter.largestNumber else {
            throw ObjectGraphError(
                .damagedFile,
                "The history of the store has a number after which there is none.",
                recovery: "Nothing was changed; repair the store."
            )
        }
        return (number + 1, change)
    }

    private func changeState() throws {
        let (from, to): (CommandState, CommandState)
        switch info.kind {
        case .command:
            try connection.run("UPDATE OG_TRANSACTION SET state = 2 WHERE state = 1")
            return
        case .undo: (from, to) = (.done, info.drops ? .dropped : .undone)
        case .redo: (from, to) = (.undone, .done)
        case .silent: return
        }
        guard let target = info.target else { return }
        let update = try connection.statement(
            "UPDATE OG_TRANSACTION SET state = ?, latest = ? WHERE number = ? AND state = ?"
        )
        try update.run(
            .integer(to.rawValue),
            .integer(info.latest ?? number),
            .integer(target),
            .integer(from.rawValue)
        )
        if connection.changes == 0 { throw ObjectGraphError.cannotInvert(info.kind) }
    }

    func inserted(_ rows: InsertedRows) throws {
        for id in rows.ids {
            if runSchema === rows.schema, let current = run, current.key + current.count == id.key,
                current.count < HistoryTables.longestRun
            {
                run?.count += 1
                continue
            }
            runSchema = rows.schema
            let entity = try store.names.number(rows.schema.entity.name, in: connection)
            try flushRun()
            run = (entity, id.key, 1)
        }
    }

    /// Logs the old and new values of changed slots, and changed to-many relationships.
    func updated(_ row: UpdatedRow) throws {
        bytes.removeAll()
        let change = row.change
        if row.schema.isOutsideUndo { return try write(.update, change.id) }
        let layout = row.schema.layout
        for slot in change.changed {
            let index = slot < layout.columnBySlot.count ? layout.columnBySlot[slot] : -1
            if index < 0 { continue }
            let name = try nameNumber(change.entity.slots[slot])
            bytes.entry(.update, name: name)
            let column = layout.columns[index]
            if column.externalFolder != nil {
                row.old.withBytes(index) { bytes.raw($0) }
                row.largeData[slot, default: Data()].withUnsafeBytes { bytes.raw($0) }
                continue
            }
            try append(row.old.value(column, index), column, row.permanentIDs)
            try append(change.slots[slot], column, row.permanentIDs)
        }
        for link in row.links { try append(link) }
        if !bytes.bytes.isEmpty { try write(.update, change.id) }
    }

    /// Logs changed to-many relationships of an object whose own row stays as it is.
    func linksChanged(of id: ManagedObjectID, _ links: [WrittenLink]) throws {
        bytes.removeAll()
        for link in links { try append(link) }
        if !bytes.bytes.isEmpty { try write(.update, id) }
    }

    /// Logs all values of a deleted row.
    func deleted(_ row: DeletedRow) throws {
        bytes.removeAll()
        if row.schema.isOutsideUndo { return try write(.delete, row.id) }
        let old = row.old
        let slots = old.layout.entity.slots
        for (index, column) in old.layout.columns.enumerated() where !old.isNull(index) {
            bytes.entry(.deletedValue, name: try nameNumber(slots[column.slot]))
            if column.externalFolder != nil {
                bytes.raw(old.bytes(index))
                continue
            }
            try append(old.value(index), column, noIDs)
        }
        for link in row.links { try append(link) }
        try write(.delete, row.id)
    }

    /// Logs a change that no save made, such as one of a repair.
    func record(
        _ kind: HistoryChange.Kind,
        of id: ManagedObjectID,
        _ data: HistoryBytesWriter
    ) throws {
        bytes = data
        try write(kind, id)
        bytes.removeAll()
    }

    /// Writes the transaction's own row.
    func finish() throws {
        try flushRun()
        let insert = try connection.statement(
            """
            INSERT INTO OG_TRANSACTION (number, date, author, context, process, kind, name, grp, \
            target, state, latest, first, count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        date = Date().timeIntervalSinceReferenceDate
        let startsCommand = info.kind == .command && info.continues == nil
        try insert.run(
            .integer(number),
            .real(date),
            info.author.map { .text($0) } ?? .null,
            info.contextName.map { .text($0) } ?? .null,
            .integer(Int64(ProcessInfo.processInfo.processIdentifier)),
            .integer(info.kind.rawValue),
            info.groupName.map { .text($0) } ?? .null,
            .integer(group),
            info.target.map { .integer($0) } ?? .null,
            startsCommand ? .integer(CommandState.done.rawValue) : .null,
            startsCommand ? .integer(number) : .null,
            .integer(firstChange),
            .integer(nextChange - firstChange)
        )
    }

    func committed(_ receipt: inout SaveReceipt) {
        store.newest = (number, date)
        receipt.transaction = number
    }

    func cancelled() { store.names = HistoryNames() }

    // MARK: Parts

    private func nameNumber(_ property: PropertyDescription) throws -> Int64 {
        try store.names.number(property.name, in: connection)
    }

    private func append(
        _ value: GraphValue,
        _ column: RowLayout.Column,
        _ permanentIDs: borrowing IDMap
    ) throws {
        guard case .objectID(let id) = value, column.kind == .reference else {
            try bytes.value(value, column)
            return
        }
        let target = permanentIDs.permanent(id)
        let entity = try store.names.number(target.entityName, in: connection)
        bytes.reference(entity: entity, key: target.key)
    }

    private func append(_ link: WrittenLink) throws {
        let entry = HistoryEntry(link.change)
        if link.members.isEmpty, entry == .addedMembers || entry == .removedMembers { return }
        bytes.entry(entry, name: try nameNumber(link.relationship))
        bytes.number(UInt64(link.members.count))
        for member in link.members {
            let entity = try store.names.number(member.entityName, in: connection)
            bytes.member(entity: entity, key: member.key)
        }
    }

    private func write(_ kind: HistoryChange.Kind, _ id: ManagedObjectID) throws {
        try flushRun()
        let entity = try store.names.number(id.entityName, in: connection)
        try writeRow(entity, id.key, 1, kind)
    }

    private func flushRun() throws {
        guard let (entity, key, count) = run else { return }
        run = nil
        let data = bytes
        bytes.removeAll()
        try writeRow(entity, key, count, .insert)
        bytes = data
    }

    private func writeRow(
        _ entity: Int64,
        _ key: Int64,
        _ count: Int64,
        _ kind: HistoryChange.Kind
    ) throws {
        let insert = try connection.statement(
            "INSERT INTO OG_CHANGE (id, ent, pk, n, kind, data) VALUES (?, ?, ?, ?, ?, ?)"
        )
        insert.bind(nextChange, at: 1)
        insert.bind(entity, at: 2)
        insert.bind(key, at: 3)
        insert.bind(count, at: 4)
        insert.bind(kind.rawValue, at: 5)
        if bytes.bytes.isEmpty {
            try insert.bind(.null, at: 6)
        } else {
            try insert.bind(bytes.bytes, at: 6)
        }
        try insert.run()
        nextChange += 1
    }
}

extension HistoryEntry {
    fileprivate init(_ change: WrittenLink.Change) {
        switch change {
        case .added: self = .addedMembers
        case .removed: self = .removedMembers
        case .oldOrder: self = .oldOrder
        case .newOrder: self = .newOrder
        }
    }
}
