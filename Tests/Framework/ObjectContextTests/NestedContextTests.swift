import ObjectContext
import ObjectModel
import Testing

@Suite("Contexts with a parent")
struct NestedContextTests {
    let root: ManagedObjectContext
    let child: ManagedObjectContext

    init() throws {
        root = try TestGraph.context()
        child = ManagedObjectContext(parent: root)
    }

    private func twin(_ object: ManagedObject) -> ManagedObject {
        child.object(with: object.objectID)
    }

    // MARK: Reading

    @Test func fetchSeesWhatIsPendingInTheParent() throws {
        let (ana, bob) = (
            try root.make("Employee", ["name": "Ana", "age": 3]), try root.make("Employee")
        )
        bob["name"] = "Bob"
        try root.save()
        ana["age"] = 40
        try root.make("Employee", ["name": "Cem", "age": 50])
        root.delete(bob)
        #expect(Set(try child.all("Employee").values("name")) == ["Ana", "Cem"])
        #expect(try child.all("Employee", "age > 30").count == 2)
        #expect(try child.count(for: FetchRequest<ManagedObject>(entityName: "Employee")) == 2)
        #expect(try child.all("Employee", "age == 3").isEmpty)
    }

    @Test func ownChangesLieOverTheParents() throws {
        for age in 1...6 { try root.make("Employee", ["age": .int(Int64(age))]) }
        var request = FetchRequest<ManagedObject>(entityName: "Employee")
        request.sortDescriptors = [FetchSortDescriptor("age")]
        request.limit = 3
        request.offset = 1
        let all = try child.all("Employee")
        all.first { $0["age"] == 2 }?["age"] = 9
        if let first = all.first(where: { $0["age"] == 1 }) { child.delete(first) }
        #expect(try child.fetch(request).values("age") == [4, 5, 6])
        #expect(try root.fetch(request).values("age") == [2, 3, 4])
    }

    @Test func relationshipsAreReadThroughTheParent() throws {
        let sales = try root.make("Department", ["title": "Sales"])
        let (ana, bob) = (try root.make("Employee"), try root.make("Employee"))
        ana["department"] = .object(sales)
        try root.save()
        bob["department"] = .object(sales)
        #expect(twin(sales).objects("staff") == [twin(ana), twin(bob)])
        #expect(twin(bob).object("department") === twin(sales))
        let project = try root.make("Project")
        project["steps"] = .array([
            .object(try root.make("Step", ["label": "b"])),
            .object(try root.make("Step", ["label": "a"])),
        ])
        #expect(twin(project).list("steps").values("label") == ["b", "a"])
    }

    @Test func transientValuesGoUpButNotDown() throws {
        let ana = try root.make("Employee", ["speed": 7])
        #expect(twin(ana)["speed"] == 0)
        twin(ana)["speed"] = 9
        try child.save()
        #expect(ana["speed"] == 9)
    }

    // MARK: Saving

    @Test func saveMakesThePendingChangesTheParents() throws {
        let ana = try root.make("Employee", ["name": "Ana"])
        let bob = try root.make("Employee", ["name": "Bob"])
        try root.save()
        twin(ana)["name"] = "Anna"
        child.delete(twin(bob))
        let new = try child.make("Employee", ["name": "Cem"])
        #expect(!root.hasChanges && ana["name"] == "Ana")
        try child.save()
        #expect(!child.hasChanges && root.hasChanges)
        #expect(ana["name"] == "Anna" && ana.isUpdated && bob.isDeleted)
        #expect(root.insertedObjects.map(\.objectID) == [new.objectID])
        #expect(new.objectID.isTemporaryID && !new.isInserted && new.context === child)
        #expect(Set(try root.stored("Employee", "name")) == ["Ana", "Bob"])
        try root.save()
        #expect(Set(try root.stored("Employee", "name")) == ["Anna", "Cem"])
    }

    @Test func relationshipsStayInStepInTheParent() throws {
        let (sales, buying) = (try root.make("Department"), try root.make("Department"))
        let ana = try root.make("Employee", ["department": .object(sales)])
        let project = try root.make("Project", ["members": .set([.object(ana)])])
        project["steps"] = .array([.object(try root.make("Step", ["label": "one"]))])
        try root.save()
        twin(ana)["department"] = .object(twin(buying))
        let bob = try child.make("Employee", ["department": .object(twin(buying))])
        twin(project)["members"] = .set([.object(bob)])
        let steps = twin(project).list("steps")
        let first = try child.make("Step", ["label": "zero"])
        twin(project)["steps"] = .array([.object(first)] + steps.map { .object($0) })
        try child.save()
        let newcomer = root.object(with: bob.objectID)
        #expect(sales.objects("staff").isEmpty)
        #expect(buying.objects("staff") == [ana, newcomer])
        #expect(project.objects("members") == [newcomer] && ana.objects("projects").isEmpty)
        #expect(project.list("steps").values("label") == ["zero", "one"])
        try root.save()
        let fresh = root.sibling()
        let stored = try #require(try fresh.all("Project").first)
        #expect(stored.list("steps").values("label") == ["zero", "one"])
        #expect(stored.objects("members").count == 1)
    }

