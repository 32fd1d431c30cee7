import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore
import SQLiteStore
import Testing

@Suite("Merging what others saved")
struct MergeTests {
    let here: ManagedObjectContext
    let there: ManagedObjectContext

    init() throws {
        here = try TestGraph.context()
        there = here.sibling()
    }

    /// Saves there and merges here.
    private func saveThere() throws {
        var saves: [ContextDidSave] = []
        let token = there.notifications.addObserver(of: ContextDidSave.self, from: there) {
            saves.append($0)
        }
        defer { there.notifications.removeObserver(token) }
        try there.save()
        for save in saves { here.mergeChanges(from: save) }
    }

    private func twin(_ object: ManagedObject) -> ManagedObject {
        there.object(with: object.objectID)
    }

    @Test func insertedObjectsAreReported() throws {
        var inserted: Set<ManagedObject> = []
        let token = here.notifications.addObserver(of: ObjectsDidChange.self, from: here) {
            inserted.formUnion($0.inserted)
        }
        defer { here.notifications.removeObserver(token) }
        try there.make("Employee", ["name": "Ana"])
        try saveThere()
        #expect(inserted.first?["name"] == "Ana" && inserted.first?.context === here)
        #expect(!here.hasChanges)
    }

    @Test(arguments: ["explicit", "following", "batch", "child"])
    func insertedObjectsAreRegisteredWhileTheirSetIsHeld(_ way: String) throws {
        let watching = way == "child" ? ManagedObjectContext(parent: here) : here
        watching.automaticallyMergesChangesFromParent = way != "explicit"
        var held: Set<ManagedObject> = []
        let token = watching.notifications.addObserver(of: ObjectsDidChange.self, from: watching) {
            held = $0.inserted
        }
        defer { watching.notifications.removeObserver(token) }
        switch way {
        case "child": try here.make("Employee", ["name": "Ana"])
        case "batch":
            let objects: [[String: GraphValue]] = [["name": "Ana"]]
            try there.execute(BatchInsert(entityName: "Employee", objects: objects))
        default: try there.make("Employee", ["name": "Ana"])
        }
        if way == "explicit" { try saveThere() } else { try there.save() }
        here.processPendingChanges()
        watching.processPendingChanges()
        let ana = try #require(held.first)
        #expect(held.count == 1 && ana.context === watching)
        #expect(watching.registeredObject(for: ana.objectID) === ana)
        #expect(watching.registeredObjects.contains(ana))
        #expect(try watching.all("Employee").first === ana && ana["name"] == "Ana")
        held = []
    }

    @Test func updatesComeInUnderLocalChanges() throws {
        let ana = try here.make("Employee", ["name": "Ana", "age": 1, "salary": 1.0])
        try here.save()
        ana["age"] = 50
        twin(ana)["name"] = "Anna"
        twin(ana)["age"] = 2
        try saveThere()
        #expect(ana["name"] == "Anna" && ana["age"] == 50 && ana.isUpdated)
        #expect(ana.changedValues() == ["age": 50])
        #expect(ana.committedValues(forKeys: ["age"]) == ["age": 2])
        try here.save()
        #expect(try here.stored("Employee", "age") == [50])
        ana["age"] = 51
        here.rollback()
        #expect(ana["age"] == 50)
    }

    @Test func realisedObjectIsRefreshedOnceAndUnregisteredOnesAreLeft() throws {
        let (ana, bob) = (try here.make("Employee"), try here.make("Employee"))
        try here.save()
        var refreshed: [Set<ManagedObject>] = []
        let token = here.notifications.addObserver(of: ObjectsDidChange.self, from: here) {
            refreshed.append($0.refreshed)
        }
        defer { here.notifications.removeObserver(token) }
        twin(ana)["age"] = 3
        twin(bob)["age"] = 4
        let outside = here.sibling()
        _ = outside
        try saveThere()
        #expect(refreshed == [[ana, bob]])
    }

    @Test func whatHasChangedInARefreshedObjectIsKnown() throws {
        let home = try here.make("Department", ["title": "Home"])
        let ana = try here.make("Employee", ["name": "Ana", "age": 1])
        try here.save()
        #expect(home.objects("staff").isEmpty)
        var changed: [ManagedObject: Set<String>?] = [:]
        let token = here.notifications.addObserver(of: ObjectsDidChange.self, from: here) { event in
            for object in event.refreshed { changed[object] = .some(event.changedKeys(of: object)) }
        }
        defer { here.notifications.removeObserver(token) }
        twin(ana)["department"] = .object(twin(home))
        try saveThere()
        #expect(changed == [home: ["staff"], ana: ["department"]])
        changed = [:]
        ana["age"] = 2
        twin(ana)["age"] = 3
        twin(ana)["name"] = "Anna"
        twin(home)["title"] = "House"
        try saveThere()
        // What has changed here stays.
        #expect(changed == [home: ["title", "staff"], ana: ["name"]])
        changed = [:]
        here.rollback()
        here.refresh(home, mergeChanges: false)
        here.processPendingChanges()
        #expect(Set(changed.keys) == [home, ana] && changed.values.allSatisfy { $0 == nil })
    }

    @Test(.scenario("merge-didsave-delete"))
    func deletedInstanceStaysReadableAndRegistered() throws {
        let ana = try here.make("Employee", ["name": "Ana"])
        try here.save()
        there.delete(twin(ana))
        try saveThere()
        #expect(ana.isDeleted && !ana.isFault && ana["name"] == "Ana")
        #expect(here.registeredObject(for: ana.objectID) === ana)
        #expect(try here.all("Employee").isEmpty && !here.hasChanges)
        ana["name"] = "ghost"
        try here.save()
        #expect(try here.all("Employee").isEmpty)
    }

