import ObjectContext
import ObjectModel
import Testing

@Suite("Change tracking")
struct ChangeTrackingTests {
    let context: ManagedObjectContext

    init() throws { context = try TestGraph.context() }

    private func saved(_ values: [String: GraphValue] = [:]) throws -> ManagedObject {
        let object = try context.make("Employee", values)
        try context.save()
        return object
    }

    @Test(.scenario("life-66"))
    func changedAndCommittedValues() throws {
        let ana = try saved(["name": "Ana", "age": 3])
        #expect(ana.changedValues().isEmpty)
        ana["name"] = "Anna"
        #expect(ana.changedValues() == ["name": "Anna"])
        #expect(ana.committedValues(forKeys: ["name", "age"]) == ["name": "Ana", "age": 3])
        ana["name"] = "Ana"
        #expect(ana.changedValues().isEmpty)
        #expect(!context.hasChanges && !ana.isUpdated)
        ana["name"] = .null
        #expect(ana.changedValues() == ["name": .null])
    }

    @Test func newObjectIsComparedWithItsDefaults() throws {
        let ana = try context.make("Employee", ["name": "Ana"])
        #expect(ana.changedValues() == ["name": "Ana"])
        #expect(ana.committedValues(forKeys: ["name", "age"]) == ["name": .null, "age": 0])
    }

    @Test func valuesOfTheCurrentEvent() throws {
        let ana = try saved(["name": "a"])
        ana["name"] = "b"
        ana["name"] = "c"
        #expect(ana.changedValuesForCurrentEvent() == ["name": "a"])
        context.processPendingChanges()
        #expect(ana.changedValuesForCurrentEvent().isEmpty)
        ana["name"] = "d"
        #expect(ana.changedValuesForCurrentEvent() == ["name": "c"])
        #expect(ana.committedValues(forKeys: ["name"]) == ["name": "a"])
    }

    @Test func relationshipsCountAsChanges() throws {
        let home = try context.make("Department")
        let (ana, bob) = (try saved(), try saved())
        ana["department"] = .object(home)
        #expect(ana.changedValues() == ["department": .object(home)])
        #expect(home.changedValues() == ["staff": [.object(ana)].asSet])
        #expect(ana.changedKeys == ["department"] && home.changedKeys == ["staff"])
        ana["department"] = .null
        #expect(ana.changedKeys == [] && home.changedKeys == [])
        ana["department"] = .object(home)
        #expect(home.committedValues(forKeys: ["staff"]) == ["staff": [].asSet])
        try context.save()
        home["staff"] = [.object(bob)]
        #expect(home.committedValues(forKeys: ["staff"]) == ["staff": [.object(ana)].asSet])
        #expect(ana.committedValues(forKeys: ["department"]) == ["department": .object(home)])
    }

    @Test func anotherSpellingOfTheSameTextIsAChange() throws {
        let ana = try saved(["name": "caf\u{E9}"])
        ana["name"] = "cafe\u{301}"
        try context.save()
        let stored = try context.stored("Employee", "name")
        guard case .string(let text) = stored[0] else { return #expect(Bool(false)) }
        #expect(text.utf8.count == 6)
    }

    @Test func transientChangeIsNoPersistentOne() throws {
        let ana = try saved()
        ana["speed"] = 50
        #expect(context.hasChanges && ana.isUpdated && !ana.hasPersistentChangedValues)
        try context.save()
        #expect(ana["speed"] == 50 && !context.hasChanges)
        context.refreshAllObjects()
        #expect(ana.isFault && ana["speed"] == 0)
        ana["speed"] = 100
        context.reset()
        #expect(ana["speed"].isNull)
        #expect(!ana.hasPersistentChangedValues)
    }

    @Test func unchangedRowIsNotWritten() throws {
        let ana = try saved(["name": "a"])
        let other = context.sibling()
        let same = other.object(with: ana.objectID)
        same["age"] = 9
        try other.save()
        // No row of ana is sent, so there is nothing to be in conflict.
        ana["name"] = "b"
        ana["name"] = "a"
        try context.save()
        #expect(try context.stored("Employee", "age") == [9])
    }

    @Test func changeOfABadKindIsRefused() throws {
        let ana = try saved()
        let error = failure { try ana.setValue("old", forKey: "age") }
        #expect(error?.code == .wrongValueKind && error?.key == "age")
        #expect(failure { try ana.setValue(2.5, forKey: "age") }?.code == .wrongValueKind)
        ana["salary"] = 3
        #expect(ana["salary"] == 3.0)
    }
}

extension [GraphValue] {
    var asSet: GraphValue { .set(Set(self)) }
}
