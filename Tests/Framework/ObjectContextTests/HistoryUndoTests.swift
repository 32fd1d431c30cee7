import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import SQLiteStore
import Testing

@Suite("Undo of saved commands")
struct HistoryUndoTests {
    @Test func undoAndRedoFollowTheHistory() throws {
        let context = try TestGraph.context()
        let ana = try context.insert(entityNamed: "Employee")
        ana["name"] = "Ana"
        try context.save(as: "Add")
        let id = ana.objectID
        ana["name"] = "Anna"
        try context.save(as: "Rename")
        #expect(try context.undoSteps().map(\.name) == ["Rename", "Add"])

        #expect(try context.undoLastCommand()?.step.name == "Rename")
        #expect(ana["name"] == "Ana")
        #expect(try context.undoLastCommand()?.step.name == "Add")
        #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Employee")) == 0)
        #expect(try context.undoLastCommand() == nil)
        #expect(try context.redoSteps().map(\.name) == ["Add", "Rename"])

        #expect(try context.redoLastCommand()?.isDone == true)
        let again = try context.existingObject(with: id)
        #expect(again["name"] == "Ana")
        _ = try context.redoLastCommand()
        #expect(again["name"] == "Anna")
        #expect(try context.redoLastCommand() == nil)
    }

    /// On a store that people share, each undoes and redoes what they have done themselves.
    @Test func eachUndoesTheirOwnCommandsWhereUndoIsByAuthor() throws {
        let anna = try TestGraph.context()
        let ben = ManagedObjectContext(coordinator: anna.coordinator)
        (anna.transactionAuthor, ben.transactionAuthor) = ("anna", "ben")
        anna.coordinator.undoesByAuthor = true
        let first = try anna.make("Employee", ["name": "A"])
        try anna.save(as: "Add A")
        let id = first.objectID
        try ben.make("Employee", ["name": "B"])
        try ben.save(as: "Add B")
        #expect(try anna.undoSteps().map(\.name) == ["Add A"])
        #expect(try ben.undoSteps(limit: 9, ofEveryone: true).map(\.author) == ["ben", "anna"])
        #expect(try anna.undoLastCommand()?.step.name == "Add A")
        #expect(try anna.undoLastCommand() == nil)
        // What somebody else does meanwhile leaves it to be redone.
        try ben.make("Employee", ["name": "C"])
        try ben.save(as: "Add C")
        #expect(try ben.redoLastCommand() == nil)
        #expect(try anna.redoLastCommand()?.step.name == "Add A")
        // A change of somebody else is a conflict, as everywhere.
        try anna.existingObject(with: id)["name"] = "Anna's"
        try anna.save(as: "Rename")
        ben.refreshAllObjects()
        try ben.existingObject(with: id)["name"] = "Ben's"
        try ben.save(as: "Rename too")
        anna.refreshAllObjects()
        let refused = try #require(try anna.undoLastCommand())
        #expect(!refused.isDone && refused.conflicts.map(\.reason) == [.changedSince])
        #expect(try ben.undoLastCommand()?.step.name == "Rename too")
        #expect(try anna.undoLastCommand()?.isDone == true)
        // A new command of the same author ends the redo.
        try anna.make("Employee", ["name": "D"])
        try anna.save(as: "Add D")
        #expect(try anna.redoSteps().isEmpty)
    }

    /// One step of two saves, the second part of the first.
    private func save(
        _ context: ManagedObjectContext,
        continuing first: Int64? = nil
    ) throws -> Int64 {
        var info = TransactionInfo()
        info.groupName = "Step"
        info.continues = first
        return try context.save(info)
    }

    @Test func stepWhoseHooksBumpAValueIsUndoneAsAWhole() throws {
        let context = try TestGraph.context(classes: ["Employee": Bumping.self])
        let ana = try context.make("Employee", ["name": "Ana"])
        try context.save(as: "Add")
        ana["name"] = "Anna"
        let first = try save(context)
        ana["name"] = "Annabel"
        _ = try save(context, continuing: first)
        let preview = try #require(try context.previewUndo())
        #expect(preview.conflicts.isEmpty)
        let outcome = try #require(try context.undoLastCommand())
        #expect(outcome.isDone && outcome.conflicts.isEmpty && outcome.objectIDs == [ana.objectID])
        #expect(ana["name"] == "Ana")
        let again = try #require(try context.redoLastCommand())
        #expect(again.isDone && again.conflicts.isEmpty && ana["name"] == "Annabel")
    }

