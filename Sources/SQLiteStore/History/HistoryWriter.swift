import FoundationEssentials
import ObjectModel
import ObjectStore

/// Writes the history of one save, inside its transaction.
///
/// Order of calls: ``begin(_:)``, one call per changed object, ``finish()``.
struct HistoryWriter {
    private unowned let store: SQLiteStore
    private var info = TransactionInfo()
    private(set) var number: Int64 = 0
    /// The date of the transaction, as it is stored.
    private(set) var date = 0.0
    private var group: Int64 = 0
    private var firstChange: Int64 = 0
    private var nextChange: Int64 = 0
    private var bytes = HistoryBytesWriter()

    /// Inserts of neighbouring keys that are not yet written.
    private var run: (entity: Int64, key: Int64, count: Int64)?
    private var runSchema: EntitySchema?

    init(_ store: SQLiteStore) { self.store = store }

    private var connection: Connection { store.connection }

    /// Takes a number and moves the command to its new state.
    mutating func begin(_ info: TransactionInfo) throws {
        self.info = info
        (number, firstChange) = try next()
        nextChange = firstChange
        group = info.continues ?? number
        if info.continues == nil { try changeState() }
    }

    /// The numbers of the next transaction and of its first change.
    private func next() throws -> (number: Int64, change: Int64) {
        let last = try connection.statement(
            "SELECT number, first + count FROM OG_TRANSACTION ORDER BY number DESC LIMIT 1"
        )
        defer { last.reset() }
        return try last.step() ? (last.integer(0) + 1, last.integer(1)) : (1, 1)
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

    mutating func insert(_ schema: EntitySchema, key: Int64) throws {
        if runSchema === schema, let current = run, current.key + current.count == key {
            run?.count += 1
            return
        }
        runSchema = schema
        let entity = try store.names.number(schema.entity.name, in: connection)
        try flushRun()
        run = (entity, key, 1)
    }

    /// Logs the old and new values of changed slots, and changed to-many relationships.
    ///
    /// `external` holds the new bytes of large-data columns, by slot.
    mutating func update(
        _ change: ObjectChange,
        id: ManagedObjectID,
        old: OldValues,
        links: [HistoryLink],
        external: [Int: Data],
        resolving permanent: (ManagedObjectID) -> ManagedObjectID
    ) throws {
        bytes.removeAll()
        let layout = store.layout(change.entity)
        for slot in change.changed {
            let index = slot < layout.columnBySlot.count ? layout.columnBySlot[slot] : -1
            if index < 0 { continue }
            let name = try nameNumber(change.entity.slots[slot])
            bytes.entry(.update, name: name)
            let column = layout.columns[index]
            if column.externalFolder != nil {
                old.withBytes(index) { bytes.raw($0) }
                external[slot, default: Data()].withUnsafeBytes { bytes.raw($0) }
                continue
            }
            try append(old.value(column, index), column, resolving: permanent)
            try append(change.slots[slot], column, resolving: permanent)
        }
        for link in links { try append(link) }
        if !bytes.bytes.isEmpty { try write(.update, id) }
    }

    /// Logs changed to-many relationships of an object whose own row stays as it is.
    mutating func update(_ id: ManagedObjectID, links: [HistoryLink]) throws {
        bytes.removeAll()
        for link in links { try append(link) }
        if !bytes.bytes.isEmpty { try write(.update, id) }
    }

    /// Logs all values of a deleted row.
    mutating func delete(_ id: ManagedObjectID, row: RowReader, links: [HistoryLink]) throws {
        bytes.removeAll()
        let slots = row.layout.entity.slots
        for (index, column) in row.layout.columns.enumerated() where !row.isNull(index) {
            bytes.entry(.deletedValue, name: try nameNumber(slots[column.slot]))
            if column.externalFolder != nil {
                bytes.raw(row.bytes(index))
                continue
            }
            try append(row.value(index), column) { $0 }
        }
        for link in links { try append(link) }
        try write(.delete, id)
    }

    /// Writes the transaction's own row.
    mutating func finish() throws {
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

    // MARK: Parts

    private func nameNumber(_ property: PropertyDescription) throws -> Int64 {
        try store.names.number(property.name, in: connection)
    }

    private mutating func append(
        _ value: GraphValue,
        _ column: RowLayout.Column,
        resolving permanent: (ManagedObjectID) -> ManagedObjectID
    ) throws {
        guard case .objectID(let id) = value, column.kind == .reference else {
            bytes.value(value, column)
            return
        }
        let target = permanent(id)
        let entity = try store.names.number(target.entityName, in: connection)
        bytes.reference(entity: entity, key: target.key)
    }

    private mutating func append(_ link: HistoryLink) throws {
        if link.members.isEmpty, link.entry == .addedMembers || link.entry == .removedMembers {
            return
        }
        bytes.entry(link.entry, name: try nameNumber(link.relationship))
        bytes.number(UInt64(link.members.count))
        for member in link.members {
            let entity = try store.names.number(member.entityName, in: connection)
            bytes.member(entity: entity, key: member.key)
        }
    }

    private mutating func write(_ kind: HistoryChange.Kind, _ id: ManagedObjectID) throws {
        try flushRun()
        let entity = try store.names.number(id.entityName, in: connection)
        try writeRow(entity, id.key, 1, kind)
    }

    private mutating func flushRun() throws {
        guard let (entity, key, count) = run else { return }
        run = nil
        let data = bytes
        bytes.removeAll()
        try writeRow(entity, key, count, .insert)
        bytes = data
    }

    private mutating func writeRow(
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
            insert.bind(.null, at: 6)
        } else {
            insert.bind(bytes.bytes, at: 6)
        }
        try insert.run()
        nextChange += 1
    }
}

/// A changed to-many relationship, as the history keeps it.
struct HistoryLink {
    let entry: HistoryEntry
    let relationship: RelationshipDescription
    let members: [ManagedObjectID]
}

/// The source of a row's values before the save.
enum OldValues {
    case slots(UnsafePointer<GraphValue>)
    case row(RowReader)

    func value(_ column: RowLayout.Column, _ index: Int) -> GraphValue {
        switch self {
        case .slots(let slots): slots[column.slot]
        case .row(let row): row.value(index)
        }
    }

    /// The exact bytes of a column; none if it was `nil`.
    func withBytes(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        if case .row(let row) = self, !row.isNull(index) {
            body(row.bytes(index))
        } else {
            body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }
}
