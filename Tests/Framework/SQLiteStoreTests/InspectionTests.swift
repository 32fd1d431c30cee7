import CFaultyDisk
import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom
import Testing

/// What an inspection finds, and what a repair does about it.
@Suite struct InspectionTests {
    /// A store with every kind of relationship, a history and an index.
    private func makeStore() throws -> TestBench {
        let bench = try TestBench(.sqlite, model: model)
        let session = bench.session
        let list = session.insert("List", ["name": "list"])
        let tags = ["a", "b", "c"].map { session.insert("Tag", ["name": .string($0)]) }
        let tasks = (0..<6).map { session.insert("Task", ["title": .string("task \($0)")]) }
        for task in tasks { task["list"] = list.reference }
        session.insert("Note", ["title": "note", "body": "text of the note"])
        session.link(tasks[0], "tags", add: [tags[0], tags[1]])
        session.link(tags[0], "friends", add: [tags[1]])
        session.link(list, "pinned", add: Array(tasks[0..<3]), order: Array(tasks[0..<3]))
        let shelf = session.insert("Shelf")
        session.link(shelf, "tags", add: tags, order: tags)
        let one = session.insert("Left")
        let two = session.insert("Right")
        one["right"] = two.reference
        two["left"] = one.reference
        one["title"] = "left"
        one["folded"] = "left"
        one["file"] = .data(Data(repeating: 7, count: 200_000))
        try session.save("fill")
        session.update(tasks[0], ["title": "task zero", "rank": 5])
        session.update(tasks[1], ["title": "task one"])
        try session.save("edit")
        session.delete(tasks[5])
        try session.save("delete")
        return bench
    }

    private var model: ManagedObjectModel {
        TestModel.make { model in
            let file = AttributeDescription("file", .binary)
            file.allowsExternalStorage = true
            let size = AttributeDescription("size", .integer16)
            size.rules = [.minimum(.int(-2)), .maximum(.int(3))]
            let weight = AttributeDescription("weight", .double)
            weight.rules = [.maximum(.int(3))]
            let derived = AttributeDescription("folded", .string)
            derived.derivation = "canonical:(title)"
            model.add(
                EntityDescription(
                    "Left",
                    [
                        AttributeDescription("title", .string, optional: false, default: "none"),
                        derived, file, size, weight,
                        RelationshipDescription("right", to: "Right", inverse: "left"),
                    ]
                )
            )
            model.add(
                EntityDescription(
                    "Right",
                    [RelationshipDescription("left", to: "Left", inverse: "right")]
                )
            )
        }
    }

    @Test func aStoreInOrderHasNoFindings() throws {
        let bench = try makeStore()
        let inspection = try bench.session.store.inspect(progress: nil)
        #expect(inspection.findings == [])
        #expect(inspection.objectCount == 13)
        #expect(inspection.transactionCount == 3)
    }

    /// Damage by statements, what is found first, and whether a repair leaves nothing of it.
    struct Damage: Sendable, CustomTestStringConvertible {
        let name: String
        let sql: [String]
        let kind: StoreFinding.Kind
        var repairs = true

        var testDescription: String { name }
    }

