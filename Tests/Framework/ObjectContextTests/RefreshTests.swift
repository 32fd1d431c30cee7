import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore
import SQLiteStore
import Testing

@Suite("Refresh, rollback, reset")
struct RefreshTests {
    let context: ManagedObjectContext
    let ana: ManagedObject

    init() throws {
        context = try TestGraph.context()
        ana = try context.make("Employee", ["name": "Ana", "age": 1])
        try context.save()
    }

    private func changeElsewhere(_ key: String, _ value: GraphValue) throws {
        let other = context.sibling()
        other.object(with: ana.objectID)[key] = value
        try other.save()
    }

    @Test func refreshWithoutMergeLosesChanges() throws {
        ana["age"] = 5
        context.refresh(ana, mergeChanges: false)
        #expect(ana.isFault && !ana.hasChanges && ana["age"] == 1)
        #expect(!context.hasChanges)
        ana["age"] = 6
        try context.save()
        #expect(try context.stored("Employee", "age") == [6])
    }

    @Test(.scenario("life-70"))
    func refreshWithMergeKeepsChanges() throws {
        ana["age"] = 5
        try changeElsewhere("name", "Anna")
        context.refresh(ana, mergeChanges: true)
        #expect(ana["name"] == "Anna" && ana["age"] == 5 && ana.isUpdated)
        try context.save()
        #expect(try context.stored("Employee", "age") == [5])
    }

    @Test(.scenario("transient-survives-save"))
    func transientValueLivesUntilTheObjectIsAFault() throws {
        ana["speed"] = 50
        try context.save()
        #expect(ana["speed"] == 50)
        context.refreshAllObjects()
        #expect(ana["speed"] == 0)
        ana["speed"] = 100
        context.reset()
        let again = try #require(try context.all("Employee").first)
        #expect(again["speed"] == 0)
    }

    @Test(
        .scenario(
            "refresh-row-cache",
            deviation: "only what changes a store past its coordinator leaves the cached row"
        )
    )
    func refreshShowsTheCachedRowUnlessItIsStale() throws {
        let bench = try StoreBench(.sqlite)
        let here = bench.context()
        let car = try here.make("Tag", ["name": "FIAT"])
        try here.save()
        // Another coordinator stands for another program.
        let url = bench.folder.appending(path: "store.sqlite")
        let elsewhere = try PersistentStoreCoordinator(model: TestGraph.model())
        elsewhere.add(try SQLiteStore(url: url, model: elsewhere.model))
        let there = ManagedObjectContext(coordinator: elsewhere)
        var update = BatchUpdate(entityName: "Tag")
        update.values = ["name": .constant("FCA")]
        try there.execute(update)
        here.refresh(car, mergeChanges: true)
        #expect(car["name"] == "FIAT")
        here.refreshAllObjects()
        #expect(car["name"] == "FIAT")
        here.stalenessInterval = .zero
        here.refreshAllObjects()
        #expect(car["name"] == "FCA")
    }

    @Test func batchUpdateOfTheSameStackShowsAtOnce() throws {
        let car = try context.make("Tag", ["name": "FIAT"])
        try context.save()
        var update = BatchUpdate(entityName: "Tag")
        update.values = ["name": .constant("FCA")]
        try context.sibling().execute(update)
        context.refresh(car, mergeChanges: true)
        #expect(car["name"] == "FCA")
    }

    @Test func refreshAllKeepsChangedObjectsRealised() throws {
        let bob = try context.make("Employee")
        try context.save()
        let new = try context.make("Employee", ["name": "New"])
        ana["age"] = 5
        try changeElsewhere("name", "Anna")
        context.refreshAllObjects()
        #expect(!ana.isFault && bob.isFault && !new.isFault && new["name"] == "New")
        #expect(ana["name"] == "Anna" && ana["age"] == 5)
    }

    @Test func refreshOfADeletedObjectTakesTheDeletionBack() throws {
        context.delete(ana)
        context.processPendingChanges()
        context.refresh(ana, mergeChanges: false)
        #expect(!ana.isDeleted && !context.hasChanges)
        try context.save()
        #expect(try context.all("Employee") == [ana])
    }

    @Test func linksOfARefreshedObjectAreDroppedOnBothSides() throws {
        let bob = try context.make("Employee")
        let home = try context.make("Department")
        let plan = try context.make("Project")
        try context.save()
        ana["boss"] = .object(bob)
        ana["spouse"] = .object(bob)
        ana["department"] = .object(home)
        ana["projects"] = [.object(plan)]
        context.refresh(ana, mergeChanges: false)
        #expect(bob.list("reports").isEmpty && bob.object("spouse") == nil)
        #expect(home.list("staff").isEmpty && plan.list("members").isEmpty)
        #expect(!context.hasChanges)
        #expect(ana.object("boss") == nil && ana.object("spouse") == nil)
        #expect(context.invariantViolations() == [])
    }

    @Test func linksOfADeletedObjectComeBackOnBothSides() throws {
        let bob = try context.make("Employee")
        let home = try context.make("Department")
        ana["boss"] = .object(bob)
        ana["spouse"] = .object(bob)
        ana["department"] = .object(home)
        try context.save()
        #expect(home.list("staff") == [ana])
        context.delete(ana)
        context.processPendingChanges()
        #expect(home.list("staff").isEmpty && bob.object("spouse") == nil)
        context.refresh(ana, mergeChanges: false)
        #expect(home.list("staff") == [ana] && bob.list("reports") == [ana])
        #expect(bob.object("spouse") === ana && ana.object("spouse") === bob)
        #expect(!context.hasChanges)
        #expect(context.invariantViolations() == [])
    }

    @Test func pendingMembersStayWhenTheirOwnerIsRefreshed() throws {
        let new = try context.make("Employee", ["boss": .object(ana)])
        ana["age"] = 7
        context.refresh(ana, mergeChanges: false)
        #expect(ana.list("reports") == [new] && new.object("boss") === ana)
        #expect(ana["age"] != 7)
        try context.save()
        #expect(ana.list("reports") == [new])
        #expect(context.invariantViolations() == [])
    }

    @Test func rollbackPutsEverythingBackInPlace() throws {
        let home = try context.make("Department")
        let bob = try context.make("Employee", ["department": .object(home)])
        let plan = try context.make("Project")
        let steps = try ["a", "b"].map { try context.make("Step", ["label": .string($0)]) }
        plan["steps"] = .array(steps.map { .object($0) })
        plan["members"] = [.object(ana)]
        try context.save()
        let before = try GraphDump(context)
        let new = try context.make("Employee", ["department": .object(home)])
        context.delete(bob)
        ana["age"] = 9
        ana["department"] = .object(home)
        plan["steps"] = .array(steps.reversed().map { .object($0) })
        plan["members"] = []
        context.processPendingChanges()
        context.delete(home)
        plan["code"] = "changed"
        context.rollback()
        #expect(try GraphDump(context) == before)
        #expect(!context.hasChanges && new.context == nil && bob.context === context)
        ana["age"] = 2
        try context.save()
        #expect(try GraphDump(context) == GraphDump(context.sibling()))
    }

    @Test func resetForgetsAll() throws {
        ana["age"] = 9
        let new = try context.make("Employee")
        context.reset()
        #expect(context.registeredObjects.isEmpty && !context.hasChanges)
        #expect(ana.context == nil && new.context == nil && ana["name"].isNull)
        #expect(!ana.hasChanges && !new.hasChanges)
        #expect(try context.all("Employee").values("age") == [1])
    }
}
