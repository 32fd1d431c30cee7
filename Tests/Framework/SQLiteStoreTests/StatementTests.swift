import Foundation
import ObjectModel
import ObjectStore
import SeededRandom
import Synchronization
import Testing

@testable import SQLiteStore

/// The exact statements that a store runs, where their number and order matter.
@Suite struct StatementTests {
    private func record(_ store: SQLiteStore, _ body: () throws -> Void) rethrows -> [String] {
        var statements: [String] = []
        store.trace { sql, _ in statements.append(sql) }
        defer { store.trace(nil) }
        try body()
        return statements
    }

    private var bare: SQLiteStoreOptions {
        var options = SQLiteStoreOptions()
        options.keepsHistory = false
        options.keepsSearchIndex = false
        return options
    }

    /// The address sanitizer sees a callback of a connection that is gone.
    @Test func aStatementThatIsFinishedAfterItsConnectionCommits() throws {
        let folder = try TestFolder()
        _ = FileManager.default.createFile(atPath: folder.file().path, contents: nil)
        let database = try RawDatabase(folder.file())
        try database.rows("PRAGMA journal_mode = WAL")
        try database.rows("CREATE TABLE numbers (number)")
        let statement = try {
            let connection = try Connection(folder.file().path, .readWrite)
            let statement = try Statement(
                "INSERT INTO numbers VALUES (1), (2) RETURNING number",
                on: connection
            )
            #expect(try statement.step())
            return statement
        }()
        statement.finish()
        #expect(try database.rows("SELECT count(*) FROM numbers") == ["2"])
    }

