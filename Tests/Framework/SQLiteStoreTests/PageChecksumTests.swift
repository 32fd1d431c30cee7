import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom
import Testing

/// The checksums of pages: what they find, what they correct, and that other programs may write.
@Suite struct PageChecksumTests {
    private func makeStore(
        _ options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws -> TestBench {
        let bench = try TestBench(.sqlite, options: options)
        let list = bench.session.insert("List", ["name": "list"])
        for index in 0..<300 {
            let task = bench.session.insert("Task", ["title": .string("task number \(index)")])
            task["notes"] = .string(String(repeating: "note \(index) ", count: 20))
            task["list"] = list.reference
        }
        try bench.session.save("fill")
        return bench
    }

    private func titles(_ bench: TestBench) throws -> [String] {
        var request = FetchDescription(entityName: "Task")
        request.sortDescriptors = [FetchSortDescriptor("rank"), FetchSortDescriptor("title")]
        return try bench.session.fetch(request).ids.map {
            guard case .string(let text) = try bench.session.value($0, "title") else { return "-" }
            return text
        }
    }

    private func flip(_ bit: Int, of url: URL) throws {
        let file = try FileHandle(forUpdating: url)
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(bit / 8))
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: UInt64(bit / 8))
        try file.write(contentsOf: Data([byte ^ UInt8(1 << (bit % 8))]))
    }

    @Test func aNewStoreHasChecksumsInAllPages() throws {
        let bench = try makeStore()
        try bench.reopen()
        let inspection = try bench.session.store.inspect(progress: nil)
        #expect(inspection.pages.isChecked)
        #expect(inspection.findings == [])
        #expect(try bench.raw().integrity == "ok")
    }

    @Test func eachFlippedBitIsFoundAndCorrectedByARepair() throws {
        let bench = try makeStore()
        bench.session.store.close()
        let url = bench.folder.file()
        let whole = try Data(contentsOf: url)
        var random = SeededRandom()
        for round in 0..<200 {
            // The first page in some rounds: it is read in its own way.
            let pages = round % 5 == 0 ? 1 : whole.count / 4096
            let bit = Int.random(in: 0..<(pages * 4096 * 8), using: &random)
            try flip(bit, of: url)
            let report = try SQLiteStore.repairPages(at: url)
            #expect(report.isChecked)
            #expect(report.corrected.count == 1, "bit \(bit)")
            #expect(try Data(contentsOf: url) == whole, "bit \(bit)")
        }
    }

    @Test func aStoreThatCannotBeOpenedOtherwiseIsReadWithTheRightBit() throws {
        let bench = try makeStore()
        let before = try titles(bench)
        bench.session.store.close()
        // The kind of the second page's B-tree, the magic number, the text encoding, the room.
        for bit in [0, 16 * 8 + 4, 20 * 8 + 3, 59 * 8, 100 * 8, 4096 * 8 + 3] {
            try flip(bit, of: bench.folder.file())
            try bench.reopen()
            #expect(try titles(bench) == before, "bit \(bit)")
            bench.session.store.close()
            _ = try SQLiteStore.repairPages(at: bench.folder.file())
        }
    }

    @Test func aFlippedBitOfATextIsReported() throws {
        let bench = try makeStore()
        bench.session.store.close()
        let url = bench.folder.file()
        let data = try Data(contentsOf: url)
        let place = try #require(data.range(of: Data("task number 7".utf8)))
        try flip(place.lowerBound * 8 + 1, of: url)
        try bench.reopen()
        _ = try titles(bench)
        #expect(bench.session.store.pages.differingInOneBit.count == 1)
        let inspection = try bench.session.store.inspect(progress: nil)
        #expect(
            inspection.findings(of: .flippedBit).map(\.examples) == [
                [Int64(place.lowerBound / 4096 + 1)]
            ]
        )
        #expect(inspection.findings(of: .staleSearchIndex).count == 1)
    }

    /// The data are right then, but the next flipped bit of the page could not be corrected.
    @Test func aFlippedBitOfAChecksumIsReportedAndRepaired() throws {
        let bench = try makeStore()
        let before = try titles(bench)
        bench.session.store.close()
        let url = bench.folder.file()
        for bit in [0, 31, 32, 63] {
            try flip((3 * 4096 - 8) * 8 + bit, of: url)
            try bench.reopen()
            let inspection = try bench.session.store.inspect(progress: nil)
            #expect(inspection.findings.map(\.kind) == [.damagedChecksum], "bit \(bit)")
            #expect(inspection.findings.map(\.examples) == [[3]], "bit \(bit)")
            #expect(try titles(bench) == before)
            bench.session.store.close()
            #expect(try SQLiteStore.repairPages(at: url).corrected.numbers == [3], "bit \(bit)")
            try bench.reopen()
            #expect(try bench.session.store.inspect(progress: nil).findings == [], "bit \(bit)")
            bench.session.store.close()
        }
    }

    @Test func whatAnotherProgramWritesIsReadAndReported() throws {
        let bench = try makeStore()
        bench.session.store.close()
        do {
            let raw = try bench.raw()
            try raw.rows("UPDATE ZITEM SET ZTITLE = 'by hand' WHERE Z_PK < 100")
            try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try bench.reopen()
        #expect(try titles(bench).filter { $0 == "by hand" }.count == 99)
        #expect(bench.session.store.pages.unverified.count > 0)
        bench.session.store.close()
        // The repair takes the pages as they are.
        let report = try SQLiteStore.repairPages(at: bench.folder.file())
        #expect(report.unverified.count > 0)
        try bench.reopen()
        #expect(try titles(bench).filter { $0 == "by hand" }.count == 99)
        #expect(bench.session.store.pages.doubtfulCount == 0)
    }

    /// A flag that another program sets changes one bit of a page.
    @Test func aFlagThatAnotherProgramSetsIsNotTakenBack() throws {
        let bench = try makeStore()
        bench.session.store.close()
        do {
            let raw = try bench.raw()
            try raw.rows("UPDATE ZITEM SET ZDONE = 1 WHERE Z_PK = 7")
            try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try bench.reopen()
        let done = FetchDescription(
            entityName: "Task",
            predicate: try FetchPredicate(format: "done == true")
        )
        #expect(try bench.session.fetch(done).ids.count == 1)
    }

    /// The log of a killed process, which another program moves into the file.
    @Test func aLogThatAnotherProgramMovesIsNotTakenForDamage() throws {
        let bench = try makeStore()
        let raw = try bench.raw()
        for round in 0..<20 {
            let list = bench.session.insert("List", ["name": .string("\(round)")])
            try bench.session.save()
            try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            #expect(try bench.session.value(list.id, "name") == .string("\(round)"))
        }
        let request = FetchDescription(entityName: "List")
        #expect(try bench.session.fetch(request).ids.count == 21)
        #expect(bench.session.store.pages.differingInOneBit.count == 0)
    }

    @Test func aBackupHasChecksumsAndRightPages() throws {
        let bench = try makeStore()
        let url = bench.folder.file("backup.sqlite")
        try bench.session.store.snapshot().backUp(to: url, progress: nil)
        let store = try SQLiteStore(url: url, model: bench.model)
        let inspection = try store.inspect(progress: nil)
        #expect(inspection.pages.isChecked)
        #expect(inspection.findings == [])
    }

    @Test func aStoreWithoutRoomGetsChecksumsByARepair() throws {
        var options = SQLiteStoreOptions()
        options.keepsChecksums = false
        let bench = try makeStore(options)
        #expect(!bench.session.store.pages.isChecked)
        let before = try titles(bench)
        bench.session.store.close()
        let report = try SQLiteStore.repairPages(at: bench.folder.file())
        #expect(report.isChecked)
        try bench.reopen()
        #expect(try titles(bench) == before)
        #expect(try bench.session.store.inspect(progress: nil).findings == [])
        #expect(try bench.session.store.inspect(progress: nil).pages.isChecked)
    }

    /// The page and the place in the file of a bit in the first title with a text.
    private func flipTitle(_ text: String, of url: URL) throws -> Int {
        let place = try #require(try Data(contentsOf: url).range(of: Data(text.utf8)))
        try flip(place.lowerBound * 8 + 1, of: url)
        return place.lowerBound / 4096 + 1
    }

    @Test func aCopyOfADamagedPageKeepsItsChecksumAndCanBeRepaired() throws {
        let bench = try makeStore()
        let before = try titles(bench)
        bench.session.store.close()
        let url = bench.folder.file()
        let page = try flipTitle("task number 7", of: url)
        try bench.reopen()
        let copy = bench.folder.file("backup.sqlite")
        let snapshot = try bench.session.store.snapshot()
        try snapshot.backUp(to: copy, progress: nil)
        #expect(snapshot.pages.differingInOneBit.numbers == [page])
        snapshot.close()
        bench.session.store.close()
        let second = bench.folder.file("second.sqlite")
        #expect(try SQLiteStore.replaceStore(at: second, with: copy).doubtfulCount == 1)
        for url in [copy, second] {
            let store = try SQLiteStore(url: url, model: bench.model)
            #expect(try store.inspect(progress: nil).findings(of: .flippedBit).count == 1)
            store.close()
            #expect(try SQLiteStore.repairPages(at: url, adopts: false).corrected.numbers == [page])
        }
        let repaired = try SQLiteStore(url: second, model: bench.model)
        #expect(try repaired.inspect(progress: nil).findings == [])
        repaired.close()
        _ = try SQLiteStore.repairPages(at: url, adopts: false)
        try bench.reopen()
        #expect(try titles(bench) == before)
        #expect(try Data(contentsOf: second).range(of: Data("task number 7".utf8)) != nil)
    }

    /// It must not look like a page that another program has moved, which may be changed.
    @Test func aCopyOfAPageThatDiffersInMoreBitsIsNotChangedUntilItIsAccepted() throws {
        let bench = try makeStore()
        bench.session.store.close()
        let url = bench.folder.file()
        let text = try #require(try Data(contentsOf: url).range(of: Data("task number 7".utf8)))
        for byte in 0..<2 { try flip((text.lowerBound + byte) * 8 + 1, of: url) }
        try bench.reopen()
        let copy = bench.folder.file("backup.sqlite")
        try bench.session.store.snapshot().backUp(to: copy, progress: nil)
        bench.session.store.close()
        #expect(try SQLiteStore.replaceStore(at: url, with: copy).unverified.count == 1)
        func change() throws {
            try bench.reopen()
            let request = FetchDescription(entityName: "Task")
            let task = try #require(try bench.session.fetch(request).ids.dropFirst(8).first)
            bench.session.update(try bench.session.object(task), ["title": "changed"])
            defer { bench.session.store.close() }
            try bench.session.save()
        }
        let error = #expect(throws: ObjectGraphError.self) { try change() }
        #expect(error?.code == .damagedFile)
        _ = try SQLiteStore.repairPages(at: url)
        try change()
        #expect(try SQLiteStore.repairPages(at: url, adopts: false).doubtfulCount == 0)
    }

    @Test func pagesOfAFileWithADamagedStructureGetNoChecksum() throws {
        let bench = try makeStore()
        bench.session.store.close()
        let url = bench.folder.file()
        let place = try #require(try Data(contentsOf: url).range(of: Data("task number 7".utf8)))
        let file = try FileHandle(forUpdating: url)
        try file.seek(toOffset: UInt64(place.lowerBound / 4096 * 4096))
        try file.write(contentsOf: Data(count: 2048))
        try file.close()
        let damaged = try Data(contentsOf: url)
        let error = #expect(throws: ObjectGraphError.self) { try SQLiteStore.repairPages(at: url) }
        #expect(error?.code == .damagedFile)
        #expect(try Data(contentsOf: url) == damaged)
    }

    @Test func aSaveThatWouldWriteADamagedPageIsRefusedUntilItsBitIsCorrected() throws {
        let bench = try makeStore()
        let before = try titles(bench)
        bench.session.store.close()
        let url = bench.folder.file()
        _ = try flipTitle("task number 7", of: url)
        try bench.reopen()
        let request = FetchDescription(entityName: "Task")
        let task = try #require(try bench.session.fetch(request).ids.dropFirst(8).first)
        bench.session.update(try bench.session.object(task), ["title": "changed"])
        let error = #expect(throws: ObjectGraphError.self) { try bench.session.save() }
        #expect(error?.code == .damagedFile)
        bench.session.store.close()
        _ = try SQLiteStore.repairPages(at: url, adopts: false)
        try bench.reopen()
        #expect(try titles(bench) == before)
        #expect(try bench.session.store.inspect(progress: nil).findings == [])
    }

    /// What such a page holds could move to another page, which would get a checksum.
    @Test func aPageThatWasWrittenElsewhereIsChangedOnlyOnceItIsAccepted() throws {
        let bench = try makeStore()
        bench.session.store.close()
        do {
            let raw = try bench.raw()
            try raw.rows("UPDATE ZITEM SET ZTITLE = 'by hand' WHERE Z_PK = 9")
            try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        func change() throws {
            try bench.reopen()
            let request = FetchDescription(entityName: "Task")
            let task = try #require(try bench.session.fetch(request).ids.dropFirst(7).first)
            bench.session.update(try bench.session.object(task), ["title": "changed"])
            try bench.session.save()
        }
        let error = #expect(throws: ObjectGraphError.self) { try change() }
        #expect(error?.code == .damagedFile)
        bench.session.store.close()
        let url = bench.folder.file()
        #expect(try SQLiteStore.repairPages(at: url, adopts: false).unverified.count > 0)
        _ = try SQLiteStore.repairPages(at: url)
        try change()
        #expect(try bench.session.store.inspect(progress: nil).pages.doubtfulCount == 0)
    }

    /// The new table would have checksums of whatever the old one holds.
    @Test func aMigrationOfAPageThatDiffersChangesNothingUntilItIsAccepted() throws {
        let bench = try makeStore()
        let before = try titles(bench)
        bench.session.store.close()
        let url = bench.folder.file()
        let text = try #require(try Data(contentsOf: url).range(of: Data("task number 7".utf8)))
        for byte in 0..<2 { try flip((text.lowerBound + byte) * 8 + 1, of: url) }
        let newer = TestModel.make { model in
            let item = model.entity(named: "Item")
            for name in ["notes", "created"] { item?.removeProperty(named: name) }
        }
        let error = #expect(throws: ObjectGraphError.self) {
            try SQLiteStore.migrate(url, to: newer)
        }
        #expect(error?.code == .damagedFile, "\(error as Any)")
        try bench.reopen()
        let damaged = try titles(bench)
        #expect(Set(damaged).subtracting(before).count == 1)
        bench.session.store.close()
        _ = try SQLiteStore.repairPages(at: url)
        try SQLiteStore.migrate(url, to: newer)
        let store = try SQLiteStore(url: url, model: newer)
        defer { store.close() }
        #expect(try store.inspect(progress: nil).pages.doubtfulCount == 0)
    }

    /// What a page without a right checksum holds is never vouched for, wherever SQLite moves it.
    @Test(arguments: [1, 2])
    func contentOfADamagedPageGetsNoChecksumWhereverItMoves(bits: Int) throws {
        var random = SeededRandom()
        for _ in 0..<5 {
            let bench = try makeStore()
            bench.session.store.close()
            let url = bench.folder.file()
            let number = 10 + random.below(280)
            let text = "task number \(number)"
            let place = try #require(try Data(contentsOf: url).range(of: Data(text.utf8)))
            var damaged = Array(text.utf8)
            for index in 0..<bits {
                try flip((place.lowerBound + index) * 8 + 1, of: url)
                damaged[index] ^= 2
            }
            try bench.reopen()
            var ids = try bench.session.fetch(FetchDescription(entityName: "Task")).ids
            let kept = GraphValue.string(String(decoding: damaged, as: UTF8.self))
            for _ in 0..<100 {
                var touched: Set<ManagedObjectID> = []
                var gone: Set<ManagedObjectID> = []
                // Ten objects near the damaged one, which stays as it is.
                for _ in 0..<10 where ids.count > 20 {
                    let near = max(0, min(ids.count - 1, number - 30 + random.below(60)))
                    let id = ids[near]
                    if try bench.session.value(id, "title") == kept { continue }
                    if !touched.insert(id).inserted { continue }
                    let object = try bench.session.object(id)
                    if random.below(4) == 0 {
                        gone.insert(id)
                        bench.session.delete(object)
                    } else {
                        let length = random.below(5) == 0 ? 900 : random.below(60)
                        let notes = String(repeating: "x", count: length)
                        bench.session.update(object, ["notes": .string(notes)])
                    }
                }
                do {
                    try bench.session.save()
                    ids.removeAll { gone.contains($0) }
                } catch let error as ObjectGraphError {
                    #expect(error.code == .damagedFile)
                    bench.session.rollback()
                }
            }
            bench.session.store.close()
            let report = try SQLiteStore.repairPages(at: url, adopts: false)
            let data = try Data(contentsOf: url)
            var start = data.startIndex
            while let found = data[start...].range(of: Data(damaged)) {
                let page = found.lowerBound / 4096 + 1
                #expect(report.unverified.numbers.contains(page), "page \(page)")
                start = found.upperBound
            }
        }
    }
}