    static let damages = [
        Damage(
            name: "entity number",
            sql: ["UPDATE ZSHELF SET Z_ENT = 77"],
            kind: .unknownEntity
        ),
        Damage(
            name: "entity number in a hierarchy",
            sql: ["UPDATE ZITEM SET Z_ENT = 77 WHERE Z_PK = 2"],
            kind: .unknownEntity,
            repairs: false
        ),
        Damage(
            name: "type of a value",
            sql: ["UPDATE ZITEM SET ZRANK = x'00' WHERE Z_PK = 2"],
            kind: .unreadableValue
        ),
        Damage(
            name: "value above the rule of the model",
            sql: ["UPDATE ZLEFT SET ZSIZE = 4"],
            kind: .valueOutOfBounds
        ),
        Damage(
            name: "value below the rule of the model",
            sql: ["UPDATE ZLEFT SET ZSIZE = -70000"],
            kind: .valueOutOfBounds
        ),
        Damage(
            name: "value above a rule with another type of number",
            sql: ["UPDATE ZLEFT SET ZWEIGHT = 3.5"],
            kind: .valueOutOfBounds
        ),
        Damage(
            name: "required value",
            sql: ["UPDATE ZLEFT SET ZTITLE = NULL"],
            kind: .missingValue
        ),
        Damage(
            name: "derived value",
            sql: ["UPDATE ZLEFT SET ZFOLDED = 'other'"],
            kind: .wrongDerivedValue
        ),
        Damage(
            name: "reference to nothing",
            sql: ["UPDATE ZITEM SET ZLIST = 999 WHERE Z_PK IN (1, 2)"],
            kind: .danglingReference
        ),
        Damage(
            name: "entity of a reference",
            sql: ["UPDATE ZLIST SET ZCOVER = 1, Z1_COVER = 4"],
            kind: .wrongReferenceEntity
        ),
        Damage(
            name: "member of nothing",
            sql: ["UPDATE ZITEM SET Z5PINNED = 999 WHERE Z_PK = 1"],
            kind: .orphanedLink
        ),
        Damage(
            name: "pair with nothing",
            sql: ["INSERT INTO Z_1TAGS VALUES (1, 999)", "INSERT INTO Z_1TAGS VALUES (999, 1)"],
            kind: .orphanedLink
        ),
        Damage(
            name: "half of a pair",
            sql: ["DELETE FROM Z_8FRIENDS WHERE rowid = 1"],
            kind: .unequalInverse
        ),
        Damage(
            name: "one way of one to one",
            sql: ["UPDATE ZRIGHT SET ZLEFT = NULL"],
            kind: .unequalInverse
        ),
        Damage(
            name: "places of members",
            sql: ["UPDATE ZITEM SET Z_FOK_5PINNED = 7 WHERE Z5PINNED IS NOT NULL"],
            kind: .missingOrder
        ),
        Damage(
            name: "greatest key",
            sql: ["UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Item'"],
            kind: .keyAboveMaximum
        ),
        Damage(
            name: "value that the history does not know",
            sql: ["UPDATE ZITEM SET ZRANK = 6 WHERE Z_PK = 1"],
            kind: .historyContradiction
        ),
        Damage(
            name: "row that was deleted",
            sql: [
                "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT) SELECT 6, Z_ENT, 1 FROM ZITEM"
                    + " WHERE Z_PK = 1"
            ],
            kind: .historyContradiction
        ),
        Damage(
            name: "lost row",
            sql: ["DELETE FROM ZITEM WHERE Z_PK = 3"],
            kind: .lostRow
        ),
        Damage(
            name: "lost transaction",
            sql: ["DELETE FROM OG_TRANSACTION WHERE number = 2"],
            kind: .historyGap
        ),
        Damage(
            name: "lost newest transaction",
            sql: ["DELETE FROM OG_TRANSACTION WHERE number = 3"],
            kind: .historyGap
        ),
        Damage(
            name: "lost changes",
            sql: ["DELETE FROM OG_CHANGE WHERE id = (SELECT MAX(id) FROM OG_CHANGE)"],
            kind: .historyGap
        ),
        Damage(
            name: "changes that cannot be read",
            sql: ["UPDATE OG_CHANGE SET kind = 9 WHERE id = 3"],
            kind: .historyGap
        ),
        Damage(
            name: "state of a command",
            sql: ["UPDATE OG_TRANSACTION SET latest = 70 WHERE number = 1"],
            kind: .historyGap
        ),
        Damage(
            name: "index with another text",
            sql: ["UPDATE ZITEM SET ZTITLE = 'other' WHERE Z_PK = 4"],
            kind: .staleSearchIndex
        ),
        Damage(
            name: "index without a row",
            sql: ["DELETE FROM OG_SEARCH_ZITEM_data WHERE id > 10"],
            kind: .staleSearchIndex
        ),
    ]

