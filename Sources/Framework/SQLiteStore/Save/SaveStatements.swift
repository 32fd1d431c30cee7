import ObjectModel
import ObjectStore

/// The parameter of one property of a row.
///
/// Plain numbers, so that a row counts no references; everything else is in
/// ``RowStatement/layouts``.
struct BoundColumn {
    let slot: Int
    let kind: RowLayout.Kind
    let index: Int32
    /// For a to-one relationship: where the number of the concrete entity is bound, or 0.
    let entityIndex: Int32
    let isExternal: Bool
    /// Whether the column holds UUIDs; a transformable attribute stores one as its transformer says.
    let isUUID: Bool
}

/// A prepared INSERT or UPDATE with its parameters.
struct RowStatement {
    let statement: Statement
    /// How many rows it writes.
    let rows: Int
    /// The parameters of a row; in an UPDATE its key and its old version follow.
    let width: Int32
    let columns: [BoundColumn]
    /// The columns as the cached row has them, in the same order.
    let layouts: [RowLayout.Column]
}

/// The prepared statements of saves, by entity and columns.
struct SaveStatements {
    private struct Key: Hashable {
        let entity: UInt16
        let changed: SlotSet
    }

    /// By whether they are of many rows, then by entity.
    private var inserts: [Bool: [UInt16: RowStatement]] = [:]
    private var updates: [Key: RowStatement] = [:]

    /// So many rows go into one `INSERT` where there are several times as many: what SQLite does once
    /// for a statement is a third of the work of inserting one row.
    private static let manyRows = 32

    /// `INSERT` of one row, or of many of many: key, number and version come first, then all columns.
    mutating func insert(
        _ schema: EntitySchema,
        of count: Int = 1,
        on connection: Connection
    ) throws -> RowStatement {
        let isLarge = count >= 4 * SaveStatements.manyRows
        if let known = inserts[isLarge]?[schema.entity.number] { return known }
        var names = ["Z_PK", "Z_ENT", "Z_OPT"]
        let (bound, layouts) = SaveStatements.bind(
            schema,
            slots: schema.columns.indices,
            names: &names
        )
        // The files of large data are noted row by row, and SQLite takes 32,766 parameters.
        let isSingle = !isLarge || bound.contains(where: \.isExternal) || names.count > 1_000
        let rows = isSingle ? 1 : SaveStatements.manyRows
        let marks = "(\(names.map { _ in "?" }.joined(separator: ", ")))"
        let statement = try Statement(
            "INSERT INTO \(quoted(schema.table.name))"
                + " (\(names.map(quoted).joined(separator: ", "))) VALUES "
                + repeatElement(marks, count: rows).joined(separator: ", "),
            on: connection
        )
        let result = RowStatement(
            statement: statement,
            rows: rows,
            width: Int32(names.count),
            columns: bound,
            layouts: layouts
        )
        inserts[isLarge, default: [:]][schema.entity.number] = result
        return result
    }

    /// `UPDATE` of some columns of one row, if it still has the expected version.
    ///
    /// A to-one relationship whose inverse is ordered loses its order key, because the key belongs
    /// to the list of the former owner.
    mutating func update(
        _ schema: EntitySchema,
        _ changed: SlotSet,
        on connection: Connection
    ) throws -> RowStatement {
        let key = Key(entity: schema.entity.number, changed: changed)
        if let known = updates[key] { return known }
        var names = ["Z_OPT"]
        let slots = changed.filter {
            $0 < schema.columns.count && !schema.triggeredSlots.contains($0)
        }
        let (bound, layouts) = SaveStatements.bind(schema, slots: slots, names: &names)
        var assignments = names.map { "\(quoted($0)) = ?" }
        for slot in slots {
            if let order = schema.orderColumns[slot] {
                assignments.append("\(quoted(order)) = NULL")
            }
        }
        let statement = try Statement(
            "UPDATE \(quoted(schema.table.name)) SET \(assignments.joined(separator: ", "))"
                + " WHERE Z_PK = ? AND Z_OPT = ?",
            on: connection
        )
        let result = RowStatement(
            statement: statement,
            rows: 1,
            width: Int32(names.count),
            columns: bound,
            layouts: layouts
        )
        if updates.count > 256 { updates = [:] }
        updates[key] = result
        return result
    }

    private static func bind(
        _ schema: EntitySchema,
        slots: some Sequence<Int>,
        names: inout [String]
    ) -> ([BoundColumn], [RowLayout.Column]) {
        var bound: [BoundColumn] = []
        var layouts: [RowLayout.Column] = []
        for slot in slots {
            guard let stored = schema.columns[slot] else { continue }
            let index = schema.layout.columnBySlot[slot]
            if index < 0 { continue }
            names.append(stored.name)
            let position = Int32(names.count)
            if let entityColumn = stored.entityColumn { names.append(entityColumn) }
            bound.append(
                BoundColumn(
                    slot: slot,
                    kind: stored.kind,
                    index: position,
                    entityIndex: stored.entityColumn == nil ? 0 : position + 1,
                    isExternal: schema.layout.columns[index].externalFolder != nil,
                    isUUID: schema.layout.columns[index].type == .uuid
                )
            )
            layouts.append(schema.layout.columns[index])
        }
        return (bound, layouts)
    }
}
