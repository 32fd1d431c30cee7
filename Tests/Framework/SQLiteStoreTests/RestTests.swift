import CSQLite
import Foundation
import ObjectModel
import ObjectStore
import Testing

@testable import SQLiteStore

/// At rest a store is one file, whoever used it and however often.
@Suite struct RestTests {
    private func names(_ folder: TestFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test func closingLeavesOneFileThatHoldsEverything() throws {
        let bench = try TestBench(.sqlite)
        bench.session.insert("Task", ["title": "a"])
        try bench.session.save()
        bench.session.store.close()
        #expect(try names(bench.folder) == ["store.sqlite"])
        let copy = bench.folder.file("copy.sqlite")
        try FileManager.default.copyItem(at: bench.folder.file(), to: copy)
        #expect(try RawDatabase(copy).rows("SELECT ZTITLE FROM ZITEM") == ["a"])
    }

    @Test func aStoreThatIsLetGoOfLeavesOneFile() throws {
        let folder = try TestFolder()
        do {
            let model = TestModel.make()
            let store = try SQLiteStore(url: folder.file(), model: model)
            let session = TestSession(store, model)
            session.insert("Task")
            try session.save()
        }
        #expect(try names(folder) == ["store.sqlite"])
    }

    @Test func releasedMemoryIsThatOfReadPages() throws {
        let bench = try TestBench(.sqlite)
        for number in 0..<2000 {
            bench.session.insert("Task", ["title": .string("task \(number)")])
        }
        try bench.session.save()
        let store = try SQLiteStore(url: bench.folder.file(), model: bench.model)
        func pages() -> Int32 {
            var (now, peak): (Int32, Int32) = (0, 0)
            sqlite3_db_status(store.connection.handle, SQLITE_DBSTATUS_CACHE_USED, &now, &peak, 0)
            return now
        }
        func titles() throws -> Int64? {
            try store.connection.integer("SELECT COUNT(*) FROM ZITEM WHERE ZTITLE LIKE 'task%'")
        }
        #expect(try titles() == 2000)
        #expect(pages() > 100_000)
        store.releaseMemory()
        #expect(pages() < 10_000)
        #expect(try titles() == 2000)
        store.close()
    }

    @Test func theLastOfSeveralToCloseLeavesOneFile() throws {
        let bench = try TestBench(.sqlite)
        bench.session.insert("Task")
        try bench.session.save()
        let snapshot = try bench.session.store.snapshot()
        let other = try SQLiteStore(url: bench.folder.file(), model: bench.model)
        bench.session.store.close()
        other.close()
        snapshot.close()
        #expect(try names(bench.folder) == ["store.sqlite"])
    }

    @Test func reopeningForReadingLeavesOneFileAsItWas() throws {
        let bench = try TestBench(.sqlite)
        bench.session.insert("Task")
        try bench.session.save()
        bench.session.store.close()
        let before = try Data(contentsOf: bench.folder.file())
        var options = SQLiteStoreOptions()
        options.isReadOnly = true
        let store = try SQLiteStore(url: bench.folder.file(), model: bench.model, options: options)
        #expect(try store.latestTransaction() == 1)
        store.close()
        #expect(try SQLiteStore.metadata(at: bench.folder.file())["NSStoreType"] == "SQLite")
        #expect(try names(bench.folder) == ["store.sqlite"])
        #expect(try Data(contentsOf: bench.folder.file()) == before)
    }

    @Test func oneOfManyKeepsTheFileUpToDate() throws {
        let bench = try TestBench(.sqlite)
        let other = try SQLiteStore(url: bench.folder.file(), model: bench.model)
        let session = TestSession(other, bench.model)
        session.insert("Task", ["title": "by the other"])
        try session.save()
        other.close()
        let copy = bench.folder.file("copy.sqlite")
        try FileManager.default.copyItem(at: bench.folder.file(), to: copy)
        #expect(try RawDatabase(copy).rows("SELECT ZTITLE FROM ZITEM") == ["by the other"])
    }

    @Test func theLogStaysShortWhileTheStoreIsOpen() throws {
        let bench = try TestBench(.sqlite)
        var longest = 0
        for index in 0..<400 {
            for _ in 0..<5 { bench.session.insert("Note", ["body": .string("\(index)")]) }
            try bench.session.save()
            longest = max(longest, bench.session.store.logSize)
        }
        #expect(longest > 0 && longest < 8 << 20, "\(longest) bytes")
        try bench.session.store.checkpoint()
        #expect(bench.session.store.logSize == 0)
    }

    @Test(arguments: [0o000, 0o022, 0o777] as [mode_t])
    func filesAreTheirOwnersFromTheFirstByte(_ mask: mode_t) async throws {
        let folder = try TestFolder()
        let path = folder.file().path
        await #expect(processExitsWith: .success) {
            [path = path as String, mask = mask as UInt32] in
            umask(mask)
            let model = TestModel.make { model in
                let data = model.entity(named: "Values")?.property(own: "data")
                (data as? AttributeDescription)?.allowsExternalStorage = true
            }
            let store = try SQLiteStore(url: URL(fileURLWithPath: path), model: model)
            let session = TestSession(store, model)
            session.insert("Values", ["data": .data(Data(repeating: 1, count: 300_000))])
            try session.save()
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            var seen = 0
            let all = try #require(FileManager.default.enumerator(atPath: folder.path))
            for case let name as String in all {
                var status = stat()
                try #require(stat(folder.path + "/" + name, &status) == 0)
                let isFolder = status.st_mode & S_IFMT == S_IFDIR
                #expect(status.st_mode & 0o777 == (isFolder ? 0o700 : 0o600), "\(name)")
                seen += 1
            }
            // The store, its log and index, two folders and a file of data.
            #expect(seen == 6)
            store.close()
        }
    }

    @Test func aStoreThatOthersCouldReadIsNarrowed() throws {
        let bench = try TestBench(.sqlite)
        bench.session.store.close()
        chmod(bench.folder.file().path, 0o644)
        try bench.reopen()
        bench.session.insert("Task")
        try bench.session.save()
        for suffix in ["", "-wal", "-shm"] {
            var status = stat()
            #expect(stat(bench.folder.file().path + suffix, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(suffix)")
        }
    }

    @Test func aStoreBehindALinkKeepsItsLogWithTheFile() throws {
        let folder = try TestFolder()
        let (real, link) = (folder.file("real.sqlite"), folder.file("link.sqlite"))
        try FileManager.default.createSymbolicLink(
            atPath: link.path,
            withDestinationPath: "real.sqlite"
        )
        let model = TestModel.make()
        for count in 1...2 {
            let store = try SQLiteStore(url: link, model: model)
            let session = TestSession(store, model)
            session.insert("Task")
            try session.save()
            #expect(FileManager.default.fileExists(atPath: real.path + "-wal"))
            store.close()
            #expect(try names(folder) == ["link.sqlite", "real.sqlite"])
            #expect(try RawDatabase(real).rows("SELECT COUNT(*) FROM ZITEM") == ["\(count)"])
        }
    }
}
