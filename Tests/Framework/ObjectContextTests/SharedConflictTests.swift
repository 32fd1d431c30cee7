import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import Testing

/// Two contexts, each of which does not know what the other has saved: what a save makes of references,
/// delete rules and orders.
@Suite("Conflicts of relationships")
struct SharedConflictTests {
    private let context: ManagedObjectContext
    private let other: ManagedObjectContext

    init() throws {
        context = try TestGraph.context()
        other = context.sibling()
    }

    /// The same object in the other context.
    private func theirs(_ object: ManagedObject) -> ManagedObject {
        other.object(with: object.objectID)
    }

    /// A department whose staff was read here, and one more employee that joins it elsewhere.
    private func joinedElsewhere() throws -> (department: ManagedObject, joined: ManagedObject) {
        let department = try context.make("Department")
        let (first, second) = (try context.make("Employee"), try context.make("Employee"))
        first["department"] = .object(department)
        try context.save()
        #expect(department.list("staff") == [first])
        theirs(second)["department"] = .object(theirs(department))
        try other.save()
        return (department, second)
    }

    /// The row's version alone must not say that nothing has happened.
    @Test(arguments: [true, false])
    func rowThatCameBackUnderItsIDIsAnotherOneForWhoStillShowsTheFormer(isInFile: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let here = ManagedObjectContext(
            coordinator: isInFile
                ? try SharedGraph.sqlite(folder.appending(path: "store")) : try SharedGraph.memory()
        )
        let there = here.sibling()
        here.undoManager = UndoManager()
        let owner = try here.make("Owner", ["name": .string("first")])
        try here.save()
        let theirs = there.object(with: owner.objectID)
        #expect(theirs["name"] == .string("first"))
        here.delete(owner)
        try here.save()
        try here.undo()
        owner["name"] = .string("second")
        try here.save()
        theirs["favourite"] = .object(try there.make("Member"))
        #expect(throws: ObjectGraphError.self) { try there.save() }
        there.mergePolicy = .mergeByPropertyObjectTrump
        try there.save()
        #expect(theirs["name"] == .string("second"))
    }

    @Test func listWithoutInverseLosesADeletedMemberThatOthersHadAddedMeanwhile() throws {
        let here = ManagedObjectContext(coordinator: try SharedGraph.memory())
        let there = here.sibling()
        let (owner, tag) = (try here.make("Owner"), try here.make("Tag"))
        try here.save()
        here.delete(tag)
        here.processPendingChanges()
        let theirs = there.object(with: owner.objectID)
        theirs["tags"] = .array([.object(there.object(with: tag.objectID))])
        try there.save()
        #expect(owner.list("tags").map(\.objectID) == [tag.objectID])
        try here.save()
        #expect(owner.list("tags") == [])
        #expect(!here.hasChanges)
    }

    @Test(arguments: ["ranked", "pairs"])
    func listOfManyToManyLosesADeletedMemberThatOthersHadAddedMeanwhile(list: String) throws {
        let here = ManagedObjectContext(coordinator: try SharedGraph.memory())
        let there = here.sibling()
        let (owner, member) = (try here.make("Owner"), try here.make("Member"))
        try here.save()
        here.refresh(owner, mergeChanges: false)
        here.delete(member)
        here.processPendingChanges()
        let theirs = there.object(with: owner.objectID)
        theirs[list] = .array([.object(there.object(with: member.objectID))])
        try there.save()
        #expect(owner.list(list).map(\.objectID) == [member.objectID])
        try here.save()
        #expect(owner.list(list) == [])
        #expect(!here.hasChanges)
    }

