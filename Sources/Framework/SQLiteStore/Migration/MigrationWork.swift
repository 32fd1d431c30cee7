import CSQLite
import FoundationEssentials
import ObjectModel
import ObjectStore

/// Carries out the plan of a migration, in one transaction.
final class MigrationWork {
    let plan: MigrationPlan
    let connection: Connection
    private let monitor: MigrationMonitor
    private let opening: StoreOpening
    private let metadata: StoreMetadata
    private var steps: [Step] = []
    private let changes: TableChanges

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
        changes = TableChanges(
            plan,
            .sqlite,
            run: connection.execute,
            willDrop: { name in
                // Its pages are overwritten without a look at the monitor, so a large one is emptied
                // first.
                let last = try connection.integer("SELECT MAX(Z_PK) FROM \(name)") ?? 0
                if last > MigrationWork.largestDrop {
                    try connection.execute("DELETE FROM \(name) WHERE Z_PK > 0")
                }
            },
            isViolation: { ($0 as? SQLiteError)?.isConstraintViolation == true }
        )
    }

    private static let largestDrop: Int64 = 50_000

    func run() throws {
        MigrationFunctions.register(
            on: connection,
            folder: opening.externalFolder,
            plan.madeDefaults.map { made in
                { try made.layout.argument(made.value(), slot: made.slot) }
            }
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
        add("Reading the links") { [self] in try changes.collectPairs() }
        if plan.joins.contains(where: { $0.source == nil && $0.query != nil }) {
            add("Changing links", weight(plan.old.tables.first?.name ?? "")) { [self] in
                try changes.makeJoins()
            }
        }
        add("Preparing the tables") { [self] in
            try index.dropChanged()
            try changes.moveAway()
        }
        for move in plan.tables {
            let rows = move.source.map { weight($0.name) } ?? 1
            add("Changing \(move.table.root.name)", rows) { [self] in try changes.perform(move) }
        }
        add("Removing tables", plan.removedTables.reduce(1) { $0 + weight($1.name) }) { [self] in
            try changes.removeTables()
            try changes.placeJoins()
        }
        add("Connecting objects") { [self] in
            try changes.fillPairColumns()
            try changes.fillEntityColumns()
            try changes.fillOrders()
            try changes.removeDanglingLinks()
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
