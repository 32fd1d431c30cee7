import Foundation
import Glibc
import ObjectContext
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import Synchronization
import Testing

@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct WriterTests {
    private final class Counter: Sendable {
        let value = Mutex(0)
    }

    /// A reader that asks again and again gets every transaction, once, in the order of the numbers:
    /// none is committed behind one that it has seen.
    @Test func historyHasNoGapsWhileFourWrite() async throws {
        let (writers, saves) = (4, 20)
        let bench = try ServerBench()
        _ = try bench.store()
        let url = bench.url
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    let coordinator = try PersistentStoreCoordinator(model: ServerBench.model())
                    coordinator.add(try PostgreSQLStore(url: url, model: coordinator.model))
                    let context = ManagedObjectContext(coordinator: coordinator)
                    for number in 0..<saves {
                        try context.add("Item", ["title": .string("\(writer) \(number)")])
                        try context.save()
                    }
                }
            }
            group.addTask {
                let reader = try PostgreSQLStore(url: url, model: ServerBench.model())
                var seen: [Int64] = []
                while seen.count < writers * saves {
                    let found = try reader.history(after: seen.last ?? 0, limit: 7)
                    #expect(found.allSatisfy { $0.changes.count == 1 })
                    seen += found.map(\.number)
                }
                #expect(seen == Array(1...Int64(writers * saves)))
            }
            try await group.waitForAll()
        }
        let (context, _) = try bench.context()
        let titles = try context.found("Item").map { try $0.value(forKey: "title") }
        #expect(titles.count == writers * saves && Set(titles).count == titles.count)
    }

    /// However many write, the server is asked for a notification some times a second.
    @Test func writersOfALibraryNotifyTogetherAFewTimesASecond() async throws {
        let (writers, saves) = (4, 40)
        let bench = try ServerBench()
        _ = try bench.store()
        let url = bench.url
        let count = Counter()
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<writers {
                group.addTask {
                    let coordinator = try PersistentStoreCoordinator(model: ServerBench.model())
                    let store = try PostgreSQLStore(url: url, model: coordinator.model)
                    store.trace { sql, _ in
                        if sql.hasPrefix("NOTIFY") { count.value.withLock { $0 += 1 } }
                    }
                    coordinator.add(store)
                    let context = ManagedObjectContext(coordinator: coordinator)
                    for number in 0..<saves {
                        try context.add("Item", ["rank": .int(Int64(number))])
                        try context.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        let most = 1 + Int((ContinuousClock.now - start) / .milliseconds(250))
        let notified = count.value.withLock { $0 }
        #expect(notified >= 1 && notified <= most, "\(notified) of \(writers * saves) in \(most)")
    }

    @Test func aConflictIsReportedAndTheSecondSaveSucceeds() throws {
        let bench = try ServerBench()
        let (one, _) = try bench.context()
        let item = try one.add("Item", ["title": "start"])
        try one.save()
        let (two, _) = try bench.context()
        let same = try #require(try two.found("Item").first)
        try same.setValue("theirs", forKey: "title")
        try two.save()
        try item.setValue("ours", forKey: "title")
        let error = #expect(throws: ObjectGraphError.self) { try one.save() }
        #expect(error?.code == .mergeConflict)
        one.mergePolicy = .mergeByPropertyObjectTrump
        try one.save()
        two.reset()
        #expect(try two.found("Item").first?.value(forKey: "title") == "ours")
    }

    @Test func readingAndOpeningTakeFewRoundTrips() throws {
        let bench = try ServerBench()
        let (writer, _) = try bench.context(searched: true)
        for number in 0..<60 {
            let list = try writer.add("List", ["name": .string("list \(number % 7)")])
            try writer.add("Item", ["title": .string("item \(number)"), "list": .object(list)])
        }
        try writer.save(as: "Add")
        let (context, store) = try bench.context(searched: true)
        #expect(store.roundTrips <= 5)
        var before = store.roundTrips
        func trips() -> Int {
            defer { before = store.roundTrips }
            return store.roundTrips - before
        }
        // A screen: rows in their order, what they lead to, and how many there are.
        var request = FetchRequest<ManagedObject>(
            entityName: "Item",
            sortDescriptors: [FetchSortDescriptor("title")]
        )
        request.limit = 50
        request.relationshipKeyPathsForPrefetching = ["list"]
        let items = try context.fetch(request)
        for item in items { _ = try item.value(forKeyPath: "list.name") }
        #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Item")) == 60)
        #expect(trips() <= 3)
        #expect(try context.search("item", entityName: "Item", limit: 50).count == 50)
        #expect(trips() == 1)
        #expect(try context.undoSteps().count == 1)
        #expect(trips() == 1)
        #expect(try store.history(after: 0, limit: 10).first?.changes.count == 120)
        #expect(trips() == 1)
        #expect(try store.historyChangeCount(after: 0, limit: 1000) == 120)
        #expect(trips() == 1)
        // Undo reads its step and the history, and saves.
        #expect(try context.undoLastCommand()?.isDone == true)
        #expect(trips() <= 10)
    }

    /// What a window does with a key: it merges, saves, and takes its own step into its counts.
    ///
    /// The server is waited for twice: the lock with what is compared, and the commit.
    @Test func aKeyThatChangesSomethingTakesTwoRoundTrips() throws {
        let bench = try ServerBench()
        let (writer, _) = try bench.context(searched: true)
        let list = try writer.add("List", ["name": "all"])
        try writer.add("Item", ["title": "one", "list": .object(list)])
        try writer.save(as: "Add")
        let (context, store, follower) = try bench.following()
        let item = try #require(try context.found("Item").first)
        let items = try #require(try context.found("List").first)
        try context.readAhead(["items"], of: [items.objectID])
        let members = try #require(
            items.entity.property(named: "items") as? RelationshipDescription
        )
        var before = store.roundTrips
        func trips() -> Int {
            defer { before = store.roundTrips }
            return store.roundTrips - before
        }
        func key(_ change: () throws -> Void) throws -> Int {
            let place = try store.latestTransaction()
            try follower.catchUp()
            try change()
            try follower.catchUp()
            try store.reading {
                #expect(try store.historyChangeCount(after: place, limit: 10) == 1)
                #expect(try store.history(after: place, limit: 10).map(\.number) == [place + 1])
                var found = 0
                try context.forEachRow(of: [item.objectID], keepsRows: false, isFresh: true) {
                    _,
                    _ in found += 1
                }
                #expect(found == 1)
                #expect(try store.destinations(of: members, owners: [items.objectID])[0].count == 1)
            }
            #expect(try context.found("List", by: "name").count == 1)
            return trips()
        }
        _ = try context.found("List", by: "name")
        _ = trips()
        func change(_ title: String) throws {
            try item.setValue(.string(title), forKey: "title")
            try context.save(as: title)
        }
        #expect(try key { try change("two") } == 2)
        #expect(try key { try change("three") } == 2)
        var undone: String?
        func title() throws -> GraphValue { try item.value(forKey: "title") }
        #expect(try key { undone = try context.undoLastCommand()?.step.name } == 2)
        #expect(undone == "three")
        #expect(try title() == "two")
        #expect(try key { undone = try context.undoLastCommand()?.step.name } == 2)
        #expect(undone == "two")
        #expect(try title() == "one")
        #expect(try key { undone = try context.redoLastCommand()?.step.name } == 2)
        #expect(undone == "two")
        // The history has the same as the memory.
        let known = try store.history(after: 0, limit: 100)
        context.coordinator.answersFromMemory = false
        let read = try store.history(after: 0, limit: 100)
        #expect(known.map(\.changes) == read.map(\.changes) && read.count == 6)
        #expect(try context.undoSteps().map(\.name) == ["two"])
    }

    /// A save of somebody else ends what is known, also if no notice of it has come: an undo that was
    /// chosen before compares again.
    @Test func memoryEndsWithTheSavesOfOthers() throws {
        let bench = try ServerBench()
        let (context, store, follower) = try bench.following()
        let item = try context.add("Item", ["title": "mine", "rank": 1])
        try context.save(as: "Add")
        try item.setValue("changed", forKey: "title")
        try context.save(as: "Change")
        let (other, _) = try bench.context(searched: true)
        let same = try #require(try other.found("Item").first)
        try same.setValue("theirs", forKey: "title")
        try other.save(as: "Other")
        let outcome = try #require(try context.undoLastCommand())
        #expect(!outcome.isDone && outcome.conflicts.map(\.key) == ["title"])
        let news = try follower.catchUp()
        #expect(news.stepNames == ["Other"])
        #expect(try item.value(forKey: "title") == "theirs")
        #expect(try store.history(after: 0, limit: 10).count == 3)
        try same.setValue(.int(7), forKey: "rank")
        try other.save(as: "Rank")
        let end = ContinuousClock.now + .seconds(20)
        while store.isCurrent, ContinuousClock.now < end { sched_yield() }
        let found = try context.found("Item", nil, by: "rank")
        #expect(try found.first?.value(forKey: "rank") == 1)
        #expect(try follower.catchUp().stepNames == ["Rank"])
        #expect(try found.first?.value(forKey: "rank") == 7)
    }

    /// What a save costs is in its round trips, not in its statements.
    @Test func aSaveTakesTwoRoundTripsAndACopyTwoMore() throws {
        let bench = try ServerBench()
        let (context, store) = try bench.context()
        let list = try context.add("List", ["name": "all"])
        for number in 0..<50 {
            try context.add("Item", ["rank": .int(Int64(number)), "list": .object(list)])
        }
        try context.save()
        var before = store.roundTrips
        for item in try context.found("Item") { try item.setValue(.int(7), forKey: "rank") }
        before = store.roundTrips
        try context.save()
        #expect(store.roundTrips - before == 2)
        for number in 0..<500 { try context.add("Item", ["rank": .int(Int64(number))]) }
        before = store.roundTrips
        try context.save()
        #expect(store.roundTrips - before <= 5)
        #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Item")) == 550)
    }
}