    @Test func mergedMoveReachesTheListsOfBothOwnersThoughTheMemberIsNotHere() throws {
        let homes = [try context.make("Department"), try context.make("Department")]
        try context.save()
        let employee = try other.make("Employee", ["department": .object(theirs(homes[0]))])
        try other.save()
        context.mergeChanges(ObjectIDChanges(inserted: [employee.objectID]))
        #expect(homes.map { $0.list("staff").count } == [1, 0])
        employee["department"] = .object(theirs(homes[1]))
        try other.save()
        context.reset()
        let owners = homes.map { context.object(with: $0.objectID) }
        #expect(owners.map { $0.list("staff").count } == [0, 1])
        employee["department"] = .object(theirs(homes[0]))
        try other.save()
        var refreshed: Set<ManagedObject> = []
        let center = context.notifications
        let token = center.addObserver(of: ObjectsDidChange.self, from: context) {
            refreshed.formUnion($0.refreshed)
        }
        defer { center.removeObserver(token) }
        context.mergeChanges(ObjectIDChanges(updated: [employee.objectID]))
        #expect(refreshed.isSuperset(of: owners))
        #expect(owners.map { $0.list("staff").count } == [1, 0])
        other.delete(employee)
        try other.save()
        context.mergeChanges(ObjectIDChanges(deleted: [employee.objectID]))
        #expect(owners.map { $0.list("staff").count } == [0, 0])
        #expect(!context.hasChanges)
    }

    @Test func deletionOfAnOwnerThatOthersGaveAMemberNamesBoth() throws {
        let (department, joined) = try joinedElsewhere()
        context.delete(department)
        let error = failure { try context.save() }
        #expect(error?.code == .mergeConflict)
        #expect(Set(error?.objectIDs ?? []) == [department.objectID, joined.objectID])
        let conflict = try #require(error?.underlying.first as? MergeConflict)
        #expect(conflict.relationship == "department")
        #expect(conflict.destinationID == department.objectID)
        // As the error says.
        context.refresh(department, mergeChanges: true)
        context.refresh(joined, mergeChanges: true)
        try context.save()
        #expect(try context.sibling().all("Employee").isEmpty)
    }

    @Test func objectTrumpAppliesTheRuleToTheMembersOfThatMoment() throws {
        let (department, _) = try joinedElsewhere()
        context.mergePolicy = .mergeByPropertyObjectTrump
        context.delete(department)
        try context.save()
        let fresh = context.sibling()
        #expect(try fresh.all("Department").isEmpty && fresh.all("Employee").isEmpty)
    }

    @Test func storeTrumpTakesTheDeletionBack() throws {
        let (department, joined) = try joinedElsewhere()
        context.mergePolicy = .mergeByPropertyStoreTrump
        context.delete(department)
        try context.save()
        #expect(!department.isDeleted && department.objects("staff").contains(joined))
        #expect(try context.sibling().all("Department").count == 1)
    }

    @Test func deniedDeletionFailsForAMemberThatWasNotRead() throws {
        let department = try context.make("Department")
        try context.save()
        #expect(department.list("rooms") == [])
        try other.make("Room", ["owner": .object(theirs(department))])
        try other.save()
        context.mergePolicy = .overwrite
        context.delete(department)
        #expect(failure { try context.save() }?.code == .deleteDenied)
        #expect(try context.sibling().all("Department").count == 1)
    }

    @Test(arguments: [MergePolicy.error, .mergeByPropertyStoreTrump, .overwrite])
    func referenceToWhatOthersHaveDeletedIsNotSaved(_ policy: MergePolicy) throws {
        let department = try context.make("Department", ["title": "sales"])
        let employee = try context.make("Employee")
        try context.save()
        other.delete(theirs(department))
        try other.save()
        context.mergePolicy = policy
        employee["department"] = .object(department)
        let error = failure { try context.save() }
        let reader = context.sibling()
        let fresh = try #require(try reader.all("Employee").first)
        switch policy {
        case .error:
            #expect(error?.code == .mergeConflict)
            #expect(error?.objectIDs.contains(department.objectID) == true)
            #expect(error?.objectIDs.contains(employee.objectID) == true)
        case .overwrite:
            // The link is a change of the department.
            #expect(fresh.object("department")?["title"] == "sales")
        default:
            #expect(error == nil && fresh["department"] == .null)
            #expect(employee["department"] == .null && department.isDeleted)
        }
    }

