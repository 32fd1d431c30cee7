import ObjectContext
import ObjectModel
import Testing

@Suite("Deletion and delete rules")
struct DeletionTests {
    let context: ManagedObjectContext

    init() throws { context = try TestGraph.context() }

    @Test func deletedObjectStaysReadableUntilTheSave() throws {
        let ana = try context.make("Employee", ["name": "Ana"])
        try context.save()
        context.delete(ana)
        #expect(ana.isDeleted && ana["name"] == "Ana" && context.deletedObjects == [ana])
        try context.save()
        #expect(ana.context == nil && !ana.isDeleted && ana["name"] == "Ana")
        #expect(try context.all("Employee").isEmpty)
    }

    @Test func insertedAndDeletedObjectVanishes() throws {
        let ana = try context.make("Employee")
        context.delete(ana)
        context.processPendingChanges()
        #expect(ana.context == nil && !context.hasChanges)
        #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
        let bob = try context.make("Employee")
        context.processPendingChanges()
        context.delete(bob)
        context.processPendingChanges()
        #expect(bob.context == nil && !context.hasChanges && context.registeredObjects.isEmpty)
    }

    @Test(.scenario("life-72"))
    func cascadeFollowsCyclesAndStops() throws {
        let home = try context.make("Department")
        for _ in 0..<3 { try context.make("Employee", ["department": .object(home)]) }
        let plan = try context.make("Project", ["steps": [.object(try context.make("Step"))]])
        try context.save()
        context.delete(home)
        #expect(context.deletedObjects.count == 4)
        context.delete(plan)
        try context.save()
        let fresh = context.sibling()
        #expect(try fresh.all("Employee").isEmpty && fresh.all("Step").isEmpty)
    }

    @Test func nullifyLeavesNoTraceOnTheOtherSide() throws {
        let (ana, bob) = (try context.make("Employee"), try context.make("Employee"))
        let plan = try context.make("Project", ["members": [.object(ana), .object(bob)]])
        bob["boss"] = .object(ana)
        bob["spouse"] = .object(ana)
        bob["friends"] = [.object(ana), .object(bob)]
        plan["reviewers"] = [.object(ana), .object(bob)]
        try context.save()
        context.delete(ana)
        context.processPendingChanges()
        #expect(bob["boss"].isNull && bob["spouse"].isNull && bob.objects("friends") == [bob])
        #expect(plan.objects("members") == [bob] && plan.list("reviewers") == [bob])
        try context.save()
        #expect(try GraphDump(context.sibling()) == GraphDump(context))
    }

    @Test func denyFailsUntilTheBlockersGo() throws {
        let home = try context.make("Department")
        let room = try context.make("Room", ["owner": .object(home)])
        try context.save()
        context.delete(home)
        let error = failure { try context.save() }
        #expect(error?.code == .deleteDenied && error?.key == "rooms")
        #expect(error?.objectIDs.contains(room.objectID) == true)
        #expect(home.isDeleted && !room.isDeleted)
        context.delete(room)
        try context.save()
        #expect(try context.all("Department").isEmpty)
    }

    @Test func deniedDeletionIsLiftedByMovingTheBlocker() throws {
        let (home, work) = (try context.make("Department"), try context.make("Department"))
        let room = try context.make("Room", ["owner": .object(home)])
        try context.save()
        #expect(failure { try home.validateForDelete() }?.code == .deleteDenied)
        room["owner"] = .object(work)
        context.delete(home)
        try context.save()
        #expect(try context.all("Department") == [work])
    }

    @Test func nullifiedRequiredInverseFailsValidation() throws {
        let home = try context.make("Department")
        let room = try context.make("Room", ["owner": .object(home)])
        try context.save()
        room["owner"] = .null
        let error = failure { try context.save() }
        #expect(error?.code == .missingMandatory && error?.key == "owner")
        context.rollback()
        #expect(room.object("owner") === home && home.objects("rooms") == [room])
    }

    @Test func deleteRulesCanWaitForTheSave() throws {
        context.propagatesDeletesAtEndOfEvent = false
        let home = try context.make("Department")
        let ana = try context.make("Employee", ["department": .object(home)])
        try context.save()
        var deleted: [Int] = []
        let token = context.notifications.addObserver(of: ObjectsDidChange.self, from: context) {
            if !$0.deleted.isEmpty { deleted.append($0.deleted.count) }
        }
        defer { context.notifications.removeObserver(token) }
        context.delete(home)
        context.processPendingChanges()
        #expect(!ana.isDeleted && context.deletedObjects == [home])
        try context.save()
        #expect(ana.context == nil && deleted == [1, 1])
        #expect(try context.all("Employee").isEmpty)
    }

    @Test func deletionOfAFaultWhoseRowIsGoneDoesNothing() throws {
        let ana = try context.make("Employee")
        try context.save()
        let other = context.sibling()
        let same = other.object(with: ana.objectID)
        context.delete(ana)
        try context.save()
        other.delete(same)
        #expect(!other.hasChanges)
        try other.save()
    }

    @Test func rowsOfAOneWayRelationshipGoWithTheirOwner() throws {
        let tag = try context.make("Tag")
        let plan = try context.make("Project", ["tags": [.object(tag)]])
        try context.save()
        context.delete(plan)
        try context.save()
        #expect(try context.all("Tag") == [tag] && context.all("Project").isEmpty)
    }
}
