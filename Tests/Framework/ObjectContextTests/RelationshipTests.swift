import ObjectContext
import ObjectModel
import Testing

@Suite("Relationships keep both sides in step")
struct RelationshipTests {
    let context: ManagedObjectContext

    init() throws { context = try TestGraph.context() }

    /// Compares the graph here with what a fresh context reads, after a save.
    private func expectSaved() throws {
        try context.save()
        let fresh = context.sibling()
        #expect(try GraphDump(context) == GraphDump(fresh))
    }

    @Test func oneToMany() throws {
        let (home, work) = (try context.make("Department"), try context.make("Department"))
        let ana = try context.make("Employee")
        ana["department"] = .object(home)
        #expect(home.objects("staff") == [ana])
        ana["department"] = .object(work)
        #expect(home.objects("staff").isEmpty && work.objects("staff") == [ana])
        home["staff"] = [.object(ana)]
        #expect(ana.object("department") === home && work.objects("staff").isEmpty)
        try expectSaved()
        home["staff"] = []
        #expect(ana["department"].isNull)
        try expectSaved()
    }

    @Test func movingBetweenUnloadedParents() throws {
        let (home, work) = (try context.make("Department"), try context.make("Department"))
        let ana = try context.make("Employee", ["department": .object(home)])
        let bob = try context.make("Employee", ["department": .object(home)])
        try context.save()
        let other = context.sibling()
        let (a, h, w) = (
            other.object(with: ana.objectID), other.object(with: home.objectID),
            other.object(with: work.objectID)
        )
        a["department"] = .object(w)
        #expect(h.hasFault(forRelationshipNamed: "staff"))
        #expect(h.objects("staff").map(\.objectID) == [bob.objectID])
        #expect(w.objects("staff") == [a])
        a["department"] = .object(h)
        #expect(h.objects("staff").count == 2 && w.objects("staff").isEmpty)
        other.processPendingChanges()
        #expect(h.changedValues().isEmpty && a.changedValues().isEmpty && !other.hasChanges)
        w["staff"] = .set([.object(a), .object(other.object(with: bob.objectID))])
        #expect(h.objects("staff").isEmpty)
        try other.save()
        #expect(try GraphDump(context.sibling()) == GraphDump(other))
    }

    @Test func oneToOne() throws {
        let (home, work) = (try context.make("Department"), try context.make("Department"))
        let (ana, bob) = (try context.make("Employee"), try context.make("Employee"))
        home["head"] = .object(ana)
        work["head"] = .object(bob)
        #expect(ana.object("heads") === home && bob.object("heads") === work)
        home["head"] = .object(bob)
        #expect(ana["heads"].isNull && bob.object("heads") === home && work["head"].isNull)
        try expectSaved()
        bob["heads"] = .object(work)
        #expect(home["head"].isNull && work.object("head") === bob)
        bob["heads"] = .null
        #expect(work["head"].isNull)
        try expectSaved()
    }

    @Test func oneToOneWithItself() throws {
        let people = try (0..<4).map { _ in try context.make("Employee") }
        people[0]["spouse"] = .object(people[1])
        people[2]["spouse"] = .object(people[3])
        #expect(people[1].object("spouse") === people[0])
        people[1]["spouse"] = .object(people[2])
        #expect(people[0]["spouse"].isNull && people[3]["spouse"].isNull)
        #expect(people[2].object("spouse") === people[1])
        people[0]["spouse"] = .object(people[0])
        #expect(people[0].object("spouse") === people[0])
        try expectSaved()
        people[0]["spouse"] = .object(people[1])
        #expect(people[1].object("spouse") === people[0] && people[2]["spouse"].isNull)
        try expectSaved()
    }

    @Test func manyToMany() throws {
        let (ana, bob) = (try context.make("Employee"), try context.make("Employee"))
        let (x, y) = (try context.make("Project"), try context.make("Project"))
        ana["projects"] = [.object(x), .object(y)]
        y["members"] = [.object(bob)]
        #expect(ana.objects("projects") == [x] && bob.objects("projects") == [y])
        #expect(x.objects("members") == [ana])
        try expectSaved()
        let other = context.sibling()
        let (b, p) = (other.object(with: bob.objectID), other.object(with: x.objectID))
        b["projects"] = [.object(p)]
        try other.save()
        #expect(try GraphDump(context.sibling()) == GraphDump(other))
    }

