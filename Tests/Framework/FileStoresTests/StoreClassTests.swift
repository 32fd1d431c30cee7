import Foundation
import ObjectGraph
import Testing

/// Store classes of a program, and how types are found.
@Suite(.serialized) struct StoreClassTests {
    private let folder: TestFolder
    private let url: URL

    init() throws {
        folder = try TestFolder()
        url = folder.file("notes")
        try PersistentStoreCoordinator.register(NotesStore.self, as: NotesStore.storeType)
        NotesStore.log = []
        NotesStore.failure = nil
    }

    private func open() throws -> PersistentContainer {
        try Shop.open(NotesStore.storeType, url, model: NotesStore.model())
    }

    private func note(_ context: ManagedObjectContext, _ name: String) throws -> ManagedObject {
        let note = try context.insert(entityNamed: "Note")
        try note.setValue(.string(name), forKey: "name")
        return note
    }

    private func taken() -> [String] {
        defer { NotesStore.log = [] }
        return NotesStore.log
    }

    @Test func classOfAProgramReadsAndWritesItsOwnFormat() throws {
        let container = try open()
        #expect(taken() == ["load", "save"])
        let context = container.viewContext
        let (one, two) = (try note(context, "one"), try note(context, "two"))
        try one.setValue("first", forKey: "text")
        try one.setValue(.object(two), forKey: "next")
        try context.save()
        #expect(Set(taken()) == ["new one", "new two", "save"])
        let store = try #require(container.coordinator.persistentStores.first)
        let identifier = store.identifier.uuidString
        #expect(one.objectID.uri == "x-coredata://\(identifier)/Note/pone")
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        #expect(text == "notes \(identifier)\none=first=two\ntwo==")
        try one.setValue("changed", forKey: "text")
        try context.save()
        #expect(taken() == ["update one [\"text\"]", "save"])
        context.delete(two)
        try context.save()
        #expect(Set(taken()) == ["remove [\"two\"]", "update one [\"next\"]", "save"])
        container.close()
        let again = try open()
        let found = try again.viewContext.all("Note")
        #expect(found.map(\.objectID) == [one.objectID])
        #expect(try found.first?.value(forKey: "text") == "changed")
        #expect(
            again.coordinator.managedObjectID(forURI: "x-coredata://\(identifier)/Note/pone")
                == one.objectID
        )
    }

    @Test func failedSaveOfAClassLeavesItsNodes() throws {
        struct Full: Error {}
        let container = try open()
        let context = container.viewContext
        let one = try note(context, "one")
        try context.save()
        let bytes = try Data(contentsOf: url)
        NotesStore.failure = Full()
        try one.setValue("changed", forKey: "text")
        _ = try note(context, "two")
        #expect(throws: (any Error).self) { try context.save() }
        #expect(try Data(contentsOf: url) == bytes)
        let other = try container.newContext().all("Note")
        #expect(try other.map { try $0.value(forKey: "text") } == [.null])
        // The objects are still pending; the next save writes them.
        try context.save()
        #expect(try container.newContext().all("Note").count == 2)
        container.close()
        #expect(try open().viewContext.all("Note").count == 2)
    }

    @Test func permanentIDsCanBeObtainedBeforeTheSave() throws {
        let container = try open()
        let context = container.viewContext
        let object = try note(context, "")
        try context.obtainPermanentIDs(for: [object])
        let id = object.objectID
        #expect(!id.isTemporaryID)
        try context.save()
        #expect(object.objectID == id)
        container.close()
        #expect(try open().viewContext.all("Note").map(\.objectID) != [])
    }

    @Test func typesThatAreNotRegisteredAreRefused() throws {
        let unknown = StoreType(rawValue: "Nowhere")
        let error = failure { _ = try Shop.open(unknown, url) }
        #expect(error?.code == .invalidStoreType)
        #expect(error?.code.rawValue == 134000)
        for name in ["Binary", "InMemory", "Notes", "SQLite", "Text", "XML"] {
            #expect(error?.recovery.contains(name) == true)
        }
        let own = failure { try PersistentStoreCoordinator.register(NotesStore.self, as: .xml) }
        #expect(own?.code == .invalidRequest)
        #expect(PersistentStoreCoordinator.registeredStoreTypes.contains(NotesStore.storeType))
    }

    @Test func classUnderAnotherNameThanItsTypeIsRefused() throws {
        let other = StoreType(rawValue: "Other notes")
        try PersistentStoreCoordinator.register(NotesStore.self, as: other)
        defer { try? PersistentStoreCoordinator.unregisterStoreClass(of: other) }
        let error = failure { _ = try Shop.open(other, url, model: NotesStore.model()) }
        #expect(error?.code.rawValue == 134010)
        #expect(error?.message.contains("NotesStore") == true)
        #expect(try folder.names == [])
    }

    @Test func metadataAndTypeAreReadWithoutOpening() throws {
        let container = try open()
        let identifier = container.coordinator.persistentStores.first?.identifier.uuidString
        container.close()
        #expect(PersistentStoreCoordinator.storeType(at: url) == NotesStore.storeType)
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: url)
        #expect(metadata["NSStoreUUID"] == identifier.map { .string($0) })
        let wrong = failure {
            _ = try PersistentStoreCoordinator.metadata(ofStoreAt: url, type: .binary)
        }
        #expect(wrong != nil)
    }

    @Test(arguments: Shop.fileTypes)
    func typesOfTheFrameworkAreRecognised(_ type: StoreType) throws {
        let file = folder.file("shop")
        let container = try Shop.open(type, file)
        let identifier = container.coordinator.persistentStores.first?.identifier.uuidString
        container.close()
        #expect(PersistentStoreCoordinator.storeType(at: file) == type)
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: file)
        #expect(metadata["NSStoreType"] == .string(type.rawValue))
        #expect(metadata["NSStoreUUID"] == identifier.map { .string($0) })
        #expect(try Shop.model().isConfiguration(nil, compatibleWithStoreMetadata: metadata))
        for other in Shop.fileTypes where other != type {
            let error = failure {
                _ = try PersistentStoreCoordinator.metadata(ofStoreAt: file, type: other)
            }
            #expect(error != nil)
        }
    }

    @Test func metadataOfNothingAreAnError() throws {
        let missing = folder.file("missing")
        #expect(PersistentStoreCoordinator.storeType(at: missing) == nil)
        for type in [nil] + Shop.fileTypes.map(Optional.some) {
            let error = failure {
                _ = try PersistentStoreCoordinator.metadata(ofStoreAt: missing, type: type)
            }
            #expect(error?.code == .cannotOpen)
        }
    }
}