    @Test func deletedObjectIsTakenOutOfReferencesWithoutInverse() throws {
        let employee = try context.make("Employee")
        let mentor = try context.make("Employee", ["name": "Ana"])
        employee["mentor"] = .object(mentor)
        context.undoManager = UndoManager()
        try context.save()
        context.delete(mentor)
        try context.save()
        #expect(employee["mentor"] == .null)
        #expect(try context.stored("Employee", "mentor") == [.null])
        try context.undo()
        #expect(employee.object("mentor") === mentor)
        // Others lead to it meanwhile.
        try context.save()
        context.delete(mentor)
        context.processPendingChanges()
        try other.make("Employee", ["mentor": .object(theirs(mentor))])
        try other.save()
        #expect(failure { try context.save() }?.code == .mergeConflict)
    }

    @Test(arguments: [
        MergePolicy.error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .rollback,
    ])
    func secondReorderDoesNotWinSilently(_ policy: MergePolicy) throws {
        let people = try (0..<3).map { _ in try context.make("Employee") }
        let project = try context.make("Project")
        project["reviewers"] = .array(people.map { .object($0) })
        try context.save()
        theirs(project)["reviewers"] = .array([1, 2, 0].map { .object(theirs(people[$0])) })
        try other.save()
        context.mergePolicy = policy
        project["reviewers"] = .array([2, 1, 0].map { .object(people[$0]) })
        let error = failure { try context.save() }
        let fresh = context.sibling()
        let stored = try #require(try fresh.all("Project").first).list("reviewers").map(\.objectID)
        let wins = policy == .mergeByPropertyObjectTrump
        #expect(stored == (wins ? [2, 1, 0] : [1, 2, 0]).map { people[$0].objectID })
        if policy == .error {
            #expect(error?.objectIDs == [project.objectID])
            #expect((error?.underlying.first as? MergeConflict)?.keys == ["reviewers"])
        } else {
            #expect(error == nil && project.list("reviewers").map(\.objectID) == stored)
        }
    }

    /// Two contexts over one file, each with a coordinator of its own, and an object of each entity.
    private func sharedFile() throws -> (here: ManagedObjectContext, there: ManagedObjectContext) {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        return (
            ManagedObjectContext(coordinator: try SharedGraph.sqlite(url)),
            ManagedObjectContext(coordinator: try SharedGraph.sqlite(url))
        )
    }

    @Test(arguments: [true, false])
    func linkThatOneSideHasReadBeforeOthersChangedItIsWrittenAsWanted(_ isRemoved: Bool) throws {
        let (here, there) = try sharedFile()
        let (owner, member) = (try here.make("Owner"), try here.make("Member"))
        if !isRemoved { owner["pairs"] = .array([.object(member)]) }
        try here.save()
        // The member's side is read before, the owner's after the others' change.
        #expect(member.list("pairs").count == (isRemoved ? 0 : 1))
        let theirs = there.object(with: owner.objectID)
        let link = GraphValue.object(there.object(with: member.objectID))
        theirs["pairs"] = .array(isRemoved ? [link] : [])
        try there.save()
        here.refresh(owner, mergeChanges: false)
        #expect(owner.list("pairs").count == (isRemoved ? 1 : 0))
        owner["pairs"] = .array(isRemoved ? [] : [.object(member)])
        #expect(member.list("pairs") == owner.list("pairs").map { _ in owner })
        try here.save()
        let fresh = here.sibling()
        #expect(fresh.object(with: member.objectID).list("pairs").count == (isRemoved ? 0 : 1))
        #expect(member.list("pairs").count == (isRemoved ? 0 : 1))
    }

