import FoundationEssentials
package import ObjectModel

/// Where a ``HistoryWriter`` puts what it has made, inside the transaction of a save.
package protocol HistoryTarget: AnyObject {
    /// The number of a name, created if needed.
    func historyNumber(_ name: String) throws -> Int64
    /// The number of the last transaction, 0 if there is none, and of the next change.
    func lastHistoryNumbers() throws -> (transaction: Int64, change: Int64)
    /// Takes undone commands off the list of what can be redone: all, or those of one author.
    func dropUndoneCommands(by author: String?) throws
    /// Moves a command from one state to another one.
    ///
    /// - Throws: `ObjectGraphError` if it is in another state.
    func moveCommand(_ move: CommandMove, of kind: TransactionInfo.Kind) throws
    func writeHistory(_ row: HistoryRow, _ data: [UInt8]) throws
    func writeHistory(_ row: HistoryTransactionRow) throws
    /// The transaction is committed.
    func historyCommitted(_ number: Int64, _ date: Double)
    /// The transaction is rolled back.
    func historyCancelled()
}

/// What an undo or a redo does to the state of a command.
package struct CommandMove {
    package let command: Int64
    package let from: CommandState
    package let to: CommandState
    /// The step that brought it to the new state.
    package let latest: Int64
}

/// A row of OG_CHANGE without its data.
package struct HistoryRow {
    package let id: Int64
    package let entity: Int64
    package let key: Int64
    package let count: Int64
    package let kind: HistoryChange.Kind

    package init(id: Int64, entity: Int64, key: Int64, count: Int64, kind: HistoryChange.Kind) {
        self.id = id
        self.entity = entity
        self.key = key
        self.count = count
        self.kind = kind
    }
}

/// A row of OG_TRANSACTION.
package struct HistoryTransactionRow {
    package let number: Int64
    package let date: Double
    package let info: TransactionInfo
    package let group: Int64
    package let startsCommand: Bool
    package let firstChange: Int64
    package let count: Int64
}

/// Writes the history of one save, inside its transaction.
package final class HistoryWriter: RowObserver {
    private let target: any HistoryTarget
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

    package init(to target: any HistoryTarget) { self.target = target }

    package var needsOldValues: Bool { true }
    package var needsLinks: Bool { true }
    /// Undo of the save puts the old file back.
    package var keepsOldFiles: Bool { true }

    /// Takes a number and moves the command to its new state.
    package func begin(_ plan: SavePlan) throws { try begin(plan.transaction) }

    package func begin(_ transaction: TransactionInfo) throws {
        info = transaction
        let last: Int64
        (last, firstChange) = try target.lastHistoryNumbers()
        guard last < HistoryWriter.largestNumber, firstChange < HistoryWriter.largestNumber else {
            throw ObjectGraphError(
                .damagedFile,
                "The history of the store has a number after which there is none.",
                recovery: "Nothing was changed; repair the store."
            )
        }
        number = last + 1
        nextChange = firstChange
        group = info.continues ?? number
        if info.continues == nil { try changeState() }
    }

    /// The largest number of a transaction or a change; only damage makes a larger one.
    package static let largestNumber: Int64 = 1 << 60

    private func changeState() throws {
        let (from, to): (CommandState, CommandState)
        switch info.kind {
        case .command:
            try target.dropUndoneCommands(by: info.keepsUndoneOfOthers ? info.author : nil)
            return
        case .undo: (from, to) = (.done, info.drops ? .dropped : .undone)
        case .redo: (from, to) = (.undone, .done)
        case .silent: return
        }
        guard let command = info.target else { return }
        try target.moveCommand(
            CommandMove(command: command, from: from, to: to, latest: info.latest ?? number),
            of: info.kind
        )
    }

    package func inserted(_ rows: InsertedRows) throws {
        for id in rows.ids {
            if runSchema === rows.schema, let current = run, current.key + current.count == id.key,
                current.count < HistoryTables.longestRun
            {
                run?.count += 1
                continue
            }
            runSchema = rows.schema
            let entity = try target.historyNumber(rows.schema.entity.name)
            try flushRun()
            run = (entity, id.key, 1)
        }
    }

    /// Logs the old and new values of changed slots, and changed to-many relationships.
    package func updated(_ row: UpdatedRow) throws {
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
    package func linksChanged(of id: ManagedObjectID, _ links: [WrittenLink]) throws {
        bytes.removeAll()
        for link in links { try append(link) }
        if !bytes.bytes.isEmpty { try write(.update, id) }
    }

    /// Logs all values of a deleted row.
    package func deleted(_ row: DeletedRow) throws {
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
    package func record(
        _ kind: HistoryChange.Kind,
        of id: ManagedObjectID,
        _ data: HistoryBytesWriter
    ) throws {
        bytes = data
        try write(kind, id)
        bytes.removeAll()
    }

    /// Writes the transaction's own row.
    package func finish() throws {
        try flushRun()
        date = Date().timeIntervalSinceReferenceDate
        try target.writeHistory(
            HistoryTransactionRow(
                number: number,
                date: date,
                info: info,
                group: group,
                startsCommand: info.kind == .command && info.continues == nil,
                firstChange: firstChange,
                count: nextChange - firstChange
            )
        )
    }

    package func committed(_ receipt: inout SaveReceipt) {
        target.historyCommitted(number, date)
        receipt.transaction = number
    }

    package func cancelled() { target.historyCancelled() }

    // MARK: Parts

    private func nameNumber(_ property: PropertyDescription) throws -> Int64 {
        try target.historyNumber(property.name)
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
        let other = permanentIDs.permanent(id)
        let entity = try target.historyNumber(other.entityName)
        bytes.reference(entity: entity, key: other.key)
    }

    private func append(_ link: WrittenLink) throws {
        let entry = HistoryEntry(link.change)
        if link.members.isEmpty, entry == .addedMembers || entry == .removedMembers { return }
        bytes.entry(entry, name: try nameNumber(link.relationship))
        bytes.number(UInt64(link.members.count))
        for member in link.members {
            let entity = try target.historyNumber(member.entityName)
            bytes.member(entity: entity, key: member.key)
        }
    }

    private func write(_ kind: HistoryChange.Kind, _ id: ManagedObjectID) throws {
        try flushRun()
        let entity = try target.historyNumber(id.entityName)
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
        try target.writeHistory(
            HistoryRow(id: nextChange, entity: entity, key: key, count: count, kind: kind),
            bytes.bytes
        )
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
