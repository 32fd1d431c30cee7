import CFaultyDisk
import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom
import Testing

/// Kinds of failures beyond those of writing.
enum FaultKind: Int, CaseIterable, CustomTestStringConvertible {
    case anyCall
    case busy
    case held
    case memory
    case noMemory

    var mode: Int32 {
        switch self {
        case .anyCall: Int32(FAULTY_ANY)
        case .busy: Int32(FAULTY_BUSY)
        case .held: Int32(FAULTY_HELD)
        case .memory: Int32(FAULTY_MEMORY)
        case .noMemory: Int32(FAULTY_NO_MEMORY)
        }
    }

    var testDescription: String { "\(self)" }
}

extension FaultTests {
    /// The save whose nth call fails, from opening the store to closing it; what it leaves.
    private struct Attempt {
        var opening: (any Error)?
        var saving: (any Error)?
        var again: (any Error)?
        var count = 0
    }

    private func attempt(
        _ url: URL,
        _ uris: [String],
        _ kind: FaultKind,
        _ number: Int
    ) throws -> Attempt {
        var result = Attempt()
        var options = SQLiteStoreOptions()
        options.fileSystem = "faulty"
        let model = TestModel.make()
        faulty_disk_set(kind.mode, number)
        let store: SQLiteStore
        do {
            store = try SQLiteStore(url: url, model: model, options: options)
        } catch {
            result.opening = error
            result.count = faulty_disk_count()
            faulty_disk_set(Int32(FAULTY_NEVER), 0)
            return result
        }
        defer { store.close() }
        func edit() throws {
            let session = TestSession(store, model)
            let objects = try uris.map { try session.object(try #require(store.space.id(uri: $0))) }
            FaultTests.edit(session, objects[0], objects[1])
            try session.save("Edit")
        }
        do { try edit() } catch { result.saving = error }
        result.count = faulty_disk_count()
        faulty_disk_set(Int32(FAULTY_NEVER), 0)
        // The same connection works again.
        if result.saving != nil {
            do { try edit() } catch { result.again = error }
        }
        return result
    }

    @Test(arguments: FaultKind.allCases)
    func anyFailingCallLeavesTheStoreBeforeOrAfterTheSave(_ kind: FaultKind) throws {
        let claimed = faulty_disk_claim()
        defer { faulty_disk_release() }
        try #require(claimed == 0)
        let bench = try TestBench(.sqlite)
        let subject = try Subject(bench)
        let uris = [subject.task.id.uri, subject.tag.id.uri]
        bench.session.store.close()
        let url = bench.folder.file()
        let original = try Data(contentsOf: url)
        let before = try Self.state(url)
        let whole = try attempt(url, uris, kind, 0)
        #expect(whole.opening == nil && whole.saving == nil)
        let after = try Self.state(url)
        #expect(before != after)
        let seed = UInt64.random(in: 0..<1_000_000)
        var random = SeededRandom(seed: seed)
        var tally = FaultTally("save, \(kind), seed \(seed)")
        for number in FaultTally.numbers(to: whole.count, few: 25, &random) {
            let place = "seed \(seed), \(kind) \(number) of \(whole.count)"
            for suffix in ["-wal", "-shm", "-journal"] { unlink(url.path + suffix) }
            try original.write(to: url)
            let found = try attempt(url, uris, kind, number)
            for error in [found.opening, found.saving].compactMap({ $0 }) {
                #expect(error is ObjectGraphError, "\(place): \(error)")
            }
            let state = try Self.state(url)
            if found.opening != nil {
                tally.tried("not opened")
                if state != before {
                    tally.loses()
                    Issue.record("\(place): \(state)")
                }
            } else {
                tally.tried(found.saving == nil ? "saved" : "not saved")
                // After a failed save the second attempt of the same connection has saved.
                if state != after || found.again != nil {
                    tally.loses()
                    Issue.record("\(place): \(state), \(String(describing: found))")
                }
            }
            #expect(try bench.raw().integrity == "ok", "\(place)")
            let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.url.path)
            let left = names.filter { $0.hasPrefix("store") && $0 != url.lastPathComponent }
            if found.opening == nil { #expect(left == [], "\(place)") }
        }
        tally.report()
    }

    /// A value that SQLite cannot copy must not be written as none.
    @Test func saveWithoutMemoryForAValueWritesItLaterOrNotAtAll() throws {
        let claimed = faulty_disk_claim()
        defer { faulty_disk_release() }
        try #require(claimed == 0)
        let bench = try TestBench(.sqlite)
        let session = bench.session
        let text = GraphValue.string(String(repeating: "long ", count: 20_000))
        let data = GraphValue.data(Data(repeating: 7, count: 5_000))
        var (number, failures, count) = (0, 0, 0)
        repeat {
            number += 1
            session.insert("Values", ["string": text, "data": data])
            faulty_disk_set(Int32(FAULTY_MEMORY), number)
            do { try session.save() } catch { failures += 1 }
            count = faulty_disk_count()
            faulty_disk_set(Int32(FAULTY_NEVER), 0)
            let lost = "SELECT COUNT(*) FROM ZVALUES WHERE ZSTRING IS NULL OR ZDATA IS NULL"
            #expect(try bench.raw().rows(lost) == ["0"], "request \(number)")
        } while count >= number
        #expect(failures > 0)
    }

    /// A connection that stayed in a transaction would refuse every later save.
    @Test(arguments: [false, true])
    func workWithoutMemoryLetsTheNextSaveBegin(_ writes: Bool) throws {
        let claimed = faulty_disk_claim()
        defer { faulty_disk_release() }
        try #require(claimed == 0)
        let bench = try TestBench(.sqlite)
        try bench.session.save()
        bench.session.store.close()
        let model = TestModel.make()
        var (number, failures, count) = (0, 0, 0)
        repeat {
            number += 1
            let store = try SQLiteStore(url: bench.folder.file(), model: model)
            defer { store.close() }
            let session = TestSession(store, model)
            func work() throws {
                if !writes { return try store.reading { _ = try store.historyName(1) } }
                session.insert("Note", ["title": "some"])
                try session.save()
            }
            try work()
            // The second lack of memory meets what is left of the first.
            for call in [1, number] {
                faulty_disk_set(Int32(FAULTY_NO_MEMORY), call)
                do { try work() } catch { failures += 1 }
                count = faulty_disk_count()
                faulty_disk_set(Int32(FAULTY_NEVER), 0)
            }
            session.insert("Note", ["title": "last"])
            #expect(throws: Never.self, "request \(number)") { try session.save() }
        } while count >= number
        #expect(failures > 0)
    }
}
