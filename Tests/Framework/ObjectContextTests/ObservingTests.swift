import ObjectContext
import ObjectModel
import ObjectStore
import Testing

/// A class with a dependent key and accessors of its own.
private final class Worker: ManagedObject {
    override class var entityName: String { "Employee" }

    override class func keyPathsForValuesAffecting(_ key: String) -> Set<String> {
        key == "code" ? ["name", "department.title"] : []
    }

    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
        key != "salary"
    }

    /// A custom accessor over the primitive value.
    func raise() {
        changing("salary") { setPrimitiveValue(100.0, forKey: "salary") }
    }
}

/// Takes nil as zero.
private final class Zero: ManagedObject {
    override func setNilValue(forKey key: String) throws { try setValue(0, forKey: key) }
}

@Suite struct ObservingTests {
    private let context: ManagedObjectContext
    private let employee: ManagedObject
    private let department: ManagedObject

    init() throws {
        context = try TestGraph.context(classes: ["Employee": Worker.self])
        employee = try context.make("Employee", ["name": "Ana"])
        department = try context.make("Department", ["title": "Tools"])
        try context.save()
    }

    /// What an observer was told, in order.
    private final class Told {
        var changes: [KeyValueChange] = []
        var kinds: [KeyValueChange.Kind] { changes.map(\.kind) }
    }

    private func watch(
        _ object: ManagedObject,
        _ path: String,
        _ options: KeyValueObservingOptions = [.old, .new]
    ) throws -> (Told, KeyValueObservation) {
        let told = Told()
        return (told, try object.observe(path, options: options) { told.changes.append($1) })
    }

    @Test func setterTellsOldAndNew() throws {
        let (told, token) = try watch(employee, "name")
        employee.setString("Bea", at: employee.entity.slotNumber("name"))
        #expect(told.changes.map(\.oldValue) == ["Ana"])
        #expect(told.changes.map(\.newValue) == ["Bea"])
        #expect(employee.isUpdated)
        token.invalidate()
        employee["name"] = "Cid"
        employee["name"] = "Dan"
        #expect(told.changes.count == 1)
        #expect(employee.keyObservers == nil)
    }

    @Test func undoRedoAndRollbackAreTold() throws {
        context.undoManager = UndoManager()
        let (told, token) = try watch(employee, "name")
        employee["name"] = "Bea"
        try context.undo()
        try context.redo()
        context.rollback()
        #expect(told.changes.map(\.newValue) == ["Bea", "Ana", "Bea", "Ana"])
        token.invalidate()
    }

    @Test func bothSidesAreInStepWhenObserversHear() throws {
        var seen: [Int] = []
        let token = try employee.observe("department") { employee, _ in
            seen.append(employee.object("department")?.objects("staff").count ?? -1)
        }
        let (staff, other) = try watch(department, "staff")
        employee["department"] = .object(department)
        employee["department"] = .null
        #expect(seen == [1, -1])
        #expect(staff.kinds == [.insertion, .removal])
        #expect(staff.changes.first?.newValue == .set([.object(employee)]))
        #expect(staff.changes.last?.oldValue == .set([.object(employee)]))
        #expect(staff.changes.allSatisfy { $0.indexes == nil })
        token.invalidate()
        other.invalidate()
    }

    @Test func relationshipSetToWhatItIsTellsNothing() throws {
        employee["department"] = .object(department)
        let (told, token) = try watch(employee, "department")
        employee["department"] = .object(department)
        #expect(told.changes.isEmpty)
        token.invalidate()
    }

    @Test func orderedMembersAreToldWithTheirPlaces() throws {
        let project = try context.make("Project")
        let steps = try (0..<3).map { try context.make("Step", ["label": .string("\($0)")]) }
        let (told, token) = try watch(project, "steps")
        let members = try project.mutableOrderedSetValue(forKey: "steps")
        try members.append(.object(steps[0]))
        try members.insert(.object(steps[1]), at: 0)
        try members.replace(at: 1, with: .object(steps[2]))
        try members.move(from: 1, to: 0)
        try members.remove(at: 1)
        #expect(told.kinds == [.insertion, .insertion, .replacement, .setting, .removal])
        #expect(told.changes[1].indexes == RangeSet(0..<1))
        #expect(told.changes[2].indexes == RangeSet(1..<2))
        #expect(told.changes[2].oldValue == [.object(steps[0])])
        #expect(told.changes[2].newValue == [.object(steps[2])])
        #expect(told.changes[4].indexes == RangeSet(1..<2))
        #expect(project.list("steps") == [steps[2]])
        token.invalidate()
    }

    @Test func severalMembersAreToldAtOnce() throws {
        let staff = try (0..<3).map { _ in try context.make("Employee") }
        let (told, token) = try watch(department, "staff")
        department["staff"] = .set(Set(staff.map { .object($0) }))
        let members = try department.mutableSetValue(forKey: "staff")
        try members.subtract([.object(staff[0]), .object(staff[1])])
        try members.replace(with: [.object(employee)])
        #expect(told.kinds == [.insertion, .removal, .setting])
        #expect(told.changes[1].oldValue?.elements?.count == 2)
        #expect(employee.object("department") === department)
        token.invalidate()
    }

    @Test func memberSetThroughTheOtherSideIsTold() throws {
        let project = try context.make("Project")
        let (told, token) = try watch(project, "members")
        try employee.mutableSetValue(forKey: "projects").insert(.object(project))
        #expect(told.kinds == [.insertion])
        token.invalidate()
    }

    @Test func dependentKeyFollowsAcrossARelationship() throws {
        employee["department"] = .object(department)
        let (told, token) = try watch(employee, "code")
        employee["name"] = "Bea"
        department["title"] = "Wood"
        employee["department"] = .null
        department["title"] = "unheard"
        #expect(told.changes.count == 3)
        token.invalidate()
    }

