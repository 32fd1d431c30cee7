import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import Testing

/// Stores as a program adds, names, asks and removes them.
@Suite struct PersistentStoresTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "stores-\(UUID().uuidString)")

    private func file(_ name: String) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appending(path: name)
    }

    /// A model with a part of it by name.
    private func model() -> ManagedObjectModel {
        let model = TestGraph.model()
        model.configurations["Tags"] = ["Tag"]
        return model
    }

    private func options(_ configuration: String? = nil, isReadOnly: Bool = false) -> StoreOptions {
        var options = StoreOptions()
        options.configuration = configuration
        options.isReadOnly = isReadOnly
        return options
    }

    @Test func storesAreListedFoundAndRemoved() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (first, second) = (try file("a.sqlite"), try file("b.sqlite"))
        let container = try PersistentContainer(model: model(), url: first)
        let coordinator = container.coordinator
        let added = try coordinator.addStore(
            StoreDescription(url: second, options: options("Tags"))
        )
        #expect(coordinator.persistentStores.map(\.url) == [first, second])
        #expect(coordinator.persistentStore(at: second) == added)
        #expect(coordinator.persistentStore(at: try file("c.sqlite")) == nil)
        #expect(added.type == .sqlite && added.configuration == "Tags" && !added.isReadOnly)
        let tag = try container.viewContext.insert(entityNamed: "Tag")
        #expect(coordinator.persistentStore(of: tag.objectID) == nil)
        try container.viewContext.assign(tag, to: added)
        try container.viewContext.save()
        #expect(coordinator.persistentStore(of: tag.objectID) == added)
        try coordinator.removeStore(added)
        #expect(coordinator.persistentStores.map(\.url) == [first])
        #expect(failure { try coordinator.removeStore(added) }?.code == .invalidRequest)
        #expect(try container.newContext().all("Tag").isEmpty)
        tag["name"] = "late"
        #expect(failure { try container.viewContext.save() }?.code == .storeClosed)
    }

    @Test func oneFileIsOpenOnce() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try file("a.sqlite")
        let container = try PersistentContainer(model: model(), url: url)
        let refusal = failure { _ = try container.coordinator.addStore(StoreDescription(url: url)) }
        #expect(refusal?.code == .cannotOpen)
        #expect(refusal?.message.contains(url.path) == true)
        try container.viewContext.make("Tag", ["name": "a"])
        try container.viewContext.save()
        #expect(try container.newContext().all("Tag").count == 1)
    }

    @Test func newObjectGoesToTheStoreThatItIsAssignedTo() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (everything, tags) = (try file("a.sqlite"), try file("tags.sqlite"))
        let stores = [
            StoreDescription(url: everything),
            StoreDescription(url: tags, options: options("Tags")),
        ]
        let container = try PersistentContainer(model: model(), stores: stores)
        let (context, coordinator) = (container.viewContext, container.coordinator)
        let second = try #require(coordinator.persistentStore(at: tags))
        let (near, far) = (try context.make("Tag"), try context.make("Tag"))
        try context.assign(far, to: second)
        try context.save()
        #expect(coordinator.persistentStore(of: near.objectID)?.url == everything)
        #expect(coordinator.persistentStore(of: far.objectID)?.url == tags)
        // What cannot be is refused, and says why.
        let employee = try context.make("Employee")
        func refusal(_ object: ManagedObject) -> String {
            failure { try context.assign(object, to: second) }?.message ?? "none"
        }
        #expect(refusal(employee).contains("does not hold the entity Employee"))
        #expect(refusal(far).contains("has its store already"))
        let foreign = try container.newContext().make("Tag")
        #expect(refusal(foreign).contains("belongs to another context"))
        let elsewhere = try PersistentContainer(model: model(), options: .inMemory)
        let unknown = try #require(elsewhere.coordinator.persistentStores.first)
        #expect(failure { try context.assign(employee, to: unknown) }?.code == .invalidRequest)
    }

    @Test func assignedStoreThatIsGoneIsNamedByTheSave() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try PersistentContainer(model: model(), url: try file("a.sqlite"))
        let tags = try container.coordinator.addStore(
            StoreDescription(url: try file("tags.sqlite"), options: options("Tags"))
        )
        let tag = try container.viewContext.make("Tag")
        try container.viewContext.assign(tag, to: tags)
        try container.coordinator.removeStore(tags)
        let refusal = failure { try container.viewContext.save() }
        #expect(refusal?.code == .cannotWrite)
        #expect(refusal?.message.contains("is not open any more") == true)
        try container.viewContext.assign(tag, to: container.coordinator.persistentStores[0])
        try container.viewContext.save()
    }

    @Test func readOnlyStoreTakesNoObjectAndNoMetadata() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let tags = try file("tags.sqlite")
        try PersistentContainer(model: model(), url: tags, options: options("Tags")).close()
        let stores = [
            StoreDescription(url: try file("a.sqlite")),
            StoreDescription(url: tags, options: options("Tags", isReadOnly: true)),
        ]
        let container = try PersistentContainer(model: model(), stores: stores)
        let locked = container.coordinator.persistentStores[1]
        let tag = try container.viewContext.make("Tag")
        #expect(failure { try container.viewContext.assign(tag, to: locked) } != nil)
        let refusal = failure { try container.coordinator.setMetadata(["a": 1], of: locked) }
        #expect(refusal?.code == .cannotWrite)
    }

    @Test func metadataAreReadWithoutOpeningTheStore() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try file("a.sqlite")
        let container = try PersistentContainer(model: model(), url: url)
        let coordinator = container.coordinator
        let store = coordinator.persistentStores[0]
        var metadata = try coordinator.metadata(of: store)
        metadata["keeper"] = "Jane"
        metadata["NSStoreType"] = "Binary"
        try coordinator.setMetadata(metadata, of: store)
        try container.viewContext.make("Tag")
        try container.viewContext.save()
        let stored = try PersistentStoreCoordinator.metadata(ofStoreAt: url)
        #expect(stored["keeper"] == "Jane")
        #expect(stored["NSStoreType"] == "SQLite")
        #expect(stored["NSStoreModelVersionHashes"] != nil)
        container.close()
        #expect(try PersistentStoreCoordinator.metadata(ofStoreAt: url)["keeper"] == "Jane")
        let nothing = try file("none.sqlite")
        #expect(failure { _ = try PersistentStoreCoordinator.metadata(ofStoreAt: nothing) } != nil)
        #expect(!FileManager.default.fileExists(atPath: nothing.path))
    }

    // MARK: Saves by others

    @Test func saveOfAnotherProcessIsTold() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try file("a.sqlite")
        let path = url.path
        let container = try PersistentContainer(model: model(), url: url)
        let context = container.newContext()
        let changes = container.coordinator.remoteChanges()
        // A save of this coordinator is none by others.
        try context.make("Tag", ["name": "ours"])
        try context.save()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let model = TestGraph.model()
            model.configurations["Tags"] = ["Tag"]
            let other = try PersistentContainer(model: model, url: URL(filePath: path))
            let context = other.newContext()
            try context.make("Tag", ["name": "theirs"])
            try context.save()
            other.close()
        }
        var iterator = changes.makeAsyncIterator()
        let change = try #require(await iterator.next())
        #expect(change.store.url == url && change.transaction == 2)
        var request = HistoryRequest()
        request.afterTransaction = 1
        let history = try container.coordinator.history(request)
        ManagedObjectContext.mergeChanges(history.changes, into: [context])
        #expect(
            try context.all("Tag").values("name").sorted { "\($0)" < "\($1)" } == [
                "ours", "theirs",
            ]
        )
    }

    @Test func saveOfAnotherCoordinatorIsPosted() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try file("a.sqlite")
        let container = try PersistentContainer(model: model(), url: url)
        let other = try PersistentContainer(model: model(), url: url)
        container.coordinator.postsRemoteChanges = true
        let (told, teller) = AsyncStream.makeStream(of: StoreRemoteChange.self)
        let center = GraphNotificationCenter.default
        let token = center.addObserver(of: StoreRemoteChange.self) { change in
            if change.store.url == url { teller.yield(change) }
        }
        defer { center.removeObserver(token) }
        let context = other.newContext()
        try context.make("Tag")
        try context.save()
        var iterator = told.makeAsyncIterator()
        #expect(await iterator.next()?.transaction == 1)
        container.coordinator.postsRemoteChanges = false
        #expect(!container.coordinator.postsRemoteChanges)
    }

    @Test func streamEndsWithTheCoordinator() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        func stream() throws -> AsyncStream<StoreRemoteChange> {
            try PersistentContainer(model: model(), url: try file("a.sqlite")).coordinator
                .remoteChanges()
        }
        for await _ in try stream() { Issue.record("nobody has written") }
    }
}
