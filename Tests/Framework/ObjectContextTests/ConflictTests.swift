import ObjectContext
import ObjectModel
import Testing

@Suite("Conflicts and merge policies")
struct ConflictTests {
    let one: ManagedObjectContext
    let two: ManagedObjectContext
    let id: ManagedObjectID
    /// The same row in both contexts, read in both before either changes it.
    let first: ManagedObject
    let second: ManagedObject

    init() throws {
        one = try TestGraph.context()
        first = try one.make("Employee", ["name": "Alice", "age": 10])
        try one.save()
        id = first.objectID
        two = one.sibling()
        second = two.object(with: id)
        #expect(second["name"] == "Alice")
    }

    private var stored: [GraphValue] {
        get throws {
            let fresh = one.sibling()
            let object = fresh.object(with: id)
            return [object["name"], object["age"]]
        }
    }

    /// Context one renames to "One"; then context two renames to "Two" and sets the age.
    private func collide(_ policy: MergePolicy) throws -> ManagedObject {
        let (mine, theirs) = (first, second)
        mine["name"] = "One"
        try one.save()
        two.mergePolicy = policy
        theirs["name"] = "Two"
        theirs["age"] = 99
        try two.save()
        return theirs
    }

    @Test func errorPolicyRefusesAndSaysWhatCollides() throws {
        let theirs = second
        let error = failure { _ = try collide(.error) }
        #expect(error?.code == .mergeConflict && error?.objectIDs == [id])
        let conflict = try #require(error?.underlying.first as? MergeConflict)
        #expect(conflict.objectID == id && conflict.oldVersion == 1 && conflict.newVersion == 2)
        #expect(conflict.keys == ["name"])
        #expect(conflict.objectSnapshot["name"] == "Alice")
        #expect(conflict.storedSnapshot?["name"] == "One")
        #expect(theirs.isUpdated && theirs["name"] == "Two")
        #expect(try stored == ["One", 10])
        two.refresh(theirs, mergeChanges: true)
        try two.save()
        #expect(try stored == ["Two", 99])
    }

    @Test(.scenario("merge-store-trump"))
    func storeTrumpKeepsTheStoresSide() throws {
        let theirs = try collide(.mergeByPropertyStoreTrump)
        #expect(theirs["name"] == "One" && theirs["age"] == 99)
        #expect(try stored == ["One", 99] && !two.hasChanges)
    }

    @Test func objectTrumpKeepsThisSide() throws {
        let theirs = try collide(.mergeByPropertyObjectTrump)
        #expect(theirs["name"] == "Two" && theirs["age"] == 99)
        #expect(try stored == ["Two", 99])
    }

    @Test func propertyPoliciesTakeWhatOnlyTheStoreChanged() throws {
        let (mine, theirs) = (first, second)
        mine["age"] = 77
        try one.save()
        two.mergePolicy = .mergeByPropertyObjectTrump
        theirs["name"] = "Two"
        try two.save()
        #expect(try stored == ["Two", 77] && theirs["age"] == 77)
    }

    @Test(.scenario("merge-overwrite"))
    func overwriteWritesTheWholeObject() throws {
        let (mine, theirs) = (first, second)
        mine["name"] = "FromCtx1"
        mine["age"] = 77
        try one.save()
        two.mergePolicy = .overwrite
        theirs["name"] = "FromCtx2"
        try two.save()
        #expect(try stored == ["FromCtx2", 10])
    }

    @Test func rollbackDropsTheChangesHere() throws {
        let theirs = try collide(.rollback)
        #expect(theirs["name"] == "One" && theirs["age"] == 10 && theirs.changedValues().isEmpty)
        #expect(try stored == ["One", 10] && !two.hasChanges)
    }

    @Test func differentObjectsNeverCollide() throws {
        let other = try one.make("Employee")
        try one.save()
        second["age"] = 3
        other["age"] = 4
        try one.save()
        try two.save()
        #expect(try one.stored("Employee", "age").count == 2)
    }

    @Test func versionsGoUpByOneForEachUpdate() throws {
        for round in 1...3 {
            first["age"] = .int(Int64(round))
            try one.save()
            two.refreshAllObjects()
            second["age"] = .int(Int64(round * 10))
            try two.save()
            one.refresh(first, mergeChanges: false)
        }
        #expect(try stored == ["Alice", 30])
    }

    // MARK: Deletions

    private func deleteInOneChangeInTwo(_ policy: MergePolicy) throws -> ManagedObject {
        let theirs = second
        theirs["name"] = "Two"
        one.delete(first)
        try one.save()
        two.mergePolicy = policy
        try two.save()
        return theirs
    }

