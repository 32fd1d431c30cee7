import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import SQLiteStore
import Testing

/// A coordinator over a store of each kind that gives snapshots; its folder goes with it.
final class StoreBench {
    let coordinator: PersistentStoreCoordinator
    let folder: URL

    init(
        _ kind: StoreType,
        model: ManagedObjectModel = TestGraph.model(),
        classes: [String: ManagedObject.Type] = [:]
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "ObjectContextTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        coordinator = try PersistentStoreCoordinator(model: model, classes: classes)
        let model = coordinator.model
        if kind == .inMemory {
            coordinator.add(try InMemoryStore(model: model))
        } else {
            let url = folder.appending(path: "store.sqlite")
            coordinator.add(try SQLiteStore(url: url, model: model))
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func context() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }
}

@Suite("Contexts pinned to the store as it was")
struct GenerationTests {
    @Test(arguments: [StoreType.sqlite, .inMemory])
    func pinnedContextSeesNothingNew(_ kind: StoreType) throws {
        let bench = try StoreBench(kind)
        let (writer, reader) = (bench.context(), bench.context())
        let sales = try writer.make("Department", ["title": "Sales"])
        let ana = try writer.make("Employee", ["name": "Ana", "department": .object(sales)])
        let bob = try writer.make("Employee", ["name": "Bob", "department": .object(sales)])
        try writer.save()
        try reader.pinToCurrentGeneration()
        ana["name"] = "Anna"
        writer.delete(bob)
        try writer.make("Employee", ["name": "Cem", "department": .object(sales)])
        try writer.save()
        #expect(Set(try reader.all("Employee").values("name")) == ["Ana", "Bob"])
        #expect(try reader.all("Employee", "name == 'Cem'").isEmpty)
        #expect(try reader.count(for: FetchRequest<ManagedObject>(entityName: "Employee")) == 2)
        let staff = try reader.existingObject(with: sales.objectID).objects("staff")
        #expect(Set(staff.map { $0["name"] }) == ["Ana", "Bob"])
        #expect(try reader.existingObject(with: bob.objectID)["name"] == "Bob")
        reader.setQueryGeneration(nil)
        reader.refreshAllObjects()
        #expect(!reader.isPinned)
        #expect(Set(try reader.all("Employee").values("name")) == ["Anna", "Cem"])
    }

    @Test func severalContextsShareAGeneration() throws {
        let bench = try StoreBench(.sqlite)
        let writer = bench.context()
        try writer.make("Tag", ["name": "old"])
        try writer.save()
        let generation = try bench.coordinator.currentGeneration()
        try writer.make("Tag", ["name": "new"])
        try writer.save()
        for _ in 0..<2 {
            let reader = bench.context()
            reader.setQueryGeneration(generation)
            #expect(try reader.all("Tag").values("name") == ["old"])
        }
    }

    @Test func pinnedContextIsAParentToo() throws {
        let bench = try StoreBench(.sqlite)
        let (writer, reader) = (bench.context(), bench.context())
        try reader.pinToCurrentGeneration()
        try writer.make("Tag")
        try writer.save()
        #expect(try ManagedObjectContext(parent: reader).all("Tag").isEmpty)
    }

    @Test func saveOfAPinnedContextMeetsTheStoreAsItIs() throws {
        let bench = try StoreBench(.sqlite)
        let (writer, reader) = (bench.context(), bench.context())
        let ana = try writer.make("Employee", ["name": "Ana", "age": 1])
        try writer.save()
        try reader.pinToCurrentGeneration()
        let here = try reader.existingObject(with: ana.objectID)
        ana["name"] = "Anna"
        try writer.save()
        here["age"] = 2
        #expect(failure { try reader.save() }?.code == .mergeConflict)
        reader.mergePolicy = .mergeByPropertyObjectTrump
        try reader.save()
        #expect(reader.isPinned && here["name"] == "Anna" && here["age"] == 2)
        try reader.make("Employee", ["name": "Own"])
        try reader.save()
        #expect(Set(try reader.all("Employee").values("name")) == ["Anna", "Own"])
    }
}

@Suite("The history of saves")
struct HistoryRequestTests {
    private func fill(_ bench: StoreBench) throws -> [HistoryToken] {
        let context = bench.context()
        var tokens: [HistoryToken] = []
        for (author, entity) in [("ana", "Tag"), ("bob", "Employee"), ("ana", "Employee")] {
            context.transactionAuthor = author
            let object = try context.make(entity, ["name": .string(author)])
            try context.save(as: "Add")
            object["name"] = "changed"
            try context.save(as: "Change")
            tokens.append(try bench.coordinator.currentHistoryToken())
        }
        return tokens
    }

