import ObjectModel
import ObjectStore

/// Keeps the tables of folded texts in step with the rows of one save.
final class PostgreSQLSearchWriter: RowObserver {
    private unowned let save: PostgreSQLSave
    private let tables: PostgreSQLSearchTables
    /// The keys of deleted rows by table.
    private var deleted: [String: [Int64]] = [:]

    init(_ save: PostgreSQLSave) {
        self.save = save
        tables = save.store.searchTables
    }

    var needsOldValues: Bool { false }

    func inserted(_ rows: InsertedRows) throws {
        guard let table = tables.table(of: rows.schema.entity) else { return }
        let texts = table.texts(of: rows.schema.entity)
        if texts.isEmpty { return }
        guard rows.changes.count >= PostgreSQLSave.copyLimit else {
            for (change, id) in zip(rows.changes, rows.ids) {
                try write(id.key, change, texts, table)
            }
            return
        }
        var fields = FieldWriter(copying: rows.changes.count)
        for (change, id) in zip(rows.changes, rows.ids) {
            fields.beginRow(texts.count + 1)
            add(id.key, change, texts, to: &fields)
        }
        fields.end()
        try save.flush()
        let columns = texts.map(\.column).joined(separator: ", ")
        try save.connection.copy(into: "\(table.name) (k, \(columns))", fields)
    }

    func updated(_ row: UpdatedRow) throws {
        guard let table = tables.table(of: row.schema.entity) else { return }
        let texts = table.texts(of: row.schema.entity)
            .filter { row.change.changed.contains($0.slot) }
        if !texts.isEmpty { try write(row.change.id.key, row.change, texts, table) }
    }

    func deleted(_ row: DeletedRow) throws {
        guard let table = tables.table(of: row.schema.entity) else { return }
        deleted[table.name, default: []].append(row.id.key)
    }

    func finish() throws {
        for (name, keys) in deleted.sorted(by: { $0.key < $1.key }) {
            _ = try save.connection.enqueue(
                "DELETE FROM \(name) WHERE k = ANY($1)",
                list: keys,
                keepsRows: false
            )
        }
    }

    private func write(
        _ key: Int64,
        _ change: ObjectChange,
        _ texts: [(slot: Int, column: String)],
        _ table: PostgreSQLSearchTables.Table
    ) throws {
        let columns = texts.map(\.column)
        let marks = texts.indices.map { ", $\($0 + 2)" }.joined()
        let sets = columns.map { "\($0) = EXCLUDED.\($0)" }.joined(separator: ", ")
        let statement = save.connection.statement(
            "INSERT INTO \(table.name) (k, \(columns.joined(separator: ", "))) VALUES ($1\(marks))"
                + " ON CONFLICT (k) DO UPDATE SET \(sets)",
            [.integer] + texts.map { _ in .text }
        )
        var fields = FieldWriter()
        add(key, change, texts, to: &fields)
        try save.connection.enqueue(statement, fields)
    }

    private func add(
        _ key: Int64,
        _ change: ObjectChange,
        _ texts: [(slot: Int, column: String)],
        to fields: inout FieldWriter
    ) {
        fields.add(key)
        for text in texts {
            if case .string(let value) = change.slots[text.slot] {
                fields.add(folded: value)
            } else {
                fields.null()
            }
        }
    }
}
