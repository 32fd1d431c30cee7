import ObjectGraph
import Testing

/// The end of an event as one named step of undo.
@Suite("End of event")
struct EndEventTests {
    private func makeContext() throws -> (context: ManagedObjectContext, undo: UndoManager) {
        let model = ManagedObjectModel([
            EntityDescription("Page", [AttributeDescription("text", .string)])
        ])
        let context = try PersistentContainer(model: model, options: .inMemory).viewContext
        let undo = UndoManager()
        context.undoManager = undo
        return (context, undo)
    }

    @Test(arguments: [true, false])
    func changesBecomeOneNamedStep(groupsByEvent: Bool) throws {
        let (context, undo) = try makeContext()
        undo.groupsByEvent = groupsByEvent
        let page = try context.insert(entityNamed: "Page")
        context.endEvent(as: "Add Page")
        try page.setValue("a", forKey: "text")
        try page.setValue("b", forKey: "text")
        context.endEvent(as: "Edit Page")
        #expect(undo.groupingLevel == 0)
        #expect(undo.undoActionName == "Edit Page")
        try context.undo()
        #expect(try page.value(forKey: "text") == nil)
        #expect(undo.undoActionName == "Add Page")
        #expect(undo.redoActionName == "Edit Page")
    }

    @Test func eventWithoutChangesNamesNothing() throws {
        let (context, undo) = try makeContext()
        _ = try context.insert(entityNamed: "Page")
        context.endEvent(as: "Add Page")
        context.endEvent(as: "Look About")
        #expect(undo.undoActionName == "Add Page")
    }

    @Test func openGroupGoesOn() throws {
        let (context, undo) = try makeContext()
        undo.beginUndoGrouping()
        _ = try context.insert(entityNamed: "Page")
        context.endEvent(as: "Add Page")
        let level = undo.groupingLevel
        #expect(level > 0)
        _ = try context.insert(entityNamed: "Page")
        try undo.endUndoGrouping()
        context.endEvent()
        try context.undo()
        #expect(context.insertedObjects.isEmpty)
    }

    @Test func contextWithoutAManagerEndsItsEvent() throws {
        let (context, _) = try makeContext()
        context.undoManager = nil
        let page = try context.insert(entityNamed: "Page")
        try page.setValue("a", forKey: "text")
        context.endEvent(as: "Add Page")
        #expect(page.changedValuesForCurrentEvent().isEmpty)
    }
}