    @Test(arguments: [true, false])
    func newReferenceUnderNoActionToWhatTheSaveDeletesIsNoConflict(_ isInMemory: Bool) throws {
        let file = try sharedFile().here
        let here =
            isInMemory ? ManagedObjectContext(coordinator: try SharedGraph.memory()) : file
        let (owner, member) = (try here.make("Owner"), try here.make("Member"))
        try here.save()
        member["looseOwner"] = .object(owner)
        here.delete(owner)
        try here.save()
        #expect(try here.sibling().all("Owner").isEmpty)
    }

    @Test func deletionTakenBackLeavesAMemberWithTheOwnerThatOthersHaveGivenIt() throws {
        let (here, there) = try sharedFile()
        let owners = [try here.make("Owner"), try here.make("Owner")]
        let member = try here.make("Member", ["plainOwner": .object(owners[0])])
        let guest = try here.make("Member")
        try here.save()
        #expect(owners[0].list("plain") == [member])
        here.delete(owners[0])
        member["name"] = "here"
        here.processPendingChanges()
        there.object(with: member.objectID)["plainOwner"] =
            .object(there.object(with: owners[1].objectID))
        there.object(with: guest.objectID)["partOwner"] =
            .object(there.object(with: owners[0].objectID))
        try there.save()
        here.mergePolicy = .mergeByPropertyStoreTrump
        try here.save()
        #expect(!owners[0].isDeleted && owners[0].list("plain") == [])
        #expect(member.object("plainOwner") === owners[1] && owners[1].list("plain") == [member])
        #expect(here.invariantViolations() == [])
    }

    @Test func changeThatIsGivenUpLeavesAPartnerThatOthersHavePairedAnew() throws {
        let (here, there) = try sharedFile()
        let (owner, partner) = (try here.make("Owner"), try here.make("Member"))
        let next = try here.make("Member")
        here.stalenessInterval = .zero
        owner["partner"] = .object(partner)
        try here.save()
        owner["partner"] = .null
        here.processPendingChanges()
        there.object(with: owner.objectID)["partner"] =
            .object(there.object(with: next.objectID))
        try there.save()
        here.refresh(partner, mergeChanges: true)
        here.refresh(owner, mergeChanges: false)
        #expect(partner["partner"] == .null)
        #expect(owner.object("partner") === next)
        #expect(here.invariantViolations() == [])
    }

    @Test func changesAfterADeletionAndAReturnAreThoseOfAnObjectThatIsThere() throws {
        let (here, there) = try sharedFile()
        let (owner, member) = (try here.make("Owner"), try here.make("Member"))
        member["guardedOwner"] = .object(owner)
        try here.save()
        let follower = try StoreFollower(here)
        #expect(owner.list("guarded") == [member])
        there.delete(there.object(with: member.objectID))
        try there.save()
        here.mergePolicy = .overwrite
        member["name"] = "restored"
        try here.save()
        // The others change what was restored; this context has heard nothing of it all.
        there.reset()
        there.object(with: member.objectID)["name"] = "theirs"
        try there.save()
        try follower.catchUp()
        #expect(member["name"] == "theirs" && !member.isDeleted)
        #expect(owner.list("guarded") == [member])
    }

