import ObjectContext
import ObjectModel
import Testing

@Suite("will and did")
struct ObservingBalanceTests {
    private let context: ManagedObjectContext
    private let employee: ManagedObject
    private let department: ManagedObject

    init() throws {
        context = try TestGraph.context()
        employee = try context.make("Employee", ["name": "Ana"])
        department = try context.make("Department", ["title": "Tools"])
        try context.save()
    }

    private final class Told {
        var old: [GraphValue] = []
        var new: [GraphValue] = []
    }

    private func watch(
        _ object: ManagedObject,
        _ path: String
    ) throws -> (Told, KeyValueObservation) {
        let told = Told()
        let token = try object.observe(path, options: [.old, .new]) {
            told.old.append($1.oldValue ?? "?")
            told.new.append($1.newValue ?? "?")
        }
        return (told, token)
    }

    @Test func tokenThatEndsBetweenSilencesNobody() throws {
        let (titles, token) = try watch(department, "title")
        let (_, name) = try watch(employee, "name")
        employee.willChangeValue(forKey: "name")
        name.invalidate()
        employee["age"] = 1
        employee.setPrimitiveValue("Bea", forKey: "name")
        employee.didChangeValue(forKey: "name")
        department["title"] = "Wood"
        #expect(titles.new == ["Wood"])
        token.invalidate()
    }

    @Test func savedDeletionBetweenSilencesNobody() throws {
        let (titles, token) = try watch(department, "title")
        let (_, name) = try watch(employee, "name")
        employee.willChangeValue(forKey: "name")
        context.delete(employee)
        try context.save()
        employee.didChangeValue(forKey: "name")
        department["title"] = "Wood"
        #expect(titles.new == ["Wood"])
        token.invalidate()
        name.invalidate()
    }

    @Test func deletionOfANewObjectBetweenSilencesNobody() throws {
        let (titles, token) = try watch(department, "title")
        let new = try context.make("Employee")
        let (_, name) = try watch(new, "name")
        new.willChangeValue(forKey: "name")
        context.delete(new)
        context.processPendingChanges()
        new.didChangeValue(forKey: "name")
        department["title"] = "Wood"
        #expect(titles.new == ["Wood"])
        token.invalidate()
        name.invalidate()
    }

    @Test func whatWasHeldBackIsToldWhenTheObjectGoes() throws {
        let (titles, token) = try watch(department, "title")
        let (_, name) = try watch(employee, "name")
        employee.willChangeValue(forKey: "name")
        department["title"] = "Wood"
        #expect(titles.new == [])
        context.delete(employee)
        try context.save()
        #expect(titles.new == ["Wood"])
        token.invalidate()
        name.invalidate()
    }

    @Test func resetBetweenSilencesNobody() throws {
        let (_, name) = try watch(employee, "name")
        employee.willChangeValue(forKey: "name")
        context.reset()
        employee.didChangeValue(forKey: "name")
        let other = try #require(try context.all("Department").first)
        let (titles, token) = try watch(other, "title")
        other["title"] = "Wood"
        #expect(titles.new == ["Wood"])
        token.invalidate()
        name.invalidate()
    }

    @Test func objectThatIsLetGoBetweenSilencesNobody() throws {
        let (titles, token) = try watch(department, "title")
        let id = try context.make("Tag").objectID
        try context.save()
        var object: ManagedObject? = context.object(with: id)
        let name = try object?.observe("objectID") { _, _ in }
        object?.willChangeValue(forKey: "objectID")
        object = nil
        department["title"] = "Wood"
        department["title"] = "Steel"
        #expect(titles.new.last == "Steel")
        token.invalidate()
        name?.invalidate()
    }

    @Test func observationThatBeginsBetweenIsToldOnceAtTheEnd() throws {
        employee.willChangeValue(forKey: "name")
        let (told, token) = try watch(employee, "name")
        employee["name"] = "Bea"
        employee["name"] = "Cid"
        #expect(told.new == [])
        employee.didChangeValue(forKey: "name")
        #expect(told.old == ["Ana"])
        #expect(told.new == ["Cid"])
        token.invalidate()
    }

    @Test func observationThatBeginsBetweenHearsOfAPrimitiveValue() throws {
        let worker = employee
        worker.willChangeValue(forKey: "name")
        let (told, token) = try watch(worker, "name")
        worker.setPrimitiveValue("Bea", forKey: "name")
        worker.didChangeValue(forKey: "name")
        #expect(told.new == ["Bea"])
        token.invalidate()
    }

    @Test func observationThatBeginsBetweenEndsNobodyElsesChange() throws {
        let (titles, title) = try watch(department, "title")
        department.willChangeValue(forKey: "title")
        employee.willChangeValue(forKey: "name")
        let (names, name) = try watch(employee, "name")
        employee["name"] = "Bea"
        employee.didChangeValue(forKey: "name")
        #expect(titles.new == [])
        department.setPrimitiveValue("Wood", forKey: "title")
        department.didChangeValue(forKey: "title")
        #expect(titles.new == ["Wood"])
        #expect(names.new == ["Bea"])
        title.invalidate()
        name.invalidate()
    }

    @Test func didOfAnotherKeyEndsNothing() throws {
        let (names, token) = try watch(employee, "name")
        employee.willChangeValue(forKey: "name")
        employee.didChangeValue(forKey: "age")
        department.didChangeValue(forKey: "title")
        #expect(names.new == [])
        employee.setPrimitiveValue("Bea", forKey: "name")
        employee.didChangeValue(forKey: "name")
        employee.didChangeValue(forKey: "name")
        #expect(names.new == ["Bea"])
        token.invalidate()
    }

    @Test func willOfAnUnobservedObjectHoldsNobodyBack() throws {
        let (titles, token) = try watch(department, "title")
        employee.willChangeValue(forKey: "name")
        department["title"] = "Wood"
        #expect(titles.new == ["Wood"])
        token.invalidate()
    }

    @Test func changeSaidByPlacesCountsAsAChange() throws {
        let project = try context.make("Project")
        let step = try context.make("Step")
        try context.save()
        let places = RangeSet(0..<1)
        project.willChange(.insertion, valuesAt: places, forKey: "steps")
        project.didChange(.insertion, valuesAt: places, forKey: "steps")
        #expect(project.isUpdated)
        _ = step
    }

    @Test func observationGoesOnAfterUndoOfASavedDeletion() throws {
        context.undoManager = UndoManager()
        employee["department"] = .object(department)
        try context.save()
        let (told, token) = try watch(employee, "department.title")
        context.delete(employee)
        try context.save()
        // The path is followed from the department while its first object is away.
        department["title"] = "Wood"
        try context.undo()
        try context.undo()
        #expect(employee.context === context)
        let second = try context.make("Department", ["title": "Steel"])
        employee["department"] = .object(second)
        second["title"] = "Glass"
        #expect(told.new.last == "Glass")
        token.invalidate()
    }
}
