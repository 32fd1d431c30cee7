import CFaultyDisk
import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import Testing

/// Failures at every point: a save happens as a whole or not at all.
@Suite(.serialized) struct FaultTests {
    /// A store with some objects, and the change that is made to it under faults.
    struct Subject {
        let session: TestSession
        let task: TestObject
        let tag: TestObject
        let list: TestObject

        init(_ bench: TestBench) throws {
            session = bench.session
            list = session.insert("List", ["name": "Home"])
            task = session.insert("Task", ["title": "before", "list": list.reference])
            tag = session.insert("Tag", ["name": "red"])
            session.link(task, "tags", add: [tag])
            for index in 0..<40 { session.insert("Note", ["title": .string("note \(index)")]) }
            try session.save("Begin")
        }
    }

    /// An edit of several tables: rows, a deletion, a link, history and search index.
    static func edit(_ session: TestSession, _ task: TestObject, _ tag: TestObject) {
        session.update(task, ["title": "after"])
        session.delete(tag)
        let green = session.insert("Tag", ["name": "green"])
        session.link(task, "tags", add: [green])
        for index in 0..<200 {
            session.insert("Note", ["title": .string("new \(index)"), "body": "some text"])
        }
    }

    /// What a store holds, in a line.
    static func state(_ url: URL) throws -> String {
        let raw = try RawDatabase(url)
        return try [
            "SELECT COUNT(*), SUM(ZTITLE = 'after') FROM ZITEM",
            "SELECT GROUP_CONCAT(ZNAME) FROM (SELECT ZNAME FROM ZTAG ORDER BY ZNAME)",
            "SELECT COUNT(*) FROM Z_1TAGS",
            "SELECT COUNT(*), MAX(first + count) FROM OG_TRANSACTION",
            "SELECT MAX(id) + 1 FROM OG_CHANGE",
            "SELECT COUNT(*) FROM OG_SEARCH_ZITEM WHERE OG_SEARCH_ZITEM MATCH '\"aft\"'",
        ].map { try raw.rows($0).joined() }.joined(separator: "; ")
    }

    @Test(arguments: [FAULTY_ERROR, FAULTY_FULL])
    func anyFailingWriteLeavesTheStoreBeforeOrAfterTheSave(_ mode: Int) throws {
        let claimed = faulty_disk_claim()
        defer { faulty_disk_release() }
        try #require(claimed == 0)
        var options = SQLiteStoreOptions()
        options.fileSystem = "faulty"
        var (before, after) = ("", "")
        var failures = 0
        var number = 1
        while true {
            faulty_disk_set(Int32(FAULTY_NEVER), 0)
            let bench = try TestBench(.sqlite, options: options)
            let subject = try Subject(bench)
            let title = try subject.session.value(subject.task.id, "title")
            if before.isEmpty { before = try Self.state(bench.folder.file()) }
            Self.edit(subject.session, subject.task, subject.tag)
            faulty_disk_set(Int32(mode), number)
            var failure: (any Error)?
            do { try subject.session.save("Edit") } catch { failure = error }
            let operations = faulty_disk_count()
            faulty_disk_set(Int32(FAULTY_NEVER), 0)
            if let failure {
                failures += 1
                let error = try #require(failure as? ObjectGraphError, "\(failure)")
                #expect(error.code == .cannotWrite, "write \(number): \(error)")
                #expect(title == "before")
                #expect(try subject.session.value(subject.task.id, "title") == "before")
                // The same connection works again once the disk does.
                subject.session.rollback()
                Self.edit(subject.session, try subject.session.object(subject.task.id), subject.tag)
                try subject.session.save("Edit")
            }
            bench.session.store.close()
            let state = try Self.state(bench.folder.file())
            if after.isEmpty, failure == nil { after = state }
            #expect(try bench.raw().integrity == "ok", "write \(number)")
            if failure == nil, operations < number { break }
            number += 1
        }
        #expect(failures > 5)
        #expect(before != after)
    }

