import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom
import Testing

/// What is saved of a damaged file.
@Suite struct SalvageTests {
    private func makeStore(_ random: inout SeededRandom) throws -> TestBench {
        let bench = try TestBench(.sqlite)
        try SampleData.fill(bench.session, using: &random)
        for index in 0..<400 {
            let task = bench.session.insert("Task", ["title": .string("task \(index)")])
            let length = random.chance(10) ? 3000 : 20
            task["notes"] = .string(String(repeating: "note \(index) ", count: length))
        }
        try bench.session.save("fill")
        let ids = try bench.session.fetch(FetchDescription(entityName: "Task")).ids
        for id in ids.prefix(100) {
            bench.session.update(try bench.session.object(id), ["title": "changed"])
        }
        try bench.session.save("edit")
        return bench
    }

    /// Everything in the tables of a store, without what a salvage may write otherwise.
    private func rows(_ url: URL) throws -> [String] {
        let raw = try RawDatabase(url)
        let tables = try raw.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND (name LIKE 'Z%'"
                + " AND name NOT IN ('Z_METADATA', 'Z_PRIMARYKEY') OR name = 'OG_CHANGE')"
        )
        return try tables.flatMap { table in
            try raw.rows("SELECT * FROM \"\(table)\" ORDER BY 1, 2").map { "\(table): \($0)" }
        }
    }

