import ObjectGraph
import Testing

/// A class that the program forgot to name is told once, and never by an empty answer.
@Suite("Classes that are missing")
struct MissingClassTests {
    private class Item: ManagedObject { @Managed("title") var title: String }
    private final class Note: Item {}
    private final class Other: ManagedObject {}

    private func model(naming classes: Bool) -> ManagedObjectModel {
        ManagedObjectModel([
            EntityDescription(
                "Item",
                className: classes ? "Item" : nil,
                [AttributeDescription("title", .string)]
            ),
            EntityDescription("Note", className: classes ? "Note" : nil, superentity: "Item"),
        ])
    }

    @Test func classThatTheModelNamesIsMissedAtOpening() throws {
        let error = failure {
            _ = try PersistentStoreCoordinator(
                model: model(naming: true),
                classes: ["Item": Item.self]
            )
        }
        #expect(error?.code == .invalidModel, "\(error as Any)")
        let sentence =
            "The classes and the model contradict each other: The model names the class Note for the"
            + " entity Note, but no class was given for it. Add Note.self to the classes."
        #expect(error?.message == sentence)
    }

    @Test func nameOfNoEntityIsRefusedAtOpening() throws {
        let error = failure {
            _ = try PersistentStoreCoordinator(
                model: model(naming: false),
                classes: ["Itme": Item.self]
            )
        }
        #expect(error?.message.contains("\"Itme\"") == true, "\(error as Any)")
    }

    @Test func classThatIsNoneOfItsParentsIsRefusedAtOpening() throws {
        let error = failure {
            _ = try PersistentStoreCoordinator(
                model: model(naming: false),
                classes: ["Item": Item.self, "Note": Other.self]
            )
        }
        #expect(error?.message.contains("Note") == true && error?.message.contains("Item") == true)
    }

    @Test func noClassesAtAllArePlainObjects() throws {
        let coordinator = try PersistentStoreCoordinator(model: model(naming: true))
        coordinator.add(try InMemoryStore(model: coordinator.model))
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.insert(entityNamed: "Note")
        #expect(try context.all("Item").count == 1)
    }

    @Test func fetchOfAClassThatItsEntityDoesNotHaveIsAnError() throws {
        let coordinator = try PersistentStoreCoordinator(
            model: model(naming: false),
            classes: ["Note": Other.self]
        )
        coordinator.add(try InMemoryStore(model: coordinator.model))
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.insert(entityNamed: "Item")
        let error = failure { _ = try Item.all(in: context) }
        #expect(error?.code == .invalidRequest, "\(error as Any)")
        #expect(error?.message.contains("Item") == true, "\(error as Any)")
        #expect(try context.all("Item").count == 1)
    }

    @Test func subentityWithoutAClassHasItsParents() throws {
        let coordinator = try PersistentStoreCoordinator(
            model: model(naming: false),
            classes: ["Item": Item.self]
        )
        coordinator.add(try InMemoryStore(model: coordinator.model))
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.insert(entityNamed: "Note")
        try context.insert(entityNamed: "Item")
        #expect(try Item.all(in: context).count == 2)
        #expect(try Item.count(in: context) == 2)
    }
}
