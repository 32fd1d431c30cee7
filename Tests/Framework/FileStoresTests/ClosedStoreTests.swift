import Foundation
import Glibc
import ObjectGraph
import Testing

/// What is asked of a store that was closed, or removed from its coordinator.
@Suite struct ClosedStoreTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func open(_ type: StoreType) throws -> PersistentContainer {
        let container = try Shop.open(type, folder.file("shop"))
        try Shop.fill(container.viewContext)
        try container.viewContext.save()
        return container
    }

    private func expectClosed(_ what: String, _ body: () throws -> Void) {
        let error = #expect(throws: ObjectGraphError.self, "\(what)") { try body() }
        #expect(error?.code == .storeClosed, "\(what): \(String(describing: error))")
    }

    @Test(arguments: Shop.fileTypes + [.inMemory])
    func everythingThatReadsAClosedStoreThrows(_ type: StoreType) async throws {
        let container = try open(type)
        let (context, coordinator) = (container.viewContext, container.coordinator)
        let shelf = try #require(
            try context.fetch(FetchRequest<ManagedObject>(entityName: "Shelf")).first
        )
        let child = ManagedObjectContext(parent: context)
        let controller = try FetchedResultsController(
            request: FetchRequest<ManagedObject>(
                entityName: "Tag",
                sortDescriptors: [FetchSortDescriptor("name")]
            ),
            context: context
        )
        try controller.performFetch()
        let id = shelf.objectID
        context.refresh(shelf, mergeChanges: false)
        container.close()
        let request = FetchRequest<ManagedObject>(entityName: "Tag")
        expectClosed("fetch") { _ = try context.fetch(request) }
        expectClosed("fetch of IDs") {
            _ = try context.fetch(FetchRequest<ManagedObjectID>(entityName: "Tag"))
        }
        expectClosed("fetch of columns") {
            var request = FetchRequest<[String: GraphValue]>(entityName: "Tag")
            request.propertiesToFetch = [.init("name")]
            _ = try context.fetch(request)
        }
        expectClosed("count") { _ = try context.count(for: request) }
        expectClosed("fetch of a child") { _ = try child.fetch(request) }
        // Reading a property never fails: it reads nothing, and the context says why.
        for key in ["label", "products"] {
            context.refresh(shelf, mergeChanges: false)
            _ = try shelf.value(forKey: key)
            #expect((context.lastFaultError as? ObjectGraphError)?.code == .storeClosed)
        }
        expectClosed("object") { _ = try context.existingObject(with: id) }
        expectClosed("results") { try controller.performFetch() }
        expectClosed("history") { _ = try coordinator.history(HistoryRequest()) }
        expectClosed("token") { _ = try coordinator.currentHistoryToken() }
        expectClosed("trimming") { _ = try coordinator.deleteHistory(before: Date()) }
        expectClosed("steps of undo") { _ = try context.undoSteps() }
        expectClosed("undo") { _ = try context.undoLastCommand() }
        expectClosed("pin") { try context.pinToCurrentGeneration() }
        expectClosed("batch deletion") {
            _ = try context.execute(BatchDelete(entityName: "Tag"))
        }
        do {
            _ = try await context.fetchInBackground(request)
            Issue.record("a fetch in the background did not throw")
        } catch let error as ObjectGraphError {
            #expect(error.code == .storeClosed)
        }
        // The same store, opened again, answers; what was read before is still there.
        let again = try coordinator.addStore(
            StoreDescription(url: folder.file("shop"), options: Shop.options(type))
        )
        #expect(coordinator.persistentStores == [again])
        if type == .inMemory { return }
        #expect(try context.count(for: request) == 2)
        #expect(try context.existingObject(with: id).value(forKey: "label").shown != "")
    }

    @Test(arguments: Shop.fileTypes)
    func changeOfAnObjectOfAClosedStoreStaysPendingAndIsSavedLater(_ type: StoreType) throws {
        let container = try open(type)
        let context = container.viewContext
        let tag = try #require(
            try context.fetch(FetchRequest<ManagedObject>(entityName: "Tag")).first
        )
        try tag.setValue("changed", forKey: "name")
        container.close()
        let error = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(error?.code == .storeClosed)
        #expect(tag.hasChanges)
        _ = try container.coordinator.addStore(
            StoreDescription(url: folder.file("shop"), options: Shop.options(type))
        )
        try context.save()
        container.close()
        let second = try Shop.open(type, folder.file("shop"))
        let names = try second.viewContext.fetch(FetchRequest<ManagedObject>(entityName: "Tag"))
        #expect(try names.contains { try $0.value(forKey: "name").shown == "changed" })
    }

    @Test func fetchThatNamesAStoreThatIsNotOpenThrows() throws {
        let container = try open(.binary)
        var request = FetchRequest<ManagedObject>(entityName: "Tag")
        request.affectedStores = [UUID().uuidString]
        let error = #expect(throws: ObjectGraphError.self) {
            _ = try container.viewContext.fetch(request)
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test func closingTwiceAndRemovingAnUnknownStoreDoNoHarm() throws {
        let container = try open(.text)
        let store = try #require(container.coordinator.persistentStores.first)
        container.close()
        container.close()
        for body in [
            { try container.coordinator.removeStore(store) },
            { _ = try container.coordinator.metadata(of: store) },
            { try container.coordinator.setMetadata([:], of: store) },
            { try container.coordinator.backUp(store, to: folder.file("copy")) },
        ] {
            let error = #expect(throws: ObjectGraphError.self) { try body() }
            #expect(error?.code == .invalidRequest)
        }
    }
}

