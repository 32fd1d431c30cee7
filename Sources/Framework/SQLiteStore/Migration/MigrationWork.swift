import CSQLite
import FoundationEssentials
import ObjectModel
import ObjectStore

/// Carries out the plan of a migration, in one transaction.
///
/// Tables that change their place get private names first (`OGM_…`), so that names can be exchanged.
final class MigrationWork {
    let plan: MigrationPlan
    let connection: Connection
    private let monitor: MigrationMonitor
    private let opening: StoreOpening
    private let metadata: StoreMetadata
    private var steps: [Step] = []
    /// Old tables by their present names.
    private var names: [String: String] = [:]
    private var serial = 0

    private struct Step {
        let phase: String
        /// About how many rows the step handles.
        let weight: Double
        let run: () throws -> Void
    }

    init(
        _ plan: MigrationPlan,
        _ connection: Connection,
        _ monitor: MigrationMonitor,
        _ opening: StoreOpening,
        _ metadata: StoreMetadata
    ) {
        self.plan = plan
        self.connection = connection
        self.monitor = monitor
        self.opening = opening
        self.metadata = metadata
    }

    func run() throws {
        MigrationFunctions.register(
            on: connection,
            folder: opening.externalFolder,
            plan.madeDefaults
        )
        connection.stampsStates = true
        let ticker = MigrationTicker(monitor)
        try connection.ticking(ticker) {
            try connection.transaction {
                try prepare()
                let total = max(1, steps.reduce(0) { $0 + $1.weight })
                var done = 0.0
                for step in steps {
                    try monitor.check()
                    monitor.note(done / total * 0.98, step.phase)
                    ticker.begin(
                        step.phase,
                        from: done / total * 0.98,
                        to: (done + step.weight) / total * 0.98,
                        rows: step.weight
                    )
                    try step.run()
                    done += step.weight
                }
                try monitor.check()
                try connection.pages.checkForMigration(opening.name)
            }
        }
    }

    // MARK: Steps

    private func add(_ phase: String, _ weight: Double = 1, _ run: @escaping () throws -> Void) {
        steps.append(Step(phase: phase, weight: weight, run: run))
    }

    private func run(_ sql: String) throws { try connection.execute(sql) }

    private func prepare() throws {
        let index = try IndexMove(plan, connection)
        let counts = try rowCounts()
        func weight(_ table: String) -> Double { Double(counts[table] ?? 0) + 1 }
        add("Reading the links") { [self] in try collectPairs() }
        for join in plan.joins where join.source == nil && join.query != nil {
            add("Changing links", weight(plan.old.tables.first?.name ?? "")) { [self] in
                for sql in join.creation(as: "OGM_" + join.join.table) { try run(sql) }
            }
        }
        add("Preparing the tables") { [self] in
            try index.dropChanged()
            try moveAway()
        }
        for move in plan.tables {
            let rows = move.source.map { weight($0.name) } ?? 1
            add("Changing \(move.table.root.name)", rows) { [self] in try perform(move) }
        }
        add("Removing tables", plan.removedTables.reduce(1) { $0 + weight($1.name) }) { [self] in
            try removeTables()
            try placeJoins()
        }
        add("Connecting objects") { [self] in
            try fillPairColumns()
            try fillEntityColumns()
            try fillOrders()
            try removeDanglingLinks()
        }
        let derived = DerivedFill(plan, connection, monitor)
        for table in derived.tables {
            add("Computing derived attributes", weight(table)) { try derived.fill(table) }
        }
        for wanted in index.missing {
            add("Indexing", weight(wanted.table) / 2) { [self] in try index.create(wanted, plan) }
        }
        add("Changing the history") { [self] in
            var rewriting = HistoryRewriting(plan, connection, monitor)
            try rewriting.run()
        }
        add("Finishing") { [self] in try finish() }
    }

    /// About how many rows the old tables have: the largest key.
    private func rowCounts() throws -> [String: Int64] {
        var result: [String: Int64] = [:]
        for table in plan.old.tables {
            result[table.name] = try connection.integer(
                "SELECT MAX(Z_PK) FROM \(quoted(table.name))"
            )
        }
        for move in plan.tables {
            if let source = move.source { result[move.table.name] = result[source.name] }
        }
        return result
    }

    // MARK: Tables

    private func present(_ table: String) -> String { names[table] ?? table }

    private func moveAway(_ table: String) throws {
        serial += 1
        let name = "OGM_T\(serial)"
        try run("ALTER TABLE \(quoted(table)) RENAME TO \(name)")
        names[table] = name
    }