    @Test(arguments: [FAULTY_KILL, FAULTY_TORN], [1, 2, 3, 5, 8, 13, 21, 34])
    func killedWhileSavingTheStoreIsBeforeOrAfterTheSave(_ mode: Int, _ number: Int) async throws {
        let bench = try TestBench(.sqlite)
        let subject = try Subject(bench)
        let (task, tag) = (subject.task.id.uri, subject.tag.id.uri)
        bench.session.store.close()
        let url = bench.folder.file()
        let before = try Self.state(url)
        let path = url.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, mode, number, task = task as String, tag = tag as String] in
            _ = faulty_disk_register()
            var options = SQLiteStoreOptions()
            options.fileSystem = "faulty"
            let model = TestModel.make()
            let store = try SQLiteStore(
                url: URL(fileURLWithPath: path),
                model: model,
                options: options
            )
            let session = TestSession(store, model)
            let objects = try [task, tag].map {
                try session.object(try #require(store.space.id(uri: $0)))
            }
            FaultTests.edit(session, objects[0], objects[1])
            faulty_disk_set(Int32(mode), number)
            try session.save("Edit")
            // The edit took fewer writes: end the process in the same way, after it.
            kill(getpid(), SIGKILL)
        }
        #expect(try bench.raw().integrity == "ok")
        let state = try Self.state(url)
        let store = try SQLiteStore(url: url, model: bench.model)
        let session = TestSession(store, bench.model)
        let found = try session.fetch(
            FetchDescription(
                entityName: "Item",
                predicate: try FetchPredicate(format: "title == 'after'")
            )
        )
        #expect(found.ids.isEmpty == (state == before), "write \(number): \(state)")
        session.insert("Task", ["title": "next"])
        try session.save()
        store.close()
        #expect(try bench.raw().integrity == "ok")
    }

    @Test(arguments: [FAULTY_KILL, FAULTY_TORN], [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 40])
    func killedWhileMakingTheStoreItIsMadeWhenNextOpened(_ mode: Int, _ number: Int) async throws {
        let folder = try TestFolder()
        let path = folder.file().path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, mode, number] in
            _ = faulty_disk_register()
            var options = SQLiteStoreOptions()
            options.fileSystem = "faulty"
            faulty_disk_set(Int32(mode), number)
            let store = try SQLiteStore(
                url: URL(fileURLWithPath: path),
                model: TestModel.make(),
                options: options
            )
            store.close()
            // Making it took fewer writes.
            kill(getpid(), SIGKILL)
        }
        let model = TestModel.make()
        let store = try SQLiteStore(url: URL(fileURLWithPath: path), model: model)
        let session = TestSession(store, model)
        session.insert("Task", ["title": "first"])
        try session.save()
        store.close()
        #expect(try RawDatabase(folder.file()).integrity == "ok")
    }

    @Test func twoWritingProcessesLoseNothingAndShareNoKey() async throws {
        let bench = try TestBench(.sqlite)
        let shared = bench.session.insert("Task", ["title": "", "rank": 0])
        try bench.session.save()
        let (uri, path) = (shared.id.uri, bench.folder.file().path)
        bench.session.store.close()
        async let first = #expect(processExitsWith: .success) {
            [path = path as String, uri = uri as String] in
            try ConcurrentWriter.run(path, uri, name: "a", property: "rank")
        }
        async let second = #expect(processExitsWith: .success) {
            [path = path as String, uri = uri as String] in
            try ConcurrentWriter.run(path, uri, name: "b", property: "size")
        }
        _ = await (first, second)
        try bench.reopen()
        let count = Int64(ConcurrentWriter.rounds)
        #expect(try bench.session.value(shared.id, "rank") == .int(count))
        #expect(try bench.session.value(shared.id, "size") == .int(count))
        let raw = try bench.raw()
        #expect(try raw.integrity == "ok")
        #expect(try raw.rows("SELECT COUNT(*) FROM ZTAG") == ["\(2 * count)"])
        #expect(
            try raw.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'")
                == ["\(2 * count)"]
        )
        let numbers = try bench.session.store.history(after: 0, limit: 10_000).map(\.number)
        #expect(numbers == Array(1...Int64(numbers.count)))
        #expect(numbers.count == 1 + 2 * Int(count))
    }
}

/// One of two processes that write to one store: adds an object and counts a property of a shared
/// one up, again and again, merging what the other did.
enum ConcurrentWriter {
    static let rounds = 150

    static func run(_ path: String, _ uri: String, name: String, property: String) throws {
        do {
            try write(path, uri, name, property)
        } catch {
            // The report of an exit test does not tell it.
            print("writer \(name): \(error)")
            throw error
        }
    }

    private static func write(
        _ path: String,
        _ uri: String,
        _ name: String,
        _ property: String
    ) throws {
        let model = TestModel.make()
        let store = try SQLiteStore(url: URL(fileURLWithPath: path), model: model)
        let session = TestSession(store, model)
        let id = try #require(store.space.id(uri: uri))
        for round in 0..<rounds {
            while true {
                try store.load([id])
                let shared = try session.object(id)
                session.insert("Tag", ["name": .string("\(name)\(round)")])
                let count = shared[property].integerValue ?? 0
                session.update(shared, [property: .int(count + 1)])
                do {
                    try session.save()
                    break
                } catch is StoreConflict {
                    session.rollback()
                }
            }
        }
        store.close()
    }
}