    @Test(arguments: damages)
    func damageIsFoundAndRepaired(_ damage: Damage) throws {
        let bench = try makeStore()
        bench.session.store.close()
        do {
            let raw = try bench.raw()
            for statement in damage.sql { try raw.rows(statement) }
            try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        _ = try SQLiteStore.repairPages(at: bench.folder.file())
        try bench.reopen()
        let found = try bench.session.store.inspect(progress: nil)
        #expect(found.findings.contains { $0.kind == damage.kind }, "\(found.findings)")
        let repair = try bench.session.store.repair(name: "Repair", author: "test", progress: nil)
        let left = repair.remaining.findings
        if damage.repairs {
            #expect(left == [])
            #expect(repair.repaired.contains { $0.kind == damage.kind })
        } else {
            #expect(left.contains { $0.kind == damage.kind && $0.repair == nil })
        }
        // The store works, and stays in order.
        try bench.reopen()
        bench.session.insert("Task", ["title": "new"])
        try bench.session.save("after")
        let after = try bench.session.store.inspect(progress: nil).findings
        #expect(after.map(\.kind) == left.map(\.kind))
        #expect(try bench.raw().integrity == "ok")
    }

    @Test func aMissingFileIsNamedAndAnUnusedOneDeleted() throws {
        let bench = try makeStore()
        let folder = bench.folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == 1)
        let unused = folder.appendingPathComponent(UUID().uuidString)
        try Data([1]).write(to: unused)
        var found = try bench.session.store.inspect(progress: nil)
        #expect(found.findings.map(\.kind) == [.unusedFile])
        let repair = try bench.session.store.repair(name: "Repair", author: nil, progress: nil)
        #expect(repair.remaining.findings == [])
        #expect(!FileManager.default.fileExists(atPath: unused.path))
        try FileManager.default.removeItem(at: folder.appendingPathComponent(names[0]))
        found = try bench.session.store.inspect(progress: nil)
        #expect(found.findings.map(\.kind) == [.missingFile])
        #expect(found.findings.map(\.property) == ["file"])
    }

    @Test func aDamagedIndexIsBuiltAgain() throws {
        let bench = try makeStore()
        bench.session.store.close()
        do {
            let raw = try bench.raw()
            try raw.rows("PRAGMA writable_schema=1")
            // Rows that an index of this statement alone would hold.
            try raw.rows(
                "UPDATE sqlite_master SET sql = sql || ' WHERE ZLIST > 100'"
                    + " WHERE name = 'ZITEM_ZLIST_INDEX'"
            )
        }
        do {
            let raw = try bench.raw()
            try raw.rows("REINDEX ZITEM_ZLIST_INDEX")
            try raw.rows("PRAGMA writable_schema=1")
            try raw.rows(
                "UPDATE sqlite_master SET sql = replace(sql, ' WHERE ZLIST > 100', '')"
                    + " WHERE name = 'ZITEM_ZLIST_INDEX'"
            )
            try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        _ = try SQLiteStore.repairPages(at: bench.folder.file())
        try bench.reopen()
        let found = try bench.session.store.inspect(progress: nil)
        #expect(found.findings.map(\.kind) == [.damagedIndex])
        let repair = try bench.session.store.repair(name: "Repair", author: nil, progress: nil)
        #expect(repair.remaining.findings == [])
        #expect(repair.transaction == nil)
    }

    @Test func aRepairedValueIsAStepOfTheHistory() throws {
        let bench = try makeStore()
        try bench.raw().rows("UPDATE ZITEM SET ZRANK = 6 WHERE Z_PK = 1")
        let repair = try bench.session.store.repair(name: "Repair", author: "me", progress: nil)
        let number = try #require(repair.transaction)
        let step = try #require(try bench.session.store.undoSteps(limit: 1).first)
        #expect(step.name == "Repair")
        #expect(step.author == "me")
        let change = try #require(
            try bench.session.store.historyTransaction(number)?.changes.first
        )
        #expect(change.oldValues["rank"] == .int(5))
        #expect(change.newValues["rank"] == .int(6))
    }