    /// Another process deletes what is a fault here: its row is still cached.
    @Test func faultOfAnObjectDeletedElsewhereStaysReadable() throws {
        let bench = try StoreBench(.sqlite)
        let outside = try PersistentStoreCoordinator(model: TestGraph.model())
        let url = bench.folder.appending(path: "store.sqlite")
        outside.add(try SQLiteStore(url: url, model: outside.model))
        let (context, second) = (bench.context(), bench.context())
        let other = ManagedObjectContext(coordinator: outside)
        try context.make("Employee", ["name": "Ana"])
        try context.save()
        let ana = try #require(try second.all("Employee").first)
        let same = try #require(try bench.context().all("Employee").first?.objectID)
        #expect(ana.isFault && ana.objectID == same)
        var changes = ObjectIDChanges()
        other.delete(try #require(try other.all("Employee").first))
        try other.save()
        changes.deleted = [ana.objectID]
        ManagedObjectContext.mergeChanges(changes, into: [context, second])
        #expect(ana.isDeleted && ana["name"] == "Ana")
        #expect(failure { _ = try bench.context().existingObject(with: same) } != nil)
    }

    @Test func deletionWinsOverLocalChanges() throws {
        let ana = try here.make("Employee", ["name": "Ana"])
        let home = try here.make("Department")
        try here.save()
        ana["name"] = "Anna"
        ana["department"] = .object(home)
        let bob = try here.make("Employee", ["spouse": .object(ana), "boss": .object(ana)])
        there.delete(twin(ana))
        try saveThere()
        #expect(home.objects("staff").isEmpty && bob["spouse"].isNull && bob["boss"].isNull)
        try here.save()
        #expect(try GraphDump(here) == GraphDump(here.sibling()))
    }

    @Test func bothSidesOfRelationshipsFollow() throws {
        let homes = try (0..<3).map { _ in try here.make("Department") }
        let ana = try here.make("Employee", ["department": .object(homes[0])])
        let plan = try here.make("Project")
        try here.save()
        #expect(homes.map { $0.objects("staff").count } == [1, 0, 0])
        twin(ana)["department"] = .object(twin(homes[1]))
        twin(ana)["projects"] = .set([.object(twin(plan))])
        try saveThere()
        #expect(homes.map { $0.objects("staff").count } == [0, 1, 0])
        #expect(plan.objects("members") == [ana])
        ana["department"] = .object(homes[2])
        twin(ana)["department"] = .object(twin(homes[0]))
        try saveThere()
        #expect(homes.map { $0.objects("staff").count } == [0, 0, 1])
        here.mergePolicy = .mergeByPropertyObjectTrump
        try here.save()
        #expect(try GraphDump(here) == GraphDump(here.sibling()))
    }

    @Test func ownersThatWereNotReportedFollowTheirMembers() throws {
        let homes = try (0..<2).map { _ in try here.make("Department") }
        let ana = try here.make("Employee", ["department": .object(homes[0])])
        try here.save()
        #expect(homes.map { $0.objects("staff").count } == [1, 0])
        twin(ana)["department"] = .object(twin(homes[1]))
        try there.save()
        // Another process's history tells of the row that changed, not of the lists around it.
        here.mergeChanges(ObjectIDChanges(updated: [ana.objectID]))
        #expect(homes.map { $0.objects("staff").count } == [0, 1])
        there.delete(twin(ana))
        try there.save()
        here.mergeChanges(ObjectIDChanges(deleted: [ana.objectID]))
        #expect(homes.map { $0.objects("staff").count } == [0, 0])
    }

    @Test func pendingMembershipSurvivesAMerge() throws {
        let plan = try here.make("Project", ["code": "p"])
        let people = try (0..<4).map { _ in try here.make("Employee") }
        plan["members"] = [.object(people[0]), .object(people[1])]
        plan["reviewers"] = [.object(people[0]), .object(people[1])]
        try here.save()
        plan["members"] = [.object(people[1]), .object(people[2])]
        plan["reviewers"] = [.object(people[2]), .object(people[1]), .object(people[0])]
        let other = twin(plan)
        other["members"] = .set([people[0], people[1], people[3]].map { .object(twin($0)) }.set)
        other["reviewers"] = .array([people[3], people[1]].map { .object(twin($0)) })
        try saveThere()
        #expect(plan.objects("members") == [people[1], people[2], people[3]])
        #expect(plan.list("reviewers") == [people[2], people[1], people[3]])
        #expect(people[0].objects("projects").isEmpty && people[3].objects("projects") == [plan])
        here.mergePolicy = .mergeByPropertyObjectTrump
        try here.save()
        #expect(try GraphDump(here) == GraphDump(here.sibling()))
    }

    @Test func ownSaveIsNotMerged() throws {
        var posted = 0
        let ana = try here.make("Employee")
        try here.save()
        let token = here.notifications.addObserver(of: ContextDidSave.self, from: here) {
            here.mergeChanges(from: $0)
        }
        let other = here.notifications.addObserver(of: ObjectsDidChange.self, from: here) { _ in
            posted += 1
        }
        defer {
            here.notifications.removeObserver(token)
            here.notifications.removeObserver(other)
        }
        ana["age"] = 2
        try here.save()
        #expect(posted == 1)
    }
}

extension [GraphValue] {
    var set: Set<GraphValue> { Set(self) }
}
