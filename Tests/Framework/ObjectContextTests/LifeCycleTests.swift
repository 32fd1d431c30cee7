import ObjectContext
import ObjectModel
import Testing

/// Writes down what happens to it.
final class LoggedEmployee: ManagedObject {
    nonisolated(unsafe) static var log: [String] = []
    nonisolated(unsafe) static var onWillSave: ((LoggedEmployee) -> Void)?

    override func awakeFromInsert() {
        super.awakeFromInsert()
        LoggedEmployee.log.append("insert age=\(self["age"])")
        setPrimitiveValue("new", forKey: "name")
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        LoggedEmployee.log.append("fetch")
        self["speed"] = 7
    }

    override func awakeFromSnapshotEvents(_ events: SnapshotEvents) {
        super.awakeFromSnapshotEvents(events)
        LoggedEmployee.log.append("snapshot \(events.rawValue)")
    }

    override func willSave() {
        super.willSave()
        LoggedEmployee.log.append("willSave")
        LoggedEmployee.onWillSave?(self)
    }

    override func didSave() {
        super.didSave()
        LoggedEmployee.log.append("didSave")
    }

    override func willTurnIntoFault() {
        LoggedEmployee.log.append("willTurnIntoFault")
        super.willTurnIntoFault()
    }

    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        LoggedEmployee.log.append("didTurnIntoFault")
    }

    override func prepareForDeletion() {
        super.prepareForDeletion()
        LoggedEmployee.log.append("prepare \(objects("projects").count)")
    }

    override func value(forKey key: String) throws -> GraphValue {
        key == "shout" ? .string("\(self["name"])!") : try super.value(forKey: key)
    }
}

@Suite("Life cycle", .serialized)
final class LifeCycleTests {
    let context: ManagedObjectContext

    init() throws {
        LoggedEmployee.log = []
        LoggedEmployee.onWillSave = nil
        context = try TestGraph.context(classes: ["Employee": LoggedEmployee.self])
    }

    private func takeLog() -> [String] {
        defer { LoggedEmployee.log = [] }
        return LoggedEmployee.log
    }

    @Test(.scenario("life-62", "life-64"))
    func insertionAppliesDefaultsBeforeItWakesOnce() throws {
        let ana = try context.make("Employee")
        #expect(takeLog() == ["insert age=\(GraphValue.int(0))"])
        #expect(ana.isInserted && ana.hasChanges && ana.objectID.isTemporaryID)
        #expect(ana["name"] == "new")
        #expect(context.insertedObjects == [ana] && context.updatedObjects.isEmpty)
        ana["age"] = 3
        #expect(context.insertedObjects == [ana] && context.updatedObjects.isEmpty)
    }

    @Test func generatedInitializerInserts() throws {
        let ana = LoggedEmployee(context: context)
        #expect(context.insertedObjects == [ana] && ana.entity.name == "Employee")
    }

    @Test func classInAVariableMakesAnObjectOfThatClass() {
        let type: ManagedObject.Type = LoggedEmployee.self
        #expect(context.insert(type) is LoggedEmployee)
    }

    @Test func saveCallsHooksInOrder() throws {
        let ana = try context.make("Employee")
        _ = takeLog()
        try context.save()
        #expect(takeLog() == ["willSave", "didSave"])
        try context.save()
        #expect(takeLog().isEmpty)
        ana["age"] = 4
        #expect(ana.isUpdated && context.updatedObjects == [ana])
        try context.save()
        #expect(takeLog() == ["willSave", "didSave"] && !ana.hasChanges)
        context.delete(ana)
        context.delete(ana)
        #expect(takeLog() == ["prepare 0"])
        try context.save()
        #expect(takeLog() == ["willSave", "didSave"] && ana.context == nil)
    }

    @Test func prepareForDeletionSeesRelationshipsUntouched() throws {
        let ana = try context.make("Employee")
        ana["projects"] = .set([.object(try context.make("Project"))])
        try context.save()
        _ = takeLog()
        context.delete(ana)
        context.processPendingChanges()
        #expect(takeLog() == ["prepare 1"])
    }