    /// Random saves by every path never look like damage.
    @Test(arguments: SeededRandom.seeds(3))
    func randomSavesLeaveNoFindings(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let bench = try TestBench(.sqlite)
        try SampleData.fill(bench.session, using: &random)
        for round in 0..<30 {
            let ids = try bench.session.fetch(FetchDescription(entityName: "Item")).ids
            for id in ids where random.chance(8) {
                let object = try bench.session.object(id)
                if random.chance(4) {
                    bench.session.delete(object)
                } else {
                    bench.session.update(
                        object,
                        [
                            "title": .string(random.pick(SampleData.texts)),
                            "rank": .int(Int64(round)),
                        ]
                    )
                }
            }
            bench.session.insert("Note", ["title": .string(random.pick(SampleData.texts))])
            try bench.session.save("round \(round)")
            if random.chance(10) { try bench.reopen() }
        }
        let found = try bench.session.store.inspect(progress: nil).findings
        #expect(found.filter { $0.kind != .missingOrder && $0.kind != .danglingReference } == [])
    }

    @Test func anErrorOfTheProgressEndsTheWorkAndChangesNothing() throws {
        struct Stop: Error {}
        let bench = try makeStore()
        try bench.raw().rows("UPDATE ZITEM SET ZLIST = 999 WHERE Z_PK = 1")
        #expect(throws: Stop.self) {
            try bench.session.store.repair(name: "", author: nil) { if $0 > 0.3 { throw Stop() } }
        }
        #expect(throws: Stop.self) { try bench.session.store.inspect { _ in throw Stop() } }
        #expect(try bench.raw().rows("SELECT ZLIST FROM ZITEM WHERE Z_PK = 1") == ["999"])
    }
}

extension FaultTests {
    /// A repair happens as a whole or not at all.
    @Test(arguments: [FAULTY_ERROR, FAULTY_FULL])
    func anyFailingWriteOfARepairLeavesTheStoreAsItWasOrRepaired(_ mode: Int) throws {
        let claimed = faulty_disk_claim()
        defer { faulty_disk_release() }
        try #require(claimed == 0)
        var options = SQLiteStoreOptions()
        options.fileSystem = "faulty"
        var (failures, number) = (0, 1)
        while true {
            faulty_disk_set(Int32(FAULTY_NEVER), 0)
            let bench = try TestBench(.sqlite, options: options)
            let list = bench.session.insert("List", ["name": "list"])
            for index in 0..<50 {
                let task = bench.session.insert("Task", ["title": .string("task \(index)")])
                task["list"] = list.reference
            }
            try bench.session.save("fill")
            try bench.raw().rows("UPDATE ZITEM SET ZLIST = 99, ZTITLE = 'other' WHERE Z_PK < 40")
            func findings() throws -> [StoreFinding.Kind] {
                try bench.session.store.inspect(progress: nil).findings.map(\.kind)
                    .filter { $0 != .unverifiedPage && $0 != .flippedBit }
            }
            let before = try findings()
            #expect(before == [.danglingReference, .staleSearchIndex])
            faulty_disk_set(Int32(mode), number)
            var failure: (any Error)?
            do {
                _ = try bench.session.store.repair(name: "Repair", author: nil, progress: nil)
            } catch { failure = error }
            let operations = faulty_disk_count()
            faulty_disk_set(Int32(FAULTY_NEVER), 0)
            if let failure {
                failures += 1
                let error = try #require(failure as? ObjectGraphError, "\(failure)")
                #expect(error.code == .cannotWrite, "write \(number): \(error)")
            }
            try bench.reopen()
            let after = try findings()
            #expect(after == [] || failure != nil && after == before, "write \(number): \(after)")
            #expect(try bench.raw().integrity == "ok", "write \(number)")
            if operations < number { break }
            number += 1
        }
        print("\(number - 1) writes of a repair, \(failures) failures told")
        #expect(failures > 5)
    }
}