    @Test func changeOfADeletedRowFailsByDefault() throws {
        let error = failure { _ = try deleteInOneChangeInTwo(.error) }
        #expect(error?.code == .mergeConflict)
        #expect((error?.underlying.first as? MergeConflict)?.newVersion == 0)
        #expect((error?.underlying.first as? MergeConflict)?.storedSnapshot == nil)
    }

    @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback])
    func storesDeletionWins(_ policy: MergePolicy) throws {
        let theirs = try deleteInOneChangeInTwo(policy)
        #expect(theirs.isDeleted && !two.hasChanges)
        #expect(try two.all("Employee").isEmpty)
    }

    @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
    func changeHereBringsTheRowBack(_ policy: MergePolicy) throws {
        let theirs = try deleteInOneChangeInTwo(policy)
        #expect(!theirs.isDeleted && !two.hasChanges && theirs.objectID == id)
        #expect(try stored == ["Two", 10])
    }

    private func changeInOneDeleteInTwo(_ policy: MergePolicy) throws -> ManagedObject {
        let theirs = second
        let friend = try two.make("Employee", ["friends": [.object(theirs)]])
        let plan = try two.make("Project", ["members": [.object(theirs)]])
        friend["boss"] = .object(theirs)
        try two.save()
        one.refreshAllObjects()
        first["name"] = "One"
        try one.save()
        two.delete(theirs)
        two.processPendingChanges()
        #expect(plan.objects("members").isEmpty && friend["boss"].isNull)
        two.mergePolicy = policy
        try two.save()
        #expect(try GraphDump(two) == GraphDump(two.sibling()))
        return theirs
    }

    @Test func deletionOfAChangedRowFailsByDefault() throws {
        #expect(failure { _ = try changeInOneDeleteInTwo(.error) }?.code == .mergeConflict)
    }

    @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback])
    func storesChangeUndeletes(_ policy: MergePolicy) throws {
        let theirs = try changeInOneDeleteInTwo(policy)
        #expect(!theirs.isDeleted && theirs["name"] == "One")
        #expect(theirs.objects("friends").count == 1 && theirs.objects("projects").count == 1)
        #expect(theirs.objects("reports").count == 1)
    }

    @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
    func deletionHereWins(_ policy: MergePolicy) throws {
        let theirs = try changeInOneDeleteInTwo(policy)
        #expect(theirs.context == nil && !two.hasChanges)
        let fresh = two.sibling()
        #expect(failure { _ = try fresh.existingObject(with: id) } != nil)
    }

    @Test func bothDelete() throws {
        let theirs = second
        two.delete(theirs)
        one.delete(first)
        try one.save()
        two.mergePolicy = .mergeByPropertyStoreTrump
        try two.save()
        #expect(!two.hasChanges && theirs.context == nil)
    }

    // MARK: Relationships

    @Test(arguments: [
        MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ])
    func oneToOneStaysOneToOne(_ policy: MergePolicy) throws {
        let home = try one.make("Department")
        let (x, y) = (try one.make("Employee"), try one.make("Employee"))
        home["head"] = .object(first)
        try one.save()
        let h = two.object(with: home.objectID)
        #expect(h.object("head") === second)
        home["head"] = .object(x)
        try one.save()
        two.mergePolicy = policy
        h["head"] = .object(two.object(with: y.objectID))
        try two.save()
        let fresh = two.sibling()
        let head = fresh.object(with: home.objectID).object("head")
        let winsHere = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(head?.objectID == (winsHere ? y : x).objectID)
        #expect(head?.object("heads")?.objectID == home.objectID)
        for person in try fresh.all("Employee") where person !== head {
            #expect(person["heads"].isNull)
        }
        #expect(try GraphDump(two) == GraphDump(fresh))
    }

    @Test(arguments: [
        MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ])
    func movedMemberIsInOneListOnly(_ policy: MergePolicy) throws {
        let homes = try (0..<3).map { _ in try one.make("Department") }
        first["department"] = .object(homes[0])
        try one.save()
        let theirs = homes.map { two.object(with: $0.objectID) }
        two.refreshAllObjects()
        #expect(theirs.map { $0.objects("staff").count } == [1, 0, 0])
        #expect(second.object("department") === theirs[0])
        first["department"] = .object(homes[1])
        try one.save()
        second["department"] = .object(theirs[2])
        two.mergePolicy = policy
        try two.save()
        let winsHere = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(theirs.map { $0.objects("staff").count } == (winsHere ? [0, 0, 1] : [0, 1, 0]))
        #expect(try GraphDump(two) == GraphDump(two.sibling()) && !two.hasChanges)
    }

    @Test func unchangedObjectCanBeGuarded() throws {
        let other = try two.make("Tag")
        _ = other
        let theirs = second
        first["name"] = "One"
        try one.save()
        two.detectConflicts(for: theirs)
        #expect(failure { try two.save() }?.code == .mergeConflict)
        two.refresh(theirs, mergeChanges: false)
        try two.save()
    }
}
