import ObjectContext
import ObjectModel
import Testing

@Suite("Undo of unsaved edits")
struct ContextUndoTests {
    let context: ManagedObjectContext
    let undo = UndoManager()

    init() throws {
        context = try TestGraph.context()
        context.undoManager = undo
    }

    private func endEvent() {
        context.processPendingChanges()
        undo.endEvent()
    }

    private func savedAndForgotten() throws {
        try context.save()
        undo.endEvent()
        undo.removeAllActions()
    }

    @Test func severalChangesOfAnEventGoBackToTheFirstValue() throws {
        let ana = try context.make("Employee", ["name": "a"])
        try savedAndForgotten()
        for name in ["b", "c", "d"] { ana["name"] = .string(name) }
        endEvent()
        #expect(undo.canUndo)
        try context.undo()
        #expect(ana["name"] == "a" && !context.hasChanges && !undo.canUndo)
        try context.redo()
        #expect(ana["name"] == "d" && ana.isUpdated)
    }

    @Test func insertedAndDeletedInOneEventLeavesNoStep() throws {
        context.delete(try context.make("Employee"))
        endEvent()
        #expect(!undo.canUndo)
    }

    @Test func changesOutsideRegistrationAreNotUndone() throws {
        let ana = try context.make("Employee")
        endEvent()
        context.processPendingChanges()
        undo.disableUndoRegistration()
        ana["name"] = "quiet"
        context.processPendingChanges()
        try undo.enableUndoRegistration()
        ana["age"] = 3
        endEvent()
        try context.undo()
        #expect(ana["name"] == "quiet" && ana["age"] == 0)
    }

    @Test(.scenario("undo-nil-manager"))
    func withoutAManagerUndoDoesNothing() throws {
        context.undoManager = nil
        let ana = try context.make("Employee")
        try context.undo()
        #expect(ana.isInserted)
        context.rollback()
        #expect(context.registeredObjects.isEmpty && !context.hasChanges)
    }

    @Test func groupTakesWhatIsPendingWhenItOpensAndCloses() throws {
        let ana = try context.make("Employee")
        try savedAndForgotten()
        undo.groupsByEvent = false
        ana["name"] = "before"
        undo.beginUndoGrouping()
        ana["name"] = "inside"
        ana["age"] = 1
        try undo.endUndoGrouping()
        ana["name"] = "after"
        try context.undo()
        #expect(ana["name"] == "inside")
        try context.undo()
        #expect(ana["name"] == "before" && ana["age"] == 0)
        try context.undo()
        #expect(ana["name"].isNull && !context.hasChanges)
        while undo.canRedo { try undo.redo() }
        #expect(ana["name"] == "after")
    }

    @Test func managersOwnUndoSeesPendingChanges() throws {
        let ana = try context.make("Employee", ["name": "a"])
        try savedAndForgotten()
        ana["name"] = "b"
        try undo.undo()
        #expect(ana["name"] == "a")
    }

    @Test func undoOfADeletionRestoresEveryRelationship() throws {
        let home = try context.make("Department")
        let (ana, bob) = (try context.make("Employee"), try context.make("Employee"))
        let plan = try context.make("Project", ["members": [.object(ana), .object(bob)]])
        home["staff"] = [.object(ana), .object(bob)]
        home["head"] = .object(ana)
        ana["spouse"] = .object(bob)
        ana["friends"] = [.object(bob), .object(ana)]
        bob["boss"] = .object(ana)
        plan["reviewers"] = [.object(bob), .object(ana)]
        try savedAndForgotten()
        let before = try GraphDump(context)
        context.delete(home)
        endEvent()
        let after = try GraphDump(context)
        #expect(context.deletedObjects.count == 3)
        try context.undo()
        #expect(try GraphDump(context) == before)
        #expect(!context.hasChanges && plan.list("reviewers") == [bob, ana])
        try context.redo()
        #expect(try GraphDump(context) == after)
        try context.save()
        #expect(home.context == nil)
        try context.undo()
        #expect(home.context === context && home.isInserted)
        #expect(try GraphDump(context) == before)
        try context.save()
        #expect(try GraphDump(context.sibling()) == before)
        try context.redo()
        try context.save()
        #expect(try GraphDump(context.sibling()) == after)
    }

    @Test func undoAcrossASaveOfTemporaryReferences() throws {
        let home = try context.make("Department")
        let ana = try context.make("Employee", ["department": .object(home)])
        let plan = try context.make("Project", ["steps": [.object(try context.make("Step"))]])
        endEvent()
        ana["department"] = .null
        plan["steps"] = []
        endEvent()
        try context.save()
        try context.undo()
        #expect(ana.object("department") === home && home.objects("staff") == [ana])
        #expect(plan.list("steps").count == 1)
        try context.save()
        #expect(try GraphDump(context.sibling()) == GraphDump(context))
    }

