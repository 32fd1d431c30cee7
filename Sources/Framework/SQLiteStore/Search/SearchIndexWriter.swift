import ObjectModel
import ObjectStore

/// Keeps the search index in step with the rows of one save.
final class SearchIndexWriter: RowObserver {
    private unowned let store: SQLiteStore
    /// The folded text of a row.
    private let text = SearchText()

    init(_ store: SQLiteStore) { self.store = store }

    /// Deleting an entry needs its text.
    var needsOldValues: Bool { true }

    func inserted(_ rows: InsertedRows) throws {
        let entity = rows.schema.entity
        guard let table = store.searchTables.table(of: entity) else { return }
        let slots = table.slots(of: entity)
        if slots.isEmpty { return }
        for (change, id) in zip(rows.changes, rows.ids) {
            try insert(id.key, change.slots, slots, table)
        }
    }

    func updated(_ row: UpdatedRow) throws {
        let entity = row.schema.entity
        guard let table = store.searchTables.table(of: entity) else { return }
        let slots = table.slots(of: entity)
        guard slots.contains(where: { row.change.changed.contains($0) }) else { return }
        try delete(row.change.id.key, row.old, slots, table)
        try insert(row.change.id.key, row.change.slots, slots, table)
    }

    func deleted(_ row: DeletedRow) throws {
        let entity = row.schema.entity
        guard let table = store.searchTables.table(of: entity) else { return }
        let slots = table.slots(of: entity)
        if !slots.isEmpty { try delete(row.id.key, .row(row.old), slots, table) }
    }

    @inline(__always)
    private func insert(
        _ key: Int64,
        _ values: UnsafePointer<GraphValue>,
        _ slots: [Int],
        _ table: SearchTable
    ) throws {
        text.removeAll()
        for slot in slots { text.append(values[slot]) }
        try table.insert(key, text, on: store.connection)
    }

    private func delete(
        _ key: Int64,
        _ old: OldValues,
        _ slots: [Int],
        _ table: SearchTable
    ) throws {
        text.removeAll()
        for slot in slots {
            switch old {
            case .slots(let values): text.append(values[slot])
            case .row(let row):
                let column = row.layout.columnBySlot[slot]
                if column >= 0, !row.isNull(column) { text.append(row.bytes(column)) }
            }
        }
        try table.delete(key, text, on: store.connection)
    }
}
