import ObjectContext
import ObjectModel
import ObjectStore
import Testing

@Suite("References to objects that are gone")
struct GoneReferenceTests {
    private let context: ManagedObjectContext
    private let employee: ManagedObject

    init() throws {
        context = try TestGraph.context()
        context.undoManager = UndoManager()
        employee = try context.make("Employee", ["name": "Ana"])
        try context.save()
        context.undoManager?.endEvent()
        context.undoManager?.removeAllActions()
    }

    @Test func referenceToADeletedNewObjectReadsNilAndIsSavedAsNil() throws {
        let mentor = try context.make("Employee", ["name": "Bea"])
        employee["mentor"] = .object(mentor)
        context.processPendingChanges()
        context.delete(mentor)
        context.processPendingChanges()
        #expect(employee["mentor"] == .null)
        #expect(employee.object("mentor") == nil)
        #expect(try employee.value(forKeyPath: "mentor.name") == .null)
        try context.save()
        #expect(try context.stored("Employee", "mentor") == [.null])
        #expect(!context.hasChanges)
        #expect(employee["mentor"] == .null)
    }

    @Test func referenceComesBackWithTheObject() throws {
        let mentor = try context.make("Employee", ["name": "Bea"])
        employee["mentor"] = .object(mentor)
        context.processPendingChanges()
        context.undoManager?.endEvent()
        context.delete(mentor)
        context.processPendingChanges()
        context.undoManager?.endEvent()
        try context.undo()
        #expect(employee.object("mentor") === mentor)
        try context.save()
        #expect(try context.stored("Employee", "name").count == 2)
        #expect(employee.object("mentor") === mentor)
    }

    @Test func membersThatAreGoneAreLeftOut() throws {
        let project = try context.make("Project")
        let tags = try (0..<2).map { _ in try context.make("Tag") }
        project["tags"] = .set(Set(tags.map { .object($0) }))
        context.processPendingChanges()
        context.delete(tags[0])
        context.processPendingChanges()
        #expect(project.list("tags") == [tags[1]])
        #expect(try project.value(forKeyPath: "tags.@count") == 1)
        try context.save()
        #expect(project.list("tags") == [tags[1]])
        let other = context.sibling()
        #expect(try other.all("Project").first?.list("tags").count == 1)
    }

    /// Owner and member are made in one step; the owner goes in the next one, and only the member is
    /// saved.
    @Test func aNewOwnerKeepsItsMemberThroughUndoAndRedo() throws {
        func endStep() {
            context.processPendingChanges()
            context.undoManager?.endEvent()
        }
        context.processPendingChanges()
        context.undoManager?.endEvent()
        let project = try context.make("Project")
        let tag = try context.make("Tag")
        project["tags"] = .set([.object(tag)])
        endStep()
        context.delete(project)
        endStep()
        try context.save()
        for round in 0..<3 {
            try context.undo()
            #expect(project.list("tags") == [tag], "round \(round)")
            try context.undo()
            #expect(tag.isDeleted, "round \(round)")
            try context.redo()
            #expect(project.list("tags") == [tag], "round \(round)")
            try context.redo()
            #expect(!tag.isDeleted, "round \(round)")
        }
    }

    @Test func saveThatFailsLeavesTheReferenceToUndo() throws {
        let mentor = try context.make("Employee", ["name": "Bea"])
        employee["mentor"] = .object(mentor)
        context.processPendingChanges()
        context.undoManager?.endEvent()
        context.delete(mentor)
        context.processPendingChanges()
        context.undoManager?.endEvent()
        employee["code"] = "x"
        #expect(throws: ObjectGraphError.self) { try context.save() }
        employee["code"] = "xyz"
        context.processPendingChanges()
        context.undoManager?.endEvent()
        while employee.object("mentor") == nil, context.undoManager?.canUndo == true {
            try context.undo()
        }
        #expect(employee.object("mentor") === mentor)
    }

    @Test func childSeesAReferenceToANewObjectOfItsParent() throws {
        let mentor = try context.make("Employee", ["name": "Bea"])
        employee["mentor"] = .object(mentor)
        let child = ManagedObjectContext(parent: context)
        let copy = child.object(with: employee.objectID)
        #expect(copy.object("mentor")?["name"] == "Bea")
        child.delete(child.object(with: mentor.objectID))
        try child.save()
        #expect(employee.object("mentor") == nil)
        try context.save()
        #expect(try context.stored("Employee", "mentor") == [.null])
    }

    @Test func observersHearThatTheObjectIsGone() throws {
        let mentor = try context.make("Employee", ["name": "Bea"])
        employee["mentor"] = .object(mentor)
        context.processPendingChanges()
        var told: [GraphValue] = []
        let names = try employee.observe("mentor.name") { told.append($1.newValue ?? "?") }
        let token = try employee.observe("mentor") { told.append($1.newValue ?? "?") }
        context.delete(mentor)
        context.processPendingChanges()
        #expect(told == [.null, .null])
        names.invalidate()
        token.invalidate()
    }

    @Test func primitiveValueLeavesNoTrace() throws {
        employee.setPrimitiveValue("Bea", forKey: "name")
        #expect(employee.changedValues().isEmpty)
        #expect(!context.hasChanges)
        employee["age"] = 5
        #expect(Array(employee.changedValues().keys) == ["age"])
        try context.save()
        #expect(try context.stored("Employee", "name") == ["Bea"])
    }

    @Test func primitiveValueWithinAChangeIsThatChange() throws {
        employee.willChangeValue(forKey: "name")
        employee.setPrimitiveValue("Bea", forKey: "name")
        employee.didChangeValue(forKey: "name")
        #expect(employee.changedValues() == ["name": "Bea"])
        employee.setPrimitiveValue(1, forKey: "age")
        employee["age"] = 2
        #expect(Set(employee.changedValues().keys) == ["name", "age"])
    }

    @Test func undoneActionsReleaseWhatTheyCaptured() throws {
        final class Captured {}
        let undo = UndoManager()
        undo.groupsByEvent = false
        weak var kept: Captured?
        do {
            let captured = Captured()
            kept = captured
            undo.beginUndoGrouping()
            try undo.registerUndo(withTarget: self.employee) { _ in _ = captured }
            try undo.endUndoGrouping()
        }
        #expect(kept != nil)
        try undo.undo()
        #expect(kept == nil)
        do {
            let captured = Captured()
            kept = captured
            undo.beginUndoGrouping()
            try undo.registerUndo(withTarget: self.employee) { _ in
                try undo.registerUndo(withTarget: self.employee) { _ in _ = captured }
                throw ObjectGraphError(.operationFailed, "no")
            }
            try undo.endUndoGrouping()
        }
        #expect(throws: ObjectGraphError.self) { try undo.undo() }
        undo.removeAllActions()
        #expect(kept == nil)
    }
}
