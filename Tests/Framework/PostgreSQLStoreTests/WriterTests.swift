import Foundation
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
        #expect(trips() <= 12)
    }

    /// What a save costs is in its round trips, not in its statements.
    @Test func aSaveTakesThreeRoundTripsAndACopyTwoMore() throws {
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
        #expect(store.roundTrips - before == 3)
        for number in 0..<500 { try context.add("Item", ["rank": .int(Int64(number))]) }
        before = store.roundTrips
        try context.save()
        #expect(store.roundTrips - before <= 6)
        #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Item")) == 550)
    }
}