    @Test(arguments: [
        ("Owner", "plain"), ("Owner", "loose"), ("Owner", "steps"), ("Owner", "pairs"),
        ("Owner", "ranked"), ("Owner", "partner"), ("Member", "plainOwner"),
        ("Member", "stepOwner"), ("Member", "rankers"),
    ])
    func linkToAnObjectThatSeemedGoneStaysWhenItsRowIsThereAgain(
        _ entity: String,
        _ name: String
    ) throws {
        let (here, there) = try sharedFile()
        let third = there.sibling()
        let gone = try here.make(entity)
        let relationship = try #require(gone.entity.relationships.first { $0.name == name })
        let inverse = try #require(relationship.inverse)
        let live = try here.make(relationship.destinationName)
        try here.save()
        third.mergePolicy = .overwrite
        third.object(with: gone.objectID)["name"] = "restored"
        there.delete(there.object(with: gone.objectID))
        try there.save()
        here.stalenessInterval = .zero
        here.refresh(gone, mergeChanges: false)
        #expect(gone["name"] == .null && gone.isDeleted)
        if inverse.isToMany {
            live.insert(gone, intoRelationshipAt: inverse.slot)
        } else {
            live[inverse.name] = .object(gone)
        }
        here.processPendingChanges()
        try third.save()
        here.mergeChanges(ObjectIDChanges(inserted: [gone.objectID]))
        #expect(!gone.isDeleted && gone["name"] == "restored")
        #expect(gone.ids(relationship) == [live.objectID])
        #expect(live.ids(inverse) == [gone.objectID])
        #expect(here.invariantViolations() == [])
        try here.save()
        let fresh = here.sibling()
        #expect(fresh.object(with: gone.objectID).ids(relationship) == [live.objectID])
    }

    @Test func linkThatBothHaveMadeStaysWhenOneSideOfItIsReadAnew() throws {
        let (here, there) = try sharedFile()
        let (owner, member) = (try here.make("Owner"), try here.make("Member"))
        try here.save()
        owner["pairs"] = .array([.object(member)])
        there.object(with: owner.objectID)["pairs"] =
            .array([.object(there.object(with: member.objectID))])
        try there.save()
        let changes = ObjectIDChanges(updated: [owner.objectID, member.objectID])
        here.mergeChanges(changes)
        #expect(member.list("pairs") == [owner])
        here.refresh(owner, mergeChanges: false)
        #expect(member.list("pairs") == [owner] && owner.list("pairs") == [member])
        #expect(here.invariantViolations() == [])
    }

    @Test func pendingLinkThatOthersHaveStoredAndRemovedIsOnNeitherSide() throws {
        let (here, there) = try sharedFile()
        let (owner, member) = (try here.make("Owner"), try here.make("Member"))
        try here.save()
        let changes = ObjectIDChanges(updated: [owner.objectID, member.objectID])
        owner["pairs"] = .array([.object(member)])
        let theirs = there.object(with: owner.objectID)
        theirs["pairs"] = .array([.object(there.object(with: member.objectID))])
        try there.save()
        here.mergeChanges(changes)
        #expect(owner.list("pairs") == [member])
        theirs["pairs"] = .array([])
        try there.save()
        here.mergeChanges(changes)
        #expect(owner.list("pairs") == [] && member.list("pairs") == [])
        #expect(!here.hasChanges && here.invariantViolations() == [])
    }

    @Test func memberThatACascadeHasDeletedLeavesTheOwnerThatStays() throws {
        let (here, there) = try sharedFile()
        here.mergePolicy = .rollback
        for isRefreshed in [true, false] {
            let owner = try here.make("Owner")
            let member = try here.make("Member", ["partOwner": .object(owner)])
            owner["pairs"] = .array([.object(member)])
            try here.save()
            here.delete(owner)
            here.processPendingChanges()
            if isRefreshed {
                here.refresh(owner, mergeChanges: false)
                #expect(owner.list("parts") == [member])
            } else {
                there.object(with: owner.objectID)["name"] = "theirs"
                try there.save()
            }
            try here.save()
            #expect(!owner.isDeleted)
            #expect(owner.list("parts") == [] && owner.list("pairs") == [])
            #expect(try here.sibling().all("Member").isEmpty)
        }
    }

    @Test func memberThatComesBackHasTheOwnerThatAPendingChangeHadTakenFromIt() throws {
        let (here, there) = try sharedFile()
        let third = there.sibling()
        third.mergePolicy = .overwrite
        let owner = try here.make("Owner")
        let member = try here.make("Member", ["plainOwner": .object(owner)])
        try here.save()
        third.object(with: member.objectID)["name"] = "restored"
        there.delete(there.object(with: member.objectID))
        here.refresh(owner, mergeChanges: false)
        member["plainOwner"] = .null
        here.processPendingChanges()
        try there.save()
        here.mergeChanges(ObjectIDChanges(deleted: [member.objectID]))
        try third.save()
        here.mergeChanges(ObjectIDChanges(inserted: [member.objectID]))
        #expect(member.object("plainOwner") === owner && owner.list("plain") == [member])
        #expect(!here.hasChanges && here.invariantViolations() == [])
    }

