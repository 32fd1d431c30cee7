import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import Testing

/// A store's file that is deleted or replaced while the store is open.
@Suite struct PlaceTests {
    /// What somebody does to the files.
    enum Deed: CaseIterable {
        case delete
        case moveAway
        case replaceByOther
        case copyOlderInto
        case copySameInto
        case deleteLog
        case deleteIndex
    }

    private func save(_ session: TestSession, _ title: String) throws {
        session.insert("Task", ["title": .string(title)])
        try session.save()
    }

    private func `do`(_ deed: Deed, _ folder: TestFolder) throws {
        let path = folder.file().path
        TestFolder.waitUntilLater(than: path + "-wal", beside: path)
        let (older, other) = (folder.file("older").path, folder.file("other").path)
        switch deed {
        case .delete: #expect(unlink(path) == 0)
        case .moveAway: #expect(rename(path, path + ".moved") == 0)
        case .replaceByOther: #expect(rename(other, path) == 0)
        case .copyOlderInto: try copy(older, into: path)
        case .copySameInto: try copy(folder.file("same").path, into: path)
        case .deleteLog: #expect(unlink(path + "-wal") == 0)
        case .deleteIndex: #expect(unlink(path + "-shm") == 0)
        }
    }

    /// As `cp` does: into the same inode.
    private func copy(_ from: String, into to: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: to))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(contentsOf: URL(fileURLWithPath: from)))
        try handle.close()
    }

    private func prepare() throws -> TestBench {
        let bench = try TestBench(.sqlite)
        try save(bench.session, "one")
        bench.session.store.close()
        let path = bench.folder.file().path
        for name in ["older", "same"] {
            try FileManager.default.copyItem(atPath: path, toPath: bench.folder.file(name).path)
        }
        let other = try TestBench(.sqlite)
        other.session.store.close()
        try FileManager.default.copyItem(
            at: other.folder.file(),
            to: bench.folder.file("other")
        )
        try bench.reopen()
        try save(bench.session, "two")
        try bench.session.store.checkpoint()
        try? FileManager.default.removeItem(at: bench.folder.file("same"))
        try FileManager.default.copyItem(atPath: path, toPath: bench.folder.file("same").path)
        try save(bench.session, "three")
        return bench
    }

    @Test(arguments: Deed.allCases)
    func savesAndReadsSayThatTheFileIsGone(_ deed: Deed) throws {
        let bench = try prepare()
        try `do`(deed, bench.folder)
        let session = bench.session
        let task = session.insert("Task", ["title": "lost"])
        let saving = #expect(throws: ObjectGraphError.self) { try session.save() }
        #expect(saving?.code == .storeReplaced, "\(saving?.description ?? "")")
        #expect(saving?.message.contains("nothing was saved") == true)
        #expect(task.id.isTemporaryID)
        let reading = #expect(throws: ObjectGraphError.self) {
            try session.fetch(FetchDescription(entityName: "Task"))
        }
        #expect(reading?.code == .storeReplaced)
        let looking = #expect(throws: ObjectGraphError.self) {
            try session.store.foreignMark()
        }
        #expect(looking?.code == .storeReplaced)
        let folding = #expect(throws: ObjectGraphError.self) { try session.store.checkpoint() }
        #expect(folding?.code == .storeReplaced)
    }

    @Test(arguments: Deed.allCases)
    func closingLeavesTheNewFileAsItIs(_ deed: Deed) throws {
        let bench = try prepare()
        try `do`(deed, bench.folder)
        let before = try? Data(contentsOf: bench.folder.file())
        bench.session.store.close()
        #expect((try? Data(contentsOf: bench.folder.file())) == before)
    }

    @Test func aLostFileCanStillBeReadToSaveWhatItHeld() throws {
        let bench = try prepare()
        try `do`(.replaceByOther, bench.folder)
        bench.session.store.readsLostFile = true
        let found = try bench.session.fetch(FetchDescription(entityName: "Task"))
        #expect(found.ids.count == 3)
        bench.session.insert("Task")
        #expect(throws: ObjectGraphError.self) { try bench.session.save() }
    }

    @Test func whatOthersDoInTheUsualWayIsNoLoss() throws {
        let bench = try prepare()
        let path = bench.folder.file().path
        for round in 0..<20 {
            let other = try SQLiteStore(url: bench.folder.file(), model: bench.model)
            try save(TestSession(other, bench.model), "other \(round)")
            if round % 3 == 0 { try other.checkpoint() }
            other.close()
            if round % 4 == 0 { try bench.session.store.checkpoint() }
            // Times alone mean nothing.
            if round % 5 == 0 { utimensat(AT_FDCWD, path, nil, 0) }
            _ = try bench.session.store.foreignMark()
            try save(bench.session, "own \(round)")
        }
        #expect(try bench.session.fetch(FetchDescription(entityName: "Task")).ids.count == 43)
        let raw = try bench.raw()
        try raw.rows("UPDATE ZITEM SET ZTITLE = 'by hand'")
        try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        try save(bench.session, "after")
        try raw.rows("VACUUM")
        try raw.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        try save(bench.session, "after the vacuum")
        #expect(try bench.session.fetch(FetchDescription(entityName: "Task")).ids.count == 45)
    }
}