/// Entries that programs add to a store's metadata.
@Suite struct MetadataTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private var url: URL { folder.file("shop") }

    private func entry() throws -> GraphValue? {
        try PersistentStoreCoordinator.metadata(ofStoreAt: url)["Shop.owner"]
    }

    private func set(_ value: GraphValue?, _ container: PersistentContainer) throws {
        let store = try #require(container.coordinator.persistentStores.first)
        var metadata = try container.coordinator.metadata(of: store)
        metadata["Shop.owner"] = value
        try container.coordinator.setMetadata(metadata, of: store)
    }

    @Test(arguments: Shop.fileTypes)
    func saveWithoutAChangedObjectWritesThem(_ type: StoreType) throws {
        let container = try Shop.open(type, url)
        try set("Ann", container)
        #expect(try entry() == nil)
        try container.viewContext.save()
        #expect(try entry() == "Ann")
        try set(nil, container)
        let other = container.newContext()
        try other.save()
        #expect(try entry() == nil)
        // Not once more than needed.
        let before = try Data(contentsOf: url)
        try container.viewContext.save()
        #expect(try Data(contentsOf: url) == before)
    }

    @Test(arguments: Shop.fileTypes)
    func saveOfAChildLeavesThemToTheRoot(_ type: StoreType) throws {
        let container = try Shop.open(type, url)
        try set("Ann", container)
        let child = ManagedObjectContext(parent: container.viewContext)
        try child.save()
        #expect(try entry() == nil)
        try container.viewContext.save()
        #expect(try entry() == "Ann")
    }

    @Test(arguments: Shop.atomicTypes)
    func failedSaveLeavesThemToTheNext(_ type: StoreType) throws {
        let container = try Shop.open(type, url)
        try set("Ann", container)
        let content = try Data(contentsOf: url)
        try Data("other".utf8).write(to: url)
        #expect(throws: ObjectGraphError.self) { try container.viewContext.save() }
        #expect(try Data(contentsOf: url) == Data("other".utf8))
        container.close()
        try content.write(to: url)
        let again = try Shop.open(type, url)
        try set("Bob", again)
        let blocked = url.deletingLastPathComponent()
        chmod(blocked.path, 0o500)
        if access(blocked.path, W_OK) != 0 {
            #expect(throws: ObjectGraphError.self) { try again.viewContext.save() }
        }
        chmod(blocked.path, 0o700)
        try again.viewContext.save()
        #expect(try entry() == "Bob")
    }

    @Test(arguments: Shop.fileTypes)
    func saveOfAnObjectInOneStoreWritesThoseOfAnother(_ type: StoreType) throws {
        let container = try Shop.open(type, url)
        let other = try container.coordinator.addStore(
            StoreDescription(url: folder.file("other"), options: Shop.options(type))
        )
        try container.coordinator.setMetadata(["Shop.owner": "Cleo"], of: other)
        try container.viewContext.insert(entityNamed: "Tag").setValue("a", forKey: "name")
        try container.viewContext.save()
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: folder.file("other"))
        #expect(metadata["Shop.owner"] == "Cleo")
    }

    @Test(arguments: Shop.fileTypes)
    func valueThatCannotBeStoredIsRefusedWhenItIsSet(_ type: StoreType) throws {
        let container = try Shop.open(type, url)
        let store = try #require(container.coordinator.persistentStores.first)
        let tag = try container.viewContext.insert(entityNamed: "Tag")
        let error = #expect(throws: ObjectGraphError.self) {
            try container.coordinator.setMetadata(["Shop.tag": .object(tag)], of: store)
        }
        #expect(error?.code == .wrongValueKind)
        try tag.setValue("a", forKey: "name")
        try container.viewContext.save()
    }

    @Test func entriesOfTheFrameworkStayWhateverIsSet() throws {
        for type in Shop.fileTypes {
            let url = folder.file(type.rawValue)
            let container = try Shop.open(type, url)
            let store = try #require(container.coordinator.persistentStores.first)
            try container.coordinator.setMetadata(["NSStoreUUID": "x", "OGModel": "y"], of: store)
            try container.viewContext.save()
            container.close()
            let changed = Shop.model {
                $0.entity(named: "Tag")?.add(AttributeDescription("colour", .string))
            }
            try Shop.open(type, url, model: changed).close()
        }
    }
}