    @Test func cascadesOfTheChildReachTheParent() throws {
        let sales = try root.make("Department")
        for _ in 0..<3 { try root.make("Employee", ["department": .object(sales)]) }
        try root.save()
        child.delete(twin(sales))
        try child.save()
        #expect(root.deletedObjects.count == 4)
        try root.save()
        #expect(try root.stored("Employee", "name").isEmpty)
    }

    @Test func saveIsOneStepOfTheParentsUndo() throws {
        let undo = UndoManager()
        root.undoManager = undo
        let ana = try root.make("Employee", ["name": "Ana"])
        root.processPendingChanges()
        undo.endEvent()
        twin(ana)["name"] = "Anna"
        let new = try child.make("Employee", ["name": "Bob"])
        twin(ana)["boss"] = .object(new)
        try child.save(as: "Hire")
        #expect(undo.undoActionName == "Hire")
        #expect(ana.object("boss")?["name"] == "Bob")
        try root.undo()
        #expect(ana["name"] == "Ana" && ana["boss"] == .null && root.insertedObjects == [ana])
        try root.redo()
        #expect(ana["name"] == "Anna" && ana.object("boss")?["name"] == "Bob")
        try root.undo()
        try root.undo()
        #expect(root.insertedObjects.isEmpty)
    }

    @Test func idsBecomePermanentInTheWholeFamilyWhenTheRootSaves() throws {
        let grandchild = ManagedObjectContext(parent: child)
        let sales = try grandchild.make("Department")
        let ana = try grandchild.make("Employee", ["department": .object(sales)])
        let temporary = ana.objectID
        try grandchild.save()
        try child.save()
        #expect(ana.objectID.isTemporaryID)
        try root.save()
        #expect(!ana.objectID.isTemporaryID && ana.objectID != temporary)
        #expect(grandchild.object(with: temporary) === ana)
        #expect(grandchild.object(with: ana.objectID) === ana)
        #expect(child.object(with: temporary).objectID == ana.objectID)
        #expect(sales.objects("staff") == [ana] && ana.object("department") === sales)
        ana["name"] = "Ana"
        try grandchild.save()
        try child.save()
        try root.save()
        #expect(try root.stored("Employee", "name") == ["Ana"])
    }

    @Test func permanentIDsCanBeObtainedBeforeTheRootSaves() throws {
        let (ana, bob) = (try child.make("Employee"), try child.make("Employee"))
        try child.obtainPermanentIDs(for: [bob])
        #expect(!bob.objectID.isTemporaryID)
        let early = bob.objectID
        try child.save()
        try child.obtainPermanentIDs(for: [ana])
        #expect(!ana.objectID.isTemporaryID)
        #expect(root.registeredObject(for: ana.objectID)?.isInserted == true)
        try root.save()
        #expect(bob.objectID == early)
        #expect(Set(try root.sibling().all("Employee").map(\.objectID)) == [ana.objectID, early])
    }

    @Test func objectWakesOnceAndIsCheckedInTheChild() throws {
        let root = try TestGraph.context(classes: ["Employee": WakingEmployee.self])
        let child = ManagedObjectContext(parent: root)
        let ana = try #require(try child.make("Employee", ["name": "Ana"]) as? WakingEmployee)
        try child.save()
        let twin = try #require(root.object(with: ana.objectID) as? WakingEmployee)
        #expect(ana.wakings == 1 && twin.wakings == 0)
        try child.make("Room")
        #expect(failure { try child.save() }?.code == .missingMandatory)
        #expect(root.insertedObjects == [twin] && child.insertedObjects.count == 1)
    }

    @Test func droppedChildLeavesNoTrace() throws {
        let ana = try root.make("Employee", ["name": "Ana"])
        try root.save()
        do {
            let scratch = ManagedObjectContext(parent: root)
            scratch.object(with: ana.objectID)["name"] = "X"
            try scratch.make("Employee")
            scratch.processPendingChanges()
        }
        twin(ana)["name"] = "Y"
        child.reset()
        #expect(!root.hasChanges && ana["name"] == "Ana")
        try child.save()
        #expect(!root.hasChanges)
    }

    @Test func formSessionWorksOnAChild() throws {
        let undo = UndoManager()
        root.undoManager = undo
        let ana = try root.make("Employee", ["name": "Ana"])
        root.processPendingChanges()
        undo.endEvent()
        let session = EditSession(child, name: "Edit Employee")
        twin(ana)["name"] = "Anna"
        session.endEdit()
        twin(ana)["age"] = 5
        try session.undo()
        try session.accept()
        try child.save(as: session.name)
        #expect(ana["name"] == "Anna" && ana["age"] == 0)
        #expect(undo.undoActionName == "Edit Employee")
    }

