import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore
import Testing

@Suite("Failed saves")
struct SaveFailureTests {
    @Test func failedSaveLeavesContextAndStoreAsBefore() throws {
        let coordinator = try PersistentStoreCoordinator(model: TestGraph.model())
        let store = try CountingStore(model: coordinator.model)
        coordinator.add(store)
        let context = ManagedObjectContext(coordinator: coordinator)
        let home = try context.make("Department")
        let ana = try context.make("Employee", ["name": "Ana", "department": .object(home)])
        let bob = try context.make("Employee", ["name": "Bob", "department": .object(home)])
        try context.save()
        let stored = try GraphDump(context.sibling())
        let new = try context.make("Employee", ["name": "New", "department": .object(home)])
        ana["name"] = "Anna"
        context.delete(bob)
        context.processPendingChanges()
        let before = try GraphDump(context)
        store.saveFailure = ObjectGraphError(.cannotWrite, "The disk is full.")
        var posted = 0
        let token = context.notifications.addObserver(of: ContextDidSave.self, from: context) { _ in
            posted += 1
        }
        defer { context.notifications.removeObserver(token) }
        #expect(failure { try context.save() }?.code == .cannotWrite)
        #expect(try GraphDump(context) == before && GraphDump(context.sibling()) == stored)
        #expect(context.insertedObjects == [new] && new.objectID.isTemporaryID)
        #expect(context.updatedObjects == [ana, home] && context.deletedObjects == [bob])
        #expect(posted == 0)
        store.saveFailure = nil
        try context.save()
        #expect(posted == 1 && !context.hasChanges)
        #expect(try GraphDump(context.sibling()) == GraphDump(context))
    }

    @Test func withoutChangesNothingIsPostedOrWritten() throws {
        let coordinator = try PersistentStoreCoordinator(model: TestGraph.model())
        let store = try CountingStore(model: coordinator.model)
        coordinator.add(store)
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.save()
        #expect(store.saves == 0)
    }

    /// Two stores, the entities split by configuration.
    private func splitStack() throws -> (ManagedObjectContext, CountingStore, CountingStore) {
        let model = TestGraph.model()
        model.configurations = [
            "People": ["Employee", "Manager", "Department", "Room", "Project", "Step"],
            "Tags": ["Tag"],
        ]
        let coordinator = try PersistentStoreCoordinator(model: model)
        let people = try CountingStore(model: model, configuration: "People")
        let tags = try CountingStore(model: model, configuration: "Tags")
        coordinator.add(people)
        coordinator.add(tags)
        return (ManagedObjectContext(coordinator: coordinator), people, tags)
    }

    @Test func configurationsChooseTheStore() throws {
        let (context, people, tags) = try splitStack()
        let ana = try context.make("Employee", ["name": "Ana"])
        let tag = try context.make("Tag", ["name": "t"])
        try context.save()
        #expect(ana.objectID.storeIdentifier == people.identifier)
        #expect(tag.objectID.storeIdentifier == tags.identifier)
        #expect(try context.stored("Tag", "name") == ["t"])
        #expect(try context.stored("Employee", "name") == ["Ana"])
        context.delete(tag)
        ana["age"] = 2
        try context.save()
        #expect(try context.all("Tag").isEmpty)
    }

    @Test func relationshipAcrossStoresIsRefused() throws {
        let (context, _, _) = try splitStack()
        let tag = try context.make("Tag")
        let plan = try context.make("Project", ["tags": [.object(tag)]])
        let error = failure { try context.save() }
        #expect(error?.code == .externalRelationship && error?.key == "tags")
        #expect(plan.isInserted && tag.isInserted)
        plan["tags"] = []
        try context.save()
    }

    @Test func secondStoresFailureKeepsItsObjectsPending() throws {
        let (context, _, tags) = try splitStack()
        let ana = try context.make("Employee", ["name": "Ana"])
        let tag = try context.make("Tag", ["name": "t"])
        tags.saveFailure = ObjectGraphError(.cannotWrite, "The disk is full.")
        #expect(failure { try context.save() }?.code == .incompleteSave)
        #expect(!ana.hasChanges && !ana.objectID.isTemporaryID)
        #expect(tag.isInserted && tag.objectID.isTemporaryID)
        tags.saveFailure = nil
        try context.save()
        #expect(try context.stored("Employee", "name") == ["Ana"])
        #expect(try context.stored("Tag", "name") == ["t"] && !context.hasChanges)
    }

    @Test func objectCanBeAssignedToAStore() throws {
        let coordinator = try PersistentStoreCoordinator(model: TestGraph.model())
        let (first, second) = (
            try InMemoryStore(model: coordinator.model), try InMemoryStore(model: coordinator.model)
        )
        coordinator.add(first)
        coordinator.add(second)
        let context = ManagedObjectContext(coordinator: coordinator)
        let (a, b) = (try context.make("Tag"), try context.make("Tag"))
        context.assign(b, to: second)
        try context.save()
        #expect(a.objectID.storeIdentifier == first.identifier)
        #expect(b.objectID.storeIdentifier == second.identifier)
        #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Tag")) == 2)
        var request = FetchRequest<ManagedObject>(entityName: "Tag")
        request.affectedStores = [second.identifier.uuidString]
        #expect(try context.fetch(request) == [b])
    }

    @Test func withoutAStoreTheSaveFails() throws {
        let coordinator = try PersistentStoreCoordinator(model: TestGraph.model())
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.make("Tag")
        #expect(failure { try context.save() }?.code == .cannotWrite)
        #expect(
            failure { try context.obtainPermanentIDs(for: Array(context.insertedObjects)) } != nil
        )
    }
}
