import ObjectContext
import ObjectModel
import Testing

/// A save ends the step of undo that it saves.
@Suite("A save ends the undo step")
struct SaveStepTests {
    let context: ManagedObjectContext
    let undo = UndoManager()

    init() throws {
        context = try TestGraph.context()
        context.undoManager = undo
    }

    @Test(arguments: [true, false])
    func namedSaveEndsTheStepUnderItsName(groupsByEvent: Bool) throws {
        undo.groupsByEvent = groupsByEvent
        let ana = try context.make("Employee", ["name": "Ana"])
        try context.save(as: "Add Ana")
        #expect(undo.groupingLevel == 0)
        #expect(undo.undoActionName == "Add Ana")
        ana["name"] = "Anna"
        try context.undo()
        #expect(ana["name"] == "Ana" && !ana.isDeleted && !context.hasChanges)
        #expect(undo.undoActionName == "Add Ana")
        try context.undo()
        #expect(context.deletedObjects == [ana])
    }

    @Test func plainSaveEndsTheStepToo() throws {
        let ana = try context.make("Employee", ["name": "Ana"])
        try context.save()
        #expect(undo.groupingLevel == 0 && undo.undoActionName == "")
        ana["name"] = "Anna"
        try context.save()
        try context.undo()
        #expect(ana["name"] == "Ana" && !ana.isDeleted)
    }

    @Test func whatObserversOfTheSaveChangeIsTheNextStep() throws {
        let ana = try context.make("Employee", ["name": "Ana"])
        let token = context.notifications.addObserver(of: ContextDidSave.self, from: context) {
            _ in
            if ana["age"] == 0 { ana["age"] = 1 }
        }
        defer { context.notifications.removeObserver(token) }
        try context.save(as: "Add Ana")
        try context.undo()
        #expect(ana["age"] == 0 && !ana.isDeleted)
    }

    @Test func groupOfTheProgramGoesOnWithItsName() throws {
        undo.beginUndoGrouping()
        undo.setActionName("Hire")
        let ana = try context.make("Employee", ["name": "Ana"])
        let level = undo.groupingLevel
        try context.save(as: "Part 1")
        #expect(undo.groupingLevel == level)
        ana["name"] = "Anna"
        try context.save(as: "Part 2")
        try undo.endUndoGrouping()
        context.endEvent()
        #expect(undo.undoActionName == "Hire")
        try context.undo()
        #expect(context.deletedObjects == [ana])
    }

    @Test func groupWithoutANameGetsTheSaves() throws {
        undo.beginUndoGrouping()
        try context.make("Employee", ["name": "Ana"])
        try context.save(as: "Hire")
        try undo.endUndoGrouping()
        #expect(undo.undoActionName == "Hire")
    }

    @Test func failedSaveLeavesTheStepOpen() throws {
        let ana = try context.make("Employee", ["code": "much too long"])
        #expect(failure { try context.save(as: "Hire") } != nil)
        #expect(undo.undoActionName == "")
        ana["code"] = "abc"
        try context.save(as: "Hire")
        #expect(undo.undoActionName == "Hire")
        try context.undo()
        #expect(context.deletedObjects == [ana] && !undo.canUndo)
    }

    @Test func saveWithoutChangesNamesNoOlderStep() throws {
        try context.make("Employee")
        try context.save(as: "Hire")
        try context.save(as: "Nothing")
        #expect(undo.undoActionName == "Hire")
    }

    @Test func saveOfAnUndoneStepNamesNothing() throws {
        let ana = try context.make("Employee", ["name": "Ana"])
        try context.save(as: "Hire")
        ana["name"] = "Anna"
        try context.save(as: "Rename")
        try context.undo()
        try context.save(as: "Undo Rename")
        #expect(undo.undoActionName == "Hire" && undo.redoActionName == "Rename")
        try context.redo()
        #expect(ana["name"] == "Anna")
    }

    @Test func savesOfAChildAreStepsOfItsOwnAndOfTheParent() throws {
        let child = ManagedObjectContext(parent: context)
        let own = UndoManager()
        child.undoManager = own
        let ana = try child.make("Employee", ["name": "Ana"])
        try child.save(as: "Hire")
        ana["name"] = "Anna"
        try child.save(as: "Rename")
        #expect(undo.undoActionName == "Rename" && own.undoActionName == "Rename")
        try context.undo()
        #expect(context.object(with: ana.objectID)["name"] == "Ana")
        try child.undo()
        #expect(ana["name"] == "Ana" && own.undoActionName == "Hire")
    }
}
