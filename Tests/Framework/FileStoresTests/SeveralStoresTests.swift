import Foundation
import ObjectGraph
import Testing

/// Several stores of several types under one coordinator.
@Suite struct SeveralStoresTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func model() -> ManagedObjectModel {
        Shop.model { model in
            model.configurations["Goods"] = ["Product", "Book", "Toy", "Shelf", "Tag"]
            model.configurations["Notes"] = ["Thing"]
        }
    }

    private func description(
        _ type: StoreType,
        _ name: String,
        _ configuration: String?
    ) -> StoreDescription {
        var options = Shop.options(type)
        options.configuration = configuration
        return StoreDescription(url: folder.file(name), options: options)
    }

    @Test(
        arguments: [StoreType.sqlite, .inMemory, .binary, .xml, .text],
        [StoreType.sqlite, .inMemory, .binary, .xml, .text]
    )
    func entitiesGoToTheStoreOfTheirConfiguration(_ first: StoreType, _ second: StoreType) throws {
        let stores = [description(first, "a", "Goods"), description(second, "b", "Notes")]
        let container = try PersistentContainer(model: model(), stores: stores)
        let context = container.viewContext
        try Shop.fill(context)
        let before = try Shop.dump(context)
        let thing = try #require(try context.all("Thing").first)
        let places = container.coordinator.persistentStores
        #expect(container.coordinator.persistentStore(of: thing.objectID) == places[1])
        for book in try context.all("Book") {
            #expect(container.coordinator.persistentStore(of: book.objectID) == places[0])
        }
        container.close()
        if first == .inMemory || second == .inMemory { return }
        let again = try PersistentContainer(model: model(), stores: stores)
        #expect(try Shop.dump(again.viewContext) == before)
        // Each store fits its own part of the model only.
        let metadata = try PersistentStoreCoordinator.metadata(ofStoreAt: folder.file("b"))
        #expect(try model().isConfiguration("Notes", compatibleWithStoreMetadata: metadata))
        #expect(try !model().isConfiguration("Goods", compatibleWithStoreMetadata: metadata))
        #expect(try !model().isConfiguration(nil, compatibleWithStoreMetadata: metadata))
        #expect(
            failure {
                _ = try model().isConfiguration("Gods", compatibleWithStoreMetadata: metadata)
            }?.code == .invalidRequest
        )
    }

    @Test(arguments: Shop.atomicTypes)
    func objectIsAssignedToAThrowAwayStore(_ type: StoreType) throws {
        let stores = [description(type, "a", nil), description(.inMemory, "b", nil)]
        let container = try PersistentContainer(model: model(), stores: stores)
        let context = container.viewContext
        let places = container.coordinator.persistentStores
        let kept = try context.insert(entityNamed: "Toy")
        let temporary = try context.insert(entityNamed: "Toy")
        try context.assign(temporary, to: places[1])
        try context.save()
        #expect(container.coordinator.persistentStore(of: kept.objectID) == places[0])
        #expect(container.coordinator.persistentStore(of: temporary.objectID) == places[1])
        #expect(try Shop.count("Toy", context) == 2)
        try container.coordinator.removeStore(places[1])
        context.reset()
        #expect(try Shop.count("Toy", context) == 1)
    }

    @Test(arguments: Shop.atomicTypes)
    func relationshipToAnotherStoreIsRefused(_ type: StoreType) throws {
        let stores = [description(type, "a", nil), description(.binary, "b", nil)]
        let container = try PersistentContainer(model: model(), stores: stores)
        let context = container.viewContext
        let places = container.coordinator.persistentStores
        let shelf = try context.insert(entityNamed: "Shelf")
        let toy = try context.insert(entityNamed: "Toy")
        try context.assign(toy, to: places[1])
        try toy.setValue(.object(shelf), forKey: "shelf")
        let error = failure { try context.save() }
        #expect(error?.code == .externalRelationship && error?.code.rawValue == 133010)
        try toy.setValue(.null, forKey: "shelf")
        try context.save()
        #expect(try Shop.count("Toy", container.newContext()) == 1)
    }
}