    private func moveAway() throws {
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

    private func perform(_ move: TableMove) throws {
        guard let source = move.source else {
            try run(move.table.creation(as: move.table.name))
            return
        }
        if move.rebuilds {
            try rebuild(move, source)
        } else {
            try alter(move, source)
        }
    }

    private func rebuild(_ move: TableMove, _ source: TableSchema) throws {
        try run(move.table.creation(as: move.table.name))
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
                try run("ALTER TABLE \(table) ADD COLUMN \(name) \(column.type)")
                names.insert(name)
            } else {
                try run("ALTER TABLE \(table) ADD COLUMN \(quoted(name)) \(column.type)")
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

    private func removeTables() throws {
        for move in plan.tables where move.rebuilds {
            guard let source = move.source, let name = names[source.name] else { continue }
            try drop(name)
            names[source.name] = nil
        }
        for table in plan.removedTables { try drop(present(table.name)) }
    }

    /// Drops a table.
    ///
    /// Its pages are overwritten without a look at the monitor, so large ones are emptied first.
    private func drop(_ name: String) throws {
        let last = try connection.integer("SELECT MAX(Z_PK) FROM \(name)") ?? 0
        if last > MigrationWork.largestDrop { try run("DELETE FROM \(name) WHERE Z_PK > 0") }
        try run("DROP TABLE \(name)")
    }

    private static let largestDrop: Int64 = 50_000

    // MARK: Join tables

    private func placeJoins() throws {
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
                for sql in move.creation(as: move.join.table) { try run(sql) }
            } else {
                try run("ALTER TABLE \(quoted("OGM_" + move.join.table)) RENAME TO \(name)")
            }
        }
    }

    // MARK: Links

    /// Keeps the pairs that go to other columns, before the old tables change.
    private func collectPairs() throws {
        for (index, item) in plan.pairColumns.enumerated() {
            try run("CREATE TEMP TABLE OGM_P\(index) (k INTEGER PRIMARY KEY, v INTEGER)")
            do {
                try run("INSERT INTO OGM_P\(index) (k, v) SELECT * FROM (\(item.query))")
            } catch let error as SQLiteError where error.isConstraintViolation {
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

    private func fillPairColumns() throws {
        for (index, item) in plan.pairColumns.enumerated() {
            let column = quoted(item.column)
            try run(
                "UPDATE \(quoted(item.table)) SET \(column) ="
                    + " (SELECT v FROM OGM_P\(index) WHERE k = Z_PK)"
                    + " WHERE Z_PK IN (SELECT k FROM OGM_P\(index))"
            )
            try run("DROP TABLE temp.OGM_P\(index)")
        }
    }

    private func fillEntityColumns() throws {
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
    private func fillOrders() throws {
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
    private func removeDanglingLinks() throws {
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

    // MARK: The end

    /// The checksums of the models that the store has had, the newest last.
    private var lineage: GraphValue {
        var texts: [GraphValue] = []
        if case .array(let known)? = metadata[MetadataList.lineage] { texts = known }
        if let last = ManagedObjectModel.checksum(ofStore: metadata) {
            texts.removeAll { $0 == .string(last) }
            texts.append(.string(last))
        }
        return .array(texts)
    }

    private func finish() throws {
        var largest: [String: Int64] = [:]
        let keys = try connection.statement("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY")
        while try keys.step() { largest[keys.text(0)] = keys.integer(1) }
        keys.reset()
        try run("DELETE FROM Z_PRIMARYKEY")
        for schema in plan.new.entities {
            var key: Int64 = 0
            if schema.entity.superentity == nil {
                let move = plan.tables.first { $0.table === schema.table }
                key = move?.source.flatMap { largest[$0.root.name] } ?? 0
            }
            try run(plan.new.numbering(of: schema, largestKey: key))
        }
        try ModelTable.write(opening.model, to: connection)
        var known = metadata.merging(opening.newMetadata(plan.new)) { $1 }
        known[MetadataList.lineage] = lineage
        if !plan.keepsSearchIndex(metadata) {
            try SearchTables.dropAll(from: connection)
            known[MetadataList.search] = .string("")
        } else {
            known[MetadataList.search] = metadata[MetadataList.search]
        }
        try connection.statement("UPDATE Z_METADATA SET Z_PLIST = ?")
            .run(.blob(try MetadataList.data(known)))
    }
}
