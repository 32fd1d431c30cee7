import Foundation
import Glibc
import ObjectGraph
import Testing

/// Stores that become stores of another type.
@Suite struct TypeMigrationTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private static let types: [StoreType] = [.sqlite, .inMemory, .binary, .xml, .text]

    private func target(_ type: StoreType, _ name: String = "new") -> StoreDescription {
        StoreDescription(url: folder.file(name), options: Shop.options(type))
    }

    private func filled(_ type: StoreType) throws -> (PersistentContainer, StoreReference, [String])
    {
        let container = try Shop.open(type, folder.file("old"))
        try Shop.fill(container.viewContext)
        let store = try #require(container.coordinator.persistentStores.first)
        var metadata = try container.coordinator.metadata(of: store)
        metadata["mine"] = .array([1, "x"])
        try container.coordinator.setMetadata(metadata, of: store)
        // A deleted object leaves a gap in the numbers.
        let toy = try container.viewContext.insert(entityNamed: "Toy")
        try container.viewContext.save()
        container.viewContext.delete(toy)
        try container.viewContext.save()
        return (container, store, try Shop.dump(container.newContext()))
    }

    @Test(arguments: types, types)
    func everythingIsThereAfterwards(_ old: StoreType, _ new: StoreType) throws {
        let (container, store, before) = try filled(old)
        let ids = try Set(container.newContext().all("Book").map(\.objectID.uri))
        let moved = try container.coordinator.migrateStore(store, to: target(new))
        container.viewContext.reset()
        #expect(container.coordinator.persistentStores == [moved])
        #expect(moved.type == new)
        #expect(try Shop.dump(container.newContext()) == before)
        #expect(try container.coordinator.metadata(of: moved)["mine"] == .array([1, "x"]))
        let keeps = moved.identifier == store.identifier
        // Only an XML store counts all objects together.
        #expect(keeps == (new != .xml || Shop.atomicTypes.contains(old)))
        if keeps {
            #expect(try Set(container.newContext().all("Book").map(\.objectID.uri)) == ids)
        }
        // The new store is a usual one: it can be changed, and opened again.
        let tag = try container.viewContext.insert(entityNamed: "Tag")
        try tag.setValue("later", forKey: "name")
        try container.viewContext.save()
        let after = try Shop.dump(container.newContext())
        container.close()
        if old != .inMemory {
            #expect(try Shop.dump(Shop.open(old, folder.file("old")).viewContext) == before)
        }
        if new != .inMemory {
            #expect(try Shop.dump(Shop.open(new, folder.file("new")).viewContext) == after)
        }
        #expect(try folder.names.filter { $0.contains("migration") } == [])
    }

    @Test(arguments: Shop.fileTypes, Shop.fileTypes)
    func newStoreTakesThePlaceOfTheOldOne(_ old: StoreType, _ new: StoreType) throws {
        let (container, store, before) = try filled(old)
        let moved = try container.coordinator.migrateStore(store, to: target(new, "old"))
        container.viewContext.reset()
        #expect(moved.type == new)
        #expect(try Shop.dump(container.newContext()) == before)
        let tag = try container.viewContext.insert(entityNamed: "Tag")
        try tag.setValue("later", forKey: "name")
        try container.viewContext.save()
        container.close()
        #expect(PersistentStoreCoordinator.storeType(at: folder.file("old")) == new)
        #expect(try Shop.count("Tag", Shop.open(new, folder.file("old")).viewContext) == 3)
    }

    @Test(arguments: Shop.fileTypes)
    func failedMigrationLeavesTheOldStoreOpen(_ type: StoreType) throws {
        let (container, store, before) = try filled(type)
        try Data("a letter".utf8).write(to: folder.file("new"))
        let taken = failure { try container.coordinator.migrateStore(store, to: target(.binary)) }
        #expect(taken?.code == .cannotWrite)
        #expect(try Data(contentsOf: folder.file("new")) == Data("a letter".utf8))
        let nowhere = StoreDescription(
            url: folder.file("missing/new"),
            options: Shop.options(.binary)
        )
        #expect(failure { try container.coordinator.migrateStore(store, to: nowhere) } != nil)
        var part = target(.binary, "other")
        part.options.configuration = "Part"
        #expect(
            failure { try container.coordinator.migrateStore(store, to: part) }?.code
                == .invalidRequest
        )
        let unknown = target(StoreType(rawValue: "?"), "other")
        #expect(
            failure { try container.coordinator.migrateStore(store, to: unknown) }?.code
                == .invalidStoreType
        )
        #expect(container.coordinator.persistentStores == [store])
        #expect(try Shop.dump(container.newContext()) == before)
        _ = try container.viewContext.insert(entityNamed: "Toy")
        try container.viewContext.save()
        #expect(try folder.names.filter { $0.contains("migration") } == [])
    }

    @Test func typeThatCannotHoldTheModelIsRefused() throws {
        let model = Shop.model { $0.add(EntityDescription("toy")) }
        let container = try Shop.open(.sqlite, folder.file("old"), model: model)
        let store = try #require(container.coordinator.persistentStores.first)
        let error = failure { try container.coordinator.migrateStore(store, to: target(.xml)) }
        #expect(error?.code == .unsupported)
        #expect(container.coordinator.persistentStores == [store])
        #expect(try folder.names.filter { !$0.hasPrefix("old") } == [])
    }

    @Test func largeDataInFilesMoveAlong() throws {
        func model() -> ManagedObjectModel {
            Shop.model { model in
                let data = model.entity(named: "Thing")?.ownProperties.first { $0.name == "data" }
                (data as? AttributeDescription)?.allowsExternalStorage = true
            }
        }
        let large = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let url = folder.file("old.sqlite")
        let container = try Shop.open(.sqlite, url, model: model())
        let thing = try container.viewContext.insert(entityNamed: "Thing")
        try thing.setValue(.data(large), forKey: "data")
        try container.viewContext.save()
        func check() throws {
            container.viewContext.reset()
            let found = try container.viewContext.all("Thing").map { try $0.value(forKey: "data") }
            #expect(found == [.data(large)])
        }
        for (type, name) in [
            (StoreType.sqlite, "old.sqlite"), (.binary, "old.sqlite"), (.sqlite, "old.sqlite"),
            (.text, "b"), (.sqlite, "c"), (.xml, "c"),
        ] {
            let store = try #require(container.coordinator.persistentStores.first)
            try container.coordinator.migrateStore(
                store,
                to: StoreDescription(url: folder.file(name), options: Shop.options(type))
            )
            try check()
        }
    }

    @Test func tenThousandObjectsMoveInParts() throws {
        let container = try Shop.open(.sqlite, folder.file("old"))
        let context = container.viewContext
        var shelf = try context.insert(entityNamed: "Shelf")
        for number in 0..<10_000 {
            if number % 100 == 0 { shelf = try context.insert(entityNamed: "Shelf") }
            let toy = try context.insert(entityNamed: "Toy")
            try toy.setValue(.string("\(number)"), forKey: "name")
            try toy.setValue(.object(shelf), forKey: "shelf")
        }
        try context.save()
        for type in [StoreType.binary, .sqlite, .xml, .text, .sqlite] {
            let store = try #require(container.coordinator.persistentStores.first)
            try container.coordinator.migrateStore(
                store,
                to: target(type, "\(type.rawValue) \(UUID())")
            )
            context.reset()
            let shelves = try context.all("Shelf")
            let counts = try shelves.map { try $0.value(forKeyPath: "products.@count") }
            #expect(counts.filter { $0 == 100 }.count == 100 && counts.count == 101)
            let names = try context.all("Toy").map { try $0.value(forKey: "name").shown }
            #expect(Set(names).count == 10_000)
        }
    }
}
