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
    let columns: [BoundColumn]
    /// The columns as the cached row has them, in the same order.
    let layouts: [RowLayout.Column]
    /// For an UPDATE: where key and old version are bound.
    let keyIndex: Int32
}

/// The prepared statements of saves, by entity and columns.
struct SaveStatements {
    private struct Key: Hashable {
        let entity: UInt16
        let changed: SlotSet
    }

    private var inserts: [UInt16: RowStatement] = [:]
    private var updates: [Key: RowStatement] = [:]

    /// `INSERT` for an entity: key, number and version come first, then all columns.
    mutating func insert(_ schema: EntitySchema, on connection: Connection) throws -> RowStatement {
        if let known = inserts[schema.entity.number] { return known }
        var names = ["Z_PK", "Z_ENT", "Z_OPT"]
        let (bound, layouts) = SaveStatements.bind(
            schema,
            slots: schema.columns.indices,
            names: &names
        )
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        let statement = try Statement(
            "INSERT INTO \(quoted(schema.table.name))"
                + " (\(names.map(quoted).joined(separator: ", "))) VALUES (\(marks))",
            on: connection
        )
        let result = RowStatement(
            statement: statement,
            columns: bound,
            layouts: layouts,
            keyIndex: 1
        )
        inserts[schema.entity.number] = result
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
            columns: bound,
            layouts: layouts,
            keyIndex: Int32(names.count + 1)
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
