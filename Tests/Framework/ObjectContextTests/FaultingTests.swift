import ObjectContext
import ObjectModel
import ObjectStore
import Testing

@Suite("Faulting and batches")
struct FaultingTests {
    let store: CountingStore
    let coordinator: PersistentStoreCoordinator

    init() throws {
        coordinator = try PersistentStoreCoordinator(model: TestGraph.model())
        store = try CountingStore(model: coordinator.model)
        coordinator.add(store)
    }

    private var context: ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }

    /// Departments with two employees each, one of them the head; each employee in one project.
    private func fill(_ count: Int) throws {
        let context = context
        for index in 0..<count {
            let home = try context.make("Department", ["title": .string("d\(index)")])
            let project = try context.make("Project")
            for side in ["a", "b"] {
                let person = try context.make("Employee", ["name": .string("\(side)\(index)")])
                person["department"] = .object(home)
                person["projects"] = .set([.object(project)])
                if side == "a" { home["head"] = .object(person) }
            }
        }
        try context.save()
        store.rows.removeAll()
        store.resetCounts()
    }

    @Test func faultsOfAFetchFillFromTheRowCache() throws {
        try fill(10)
        let context = context
        let people = try context.all("Employee")
        #expect(!people.contains { !$0.isFault })
        let calls = store.calls
        #expect(people.values("name").count == 20 && !people.contains { $0.isFault })
        #expect(store.calls == calls)
    }

    @Test func fetchCanRealiseAtOnce() throws {
        try fill(3)
        let context = context
        var request = FetchRequest<ManagedObject>(entityName: "Employee")
        request.returnsObjectsAsFaults = false
        #expect(try !context.fetch(request).contains { $0.isFault })
    }

    @Test func idsAloneFireTheirFaultsTogether() throws {
        try fill(500)
        let context = context
        var request = FetchRequest<ManagedObject>(entityName: "Employee")
        request.includesPropertyValues = false
        let people = try context.fetch(request)
        store.resetCounts()
        #expect(people.values("name").count == 1000)
        #expect(store.loads == 1)
    }

    @Test func batchSizeLimitsWhatIsRead() throws {
        try fill(50)
        let context = context
        var request = FetchRequest<ManagedObject>(entityName: "Employee")
        request.batchSize = 10
        let people = try context.fetch(request)
        store.resetCounts()
        _ = people[0]["name"]
        #expect(store.loads == 1 && store.rows.count == 10)
        _ = people[9]["name"]
        #expect(store.loads == 1)
        _ = people[10]["name"]
        #expect(store.loads == 2 && store.rows.count == 20)
    }

    @Test func walkingAToOneCostsOneCall() throws {
        try fill(500)
        let context = context
        let people = try context.all("Employee")
        store.resetCounts()
        var titles: Set<GraphValue> = []
        for person in people {
            if let home = person.object("department") { titles.insert(home["title"]) }
        }
        #expect(titles.count == 500)
        #expect(store.calls == 1)
    }

    @Test func walkingAToManyCostsAConstantNumberOfCalls() throws {
        try fill(500)
        let context = context
        let homes = try context.all("Department")
        store.resetCounts()
        var names: Set<GraphValue> = []
        for home in homes {
            for person in home.list("staff") { names.insert(person["name"]) }
        }
        #expect(names.count == 1000)
        #expect(store.calls <= 3)
    }

    @Test func walkingTwoStepsCostsAConstantNumberOfCalls() throws {
        try fill(500)
        let context = context
        let homes = try context.all("Department")
        store.resetCounts()
        var codes = 0
        for home in homes {
            for person in home.list("staff") {
                for project in person.list("projects") where project["code"] == "x" { codes += 1 }
            }
        }
        #expect(codes == 1000)
        #expect(store.calls <= 6)
    }

    @Test func membersOfOneObjectAreReadTogether() throws {
        let setup = context
        let home = try setup.make("Department")
        for index in 0..<1000 {
            try setup.make("Employee", ["age": .int(Int64(index)), "department": .object(home)])
        }
        try setup.save()
        store.rows.removeAll()
        store.resetCounts()
        let context = context
        let same = context.object(with: home.objectID)
        #expect(same.list("staff").reduce(0) { $0 + ($1["age"] == 5 ? 1 : 0) } == 1)
        #expect(store.calls <= 3)
        store.rows.removeAll()
        store.resetCounts()
        let third = self.context
        third.delete(third.object(with: home.objectID))
        third.processPendingChanges()
        #expect(third.deletedObjects.count == 1001)
        #expect(store.calls <= 12)
    }

    @Test func prefetchingReadsOneStepAtATime() throws {
        try fill(200)
        let context = context
        var request = FetchRequest<ManagedObject>(entityName: "Department")
        request.relationshipKeyPathsForPrefetching = ["staff.projects", "head"]
        let homes = try context.fetch(request)
        let calls = store.calls
        #expect(calls <= 7)
        for home in homes {
            _ = home.object("head")?["name"]
            for person in home.list("staff") {
                for project in person.list("projects") { _ = project["code"] }
            }
        }
        #expect(store.calls == calls)
        request.relationshipKeyPathsForPrefetching = ["nobody"]
        #expect(failure { _ = try context.fetch(request) }?.code == .invalidRequest)
    }

    @Test func relationshipFaultsAreApart() throws {
        try fill(1)
        let context = context
        let home = try #require(try context.all("Department").first)
        #expect(home.hasFault(forRelationshipNamed: "staff") && home.isFault)
        _ = home["title"]
        #expect(home.hasFault(forRelationshipNamed: "staff"))
        _ = home.list("staff")
        #expect(!home.hasFault(forRelationshipNamed: "staff"))
        #expect(home.object("head")?.isFault == true)
    }

    @Test func stalenessDecidesWhatTheCacheIsGoodFor() throws {
        try fill(1)
        let context = context
        let ana = try #require(try context.all("Employee").first)
        _ = ana["name"]
        store.resetCounts()
        context.refresh(ana, mergeChanges: false)
        _ = ana["name"]
        #expect(store.loads == 0)
        context.stalenessInterval = .zero
        context.refresh(ana, mergeChanges: false)
        _ = ana["name"]
        #expect(store.loads == 1)
        context.stalenessInterval = .seconds(3600)
        context.refresh(ana, mergeChanges: false)
        _ = ana["name"]
        #expect(store.loads <= 2)
        context.refresh(ana, mergeChanges: false)
        _ = ana["name"]
        #expect(store.loads <= 2)
    }

    @Test func failingStoreDoesNotPassForADeletion() throws {
        try fill(1)
        let context = context
        let ana = try #require(try context.all("Employee").first)
        store.rows.removeAll()
        store.failure = ObjectGraphError(.cannotOpen, "The disk is on fire.")
        #expect(ana["name"].isNull && !ana.isDeleted)
        #expect((context.lastFaultError as? ObjectGraphError)?.code == .cannotOpen)
        #expect(failure { _ = try context.existingObject(with: ana.objectID) }?.code == .cannotOpen)
        store.failure = nil
        context.refresh(ana, mergeChanges: false)
        #expect(!ana["name"].isNull)
        #expect(try context.existingObject(with: ana.objectID) === ana)
    }

    @Test func whatCouldNotBeReadFailsTheNextSaveOnce() throws {
        try fill(1)
        let context = context
        let ana = try #require(try context.all("Employee").first)
        store.failure = ObjectGraphError(.cannotOpen, "The disk is on fire.")
        // Made from members that are not known.
        let count = ana["projects"].elements?.count ?? 0
        store.failure = nil
        ana["name"] = .string("in \(count) projects")
        #expect(failure { try context.save() }?.code == .cannotOpen)
        #expect(context.hasChanges && store.saves == 0)
        try context.save()
        #expect(store.saves == 1)
        // After a rollback nothing is left of it.
        context.refreshAllObjects()
        store.rows.removeAll()
        store.failure = ObjectGraphError(.cannotOpen, "The disk is on fire.")
        #expect(ana["name"].isNull)
        store.failure = nil
        context.rollback()
        try context.make("Employee", ["name": "New"])
        try context.save()
    }

    @Test func failingStoreDoesNotEmptyARelationship() throws {
        try fill(1)
        let context = context
        let home = try #require(try context.all("Department").first)
        _ = home["title"]
        store.failure = ObjectGraphError(.cannotOpen, "The disk is on fire.")
        #expect(home.list("staff").isEmpty)
        store.failure = nil
        #expect(home.list("staff").count == 2)
    }

    @Test func addingToAHugeRelationshipLoadsNoMembers() throws {
        try fill(1)
        let context = context
        let home = try #require(try context.all("Department").first)
        _ = home["title"]
        store.resetCounts()
        let new = try context.make("Employee", ["department": .object(home)])
        new["department"] = .null
        new["department"] = .object(home)
        #expect(home.hasFault(forRelationshipNamed: "staff") && store.calls == 0)
        try context.save()
        #expect(home.hasFault(forRelationshipNamed: "staff"))
        #expect(home.objects("staff").count == 3)
    }
}