    @Test func deletionAppliesItsRulesToAMemberThatSeemedGoneAndIsThereAgain() throws {
        let (here, there) = try sharedFile()
        let third = there.sibling()
        third.mergePolicy = .overwrite
        let (owner, member) = (try here.make("Owner"), try here.make("Member"))
        try here.save()
        third.object(with: member.objectID)["stepOwner"] =
            .object(third.object(with: owner.objectID))
        third.processPendingChanges()
        there.delete(there.object(with: member.objectID))
        try there.save()
        here.mergeChanges(ObjectIDChanges(deleted: [member.objectID]))
        #expect(member.isDeleted)
        try third.save()
        here.delete(owner)
        here.mergePolicy = .mergeByPropertyObjectTrump
        try here.save()
        #expect(try here.sibling().all("Owner").isEmpty)
        #expect(here.sibling().object(with: member.objectID)["stepOwner"] == .null)
    }

    @Test(arguments: [true, false])
    func partnerThatOthersHaveGivenLosesItsSideWhenThisSideWins(_ isPending: Bool) throws {
        let (here, there) = try sharedFile()
        let owner = try here.make("Owner")
        let (mine, theirs) = (try here.make("Member"), try here.make("Member"))
        try here.save()
        #expect(theirs["partner"] == .null)
        there.object(with: owner.objectID)["partner"] =
            .object(there.object(with: theirs.objectID))
        try there.save()
        owner["partner"] = .object(mine)
        if isPending { theirs["pairs"] = .array([.object(owner)]) }
        here.mergePolicy = .overwrite
        try here.save()
        #expect(theirs["partner"] == .null && mine.object("partner") === owner)
        let fresh = there.sibling()
        fresh.stalenessInterval = .zero
        #expect(fresh.object(with: theirs.objectID)["partner"] == .null)
        #expect(fresh.object(with: mine.objectID).object("partner")?.objectID == owner.objectID)
    }

    @Test func pairThatWinsOverTheStoresIsWrittenOnBothSides() throws {
        let (here, there) = try sharedFile()
        let (owner, next) = (try here.make("Owner"), try here.make("Owner"))
        let member = try here.make("Member", ["partner": .object(owner)])
        try here.save()
        there.object(with: next.objectID)["partner"] =
            .object(there.object(with: member.objectID))
        try there.save()
        member["name"] = "mine"
        here.mergePolicy = .overwrite
        try here.save()
        #expect(owner.object("partner") === member && member.object("partner") === owner)
        let fresh = there.sibling()
        fresh.stalenessInterval = .zero
        let theirs = fresh.object(with: member.objectID)
        #expect(theirs.object("partner")?.objectID == owner.objectID)
        #expect(fresh.object(with: owner.objectID).object("partner") === theirs)
        #expect(fresh.object(with: next.objectID)["partner"] == .null)
    }

    @Test func newMemberOfADeletedOwnerThatWasReadAnewIsNoneWhenTheOwnerComesBack() throws {
        let here = try sharedFile().here
        let (owner, member) = (try here.make("Owner"), try here.make("Member"))
        try here.save()
        owner.insert(member, intoRelationshipAt: try #require(owner.entity.slotByName["plain"]))
        here.processPendingChanges()
        here.delete(owner)
        here.processPendingChanges()
        here.refresh(member, mergeChanges: false)
        here.refresh(owner, mergeChanges: false)
        #expect(member["plainOwner"] == .null && owner.list("plain") == [])
        #expect(!here.hasChanges && here.invariantViolations() == [])
    }
}