    @Test func anEditIsOneUpdateInOneTransaction() throws {
        let bench = try TestBench(.sqlite, options: bare)
        let task = bench.session.insert("Task", ["title": "a"])
        try bench.session.save()
        bench.session.update(task, ["title": "b", "size": 3])
        let statements = try record(try bench.sqlite) { try bench.session.save() }
        #expect(
            statements == [
                "BEGIN IMMEDIATE",
                "UPDATE ZITEM SET Z_OPT = ?, ZTITLE = ?, ZSIZE = ? WHERE Z_PK = ? AND Z_OPT = ?",
                "COMMIT",
            ]
        )
    }

    @Test func aNewObjectTakesItsKeyInTheSameTransaction() throws {
        let bench = try TestBench(.sqlite, options: bare)
        bench.session.insert("Tag", ["name": "a"])
        let statements = try record(try bench.sqlite) { try bench.session.save() }
        #expect(
            statements == [
                "BEGIN IMMEDIATE",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ? WHERE Z_ENT = ? RETURNING Z_MAX",
                "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, ?, ?)",
                "COMMIT",
            ]
        )
    }

    @Test func manyNewObjectsAreInsertedManyAtATime() throws {
        let bench = try TestBench(.sqlite, options: bare)
        for number in 0..<130 { bench.session.insert("Tag", ["name": .string("\(number)")]) }
        let statements = try record(try bench.sqlite) { try bench.session.save() }
        let inserts = statements.filter { $0.hasPrefix("INSERT") }
        #expect(inserts.map { $0.count { $0 == "(" } - 1 } == [32, 32, 32, 32, 1, 1])
        #expect(inserts.last == "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, ?, ?)")
    }

    @Test func movingOneOfManyOrderedMembersWritesOneRow() throws {
        let bench = try TestBench(.sqlite, options: bare)
        let session = bench.session
        let parent = session.insert("Task")
        var steps = (0..<500).map { _ in session.insert("Task", ["parent": parent.reference]) }
        session.link(parent, "steps", add: steps, order: steps)
        try session.save()
        let old = steps
        steps.insert(steps.remove(at: 400), at: 3)
        session.link(parent, "steps", order: steps, oldOrder: old)
        let statements = try record(try bench.sqlite) { try session.save() }
        #expect(statements.filter { $0.hasPrefix("UPDATE") }.count == 1, "\(statements)")
        #expect(try session.members(parent.id, "steps") == steps.map(\.id))
    }

    @Test func aSaveWithHistoryAddsTwoRowsAndNoSync() throws {
        let bench = try TestBench(.sqlite)
        let session = bench.session
        let task = session.insert("Task", ["size": 1])
        try session.save()
        session.update(task, ["size": 2])
        try session.save()
        session.update(task, ["size": 3])
        let statements = try record(try bench.sqlite) { try session.save() }
        let words = statements.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        #expect(
            words == [
                "BEGIN IMMEDIATE",
                "SELECT number, first",
                "UPDATE OG_TRANSACTION SET",
                "UPDATE ZITEM SET",
                "INSERT INTO OG_CHANGE",
                "INSERT INTO OG_TRANSACTION",
                "COMMIT",
            ]
        )
    }

    @Test func membersOfManyOwnersTakeOneQuery() throws {
        let bench = try TestBench(.sqlite)
        let session = bench.session
        let lists = (0..<300).map { _ in session.insert("List") }
        for list in lists { session.insert("Task", ["list": list.reference]) }
        try session.save()
        let statements = try record(try bench.sqlite) {
            _ = try session.store.destinations(
                of: session.relationship("items", of: "List"),
                owners: lists.map(\.id)
            )
        }
        #expect(statements.count == 1)
        #expect(
            statements.first?.hasPrefix(
                "SELECT m.ZLIST, m.Z_PK, m.Z_ENT FROM ZITEM m WHERE m.ZLIST IN (?"
            )
                == true
        )
    }

    @Test func membersInATableOfTheirOwnAreReadFromTheIndex() throws {
        let model = TestModel.make { model in
            model.add(
                EntityDescription(
                    "Page",
                    [RelationshipDescription("shelf", to: "Shelf", inverse: "pages")]
                )
            )
            model.entity(named: "Shelf")?.add(
                RelationshipDescription("pages", to: "Page", inverse: "shelf", toMany: true)
            )
        }
        let bench = try TestBench(.sqlite, model: model)
        let session = bench.session
        let shelf = session.insert("Shelf")
        let pages = (0..<3).map { _ in session.insert("Page", ["shelf": shelf.reference]) }
        try session.save()
        let statements = try record(try bench.sqlite) {
            let pagesOf = session.relationship("pages", of: "Shelf")
            let found = try session.store.destinations(of: pagesOf, owners: [shelf.id])
            #expect(found == [pages.map(\.id)])
        }
        let plan = try bench.queryPlan(try #require(statements.first))
        #expect(plan.contains("COVERING INDEX"), "\(plan)")
    }

    @Test func loadingManyRowsTakesOneQueryAndFiringOneNone() throws {
        let bench = try TestBench(.sqlite)
        let session = bench.session
        let tasks = (0..<300).map { _ in session.insert("Task", ["title": "x"]) }
        try session.save()
        try bench.reopen()
        let store = try bench.sqlite
        let statements = try record(store) { try store.load(tasks.map(\.id)) }
        #expect(statements.count == 1)
        #expect(tasks.allSatisfy { store.rows.contains($0.id) })
    }

    @Test func equalityAndRangesUseTheirIndex() throws {
        let bench = try TestBench(.sqlite)
        let list = bench.session.insert("List")
        try bench.session.save()
        for text in ["rank == 5", "rank > 5", "rank IN {1, 2}", "rank BETWEEN {1, 3}"] {
            let statements = try record(try bench.sqlite) {
                _ = try bench.session.fetch(
                    FetchDescription(
                        entityName: "Item",
                        predicate: try FetchPredicate(format: text)
                    )
                )
            }
            let plan = try bench.queryPlan(statements[0])
            #expect(plan.contains("Z_Item_byRank"), "\(text): \(plan)")
        }
        let statements = try record(try bench.sqlite) {
            _ = try bench.session.fetch(
                FetchDescription(
                    entityName: "Item",
                    predicate: try FetchPredicate(format: "list == %@", list.id)
                )
            )
        }
        #expect(try bench.queryPlan(statements[0]).contains("ZITEM_ZLIST_INDEX"))
    }

    @Test(arguments: [1, 2] as [UInt64])
    func thousandsOfMovesWriteFewRowsEach(_ seed: UInt64) throws {
        let bench = try TestBench(.sqlite, options: bare)
        let session = bench.session
        let parent = session.insert("Task")
        var steps = (0..<60).map { _ in session.insert("Task", ["parent": parent.reference]) }
        session.link(parent, "steps", add: steps, order: steps)
        try session.save()
        var random = SeededRandom(seed: seed)
        var updates = 0
        try bench.sqlite.trace { sql, _ in if sql.hasPrefix("UPDATE ZITEM") { updates += 1 } }
        let moves = 1500
        for _ in 0..<moves {
            let old = steps
            let moved = steps.remove(at: Int.random(in: 0..<steps.count, using: &random))
            // Half of the moves go to one crowded place.
            let place = random.chance(2) ? 7 : Int.random(in: 0...steps.count, using: &random)
            steps.insert(moved, at: place)
            session.link(parent, "steps", order: steps, oldOrder: old)
            try session.save()
        }
        try bench.sqlite.trace(nil)
        #expect(try session.members(parent.id, "steps") == steps.map(\.id), "seed \(seed)")
        #expect(updates < 3 * moves, "\(updates) updates, seed \(seed)")
    }

    @Test func aRunningRequestCanBeCancelledFromAnotherThread() throws {
        let bench = try TestBench(.sqlite, options: bare)
        let session = bench.session
        let list = session.insert("List")
        for _ in 0..<3000 {
            session.insert(
                "Task",
                ["title": "some words that are searched", "list": list.reference]
            )
        }
        try session.save()
        let request = FetchDescription(
            entityName: "Item",
            predicate: try FetchPredicate(format: "ANY list.items.title CONTAINS[cd] 'zzz'")
        )
        let isDone = Atomic(false)
        nonisolated(unsafe) let store = try bench.sqlite
        let canceller = Thread {
            while !isDone.load(ordering: .acquiring) { store.interrupt() }
        }
        canceller.start()
        let error = #expect(throws: ObjectGraphError.self) { try session.fetch(request) }
        isDone.store(true, ordering: .releasing)
        while !canceller.isFinished { sched_yield() }
        #expect(error?.code == .cancelled)
        // Afterwards the store works as before.
        #expect(try session.fetch(FetchDescription(entityName: "List")).ids == [list.id])
    }
}
