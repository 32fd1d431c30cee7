import ObjectModel

/// The statements that change the tables of a store for another version of its model, in the order
/// in which a migration calls these functions.
///
/// Tables that change their place get private names first (`OGM_…`), so that names can be exchanged.
package final class TableChanges {
    private let plan: MigrationPlan
    private let dialect: SQLDialect
    private let run: (String) throws -> Void
    /// Called before a table is dropped.
    private let willDrop: (String) throws -> Void
    /// Whether an error of a statement says that two rows have the same key.
    private let isViolation: (any Error) -> Bool
    /// Old tables by their present names.
    private var names: [String: String] = [:]
    private var serial = 0

    package init(
        _ plan: MigrationPlan,
        _ dialect: SQLDialect,
        run: @escaping (String) throws -> Void,
        willDrop: @escaping (String) throws -> Void = { _ in },
        isViolation: @escaping (any Error) -> Bool
    ) {
        self.plan = plan
        self.dialect = dialect
        self.run = run
        self.willDrop = willDrop
        self.isViolation = isViolation
    }

    /// Makes the join tables whose pairs were stored elsewhere, before the old tables change.
    package func makeJoins() throws {
        for join in plan.joins where join.source == nil && join.query != nil {
            for sql in join.creation(as: "OGM_" + join.join.table, in: dialect) { try run(sql) }
        }
    }

    // MARK: Tables

    private func present(_ table: String) -> String { names[table] ?? table }

    private func moveAway(_ table: String) throws {
        serial += 1
        let name = "OGM_T\(serial)"
        try run("ALTER TABLE \(quoted(table)) RENAME TO \(name)")
        names[table] = name
    }

    package func moveAway() throws {
        for move in plan.tables {
            guard let source = move.source, names[source.name] == nil else { continue }
            if move.rebuilds || source.name != move.table.name { try moveAway(source.name) }
        }
        for table in plan.removedTables { try moveAway(table.name) }
        let kept = Set(plan.joins.compactMap { $0.source?.table })
        for join in plan.old.joins where !kept.contains(join.table) {
            try run("DROP TABLE \(quoted(join.table))")
        }
        for join in plan.joins {
            if let source = join.source, !join.isSame { try moveAway(source.table) }
        }
    }

    package func perform(_ move: TableMove) throws {
        guard let source = move.source else {
            try run(move.table.creation(as: move.table.name, in: dialect))
            return
        }
        if move.rebuilds {
            try rebuild(move, source)
        } else {
            try alter(move, source)
        }
    }

    private func rebuild(_ move: TableMove, _ source: TableSchema) throws {
        try run(move.table.creation(as: move.table.name, in: dialect))
        let names = ["Z_PK", "Z_ENT", "Z_OPT"] + move.columns.map { quoted($0.name) }
        let values = ["Z_PK", move.numberExpression, "Z_OPT"] + move.columns.map(move.expression)
        try run(
            "INSERT INTO \(quoted(move.table.name)) (\(names.joined(separator: ", ")))"
                + " SELECT \(values.joined(separator: ", ")) FROM \(present(source.name))"
                + " WHERE Z_ENT IN (\(move.numberList)) ORDER BY Z_PK"
        )
    }

    /// Changes a table in place.
    private func alter(_ move: TableMove, _ source: TableSchema) throws {
        let table = quoted(present(source.name))
        if !move.removed.filter({ !$0.entity.isAbstract }).isEmpty {
            try run("DELETE FROM \(table) WHERE Z_ENT NOT IN (\(move.numberList))")
        }
        var names = Set(source.columns.map(\.name))
        var renames: [(from: String, to: String)] = []
        var assignments: [String] = []
        var numbers: Set<Int64> = []
        for (index, column) in move.columns.enumerated() {
            var name = column.name
            if let base = move.bases[column.name] {
                name = base
            } else if names.contains(name) {
                name = "OGM_N\(index)"
                try run(
                    "ALTER TABLE \(table) ADD COLUMN \(name) \(dialect.columnType(column.type))"
                )
                names.insert(name)
            } else {
                try run(
                    "ALTER TABLE \(table) ADD COLUMN \(quoted(name)) \(dialect.columnType(column.type))"
                )
                names.insert(name)
            }
            if name != column.name { renames.append((name, column.name)) }
            let updated = move.updates(column, plan.oldRoles[source.name] ?? [:])
            if updated.isEmpty { continue }
            numbers.formUnion(updated)
            assignments.append("\(quoted(name)) = \(move.expression(column))")
        }
        if move.renumbers {
            assignments.append("Z_ENT = \(move.numberExpression)")
            numbers.formUnion(move.entities.map(\.old.number))
        }
        if !assignments.isEmpty {
            let isAll = numbers.count == move.entities.count
            let list = numbers.sorted().map(String.init).joined(separator: ", ")
            try run(
                "UPDATE \(table) SET \(assignments.joined(separator: ", "))"
                    + (isAll ? "" : " WHERE Z_ENT IN (\(list))")
            )
        }
        for column in move.dropped {
            try run("ALTER TABLE \(table) DROP COLUMN \(quoted(column))")
            names.remove(column)
        }
        try rename(renames, &names, in: table)
        if present(source.name) != move.table.name {
            try run("ALTER TABLE \(table) RENAME TO \(quoted(move.table.name))")
        }
    }

    /// Renames columns, which may exchange their names.
    private func rename(
        _ renames: [(from: String, to: String)],
        _ names: inout Set<String>,
        in table: String
    ) throws {
        var rest = renames
        while !rest.isEmpty {
            if let place = rest.firstIndex(where: { !names.contains($0.to) }) {
                let (from, to) = rest.remove(at: place)
                try run("ALTER TABLE \(table) RENAME COLUMN \(quoted(from)) TO \(quoted(to))")
                names.remove(from)
                names.insert(to)
            } else {
                serial += 1
                let name = "OGM_C\(serial)"
                try run("ALTER TABLE \(table) RENAME COLUMN \(quoted(rest[0].from)) TO \(name)")
                names.remove(rest[0].from)
                names.insert(name)
                rest[0].from = name
            }
        }
    }

    package func removeTables() throws {
        for move in plan.tables where move.rebuilds {
            guard let source = move.source, let name = names[source.name] else { continue }
            try drop(name)
            names[source.name] = nil
        }
        for table in plan.removedTables { try drop(present(table.name)) }
    }

    private func drop(_ name: String) throws {
        try willDrop(name)
        try run("DROP TABLE \(name)")
    }

    // MARK: Join tables

    package func placeJoins() throws {
        for move in plan.joins where !move.isSame {
            let name = quoted(move.join.table)
            if let source = move.source {
                let table = present(source.table)
                var columns = Set(source.columns + source.orderColumns.filter { !$0.isEmpty })
                let renames = zip(
                    source.columns + source.orderColumns,
                    move.join.columns + move.join.orderColumns
                ).filter { $0 != $1 }.map { (from: $0, to: $1) }
                try rename(renames, &columns, in: table)
                try run("ALTER TABLE \(table) RENAME TO \(name)")
            } else if move.query == nil {
                for sql in move.creation(as: move.join.table, in: dialect) { try run(sql) }
            } else {
                try run("ALTER TABLE \(quoted("OGM_" + move.join.table)) RENAME TO \(name)")
            }
        }
    }

    // MARK: Links

    /// Keeps the pairs that go to other columns, before the old tables change.
    package func collectPairs() throws {
        for (index, item) in plan.pairColumns.enumerated() {
            try run("CREATE TEMP TABLE OGM_P\(index) (k BIGINT PRIMARY KEY, v BIGINT)")
            do {
                try run("INSERT INTO OGM_P\(index) (k, v) SELECT * FROM (\(item.query)) AS pairs")
            } catch let error where isViolation(error) {
                let relationship = item.relationship
                let place = "\(relationship.entity?.name ?? "").\(relationship.name)"
                throw ObjectGraphError(
                    .migration,
                    "An object has several others in \(place), which takes one now.",
                    recovery: "Remove the surplus ones with the old version of the program, or use "
                        + "a mapping model.",
                    key: relationship.name
                )
            }
        }
    }

    package func fillPairColumns() throws {
        for (index, item) in plan.pairColumns.enumerated() {
            let column = quoted(item.column)
            try run(
                "UPDATE \(quoted(item.table)) SET \(column) ="
                    + " (SELECT v FROM OGM_P\(index) WHERE k = Z_PK)"
                    + " WHERE Z_PK IN (SELECT k FROM OGM_P\(index))"
            )
            try run("DROP TABLE OGM_P\(index)")
        }
    }

    package func fillEntityColumns() throws {
        for item in plan.entityColumns {
            let (table, key) = (quoted(item.table), quoted(item.key))
            try run(
                "UPDATE \(table) SET \(quoted(item.column)) = (SELECT t.Z_ENT FROM"
                    + " \(quoted(item.target)) t WHERE t.Z_PK = \(table).\(key))"
                    + " WHERE \(key) IS NOT NULL"
            )
        }
    }

    /// Gives the members of lists that were not ordered a position, by their keys.
    package func fillOrders() throws {
        for item in plan.newOrders {
            let (table, key, order) = (quoted(item.table), quoted(item.key), quoted(item.order))
            try run(
                "UPDATE \(table) SET \(order) = p.position FROM (SELECT Z_PK AS k,"
                    + " \(SparseOrder.first) + \(SparseOrder.step) *"
                    + " (ROW_NUMBER() OVER (PARTITION BY \(key) ORDER BY Z_PK) - 1) AS position"
                    + " FROM \(table) WHERE \(key) IS NOT NULL) AS p WHERE Z_PK = p.k"
            )
        }
    }

    /// Forgets objects of removed entities.
    package func removeDanglingLinks() throws {
        for schema in plan.new.entities {
            for property in schema.entity.ownSlots {
                guard let relationship = property as? RelationshipDescription,
                    plan.mayDangle(relationship),
                    let target = plan.new.memberTable(of: relationship)
                else { continue }
                func clear(
                    _ table: String,
                    _ key: String,
                    _ others: [String],
                    _ target: String
                )
                    throws
                {
                    let names = ([key] + others).map { "\(quoted($0)) = NULL" }
                    try run(
                        "UPDATE \(quoted(table)) SET \(names.joined(separator: ", "))"
                            + " WHERE \(quoted(key)) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM"
                            + " \(quoted(target)) t WHERE t.Z_PK = \(quoted(table)).\(quoted(key)))"
                    )
                }
                if let column = schema.columns[relationship.slot] {
                    let order = schema.orderColumns[relationship.slot]
                    let others = [column.entityColumn, order].compactMap { $0 }
                    try clear(schema.table.name, column.name, others, target)
                }
                switch schema.toMany[relationship.slot] {
                case .memberKey(let key, let order, false)?:
                    try clear(target, key, order.map { [$0] } ?? [], schema.table.name)
                case .joinTable(let side)?:
                    for (column, table) in [
                        (side.owner, schema.table.name), (side.member, target),
                    ] {
                        try run(
                            "DELETE FROM \(quoted(side.table)) WHERE NOT EXISTS (SELECT 1 FROM"
                                + " \(quoted(table)) t WHERE t.Z_PK ="
                                + " \(quoted(side.table)).\(quoted(column)))"
                        )
                    }
                default: break
                }
            }
        }
    }
}