    // MARK: Conflicts

    @Test(arguments: [
        (MergePolicy.mergeByPropertyObjectTrump, "mine", 2),
        (.mergeByPropertyStoreTrump, "theirs", 2),
        (.overwrite, "mine", 2),
        (.rollback, "theirs", 1),
    ])
    func bothSidesChangedAProperty(_ policy: MergePolicy, _ name: String, _ age: Int64) throws {
        let ana = try root.make("Employee", ["name": "Ana", "age": 1])
        try root.save()
        twin(ana)["name"] = "mine"
        twin(ana)["age"] = 2
        ana["name"] = "theirs"
        let error = failure { try child.save() }
        #expect(error?.code == .mergeConflict && error?.objectIDs == [ana.objectID])
        #expect((error?.underlying.first as? MergeConflict)?.keys == ["name"])
        #expect(ana["age"] == 1 && child.hasChanges)
        child.mergePolicy = policy
        try child.save()
        #expect(ana["name"] == .string(name) && ana["age"] == .int(age))
        #expect(twin(ana)["name"] == .string(name) && !child.hasChanges)
    }

    @Test func differentPropertiesAreNoConflict() throws {
        let ana = try root.make("Employee", ["name": "Ana", "age": 1])
        try root.save()
        twin(ana)["age"] = 2
        ana["name"] = "Anna"
        try child.save()
        #expect(ana["name"] == "Anna" && ana["age"] == 2)
    }

    @Test func parentDeletedWhatTheChildChanged() throws {
        let (ana, bob) = (try root.make("Employee"), try root.make("Employee"))
        try root.save()
        twin(ana)["name"] = "Anna"
        twin(bob)["name"] = "Bobby"
        root.delete(ana)
        root.delete(bob)
        try root.save()
        #expect(failure { try child.save() }?.code == .mergeConflict)
        child.mergePolicy = .mergeByPropertyObjectTrump
        try child.save()
        try root.save()
        #expect(Set(try root.stored("Employee", "name")) == ["Anna", "Bobby"])
    }

    // MARK: Following

    @Test func childFollowsItsParentWhenAsked() throws {
        let ana = try root.make("Employee", ["name": "Ana", "age": 1])
        try root.save()
        let here = twin(ana)
        #expect(here["name"] == "Ana")
        let other = ManagedObjectContext(parent: root)
        other.object(with: ana.objectID)["name"] = "Anna"
        try other.save()
        #expect(here["name"] == "Ana")
        child.automaticallyMergesChangesFromParent = true
        here["age"] = 9
        other.object(with: ana.objectID)["name"] = "Annie"
        other.object(with: ana.objectID)["age"] = 5
        try other.make("Employee")
        try other.save()
        #expect(here["name"] == "Annie" && here["age"] == 9 && here.isUpdated)
        #expect(try child.all("Employee").count == 2)
        root.delete(ana)
        root.processPendingChanges()
        #expect(here.isDeleted)
    }

    @Test func grandchildFollowsOnlyThroughItsParent() throws {
        let ana = try root.make("Employee", ["name": "Ana"])
        try root.save()
        let grandchild = ManagedObjectContext(parent: child)
        grandchild.automaticallyMergesChangesFromParent = true
        let (middle, low) = (twin(ana), grandchild.object(with: ana.objectID))
        #expect(middle["name"] == "Ana" && low["name"] == "Ana")
        ana["name"] = "Anna"
        root.processPendingChanges()
        #expect(middle["name"] == "Ana" && low["name"] == "Ana")
        child.automaticallyMergesChangesFromParent = true
        ana["name"] = "Annie"
        root.processPendingChanges()
        #expect(middle["name"] == "Annie" && low["name"] == "Annie")
    }

    @Test func rootFollowsOthersAtItsNextEndOfEvent() throws {
        let other = root.sibling()
        let ana = try root.make("Employee", ["name": "Ana", "age": 1])
        try root.save()
        root.automaticallyMergesChangesFromParent = true
        ana["age"] = 4
        other.object(with: ana.objectID)["name"] = "Anna"
        other.object(with: ana.objectID)["age"] = 2
        try other.save()
        #expect(ana["name"] == "Ana")
        root.processPendingChanges()
        #expect(ana["name"] == "Anna" && ana["age"] == 4)
        root.automaticallyMergesChangesFromParent = false
        other.object(with: ana.objectID)["name"] = "Annie"
        try other.save()
        root.processPendingChanges()
        #expect(ana["name"] == "Anna")
    }
}

private final class WakingEmployee: ManagedObject {
    var wakings = 0

    override func awakeFromInsert() { wakings += 1 }
}