    @Test func stepOfTwoSavesIsUndoneByOne() throws {
        let context = try TestGraph.context()
        let ana = try context.make("Employee", ["name": "Ana"])
        try context.save(as: "Add")
        ana["name"] = "Anna"
        let bob = try context.make("Employee", ["name": "Bob"])
        let first = try save(context)
        context.delete(bob)
        ana["name"] = "Annabel"
        _ = try save(context, continuing: first)
        func transactions() throws -> Int {
            try context.coordinator.history(HistoryRequest()).transactions.count
        }
        let before = try transactions()
        context.beforeWriting = { throw ObjectGraphError(.unsupported, "The disk is full.") }
        #expect(throws: ObjectGraphError.self) { try context.undoLastCommand() }
        context.beforeWriting = nil
        #expect(try ana["name"] == "Annabel" && transactions() == before)
        for _ in 0..<2 {
            #expect(try context.undoLastCommand()?.isDone == true)
            #expect(ana["name"] == "Ana")
            #expect(try context.redoLastCommand()?.isDone == true)
            #expect(ana["name"] == "Annabel")
        }
        #expect(try transactions() == before + 4)
    }

    @Test func outcomeHasAnObjectThatNobodyHolds() throws {
        let context = try TestGraph.context()
        let id = try {
            let ana = try context.make("Employee", ["name": "Ana"])
            try context.save(as: "Add")
            ana["name"] = "Anna"
            try context.save(as: "Rename")
            return ana.objectID
        }()
        #expect(context.registeredObjects.isEmpty)
        #expect(try context.undoLastCommand()?.objectIDs == [id])
        #expect(try context.undoLastCommand()?.objectIDs == [])
    }

    @Test func stepThatIsRefusedInItsLastPartIsLeftAlone() throws {
        let context = try TestGraph.context()
        let (ana, bob) = (try context.make("Employee"), try context.make("Employee"))
        try context.save(as: "Add")
        ana["name"] = "Ana"
        let first = try save(context)
        bob["name"] = "Bob"
        _ = try save(context, continuing: first)
        ana["name"] = "Anna"
        var info = TransactionInfo()
        info.kind = .silent
        try context.save(info)
        let transactions = try context.coordinator.history(HistoryRequest()).transactions.count
        let outcome = try #require(try context.undoLastCommand())
        #expect(outcome.step.name == "Step")
        #expect(!outcome.isDone && outcome.conflicts.map(\.key) == ["name"])
        #expect(bob["name"] == "Bob" && ana["name"] == "Anna" && !context.hasChanges)
        #expect(
            try context.coordinator.history(HistoryRequest()).transactions.count == transactions
        )
    }

    @Test func aNewCommandDropsWhatCouldBeRedone() throws {
        let context = try TestGraph.context()
        let ana = try context.insert(entityNamed: "Employee")
        try context.save(as: "Add")
        ana["name"] = "Ana"
        try context.save(as: "Rename")
        _ = try context.undoLastCommand()
        ana["age"] = 7
        try context.save(as: "Age")
        #expect(try context.redoSteps().isEmpty)
        #expect(try context.undoSteps().map(\.name) == ["Age", "Add"])
    }

    @Test func erasedDeletionIsReportedAndTheRestUndone() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "erased-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let coordinator = try PersistentStoreCoordinator(model: TestGraph.model())
        let store = try SQLiteStore(
            url: folder.appending(path: "store.sqlite"),
            model: coordinator.model
        )
        coordinator.add(store)
        let context = ManagedObjectContext(coordinator: coordinator)
        let (ana, bob) = (
            try context.insert(entityNamed: "Employee"), try context.insert(entityNamed: "Employee")
        )
        (ana["name"], bob["name"]) = ("Ana", "Bob")
        try context.save(as: "Add")
        let (first, second) = (ana.objectID, bob.objectID)
        context.delete(ana)
        context.delete(bob)
        try context.save(as: "Remove")
        try store.eraseHistory(of: [first])

        let refused = try context.undoLastCommand()
        #expect(refused?.isDone == false)
        #expect(refused?.conflicts.map(\.reason) == [.erased])
        #expect(try context.undoLastCommand(onConflict: .skip)?.isDone == true)
        #expect(try context.existingObject(with: second)["name"] == "Bob")
        #expect(throws: ObjectGraphError.self) { try context.existingObject(with: first) }
    }

    @Test func undoRefusesToOverwriteWhatSomebodyElseChanged() throws {
        let context = try TestGraph.context()
        let ana = try context.insert(entityNamed: "Employee")
        try context.save(as: "Add")
        ana["name"] = "Ana"
        try context.save(as: "Rename")
        var silent = TransactionInfo()
        silent.kind = .silent
        ana["name"] = "Zoe"
        try context.save(silent)
        let refused = try context.undoLastCommand()
        #expect(refused?.isDone == false)
        #expect(refused?.conflicts.map(\.key) == ["name"])
        #expect(ana["name"] == "Zoe")
        let forced = try context.undoLastCommand(onConflict: .overwrite)
        #expect(forced?.isDone == true)
        #expect(ana["name"].isNull)
    }

    @Test func undoOfACascadeRestoresTheWholeGraph() throws {
        let context = try TestGraph.context()
        let home = try context.insert(entityNamed: "Department")
        let plan = try context.insert(entityNamed: "Project")
        for name in ["a", "b", "c"] {
            let person = try context.insert(entityNamed: "Employee")
            person["name"] = .string(name)
            person["department"] = .object(home)
            person["projects"] = [.object(plan)]
        }
        try context.save(as: "Add")
        let before = try GraphDump(context)
        context.delete(home)
        try context.save(as: "Delete")
        let after = try GraphDump(context)
        #expect(before != after)
        _ = try context.undoLastCommand()
        #expect(try GraphDump(context) == before)
        _ = try context.redoLastCommand()
        #expect(try GraphDump(context) == after)
        _ = try context.undoLastCommand()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try GraphDump(other) == before)
    }
}