    @Test func aWholeFileIsSavedCompletely() throws {
        var random = SeededRandom()
        let bench = try makeStore(&random)
        bench.session.store.close()
        let url = bench.folder.file("saved.sqlite")
        let report = try SQLiteStore.salvage(bench.folder.file(), into: url, model: bench.model)
        #expect(report.lostRows + report.lostPages + report.cutRows + report.refusedRows == 0)
        #expect(report.lostTables == [])
        #expect(report.lostObjects == 0)
        let (before, after) = (try rows(bench.folder.file()), try rows(url))
        // A repair gives members of ordered relationships the places that the sample leaves open.
        let place = #/ZITEM: /#
        #expect(
            before.filter { $0.firstMatch(of: place) == nil }
                == after.filter { $0.firstMatch(of: place) == nil }
        )
        #expect(before.count == after.count)
        let store = try SQLiteStore(url: url, model: bench.model)
        #expect(try store.inspect(progress: nil).findings == [])
    }

    /// A log whose frames are pages of these numbers, each committed.
    private func log(_ numbers: [UInt32], pageSize: Int) -> Data {
        var bytes: [UInt8] = []
        var sum: (UInt32, UInt32) = (0, 0)
        func put(_ word: UInt32) { withUnsafeBytes(of: word.bigEndian) { bytes += $0 } }
        func add(_ part: ArraySlice<UInt8>) {
            let words = stride(from: part.startIndex, to: part.endIndex, by: 4).map { place in
                bytes[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            for index in stride(from: 0, to: words.count, by: 2) {
                sum.0 &+= words[index] &+ sum.1
                sum.1 &+= words[index + 1] &+ sum.0
            }
        }
        for word in [0x377f_0682, 3_007_000, UInt32(pageSize), 0, 7, 8] { put(word) }
        add(bytes[...])
        put(sum.0)
        put(sum.1)
        for number in numbers {
            let start = bytes.count
            put(number)
            put(number)
            add(bytes[start...])
            for word in [7, 8, 0, 0] as [UInt32] { put(word) }
            bytes += [UInt8](repeating: 13, count: pageSize)
            add(bytes[(start + 24)...])
            let end = bytes.count
            put(sum.0)
            put(sum.1)
            bytes.replaceSubrange(start + 16..<start + 24, with: bytes[end...])
            bytes.removeLast(8)
        }
        return Data(bytes)
    }

    @Test func pagesThatNeitherTheFileNorTheLogHasAreEmpty() throws {
        let bench = try TestBench(.sqlite)
        bench.session.store.close()
        let url = bench.folder.file("cut.sqlite")
        try Data(contentsOf: bench.folder.file()).prefix(4096).write(to: url)
        try log([5, 5, 5, 5], pageSize: 4096).write(to: bench.folder.file("cut.sqlite-wal"))
        let file = try PageFile(url.path)
        #expect(file.pageCount == 5)
        #expect(file.page(5)?.first == 13)
        #expect(file.page(3) == [UInt8](repeating: 0, count: 4096))
    }

    @Test func aLogThatWasNotMovedIsSavedToo() throws {
        let bench = try TestBench(.sqlite)
        for index in 0..<50 { bench.session.insert("Task", ["title": .string("task \(index)")]) }
        try bench.session.save()
        // The files as a killed process leaves them; the end of the log is cut.
        let copy = bench.folder.file("copy.sqlite")
        try FileManager.default.copyItem(at: bench.folder.file(), to: copy)
        var log = try Data(contentsOf: bench.folder.file("store.sqlite-wal"))
        bench.session.insert("Task", ["title": "later"])
        try bench.session.save()
        log.append(
            try Data(contentsOf: bench.folder.file("store.sqlite-wal")).dropFirst(log.count).prefix(
                900
            )
        )
        try log.write(to: bench.folder.file("copy.sqlite-wal"))
        let url = bench.folder.file("saved.sqlite")
        let report = try SQLiteStore.salvage(copy, into: url, model: bench.model)
        #expect(report.objects == 50)
        let raw = try RawDatabase(url)
        #expect(try raw.rows("SELECT COUNT(*) FROM ZITEM WHERE ZTITLE LIKE 'task %'") == ["50"])
    }

    @Test(arguments: SeededRandom.seeds(12))
    func ofADamagedFileTheRestIsSaved(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let bench = try makeStore(&random)
        bench.session.store.close()
        var data = try Data(contentsOf: bench.folder.file())
        let pages = data.count / 4096
        let count = try RawDatabase(bench.folder.file()).rows("SELECT COUNT(*) FROM ZITEM")
        let before = try #require(Int(count[0]))
        let first = random.below(8) == 0 ? 0 : 1
        for _ in 0..<(1 + random.below(4)) {
            let page = first + random.below(pages - first)
            let range = page * 4096..<(page + 1) * 4096
            switch random.below(3) {
            case 0: data.replaceSubrange(range, with: Data(count: 4096))
            case 1:
                data.replaceSubrange(range, with: (0..<4096).map { _ in UInt8(random.below(256)) })
            default:
                for _ in 0..<40 {
                    data[range.lowerBound + random.below(4096)] = UInt8(random.below(256))
                }
            }
        }
        if random.chance(4) { data = data.prefix(data.count - random.below(data.count / 2)) }
        let damaged = bench.folder.file("damaged.sqlite")
        try data.write(to: damaged)
        let url = bench.folder.file("saved.sqlite")
        let report: SalvageReport
        do {
            report = try SQLiteStore.salvage(damaged, into: url, model: bench.model)
        } catch let error as ObjectGraphError {
            // Nothing to be found at all; then there is no new file.
            #expect(error.code == .damagedFile)
            #expect(!FileManager.default.fileExists(atPath: url.path))
            return
        }
        let raw = try RawDatabase(url)
        let after = try #require(Int(try raw.rows("SELECT COUNT(*) FROM ZITEM")[0]))
        print("seed \(seed): \(after) of \(before) items, \(report.lostPages) pages lost")
        #expect(after <= before)
        #expect(try raw.integrity == "ok")
        let left = Set(report.remaining.map(\.kind))
        #expect(
            left.isSubset(of: [.unknownEntity, .unreadableValue, .missingValue, .duplicateValue])
        )
        // The damaged file is as it was.
        #expect(try Data(contentsOf: damaged) == data)
        let store = try SQLiteStore(url: url, model: bench.model)
        _ = try TestSession(store, bench.model).fetch(FetchDescription(entityName: "Item"))
    }

    @Test func whatTheHistoryKnowsOfALostObjectIsTold() throws {
        var random = SeededRandom()
        let bench = try makeStore(&random)
        bench.session.store.close()
        try bench.raw().rows(
            "DELETE FROM ZITEM WHERE Z_PK = (SELECT MIN(Z_PK) FROM ZITEM"
                + " WHERE ZTITLE = 'changed')"
        )
        let url = bench.folder.file("saved.sqlite")
        let report = try SQLiteStore.salvage(bench.folder.file(), into: url, model: bench.model)
        #expect(report.lostObjects == 1)
        #expect(report.lost.map { $0.values["title"] } == [.string("changed")])
        #expect(report.lost.map(\.entity) == ["Task"])
    }

    @Test func whatIsNoStoreIsRefusedAndNothingIsLeft() throws {
        let bench = try TestBench(.sqlite)
        let url = bench.folder.file("saved.sqlite")
        for content in [Data(), Data("hello".utf8), Data(count: 100_000)] {
            let file = bench.folder.file("other")
            try content.write(to: file)
            #expect(throws: ObjectGraphError.self) {
                try SQLiteStore.salvage(file, into: url, model: bench.model)
            }
            #expect(!FileManager.default.fileExists(atPath: url.path))
        }
        try Data("mine".utf8).write(to: url)
        let error = #expect(throws: ObjectGraphError.self) {
            try SQLiteStore.salvage(bench.folder.file(), into: url, model: bench.model)
        }
        #expect(error?.code == .cannotWrite)
        #expect(try Data(contentsOf: url) == Data("mine".utf8))
    }
}
