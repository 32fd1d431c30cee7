import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import Testing

/// Large data in files beside the store.
@Suite struct ExternalDataTests {
    private func bench(history: Bool = true) throws -> TestBench {
        let model = TestModel.make { model in
            let data = model.entity(named: "Values")?.property(own: "data")
            (data as? AttributeDescription)?.allowsExternalStorage = true
        }
        var options = SQLiteStoreOptions()
        options.keepsHistory = history
        return try TestBench(.sqlite, model: model, options: options)
    }

    private func large(_ byte: UInt8) -> GraphValue { .data(Data(repeating: byte, count: 300_000)) }

    private func files(_ bench: TestBench) throws -> [String] {
        let folder = bench.folder.file(".store_SUPPORT/_EXTERNAL_DATA")
        return (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    @Test func largeDataLieInAFileAndSmallOnesInTheRow() throws {
        let bench = try bench()
        let big = bench.session.insert("Values", ["data": large(1)])
        let small = bench.session.insert("Values", ["data": .data(Data([7, 8]))])
        let empty = bench.session.insert("Values", ["data": .data(Data())])
        let none = bench.session.insert("Values")
        try bench.session.save()
        #expect(try files(bench).count == 1)
        for _ in 0..<2 {
            #expect(try bench.session.value(big.id, "data") == large(1))
            #expect(try bench.session.value(small.id, "data") == .data(Data([7, 8])))
            #expect(try bench.session.value(empty.id, "data") == .data(Data()))
            #expect(try bench.session.value(none.id, "data") == .null)
            try bench.reopen()
        }
        let sizes = try bench.raw().rows("SELECT LENGTH(ZDATA) FROM ZVALUES ORDER BY Z_PK")
        #expect(sizes == ["38", "3", "1", "NULL"])
    }

    @Test func theHistoryKeepsOldFilesUntilItIsTrimmed() throws {
        let bench = try bench()
        let session = bench.session
        let object = session.insert("Values", ["data": large(1)])
        try session.save()
        session.update(object, ["data": large(2)])
        let update = try session.save().transaction
        session.update(object, ["data": .null])
        let clearing = try session.save().transaction
        session.delete(object)
        try session.save()
        #expect(try files(bench).count == 2)
        let change = try #require(try session.store.historyTransaction(update)?.changes.first)
        #expect(change.oldValues["data"] == large(1))
        #expect(change.newValues["data"] == large(2))
        let cleared = try #require(try session.store.historyTransaction(clearing)?.changes.first)
        #expect(cleared.oldValues["data"] == large(2))
        #expect(cleared.newValues["data"] == .null)
        _ = try session.store.trimHistory(HistoryLimit(keepsSince: .distantFuture, keepsSteps: 0))
        #expect(try files(bench).isEmpty)
    }

    /// As in Core Data, stores named `store.sqlite` and `store.db` keep large data in one folder.
    @Test func filesThatAnotherStoreOfTheNameMayUseStay() throws {
        let bench = try bench()
        let object = bench.session.insert("Values", ["data": large(1)])
        try bench.session.save()
        let neighbour = bench.folder.file("store.db")
        try bench.raw().rows("VACUUM INTO '\(neighbour.path)'")
        bench.session.delete(object)
        try bench.session.save()
        func trim() throws {
            // The newest transaction stays.
            bench.session.insert("Task", ["title": "next"])
            try bench.session.save()
            let limit = HistoryLimit(keepsSince: .distantFuture, keepsSteps: 0)
            _ = try bench.session.store.trimHistory(limit)
        }
        try trim()
        #expect(try files(bench).count == 1)
        #expect(try bench.session.store.inspect(progress: nil).findings == [])
        // Alone again, the store deletes what it does not use.
        try FileManager.default.removeItem(at: neighbour)
        #expect(try bench.session.store.inspect(progress: nil).findings.count == 1)
        try Data("notes".utf8).write(to: bench.folder.file("store.txt"))
        try trim()
        #expect(try files(bench).isEmpty)
    }

    @Test func withoutHistoryAReplacedFileGoesAtOnce() throws {
        let bench = try bench(history: false)
        let session = bench.session
        let object = session.insert("Values", ["data": large(1)])
        try session.save()
        session.update(object, ["data": large(2)])
        try session.save()
        #expect(try files(bench).count == 1)
        #expect(try session.value(object.id, "data") == large(2))
        session.delete(object)
        try session.save()
        #expect(try files(bench).isEmpty)
    }

    @Test func aFailedSaveLeavesNoFile() throws {
        let bench = try bench()
        let session = bench.session
        session.insert("Tag", ["name": "x"])
        try session.save()
        session.insert("Values", ["data": large(1)])
        session.insert("Tag", ["name": "x"])
        #expect(throws: ObjectGraphError.self) { try session.save() }
        #expect(try files(bench).isEmpty)
    }
}