    @Test func manyToManyWithItself() throws {
        let people = try (0..<3).map { _ in try context.make("Employee") }
        people[0]["friends"] = [.object(people[1]), .object(people[0])]
        people[1]["friends"] = [.object(people[0]), .object(people[2])]
        #expect(people[0].objects("friends") == [people[0], people[1]])
        #expect(people[2].objects("friends") == [people[1]])
        try expectSaved()
        people[2]["friends"] = []
        people[0]["friends"] = [.object(people[1])]
        #expect(people[1].objects("friends") == [people[0]])
        try expectSaved()
    }

    @Test func treeOfOneEntity() throws {
        let people = try (0..<3).map { _ in try context.make("Employee") }
        people[1]["boss"] = .object(people[0])
        people[2]["boss"] = .object(people[1])
        #expect(people[0].objects("reports") == [people[1]])
        people[1]["reports"] = [.object(people[0])]
        #expect(people[0].object("boss") === people[1] && people[2]["boss"].isNull)
        try expectSaved()
    }

    @Test func orderedOneToMany() throws {
        let plan = try context.make("Project")
        let steps = try ["a", "b", "c"].map { try context.make("Step", ["label": .string($0)]) }
        for step in steps { step["project"] = .object(plan) }
        #expect(plan.list("steps") == steps)
        let slot = try #require(plan.slot("steps"))
        let d = try context.make("Step", ["label": "d"])
        plan.insert(d, intoRelationshipAt: slot, at: 1)
        #expect(d.object("project") === plan)
        #expect(plan.list("steps").values("label") == ["a", "d", "b", "c"])
        try expectSaved()
        plan["steps"] = .array([steps[2], steps[0], d, steps[2]].map { .object($0) })
        #expect(plan.list("steps").values("label") == ["c", "a", "d"])
        #expect(steps[1]["project"].isNull)
        try expectSaved()
        let other = try context.make("Project")
        d["project"] = .object(other)
        #expect(plan.list("steps").values("label") == ["c", "a"])
        try expectSaved()
    }

    @Test func orderedManyToMany() throws {
        let (ana, bob) = (try context.make("Employee"), try context.make("Employee"))
        let plan = try context.make("Project")
        plan["reviewers"] = [.object(bob), .object(ana)]
        #expect(ana.objects("reviews") == [plan])
        try expectSaved()
        bob["reviews"] = []
        #expect(plan.list("reviewers") == [ana])
        bob["reviews"] = [.object(plan)]
        #expect(plan.list("reviewers") == [ana, bob])
        try expectSaved()
        plan["reviewers"] = [.object(bob), .object(ana)]
        try expectSaved()
    }

    @Test func relationshipsWithoutInverse() throws {
        let plan = try context.make("Project")
        let (a, b) = (try context.make("Tag", ["name": "a"]), try context.make("Tag"))
        let (ana, bob) = (try context.make("Employee"), try context.make("Employee"))
        plan["tags"] = [.object(a), .object(b)]
        ana["mentor"] = .object(bob)
        try expectSaved()
        plan["tags"] = [.object(a)]
        ana["mentor"] = .null
        try expectSaved()
        let fresh = context.sibling()
        #expect(fresh.object(with: plan.objectID).list("tags").values("name") == ["a"])
    }

    @Test func settingWhatIsThereChangesNothing() throws {
        let home = try context.make("Department")
        let ana = try context.make("Employee", ["department": .object(home)])
        let plan = try context.make("Project", ["steps": [.object(try context.make("Step"))]])
        try context.save()
        ana["department"] = .object(home)
        home["staff"] = [.object(ana)]
        plan["steps"] = plan["steps"]
        #expect(!context.hasChanges)
    }

    @Test func wrongDestinationThrows() throws {
        let ana = try context.make("Employee")
        let plan = try context.make("Project")
        let error = failure { try ana.setValue(.object(plan), forKey: "department") }
        #expect(error?.code == .wrongValueKind && error?.key == "department")
        #expect(failure { try ana.setValue([1], forKey: "projects") }?.code == .wrongValueKind)
    }

    @Test func subentityServesAsDestination() throws {
        let home = try context.make("Department")
        let max = try context.make("Manager", ["budget": 5])
        home["staff"] = [.object(max)]
        try expectSaved()
        let fresh = context.sibling()
        let staff = fresh.object(with: home.objectID).list("staff")
        #expect(staff.values("budget") == [5])
    }
}

extension ManagedObject {
    func slot(_ name: String) -> Int? { entity.slotByName[name] }
}
