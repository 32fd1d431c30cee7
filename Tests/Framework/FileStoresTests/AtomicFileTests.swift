import Foundation
import Glibc
import ObjectGraph
import Testing

/// The files of stores that are read and written as a whole.
@Suite struct AtomicFileTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func mode(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes[.posixPermissions] as? Int) ?? 0
    }

    private func add(_ context: ManagedObjectContext, _ name: String) throws {
        try context.insert(entityNamed: "Tag").setValue(.string(name), forKey: "name")
    }

    @Test(arguments: Shop.atomicTypes)
    func newFileIsPrivateAndChangedPermissionsStay(_ type: StoreType) throws {
        let url = folder.file("shop")
        let former = umask(0)
        defer { umask(former) }
        let container = try Shop.open(type, url)
        #expect(try mode(url) == 0o600)
        chmod(url.path, 0o640)
        try add(container.viewContext, "a")
        try container.viewContext.save()
        #expect(try mode(url) == 0o640)
    }

    @Test(arguments: Shop.atomicTypes)
    func linkStaysAndItsFileIsReplaced(_ type: StoreType) throws {
        let (url, link) = (folder.file("shop"), folder.file("link"))
        try FileManager.default.createSymbolicLink(
            atPath: link.path,
            withDestinationPath: "shop"
        )
        let container = try Shop.open(type, link)
        try add(container.viewContext, "a")
        try container.viewContext.save()
        container.close()
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: link.path)
        #expect(target == "shop")
        if type == .text {
            try FileManager.default.moveItem(
                at: folder.file("link.plist"),
                to: folder.file("shop.plist")
            )
        }
        #expect(try Shop.count("Tag", Shop.open(type, url).viewContext) == 1)
    }

    @Test(arguments: Shop.atomicTypes, ["grown", "same size", "replaced", "deleted", "restored"])
    func fileThatSomebodyChangedIsNotOverwritten(_ type: StoreType, _ how: String) throws {
        let url = folder.file("shop")
        let container = try Shop.open(type, url)
        let context = container.viewContext
        try add(context, "a")
        try context.save()
        var bytes = try Data(contentsOf: url)
        let old = bytes
        let handle = try FileHandle(forUpdating: url)
        switch how {
        case "grown":
            bytes.append(UInt8(ascii: "\n"))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("\n".utf8))
        case "same size":
            bytes[bytes.count / 2] ^= 1
            try handle.write(contentsOf: bytes)
        case "replaced":
            try bytes.write(to: folder.file("other"))
            rename(folder.file("other").path, url.path)
        case "deleted": unlink(url.path)
        default:
            // The same bytes in another file: a backup was put back.
            unlink(url.path)
            try bytes.write(to: url)
        }
        try handle.close()
        try add(context, "b")
        let error = failure { try context.save() }
        #expect(error?.code == .storeReplaced)
        #expect(error?.recovery.isEmpty == false)
        #expect(context.hasChanges)
        if how == "deleted" {
            #expect(!FileManager.default.fileExists(atPath: url.path))
        } else {
            #expect(try Data(contentsOf: url) == bytes)
        }
        // A second attempt does not overwrite it either.
        #expect(failure { try context.save() }?.code == .storeReplaced)
        #expect(try folder.names.filter { $0.hasPrefix(".") } == [])
        #expect(old.count > 0)
    }

    @Test(arguments: Shop.atomicTypes)
    func secondWriterIsRefusedAndTheFirstOneStays(_ type: StoreType) throws {
        let url = folder.file("shop")
        let first = try Shop.open(type, url)
        let second = try Shop.open(type, url)
        try add(first.viewContext, "first")
        try first.viewContext.save()
        try add(second.viewContext, "second")
        #expect(failure { try second.viewContext.save() }?.code == .storeReplaced)
        // Where the file was read is irrelevant: a later save of the first one works.
        try add(first.viewContext, "third")
        try first.viewContext.save()
        #expect(try Shop.count("Tag", Shop.open(type, url).viewContext) == 2)
    }

    @Test(arguments: Shop.atomicTypes)
    func createdMeanwhileByAnotherIsNotOverwritten(_ type: StoreType) throws {
        // The file is empty when it is opened, so it counts as new.
        let url = folder.file("shop")
        try Data().write(to: url)
        let container = try Shop.open(type, url)
        #expect(try Data(contentsOf: url).isEmpty == false)
        try add(container.viewContext, "a")
        try container.viewContext.save()
        #expect(try Shop.count("Tag", Shop.open(type, url).viewContext) == 1)
    }

    @Test(arguments: Shop.atomicTypes)
    func removedFolderFailsTheSaveAndLosesNothing(_ type: StoreType) throws {
        let place = folder.file("inner")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let container = try Shop.open(type, place.appending(path: "shop"))
        let context = container.viewContext
        try Shop.fill(context)
        try FileManager.default.removeItem(at: place)
        try add(context, "late")
        #expect(failure { try context.save() }?.code == .storeReplaced)
        #expect(context.hasChanges)
        // What is pending can still go elsewhere.
        #expect(try context.all("Tag").count == 3)
    }

    @Test(arguments: Shop.atomicTypes)
    func failedSaveLeavesStoreAndContextAsTheyWere(_ type: StoreType) throws {
        let url = folder.file("shop")
        let container = try Shop.open(type, url)
        let context = container.viewContext
        try Shop.fill(context)
        let before = try Shop.dump(container.newContext())
        // A folder in place of the file: the save can write beside it, but not replace it.
        let kept = try Data(contentsOf: url)
        unlink(url.path)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let tag = try #require(try context.all("Tag").first)
        context.delete(tag)
        try add(context, "new")
        for book in try context.all("Book") { try book.setValue("changed", forKey: "name") }
        #expect(failure { try context.save() } != nil)
        #expect(context.deletedObjects.count == 1 && context.insertedObjects.count == 1)
        #expect(context.insertedObjects.allSatisfy { $0.objectID.isTemporaryID })
        rmdir(url.path)
        try kept.write(to: url)
        container.close()
        let again = try Shop.open(type, url)
        #expect(try Shop.dump(again.viewContext) == before)
    }

    @Test(arguments: Shop.atomicTypes)
    func rowsOfAFailedSaveAreThoseFromBefore(_ type: StoreType) throws {
        let url = folder.file("shop")
        let container = try Shop.open(type, url)
        let context = container.viewContext
        try Shop.fill(context)
        let before = try Shop.dump(container.newContext())
        let other = folder.file("aside")
        rename(url.path, other.path)
        for tag in try context.all("Tag") { context.delete(tag) }
        for book in try context.all("Book") { try book.setValue(.null, forKey: "whole") }
        #expect(failure { try context.save() }?.code == .storeReplaced)
        rename(other.path, url.path)
        // The file is back, the same one: now a new context sees the old state, and can save.
        #expect(try Shop.dump(container.newContext()) == before)
        try context.save()
        #expect(try Shop.count("Tag", container.newContext()) == 0)
        container.close()
        #expect(try Shop.count("Tag", Shop.open(type, url).viewContext) == 0)
    }

    @Test(arguments: Shop.atomicTypes)
    func unfinishedFilesOfAKilledProcessAreRemoved(_ type: StoreType) throws {
        let url = folder.file("shop")
        let container = try Shop.open(type, url)
        try Data([1]).write(to: folder.file(".shop.new-12345"))
        try Data([1]).write(to: folder.file(".other.new-12345"))
        try add(container.viewContext, "a")
        try container.viewContext.save()
        #expect(try folder.names.filter { $0.hasPrefix(".") } == [".other.new-12345"])
    }

    @Test(arguments: Shop.atomicTypes)
    func readOnlyStoreIsNeverWritten(_ type: StoreType) throws {
        let url = folder.file("shop")
        #expect(failure { _ = try Shop.open(type, url, isReadOnly: true) }?.code == .cannotOpen)
        #expect(try folder.names == [])
        let writer = try Shop.open(type, url)
        try Shop.fill(writer.viewContext)
        writer.close()
        let bytes = try Data(contentsOf: url)
        let reader = try Shop.open(type, url, isReadOnly: true)
        #expect(try Shop.count("Book", reader.viewContext) == 6)
        let book = try #require(try reader.viewContext.all("Book").first)
        try book.setValue("x", forKey: "name")
        #expect(failure { try reader.viewContext.save() }?.code == .cannotWrite)
        #expect(try Data(contentsOf: url) == bytes)
    }

    @Test(arguments: Shop.atomicTypes)
    func whatIsNotAFileIsRefused(_ type: StoreType) throws {
        #expect(failure { _ = try Shop.open(type, folder.url) }?.code == .cannotOpen)
        let pipe = folder.file("pipe")
        mkfifo(pipe.path, 0o600)
        #expect(failure { _ = try Shop.open(type, pipe) }?.code == .cannotOpen)
        let missing = folder.file("missing/shop")
        #expect(failure { _ = try Shop.open(type, missing) }?.code == .cannotOpen)
    }

    @Test(arguments: Shop.atomicTypes)
    func everyObjectRelationshipAndOrderComesBack(_ type: StoreType) throws {
        let url = folder.file("shop")
        let container = try Shop.open(type, url)
        try Shop.fill(container.viewContext)
        let before = try Shop.dump(container.viewContext)
        let ids = try container.viewContext.all("Product").map(\.objectID)
        container.close()
        let again = try Shop.open(type, url)
        #expect(try Shop.dump(again.viewContext) == before)
        #expect(try Set(again.viewContext.all("Product").map(\.objectID)) == Set(ids))
        // Saved again without a change of the objects, the file is the same byte by byte.
        let bytes = try Data(contentsOf: url)
        let shelf = try #require(try again.viewContext.all("Shelf").first)
        let label = try shelf.value(forKey: "label")
        try shelf.setValue("other", forKey: "label")
        try again.viewContext.save()
        try shelf.setValue(label, forKey: "label")
        try again.viewContext.save()
        #expect(try Data(contentsOf: url) == bytes)
    }

    @Test(arguments: Shop.atomicTypes)
    func numberOfADeletedObjectIsNotGivenAgain(_ type: StoreType) throws {
        let url = folder.file("shop")
        var container = try Shop.open(type, url)
        let tag = try container.viewContext.insert(entityNamed: "Tag")
        try container.viewContext.save()
        let id = tag.objectID
        container.viewContext.delete(tag)
        try container.viewContext.save()
        container.close()
        container = try Shop.open(type, url)
        let next = try container.viewContext.insert(entityNamed: "Tag")
        try container.viewContext.save()
        #expect(next.objectID != id)
    }

    @Test(arguments: Shop.atomicTypes)
    func undoWorksAcrossSavesWhileTheStoreIsOpen(_ type: StoreType) throws {
        let container = try Shop.open(type, folder.file("shop"))
        let context = container.viewContext
        let undoManager = UndoManager()
        context.undoManager = undoManager
        try Shop.fill(context)
        let before = try Shop.dump(context)
        let book = try #require(
            try context.all("Book").first {
                try $0.value(forKey: "parts").elements?.isEmpty == false
            }
        )
        context.delete(book)
        try context.save()
        #expect(try Shop.dump(container.newContext()) != before)
        try undoManager.undo()
        try context.save()
        #expect(try Shop.dump(container.newContext()) == before)
    }

    @Test(arguments: Shop.atomicTypes)
    func metadataOfProgramsComeBack(_ type: StoreType) throws {
        let url = folder.file("shop")
        let container = try Shop.open(type, url)
        let store = try #require(container.coordinator.persistentStores.first)
        var metadata = try container.coordinator.metadata(of: store)
        let own: StoreMetadata = [
            "text": "a\u{0}b <&> \r\n", "key \u{1} <": 1, "flag": true, "real": 0.1,
            "date": .date(Date(timeIntervalSinceReferenceDate: 1234.25)),
            "early": .date(Date(timeIntervalSinceReferenceDate: -1e15)),
            "data": .data(Data([0, 255])),
            "list": .array([1, .dictionary(["a": "b"]), .array([])]),
        ]
        metadata.merge(own) { _, new in new }
        metadata["NSStoreUUID"] = "changed"
        metadata["NSStoreType"] = nil
        try container.coordinator.setMetadata(metadata, of: store)
        try add(container.viewContext, "a")
        try container.viewContext.save()
        container.close()
        let found = try PersistentStoreCoordinator.metadata(ofStoreAt: url)
        #expect(found["NSStoreUUID"] == .string(store.identifier.uuidString))
        #expect(found["NSStoreType"] == .string(type.rawValue))
        for (key, value) in own { #expect(found[key] == value, "\(key)") }
    }
}

extension ManagedObjectContext {
    func all(_ entity: String) throws -> [ManagedObject] {
        try fetch(FetchRequest<ManagedObject>(entityName: entity))
    }
}
