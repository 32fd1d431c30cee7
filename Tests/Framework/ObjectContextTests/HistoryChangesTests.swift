import ObjectGraph
import Testing

/// What a span of history changed in all.
@Suite("Changes of a history")
struct HistoryChangesTests {
    private func makeContainer() throws -> PersistentContainer {
        let model = ManagedObjectModel([
            EntityDescription(
                "Page",
                [
                    AttributeDescription("text", .string),
                    RelationshipDescription("marks", to: "Mark", inverse: "pages", toMany: true),
                ]
            ),
            EntityDescription(
                "Mark",
                [RelationshipDescription("pages", to: "Page", inverse: "marks", toMany: true)]
            ),
        ])
        return try PersistentContainer(model: model, options: .inMemory)
    }

    @Test func laterChangesCountWithEarlierOnes() throws {
        let container = try makeContainer()
        let context = container.viewContext
        let coordinator = container.coordinator
        let gone = try context.insert(entityNamed: "Page")
        let old = try context.insert(entityNamed: "Page")
        try context.save()
        var request = HistoryRequest()
        request.after = try coordinator.currentHistoryToken()

        let new = try context.insert(entityNamed: "Page")
        try context.save()
        try new.setValue("a", forKey: "text")
        try old.setValue("b", forKey: "text")
        try gone.setValue("c", forKey: "text")
        try context.save()
        let id = gone.objectID
        context.delete(gone)
        try context.save()

        let changes = try coordinator.history(request).changes
        #expect(changes.inserted == [new.objectID])
        #expect(changes.updated == [old.objectID])
        #expect(changes.deleted == [id])
    }

    @Test func bothEndsOfANewLinkChange() throws {
        let container = try makeContainer()
        let context = container.viewContext
        let page = try context.insert(entityNamed: "Page")
        let mark = try context.insert(entityNamed: "Mark")
        try context.save()
        var request = HistoryRequest()
        request.after = try container.coordinator.currentHistoryToken()
        try page.mutableSetValue(forKey: "marks").insert(.object(mark))
        try context.save()
        let changes = try container.coordinator.history(request).changes
        #expect(changes.updated == [page.objectID, mark.objectID])
    }

    @Test func deletionThatWasUndoneIsAChange() throws {
        let container = try makeContainer()
        let context = container.viewContext
        let page = try context.insert(entityNamed: "Page")
        try context.save()
        let id = page.objectID
        var request = HistoryRequest()
        request.after = try container.coordinator.currentHistoryToken()
        context.delete(page)
        try context.save()
        _ = try context.undoLastCommand()
        let changes = try container.coordinator.history(request).changes
        #expect(changes.deleted.isEmpty)
        #expect(changes.updated == [id])
    }
}