@Suite("Edit sessions")
struct EditSessionTests {
    @Test func acceptedEditsAreOneStepOfTheContextsUndo() throws {
        let context = try TestGraph.context()
        context.undoManager = UndoManager()
        let ana = try context.insert(entityNamed: "Employee")
        ana["name"] = "Ana"
        try context.save()
        context.undoManager?.removeAllActions()
        let session = EditSession(context, name: "Edit Employee")
        ana["name"] = "Anna"
        session.endEdit()
        ana["age"] = 30
        session.endEdit()
        try session.undo()
        #expect(ana["age"] == 0)
        try session.redo()
        #expect(ana["age"] == 30)
        try session.accept()
        #expect(context.undoManager?.undoActionName == "Edit Employee")
        try context.undo()
        #expect(ana["name"] == "Ana" && ana["age"] == 0)
        #expect(context.undoManager?.canUndo == false)
        try context.redo()
        #expect(ana["name"] == "Anna" && ana["age"] == 30)
        try context.undo()
        #expect(ana["name"] == "Ana")
    }

    @Test func cancelLeavesNoTraceAlsoForANewObject() throws {
        let context = try TestGraph.context()
        context.undoManager = UndoManager()
        let home = try context.insert(entityNamed: "Department")
        try context.save()
        context.undoManager?.removeAllActions()
        let before = try GraphDump(context)
        let session = EditSession(context, name: "Add Employee")
        let ana = try context.insert(entityNamed: "Employee")
        ana["department"] = .object(home)
        session.endEdit()
        ana["name"] = "Ana"
        session.cancel()
        #expect(!context.hasChanges)
        #expect(ana.context == nil)
        #expect(try GraphDump(context) == before)
        #expect(context.undoManager?.canUndo == false)
        #expect(context.undoManager?.canRedo == false)
        #expect(home.objects("staff").isEmpty)
    }
}

/// Notes each save of it, as a "modified" attribute does.
private final class Bumping: ManagedObject {
    private var isNoted = false

    override func willSave() {
        if isDeleted || isNoted { return }
        isNoted = true
        let committed = committedValues(forKeys: ["age"])["age"]?.integerValue ?? 0
        self["age"] = .int(committed + 100)
    }

    override func didSave() { isNoted = false }
}