    @Test(.scenario("life-68"))
    func firingAFaultWakesWithoutAChange() throws {
        let id = try context.make("Employee").objectID
        try context.save()
        let ana = context.object(with: id)
        #expect(ana["age"] == 0)
        context.refresh(ana, mergeChanges: false)
        #expect(takeLog().suffix(2) == ["willTurnIntoFault", "didTurnIntoFault"])
        #expect(ana.isFault && ana.description.contains("fault") && ana.isFault)
        #expect(ana["name"] == "new" && ana["speed"] == 7)
        #expect(takeLog() == ["fetch"])
        #expect(!ana.hasChanges && !context.hasChanges)
    }

    @Test func undoOfAnInsertionDoesNotInsertAgainOnRedo() throws {
        context.undoManager = UndoManager()
        let ana = try context.make("Employee")
        let id = ana.objectID
        context.processPendingChanges()
        context.undoManager?.endEvent()
        _ = takeLog()
        try context.undo()
        #expect(takeLog() == ["snapshot 2"] && ana.context == nil && !context.hasChanges)
        try context.redo()
        #expect(takeLog() == ["snapshot 4"] && ana.context === context && ana.objectID == id)
        #expect(context.insertedObjects == [ana] && context.registeredObject(for: id) === ana)
    }

    @Test func willSaveMayChangeItsObjectAndOthers() throws {
        let ana = try context.make("Employee")
        let other = try context.make("Project")
        try context.save()
        LoggedEmployee.onWillSave = { object in
            if object["age"] != 9 { object["age"] = 9 }
            if other["code"] != "seen" { other["code"] = "seen" }
        }
        ana["name"] = "Ana"
        try context.save()
        let fresh = context.sibling()
        #expect(try fresh.all("Employee").values("age") == [9])
        #expect(try fresh.all("Project").values("code") == ["seen"])
        #expect(!context.hasChanges)
    }

    @Test func primitiveValueSetInWillSaveIsWritten() throws {
        let ana = try context.make("Employee")
        try context.save()
        LoggedEmployee.onWillSave = { $0.setPrimitiveValue(42, forKey: "age") }
        ana["name"] = "Ana"
        try context.save()
        #expect(try context.stored("Employee", "age") == [42])
    }

    @Test func endlessWillSaveFailsInsteadOfHanging() throws {
        let ana = try context.make("Employee")
        var count: Int64 = 0
        LoggedEmployee.onWillSave = {
            count += 1
            $0["salary"] = .double(Double(count))
        }
        #expect(failure { try context.save() }?.code == .operationFailed)
        LoggedEmployee.onWillSave = nil
        try context.save()
        #expect(!ana.hasChanges)
    }

    @Test func willSaveMayInsertAndDelete() throws {
        let ana = try context.make("Employee")
        let doomed = try context.make("Tag")
        try context.save()
        LoggedEmployee.onWillSave = { object in
            guard !doomed.isDeleted, doomed.context != nil, let context = object.context else {
                return
            }
            context.delete(doomed)
            _ = try? context.make("Tag", ["name": "born"])
        }
        ana["age"] = 1
        try context.save()
        #expect(try context.stored("Tag", "name") == ["born"])
    }

    @Test(.scenario("life-74"))
    func keyValueCodingUsesACustomAccessor() throws {
        let ana = try context.make("Employee", ["name": "Ana"])
        #expect(try ana.value(forKey: "shout") == .string("\(GraphValue.string("Ana"))!"))
        #expect(failure { _ = try ana.value(forKey: "whisper") }?.code == .undefinedKey)
        #expect(failure { try ana.setValue("x", forKey: "age") }?.code == .wrongValueKind)
    }

    @Test func insertingUnknownOrNothingThrows() throws {
        #expect(failure { try context.insert(entityNamed: "Nobody") }?.code == .invalidRequest)
    }
}
