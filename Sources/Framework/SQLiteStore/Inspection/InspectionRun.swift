import CSQLite
import ObjectModel
import ObjectStore

// An inspection reads one state of the store:
//   1. the structure of the file: checksums of pages, B-trees, indexes (`+Structure`);
//   2. each row by the rules of the model: one statement for each rule and column (`+References`,
//      `+Values`), and the derived attributes (`DerivedCheck`);
//   3. the history against itself and against the rows (`HistoryCheck`);
//   4. the search index against the rows (`SearchIndexCheck`).
// A rule is an `InspectionRule`: the rows that break it, and the statements that repair them.

/// A rule that SQL can check.
struct InspectionRule {
    let kind: StoreFinding.Kind
    var entity: EntityDescription?
    var property: String?
    /// A query for the keys of the rows that break the rule.
    let rows: String
    /// What is wrong, after the number of objects: `Tasks have a list that does not exist`.
    let message: (_ count: Int) -> String
    /// What the repair does; `nil` if there is none.
    var repair: String?
    var statements: [String] = []
    /// An attribute that the repair sets to a value, so that the change is part of the history.
    var value: (schema: EntitySchema, slot: Int, value: GraphValue)?
}

/// Inspects a store; the transaction of the caller keeps its state.
final class InspectionRun {
    let store: SQLiteStore
    private(set) var result = StoreInspection()
    /// The checks with findings, which a repair carries out.
    private(set) var failed: [(check: InspectionRule, finding: StoreFinding)] = []
    private let progress: ((Double) throws -> Void)?
    private var range = (from: 0.0, to: 1.0)

    var connection: Connection { store.connection }
    var schema: StoreSchema { store.schema }

    init(_ store: SQLiteStore, _ progress: ((Double) throws -> Void)?) {
        self.store = store
        self.progress = progress
    }

    /// The parts of an inspection, with their share of the time.
    private var parts: [(share: Double, work: (InspectionRun) throws -> Void)] {
        [
            (0.05, { try $0.checkPages() }),
            (0.25, { try $0.checkStructure() }),
            (0.25, { try $0.checkRows() }),
            (0.05, { try DerivedCheck($0).run() }),
            (0.2, { try HistoryCheck($0).run() }),
            (0.2, { try SearchIndexCheck($0).run() }),
        ]
    }

    func run() throws {
        var done = 0.0
        for part in parts {
            range = (done, done + part.share)
            try note(0)
            try part.work(self)
            // What a damaged file says of its rows is not worth reading.
            if !result.findings(of: .damagedStructure).isEmpty { break }
            done += part.share
        }
        range = (0, 1)
        try note(1)
    }

    func note(_ part: Double) throws {
        try progress?(range.from + (range.to - range.from) * part)
    }

    func add(_ finding: StoreFinding) { result.findings.append(finding) }

    func setPages(_ pages: PageReport) { result.pages = pages }
    func setTransactionCount(_ count: Int) { result.transactionCount = count }

    // MARK: Checks by SQL

    private func checkRows() throws {
        for table in schema.tables {
            result.objectCount += Int(
                try connection.integer("SELECT COUNT(*) FROM \(quoted(table.name))") ?? 0
            )
        }
        let checks = try numberChecks + valueChecks() + referenceChecks + linkChecks + orderChecks
        for (index, check) in checks.enumerated() {
            try note(Double(index) / Double(checks.count))
            try run(check)
        }
        try checkFiles()
    }

    private func run(_ check: InspectionRule) throws {
        let statement = try Statement(check.rows, on: connection)
        defer { statement.finish() }
        var count = 0
        var keys: [Int64] = []
        while try statement.step() {
            count += 1
            if keys.count < StoreFinding.mostExamples { keys.append(statement.integer(0)) }
        }
        if count == 0 { return }
        let finding = StoreFinding(
            check.kind,
            entity: check.entity?.name,
            property: check.property,
            count: count,
            examples: keys,
            check.message(count),
            repair: check.repair
        )
        add(finding)
        failed.append((check, finding))
    }

    /// The numbers of an entity and its descendants, for `Z_ENT IN`.
    func numbers(_ entity: EntityDescription) -> String {
        "(" + schema.hierarchy(of: entity).map { String($0.number) }.joined(separator: ", ") + ")"
    }
}

/// Objects of an entity as part of a sentence: `1 Task has`, `3 Task objects have`.
func objects(_ count: Int, _ entity: EntityDescription?, _ verb: (String, String)) -> String {
    let name = entity.map { "\($0.name) " } ?? ""
    return count == 1 ? "1 \(name)object \(verb.0)" : "\(count) \(name)objects \(verb.1)"
}

/// A number with a noun that gets an "s".
func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}
