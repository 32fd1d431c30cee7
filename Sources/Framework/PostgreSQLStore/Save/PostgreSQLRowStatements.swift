import ObjectModel
import ObjectStore

/// A prepared INSERT or UPDATE, and where its values come from.
struct PostgreSQLRowStatement {
    struct Column {
        let slot: Int
        let layout: RowLayout.Column
        /// Whether the number of the concrete entity follows, for a to-one relationship.
        let hasEntity: Bool
    }

    let statement: PostgreSQLStatement
    let columns: [Column]
    /// The table with its columns, for COPY.
    let target: String
    let fieldCount: Int
}

/// The prepared statements of saves on one connection, by entity and columns.
struct PostgreSQLRowStatements {
    private struct Key: Hashable {
        let entity: UInt16
        let changed: SlotSet
    }

    private var inserts: [UInt16: PostgreSQLRowStatement] = [:]
    private var updates: [Key: PostgreSQLRowStatement] = [:]

    /// `INSERT` of one row: key, number and version come first, then all columns.
    mutating func insert(
        _ schema: EntitySchema,
        on connection: PostgreSQLConnection
    ) -> PostgreSQLRowStatement {
        if let known = inserts[schema.entity.number] { return known }
        let (columns, names, types) = Self.columns(schema, schema.columns.indices)
        let all = ["Z_PK", "Z_ENT", "Z_OPT"] + names
        let target = "\(quoted(schema.table.name)) (\(all.map(quoted).joined(separator: ", ")))"
        let marks = all.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let made = PostgreSQLRowStatement(
            statement: connection.statement(
                "INSERT INTO \(target) VALUES (\(marks))",
                [.integer, .integer, .integer] + types
            ),
            columns: columns,
            target: target,
            fieldCount: all.count
        )
        inserts[schema.entity.number] = made
        return made
    }

    /// `UPDATE` of some columns of one row, if it still has the expected version.
    ///
    /// A to-one relationship whose inverse is ordered loses its order key, because the key belongs
    /// to the list of the former owner.
    mutating func update(
        _ schema: EntitySchema,
        _ changed: SlotSet,
        on connection: PostgreSQLConnection
    ) -> PostgreSQLRowStatement {
        let key = Key(entity: schema.entity.number, changed: changed)
        if let known = updates[key] { return known }
        let slots = changed.filter { $0 < schema.columns.count }
        let (columns, names, types) = Self.columns(schema, slots)
        let all = ["Z_OPT"] + names
        var assignments = all.enumerated().map { "\(quoted($1)) = $\($0 + 1)" }
        for slot in slots {
            if let order = schema.orderColumns[slot] {
                assignments.append("\(quoted(order)) = NULL")
            }
        }
        let count = all.count
        let made = PostgreSQLRowStatement(
            statement: connection.statement(
                "UPDATE \(quoted(schema.table.name)) SET \(assignments.joined(separator: ", "))"
                    + " WHERE Z_PK = $\(count + 1) AND Z_OPT = $\(count + 2)",
                [.integer] + types + [.integer, .integer]
            ),
            columns: columns,
            target: "",
            fieldCount: count + 2
        )
        if updates.count > 256 { updates = [:] }
        updates[key] = made
        return made
    }

    private static func columns(
        _ schema: EntitySchema,
        _ slots: some Sequence<Int>
    ) -> ([PostgreSQLRowStatement.Column], names: [String], [ServerType]) {
        var columns: [PostgreSQLRowStatement.Column] = []
        var names: [String] = []
        var types: [ServerType] = []
        for slot in slots {
            guard let stored = schema.columns[slot] else { continue }
            let index = schema.layout.columnBySlot[slot]
            if index < 0 { continue }
            names.append(stored.name)
            types.append(ServerType(stored.kind))
            if let entityColumn = stored.entityColumn {
                names.append(entityColumn)
                types.append(.integer)
            }
            columns.append(
                PostgreSQLRowStatement.Column(
                    slot: slot,
                    layout: schema.layout.columns[index],
                    hasEntity: stored.entityColumn != nil
                )
            )
        }
        return (columns, names, types)
    }
}