    @Test func undoOfADeletionThatASaveNeverSaw() throws {
        let home = try context.make("Department")
        let ana = try context.make("Employee", ["name": "Ana", "department": .object(home)])
        endEvent()
        context.delete(ana)
        endEvent()
        try context.save()
        try context.undo()
        #expect(ana.object("department") === home && home.objects("staff") == [ana])
        try context.save()
        #expect(try GraphDump(context.sibling()) == GraphDump(context))
    }

    @Test func undoOfASavedInsertionDeletes() throws {
        let ana = try context.make("Employee", ["name": "Ana"])
        endEvent()
        try context.save()
        let id = ana.objectID
        let other = context.sibling()
        let plan = try other.make("Project")
        plan["members"] = .set([.object(other.object(with: id))])
        try other.save()
        context.mergeChanges(
            ObjectIDChanges(inserted: [plan.objectID], updated: [id])
        )
        try context.undo()
        #expect(ana.isDeleted)
        try context.save()
        let fresh = context.sibling()
        #expect(try fresh.all("Employee").isEmpty)
        #expect(fresh.object(with: plan.objectID).objects("members").isEmpty)
        try context.redo()
        try context.save()
        #expect(try context.stored("Employee", "name") == ["Ana"])
        #expect(ana.objectID == id)
    }

    @Test func insertUndoneRedoneAndSavedIsOneRow() throws {
        let ana = try context.make("Employee", ["name": "Ana"])
        endEvent()
        try context.undo()
        try context.redo()
        try context.undo()
        try context.redo()
        try context.save()
        #expect(try context.stored("Employee", "name") == ["Ana"] && !ana.hasChanges)
    }

    @Test func orderComesBack() throws {
        let steps = try ["a", "b", "c"].map { try context.make("Step", ["label": .string($0)]) }
        let plan = try context.make("Project", ["steps": .array(steps.map { .object($0) })])
        try savedAndForgotten()
        plan["steps"] = .array(steps.reversed().map { .object($0) })
        endEvent()
        context.delete(steps[1])
        endEvent()
        try context.undo()
        #expect(plan.list("steps").values("label") == ["c", "b", "a"])
        try context.undo()
        #expect(plan.list("steps").values("label") == ["a", "b", "c"] && !context.hasChanges)
        try context.redo()
        try context.redo()
        #expect(plan.list("steps").values("label") == ["c", "a"])
        try context.save()
        let fresh = context.sibling()
        #expect(fresh.object(with: plan.objectID).list("steps").values("label") == ["c", "a"])
    }

    @Test func undoThroughAnUnloadedRelationshipLoadsNothing() throws {
        let home = try context.make("Department")
        try context.make("Employee", ["department": .object(home)])
        try savedAndForgotten()
        let id = home.objectID
        context.refresh(home, mergeChanges: false)
        let new = try context.make("Employee")
        new["department"] = .object(context.object(with: id))
        endEvent()
        try context.undo()
        #expect(home.hasFault(forRelationshipNamed: "staff") && !context.hasChanges)
        #expect(home.objects("staff").count == 1)
    }

    @Test func rollbackAndResetClearTheSteps() throws {
        let ana = try context.make("Employee")
        try context.save()
        ana["age"] = 3
        endEvent()
        #expect(undo.canUndo)
        context.rollback()
        #expect(!undo.canUndo && !undo.canRedo && ana["age"] == 0)
        ana["age"] = 4
        endEvent()
        context.reset()
        #expect(!undo.canUndo && !undo.canRedo)
    }

    @Test func twoContextsShareAManager() throws {
        let other = context.sibling()
        other.undoManager = undo
        let ana = try context.make("Employee", ["name": "a"])
        let bob = try other.make("Employee", ["name": "b"])
        endEvent()
        other.processPendingChanges()
        undo.endEvent()
        ana["name"] = "a2"
        bob["name"] = "b2"
        endEvent()
        try undo.undo()
        #expect(ana["name"] == "a" && bob["name"] == "b")
    }

    @Test func mergeOfADeletionIsNotUndone() throws {
        let ana = try context.make("Employee", ["name": "a"])
        try savedAndForgotten()
        ana["name"] = "b"
        endEvent()
        let other = context.sibling()
        other.delete(other.object(with: ana.objectID))
        try other.save()
        context.mergeChanges(ObjectIDChanges(deleted: [ana.objectID]))
        try context.undo()
        #expect(ana.isDeleted && !context.hasChanges)
        try context.save()
        #expect(try context.stored("Employee", "name").isEmpty)
    }
}