    @Test(arguments: [StoreType.sqlite, .inMemory])
    func requestSaysWhatComes(_ kind: StoreType) throws {
        let bench = try StoreBench(kind)
        let tokens = try fill(bench)
        func numbers(_ change: (inout HistoryRequest) throws -> Void) throws -> [Int64] {
            var request = HistoryRequest()
            try change(&request)
            return try bench.coordinator.history(request).transactions.map(\.number)
        }
        #expect(try numbers { _ in } == [1, 2, 3, 4, 5, 6])
        #expect(try numbers { $0.after = tokens[1] } == [5, 6])
        #expect(try numbers { $0.afterTransaction = 4 } == [5, 6])
        #expect(try numbers { $0.author = "bob" } == [3, 4])
        #expect(try numbers { ($0.author, $0.limit) = ("ana", 3) } == [1, 2, 5])
        #expect(try numbers { $0.since = .distantPast } == [1, 2, 3, 4, 5, 6])
        #expect(try numbers { $0.since = .distantFuture } == [])
        let entity = "ANY changes.entityName == 'Employee' AND author == 'ana'"
        #expect(try numbers { $0.predicate = try FetchPredicate(format: entity) } == [5, 6])
        let names = "ANY changes.kind == 1 AND groupName == 'Change' AND number < 4"
        #expect(try numbers { $0.predicate = try FetchPredicate(format: names) } == [2])
        let all = try bench.coordinator.history(HistoryRequest())
        #expect(all.token == tokens[2])
        #expect(all.transactions[1].changes[0].updatedProperties == ["name"])
        let date = all.transactions[2].date
        let since = try numbers { $0.since = date }
        #expect(since.last == 6 && since.contains(3) && since == since.sorted())
        let unknown = try FetchPredicate(format: "colour == 1")
        #expect(failure { _ = try numbers { $0.predicate = unknown } }?.code == .undefinedKey)
    }

    @Test(arguments: [StoreType.sqlite, .inMemory])
    func deletedHistoryExpiresTokens(_ kind: StoreType) throws {
        let bench = try StoreBench(kind)
        let tokens = try fill(bench)
        #expect(try bench.coordinator.deleteHistory(before: tokens[1]) == 0)
        #expect(try bench.coordinator.deleteHistory(before: tokens[1], keepsSteps: 1) == 4)
        var request = HistoryRequest()
        request.after = tokens[0]
        #expect(failure { _ = try bench.coordinator.history(request) }?.code == .historyExpired)
        request.after = tokens[1]
        #expect(try bench.coordinator.history(request).transactions.map(\.number) == [5, 6])
        #expect(try bench.coordinator.history(HistoryRequest()).transactions.count == 2)
        #expect(try bench.coordinator.deleteHistory(before: .distantFuture, keepsSteps: 0) == 1)
        #expect(try bench.coordinator.currentHistoryToken() == tokens[2])
        let context = bench.context()
        try context.make("Tag")
        try context.save()
        #expect(try bench.coordinator.currentHistoryToken().numbers.values.first == 7)
    }

    /// Part of a history looks like all of it to whoever follows it.
    @Test(arguments: [StoreType.sqlite, .inMemory], ["empty", "beginning", "number"])
    func tokenOfAnEmptyStoreExpires(_ kind: StoreType, _ place: String) throws {
        let bench = try StoreBench(kind)
        let empty = try bench.coordinator.currentHistoryToken()
        let tokens = try fill(bench)
        var request = HistoryRequest()
        switch place {
        case "empty": request.after = empty
        case "beginning": request.after = HistoryToken()
        default: request.afterTransaction = 0
        }
        #expect(try bench.coordinator.history(request).transactions.count == 6)
        #expect(try bench.coordinator.deleteHistory(before: tokens[1], keepsSteps: 1) == 4)
        let error = try #require(failure { _ = try bench.coordinator.history(request) })
        #expect(error.code == .historyExpired)
        #expect(try bench.coordinator.history(HistoryRequest()).transactions.count == 2)
        request.author = "nobody"
        #expect(failure { _ = try bench.coordinator.history(request) }?.code == .historyExpired)
    }

    @Test func tokenSurvivesARestart() throws {
        let bench = try StoreBench(.sqlite)
        let token = try fill(bench)[1]
        let data = try JSONEncoder().encode(token)
        #expect(try JSONDecoder().decode(HistoryToken.self, from: data) == token)
    }
}