    @Test func pathKeepsWhatItLeadsThrough() throws {
        employee["department"] = .object(department)
        try context.save()
        let other = context.sibling()
        let copy = other.object(with: employee.objectID)
        var titles: [GraphValue] = []
        let token = try copy.observe("department.title") { titles.append($1.newValue ?? "?") }
        other.object(with: department.objectID)["title"] = "Wood"
        #expect(titles == ["Wood"])
        token.invalidate()
    }

    @Test func accessorByHandCountsAsAChangeAndIsTold() throws {
        let worker = try #require(employee as? Worker)
        let (told, token) = try watch(worker, "salary")
        worker["salary"] = 1.0
        #expect(told.changes.isEmpty)
        try context.save()
        context.undoManager = UndoManager()
        worker.raise()
        #expect(told.changes.map(\.newValue) == [100.0])
        #expect(worker.isUpdated)
        try context.undo()
        #expect(worker["salary"] == 1.0)
        token.invalidate()
    }

    @Test func accessorByHandCountsAsAChangeAlsoUnobserved() throws {
        let worker = try #require(employee as? Worker)
        worker.raise()
        try context.save()
        #expect(try context.stored("Employee", "salary") == [100.0])
    }

    @Test func mergeTellsWhatDiffers() throws {
        let other = context.sibling()
        let (name, first) = try watch(employee, "name")
        let (age, second) = try watch(employee, "age")
        let (staff, third) = try watch(department, "staff")
        let copy = other.object(with: employee.objectID)
        copy["name"] = "Bea"
        copy["department"] = .object(other.object(with: department.objectID))
        let center = context.notifications
        let merging = center.addObserver(of: ContextDidSave.self, from: other) { [context] in
            context.mergeChanges(from: $0)
        }
        try other.save()
        center.removeObserver(merging)
        #expect(name.changes.map(\.newValue) == ["Bea"])
        #expect(age.changes.isEmpty)
        #expect(staff.kinds == [.insertion])
        for token in [first, second, third] { token.invalidate() }
    }

    @Test func refreshTellsWhatDiffers() throws {
        let (told, token) = try watch(employee, "name")
        employee["name"] = "Bea"
        context.refresh(employee, mergeChanges: false)
        context.refresh(employee, mergeChanges: false)
        #expect(told.changes.map(\.newValue) == ["Bea", "Ana"])
        token.invalidate()
    }

    @Test func saveTellsTheNewIdentity() throws {
        let object = try context.make("Tag")
        let (told, token) = try watch(object, "objectID")
        try context.save()
        #expect(told.changes.map(\.newValue) == [.objectID(object.objectID)])
        token.invalidate()
    }

    @Test func deletionTellsThoseThatReferToTheObject() throws {
        employee["department"] = .object(department)
        try context.save()
        let (told, token) = try watch(department, "staff")
        context.delete(employee)
        context.processPendingChanges()
        #expect(told.kinds == [.removal])
        token.invalidate()
    }

    @Test func awakeningAndForgottenObserversTellNothing() throws {
        let (told, token) = try watch(employee, "name")
        context.refresh(employee, mergeChanges: false)
        _ = employee["name"]
        #expect(told.changes.isEmpty)
        _ = try employee.observe("name") { _, _ in Issue.record("forgotten") }
        employee["name"] = "Bea"
        #expect(told.changes.count == 1)
        token.invalidate()
    }

    @Test func proxiesRefuseWhatHasNoMembers() throws {
        #expect(throws: ObjectGraphError.self) { try employee.mutableSetValue(forKey: "name") }
        #expect(throws: ObjectGraphError.self) { try employee.mutableSetValue(forKey: "none") }
        #expect(throws: ObjectGraphError.self) {
            try department.mutableOrderedSetValue(forKey: "staff")
        }
        #expect(throws: ObjectGraphError.self) {
            try department.mutableSetValue(forKey: "staff").insert(.object(department))
        }
    }

    @Test func nilForARequiredScalarGoesToItsHandler() throws {
        let points = AttributeDescription("points", .integer16, optional: false, default: 1)
        points.usesScalarType = true
        let plain = AttributeDescription("count", .integer16, optional: false, default: 1)
        let model = ManagedObjectModel([
            EntityDescription("Card", [points, plain]),
            EntityDescription("Zero", superentity: "Card"),
        ])
        let coordinator = try PersistentStoreCoordinator(model: model, classes: ["Zero": Zero.self])
        coordinator.add(try InMemoryStore(model: model))
        let context = ManagedObjectContext(coordinator: coordinator)
        let (card, zero) = (try context.make("Card"), try context.make("Zero"))
        #expect(failure { try card.setValue(.null, forKey: "points") }?.code == .wrongValueKind)
        #expect(card["points"] == 1)
        try card.setValue(.null, forKey: "count")
        #expect(card["count"] == .null)
        try zero.setValue(.null, forKey: "points")
        #expect(zero["points"] == 0)
    }

    @Test func dictionaryIsSetSafely() throws {
        let report = employee.setValuesSafely([
            "name": 7, "age": "41", "salary": "high", "hired": "2020-01-02", "speed": "3",
            "department": "x", "unknown": 1,
        ])
        #expect(employee["name"] == "7")
        #expect(employee["age"] == 41)
        #expect(employee["speed"] == 3)
        #expect(report.set == ["age", "hired", "name", "speed"])
        #expect(report.coerced == ["age", "hired", "name", "speed"])
        #expect(report.skipped == ["department", "unknown"])
        #expect(report.refused.map(\.key) == ["salary"])
    }
}

extension EntityDescription {
    fileprivate func slotNumber(_ name: String) -> Int { property(named: name)?.slot ?? -1 }
}
