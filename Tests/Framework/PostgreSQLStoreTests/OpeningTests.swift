import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import Testing

@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct OpeningTests {
    private func container(_ bench: ServerBench) throws -> PersistentContainer {
        try PostgreSQLStores.register()
        return try PersistentContainer(model: ServerBench.model(), url: bench.url)
    }

    @Test func aContainerOpensAnAddress() throws {
        let bench = try ServerBench()
        let first = try container(bench)
        try first.viewContext.add("Item", ["title": "one"])
        try first.viewContext.save()
        first.close()
        let second = try container(bench)
        #expect(try second.viewContext.found("Item").count == 1)
        let store = try #require(second.coordinator.persistentStores.first)
        #expect(store.type == .postgresql)
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: bench.url)
        #expect(metadata["NSStoreUUID"] == .string(store.identifier.uuidString))
        #expect(PersistentStoreCoordinator.storeType(at: bench.url) == .postgresql)
        let model = try PersistentStoreCoordinator.model(ofStoreAt: bench.url)
        #expect(Set(model.entities.map(\.name)) == ["Item", "List"])
    }

    @Test func aCoordinatorAddsAStoreByItsAddress() throws {
        let bench = try ServerBench()
        let coordinator = try PersistentStoreCoordinator(model: ServerBench.model())
        let reference = try coordinator.addPostgreSQLStore(bench.url)
        #expect(reference.type == .postgresql)
        let again = #expect(throws: ObjectGraphError.self) {
            try coordinator.addPostgreSQLStore(bench.url)
        }
        #expect(again?.code == .cannotOpen)
    }

    @Test func aStoreThatIsOnlyReadIsNeitherMadeNorWritten() throws {
        let bench = try ServerBench()
        var options = StoreOptions()
        options.isReadOnly = true
        let coordinator = try PersistentStoreCoordinator(model: ServerBench.model())
        let missing = #expect(throws: ObjectGraphError.self) {
            try coordinator.addPostgreSQLStore(bench.url, options: options)
        }
        #expect(missing?.code == .cannotOpen)
        _ = try bench.store()
        _ = try coordinator.addPostgreSQLStore(bench.url, options: options)
        let context = ManagedObjectContext(coordinator: coordinator)
        #expect(try context.found("Item").isEmpty)
    }

    /// Others hear of a save by the notification or by looking; both wake the same stream.
    @Test func othersHearOfASave() async throws {
        let bench = try ServerBench()
        let one = try container(bench)
        let two = try container(bench)
        var changes = two.coordinator.remoteChanges().makeAsyncIterator()
        for round in 1...3 {
            try one.viewContext.add("Item", ["rank": .int(Int64(round))])
            try one.viewContext.save()
            var transaction: Int64 = 0
            while transaction < round {
                transaction = try #require(await changes.next()).transaction
            }
            #expect(transaction == round)
        }
        two.close()
    }

    @Test func aSnapshotStaysAsItWas() throws {
        let bench = try ServerBench()
        let (context, store) = try bench.context()
        let item = try context.add("Item", ["title": "before"])
        try context.save()
        let snapshot = try store.snapshot()
        try item.setValue("after", forKey: "title")
        try context.add("Item")
        try context.save()
        let coordinator = try PersistentStoreCoordinator(model: ServerBench.model())
        coordinator.add(snapshot)
        let past = ManagedObjectContext(coordinator: coordinator)
        let found = try past.found("Item")
        #expect(found.count == 1)
        #expect(try found.first?.value(forKey: "title") == "before")
        #expect(try context.found("Item").count == 2)
    }

    @Test func metadataOfSeveralProgramsStandBesideEachOther() throws {
        let bench = try ServerBench()
        let (one, two) = (try bench.store(), try bench.store())
        one.metadata["a"] = .int(1)
        two.metadata["b"] = .int(2)
        _ = try one.save(SavePlan())
        _ = try two.save(SavePlan())
        let third = try bench.store()
        #expect(third.metadata["a"] == .int(1) && third.metadata["b"] == .int(2))
        #expect(try one.foreignMark() != nil)
        #expect(one.metadata["b"] == .int(2))
    }

    @Test func aSQLiteStoreMovesToAServerAndBack() throws {
        let bench = try ServerBench()
        try PostgreSQLStores.register()
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try PersistentContainer(
            model: ServerBench.model(),
            url: folder.appending(path: "a.sqlite")
        )
        let list = try container.viewContext.add("List", ["name": "l"])
        let ids = try (0..<300).map { number in
            try container.viewContext.add(
                "Item",
                ["rank": .int(Int64(number)), "list": .object(list)]
            )
        }
        try container.viewContext.save()
        let before = Set(ids.map(\.objectID.uri))
        let file = try #require(container.coordinator.persistentStores.first)
        let moved = try container.coordinator.migrateStore(
            file,
            to: StoreDescription(url: bench.url)
        )
        #expect(moved.type == .postgresql)
        let context = container.newContext()
        #expect(Set(try context.found("Item").map(\.objectID.uri)) == before)
        let back = try container.coordinator.migrateStore(
            moved,
            to: StoreDescription(url: folder.appending(path: "b.sqlite"))
        )
        #expect(back.type == .sqlite)
        #expect(Set(try container.newContext().found("Item").map(\.objectID.uri)) == before)
    }
}
