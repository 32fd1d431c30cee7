import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import Testing

/// The log of saves: what it holds, and which steps undo and redo would take.
@Suite struct HistoryTests {
    @Test(arguments: [StoreKind.sqlite, .memory])
    func anUpdateLogsOldAndNewValuesOfWhatChanged(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let list = session.insert("List", ["name": "Home"])
        let task = session.insert("Task", ["title": "one", "size": 3])
        try session.save("Add")
        session.update(task, ["title": "two", "size": .null, "list": list.reference])
        let number = try session.save("Edit").transaction
        try bench.reopen()
        let transaction = try #require(try bench.session.store.historyTransaction(number))
        #expect(transaction.groupName == "Edit")
        #expect(transaction.kind == .command)
        let change = try #require(transaction.changes.first)
        #expect(transaction.changes.count == 1)
        #expect(change.objectID == task.id)
        #expect(change.kind == .update)
        #expect(change.oldValues == ["title": "one", "size": 3, "list": .null])
        #expect(change.newValues == ["title": "two", "size": .null, "list": list.reference])
    }

    @Test(arguments: StoreKind.withHistory)
    func insertsLogTheirIDsAndDeletesAllOldValues(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let tasks = (0..<5).map { session.insert("Task", ["title": .string("\($0)")]) }
        let tag = session.insert("Tag", ["name": "red"])
        session.link(tasks[0], "tags", add: [tag])
        let first = try session.save().transaction
        session.delete(tasks[0])
        let second = try session.save().transaction
        let inserts = try #require(try session.store.historyTransaction(first))
        #expect(
            Set(inserts.changes.filter { $0.kind == .insert }.map(\.objectID))
                == Set(tasks.map(\.id) + [tag.id])
        )
        let changes = try #require(try session.store.historyTransaction(second)).changes
        let deletion = try #require(changes.first { $0.objectID == tasks[0].id })
        #expect(deletion.kind == .delete)
        #expect(deletion.oldValues["title"] == "0")
        #expect(deletion.oldValues["done"] == .bool(false))
        #expect(deletion.oldValues["size"] == .null)
        #expect(deletion.removedMembers["tags"] == [tag.id])
    }

    @Test(arguments: StoreKind.withHistory)
    func membershipAndOrderAreLogged(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let shelf = session.insert("Shelf")
        let tags = ["a", "b", "c"].map { session.insert("Tag", ["name": .string($0)]) }
        session.link(shelf, "tags", add: [tags[0], tags[1]], order: [tags[0], tags[1]])
        try session.save()
        session.link(
            shelf,
            "tags",
            add: [tags[2]],
            remove: [tags[0]],
            order: [tags[2], tags[1]],
            oldOrder: [tags[0], tags[1]]
        )
        let number = try session.save().transaction
        let changes = try #require(try session.store.historyTransaction(number)).changes
        let change = try #require(changes.first { $0.objectID == shelf.id })
        #expect(change.addedMembers["tags"] == [tags[2].id])
        #expect(change.removedMembers["tags"] == [tags[0].id])
        #expect(change.oldOrders["tags"] == [tags[0].id, tags[1].id])
        #expect(change.newOrders["tags"] == [tags[2].id, tags[1].id])
        #expect(try session.members(shelf.id, "tags") == [tags[2].id, tags[1].id])
    }

    @Test(arguments: StoreKind.withHistory)
    func transactionsAfterATokenComeOldestFirst(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        var numbers: [Int64] = []
        for index in 0..<5 {
            session.insert("Tag", ["name": .string("\(index)")])
            numbers.append(try session.save().transaction)
        }
        #expect(numbers == numbers.sorted())
        let store = session.store
        #expect(try store.history(after: 0, limit: 100).map(\.number) == numbers)
        #expect(
            try store.history(after: numbers[1], limit: 2).map(\.number) == [
                numbers[2], numbers[3],
            ]
        )
        #expect(try store.history(after: numbers[4], limit: 2).isEmpty)
    }

    @Test(arguments: StoreKind.withHistory)
    func undoAndRedoOfferTheTransactionsThatLastDidTheStep(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let session = bench.session
        let store = session.store
        let task = session.insert("Task", ["title": "0"])
        func edit(
            _ text: String,
            _ kind: TransactionInfo.Kind = .command,
            _ target: Int64? = nil,
            continues: Int64? = nil
        ) throws -> Int64 {
            session.update(task, ["title": .string(text)])
            return try session.save(text, kind: kind, target: target, continues: continues)
                .transaction
        }
        let insert = try session.save("Add").transaction
        let one = try edit("1")
        let more = try edit("1b", continues: one)
        let two = try edit("2")
        #expect(try store.undoSteps(limit: 9).map(\.command) == [two, one, insert])
        #expect(try store.undoSteps(limit: 9)[1].transactions == [more, one])
        #expect(try store.undoSteps(limit: 1).map(\.name) == ["2"])
        let undoTwo = try edit("1b", .undo, two)
        let undoOne = try edit("0", .undo, one)
        #expect(try store.undoSteps(limit: 9).map(\.command) == [insert])
        #expect(try store.redoSteps(limit: 9).map(\.command) == [one, two])
        #expect(try store.redoSteps(limit: 9).map(\.transactions) == [[undoOne], [undoTwo]])
        let redoOne = try edit("1b", .redo, one)
        #expect(try store.undoSteps(limit: 9).map(\.command) == [one, insert])
        #expect(try store.undoSteps(limit: 1)[0].transactions == [redoOne])
        let silent = try edit("seed", .silent)
        #expect(try store.redoSteps(limit: 9).map(\.command) == [two])
        let three = try edit("3")
        #expect(three > silent)
        #expect(try store.redoSteps(limit: 9).isEmpty)
        #expect(try store.undoSteps(limit: 9).map(\.command) == [three, one, insert])
    }

    @Test func undoingAStepThatIsUndoneIsRefusedAndWritesNothing() throws {
        let bench = try TestBench(.sqlite)
        let session = bench.session
        let task = session.insert("Task", ["title": "0"])
        let insert = try session.save().transaction
        session.update(task, ["title": "1"])
        try session.save("undo", kind: .undo, target: insert)
        session.update(task, ["title": "2"])
        let error = #expect(throws: ObjectGraphError.self) {
            try session.save("undo", kind: .undo, target: insert)
        }
        #expect(error?.code == .undoState)
        #expect(try session.value(task.id, "title") == "1")
    }

    @Test func aStoreWithoutHistoryLogsNothing() throws {
        var options = SQLiteStoreOptions()
        options.keepsHistory = false
        let bench = try TestBench(.sqlite, options: options)
        bench.session.insert("Tag", ["name": "x"])
        #expect(try bench.session.save().transaction == 0)
        #expect(try bench.session.store.history(after: 0, limit: 9).isEmpty)
        #expect(try bench.session.store.undoSteps(limit: 9).isEmpty)
    }

    /// A store at a URL, with a history or without.
    private func open(_ bench: TestBench, keepsHistory: Bool) throws -> TestSession {
        var options = SQLiteStoreOptions()
        options.keepsHistory = keepsHistory
        let store = try SQLiteStore(
            url: bench.folder.file(),
            model: bench.model,
            options: options
        )
        return TestSession(store, bench.model)
    }

    @Test func aStoreMadeWithoutHistoryHasOneFromItsNextOpeningOn() throws {
        var options = SQLiteStoreOptions()
        options.keepsHistory = false
        let bench = try TestBench(.sqlite, options: options)
        let tag = bench.session.insert("Tag", ["name": "x"])
        try bench.session.save()
        bench.session.store.close()
        // For reading only it has none, and can be read.
        var reading = SQLiteStoreOptions()
        reading.isReadOnly = true
        let reader = try SQLiteStore(
            url: bench.folder.file(),
            model: bench.model,
            options: reading
        )
        #expect(!reader.keepsHistory)
        #expect(try reader.history(after: 0, limit: 9).isEmpty)
        reader.close()
        let session = try open(bench, keepsHistory: true)
        defer { session.store.close() }
        #expect(try session.store.latestTransaction() == 0)
        session.update(tag, ["name": "y"])
        let number = try session.save("Rename").transaction
        #expect(number > 0)
        #expect(try session.store.history(after: 0, limit: 9).map(\.number) == [number])
        #expect(try session.store.undoSteps(limit: 9).map(\.command) == [number])
        #expect(try session.store.inspect(progress: nil).findings == [])
    }

    @Test func aSaveWithoutHistoryExpiresAllTokens() throws {
        let bench = try TestBench(.sqlite)
        let tag = bench.session.insert("Tag", ["name": "x"])
        let token = try bench.session.save().transaction
        bench.session.store.close()
        // Opening alone loses nothing.
        try open(bench, keepsHistory: false).store.close()
        var session = try open(bench, keepsHistory: true)
        #expect(try session.store.history(after: token, limit: 9).isEmpty)
        #expect(try session.store.undoSteps(limit: 9).map(\.command) == [token])
        session.store.close()
        var tokens = [token]
        for name in ["y", "z"] {
            session = try open(bench, keepsHistory: false)
            let same = try session.object(tag.id)
            session.update(same, ["name": .string(name)])
            try session.save()
            session.store.close()
            session = try open(bench, keepsHistory: true)
            for token in tokens {
                let error = #expect(throws: ObjectGraphError.self, "token \(token)") {
                    try session.store.history(after: token, limit: 9)
                }
                #expect(error?.code == .historyExpired)
            }
            tokens.append(try session.store.latestTransaction())
            #expect(try session.store.undoSteps(limit: 9).isEmpty)
            #expect(try session.store.inspect(progress: nil).findings == [])
            session.store.close()
        }
        // From the last of them on nothing is missing.
        session = try open(bench, keepsHistory: true)
        defer { session.store.close() }
        let same = try session.object(tag.id)
        session.update(same, ["name": "last"])
        let number = try session.save().transaction
        let last = try #require(tokens.last)
        #expect(try session.store.history(after: last, limit: 9).map(\.number) == [number])
    }

    @Test func trimmingKeepsWhatUndoPromisesAndExpiresOlderTokens() throws {
        let bench = try TestBench(.sqlite)
        let session = bench.session
        let store = try bench.sqlite
        let task = session.insert("Task", ["title": "0"])
        try session.save()
        for index in 1..<20 {
            session.update(task, ["title": .string(String(repeating: "x", count: 100 * index))])
            try session.save()
        }
        #expect(try store.trimHistory(HistoryLimit()) == 0)
        #expect(try store.trimHistory(HistoryLimit(keepsSince: .distantFuture)) == 0)
        let some = try store.trimHistory(HistoryLimit(keepsBytes: 25_000, keepsSteps: 2))
        #expect(some > 5 && some < 18)
        #expect(
            try store.trimHistory(HistoryLimit(keepsSince: .distantFuture, keepsSteps: 3)) == 17
                - some
        )
        #expect(try store.undoSteps(limit: 99).map(\.command) == [20, 19, 18])
        #expect(try store.history(after: 17, limit: 99).map(\.number) == [18, 19, 20])
        let error = #expect(throws: ObjectGraphError.self) { try store.history(after: 5, limit: 9) }
        #expect(error?.code == .historyExpired)
        #expect(try store.trimHistory(HistoryLimit(keepsSince: .distantFuture, keepsSteps: 0)) == 2)
        try bench.reopen()
        bench.session.insert("Tag")
        #expect(try bench.session.save().transaction == 21)
        #expect(try bench.session.store.history(after: 20, limit: 9)[0].changes.count == 1)
    }

    @Test func trimmingToANumberOfStepsGivesSpaceBack() throws {
        let bench = try TestBench(.sqlite)
        let session = bench.session
        let task = session.insert("Task", ["title": "0"])
        try session.save()
        for index in 1..<60 {
            session.update(
                task,
                ["title": .string(String(repeating: "\(index % 10)", count: 9000))]
            )
            try session.save()
        }
        let store = try bench.sqlite
        try store.checkpoint()
        let path = bench.folder.file().path
        func size() throws -> Int { try Data(contentsOf: URL(fileURLWithPath: path)).count }
        let before = try size()
        #expect(try store.historyExtent().steps == 60)
        var limit = HistoryLimit(keepsSteps: 0)
        limit.mostSteps = 100
        #expect(try store.trimHistory(limit) == 0)
        limit.mostSteps = 10
        #expect(try store.trimHistory(limit) == 50)
        try store.checkpoint()
        #expect(try store.undoSteps(limit: 99).map(\.command) == (51...60).reversed())
        #expect(try store.historyExtent().steps == 10)
        #expect(try before - size() > 300_000)
        #expect(try bench.raw().integrity == "ok")
    }

    @Test func erasedValuesLeaveTheFile() throws {
        let bench = try TestBench(.sqlite)
        let session = bench.session
        let task = session.insert("Task", ["title": "open"])
        let other = session.insert("Task", ["title": "stays"])
        try session.save()
        session.update(task, ["title": "secret-secret-secret"])
        session.update(other, ["title": "kept-kept"])
        let update = try session.save().transaction
        session.delete(task)
        let deletion = try session.save().transaction
        try session.store.eraseHistory(of: [task.id])
        let changes = try #require(try session.store.historyTransaction(update)).changes
        #expect(changes.first { $0.objectID == task.id }?.isErased == true)
        #expect(changes.first { $0.objectID == other.id }?.newValues == ["title": "kept-kept"])
        let gone = try #require(try session.store.historyTransaction(deletion)).changes[0]
        #expect(gone.kind == .delete && gone.isErased && gone.oldValues.isEmpty)
        session.store.close()
        for suffix in ["", "-wal"] {
            let path = bench.folder.file().path + suffix
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            #expect(data.range(of: Data("secret-secret".utf8)) == nil, "\(suffix)")
        }
    }

    @Test func erasedWordsLeaveTheSearchIndexToo() throws {
        let bench = try TestBench(.sqlite)
        let session = bench.session
        let task = session.insert("Task", ["title": "qzxjqvk"])
        let other = session.insert("Task", ["title": "stays here"])
        try session.save()
        session.update(task, ["title": "open"])
        try session.save()
        // The parts of a word that nothing else has; the index keeps them until it is merged.
        func words() throws -> [String] {
            let data = try Data(contentsOf: bench.folder.file())
            return ["qzx", "zxj", "xjq", "jqv"].filter { data.range(of: Data($0.utf8)) != nil }
        }
        try session.store.checkpoint()
        #expect(try words() != [])
        try session.store.eraseHistory(of: [task.id])
        #expect(try words() == [])
        session.update(other, ["title": "stays there"])
        try session.save()
    }
}
