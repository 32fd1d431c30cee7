import ObjectContext
import ObjectModel
import Testing

/// Both sides of a relationship agree, whatever was read, merged or refreshed between an edit and
/// its end.
@Suite("Both sides of relationships")
struct LinkAgreementTests {
    private let context: ManagedObjectContext

    init() throws {
        context = try TestGraph.context()
        context.mergePolicy = .mergeByPropertyObjectTrump
        context.undoManager = UndoManager()
    }

    private func employees(_ count: Int) throws -> [ManagedObject] {
        try (0..<count).map { try context.make("Employee", ["name": .string("e\($0)")]) }
    }

    /// A project with three steps, saved and not in memory.
    private func unreadProject() throws -> (project: ManagedObject, steps: [ManagedObject]) {
        let project = try context.make("Project")
        let steps = try (0..<3).map { try context.make("Step", ["label": .string("s\($0)")]) }
        project["steps"] = .array(steps.map { .object($0) })
        try context.save()
        context.refreshAllObjects()
        return (project, steps)
    }

    /// Another context sets the boss of an employee; this one merges the save.
    private func setElsewhere(_ employee: ManagedObject, _ boss: ManagedObject) throws {
        let other = context.sibling()
        let center = other.notifications
        let token = center.addObserver(of: ContextDidSave.self, from: other) {
            context.mergeChanges(from: $0)
        }
        defer { center.removeObserver(token) }
        other.object(with: employee.objectID)["boss"] = .object(other.object(with: boss.objectID))
        try other.save()
    }

    // MARK: A relationship that is its own inverse

    @Test func aRefreshWithoutMergingTakesANewFriendshipFromBothSides() throws {
        let employees = try employees(2)
        try context.save()
        employees[0]["friends"] = .set([.object(employees[1])])
        context.endEvent()
        #expect(employees[1].list("friends") == [employees[0]])
        context.refresh(employees[1], mergeChanges: false)
        #expect(employees[1].list("friends") == [])
        #expect(employees[0].list("friends") == [])
        #expect(!context.hasChanges)
    }

    @Test func aRefreshWithoutMergingRestoresAFriendshipOnBothSides() throws {
        let employees = try employees(2)
        employees[0]["friends"] = .set([.object(employees[1])])
        try context.save()
        employees[0]["friends"] = .set([])
        context.endEvent()
        context.refresh(employees[1], mergeChanges: false)
        #expect(employees[0].list("friends") == [employees[1]])
        #expect(employees[1].list("friends") == [employees[0]])
        #expect(!context.hasChanges)
    }

    // MARK: Lists that were not read

    @Test func undoneMoveOutOfAnUnreadListIsBackInItsPlace() throws {
        let (project, steps) = try unreadProject()
        steps[1]["project"] = .object(try context.make("Project"))
        context.endEvent()
        try context.undo()
        #expect(project.list("steps") == steps && steps[1].object("project") === project)
    }

    @Test func rollbackOfAMoveOutOfAnUnreadListPutsItBack() throws {
        let (project, steps) = try unreadProject()
        steps[1]["project"] = .null
        #expect(project.list("steps") == [steps[0], steps[2]])
        context.rollback()
        #expect(project.list("steps") == steps)
    }

    @Test func rollbackPutsAMemberIntoTheListThatOthersMovedItTo() throws {
        let all = try employees(3)
        try context.save()
        all[0]["boss"] = .object(all[1])
        try setElsewhere(all[0], all[2])
        #expect(all[2].list("reports") == [])
        context.rollback()
        #expect(all[0].object("boss") === all[2] && all[2].list("reports") == [all[0]])
        #expect(all[1].list("reports") == [])
    }

    @Test func undoOfALinkThatWasThereKeepsIt() throws {
        let all = try employees(1)
        let project = try context.make("Project", ["reviewers": .array([.object(all[0])])])
        try context.save()
        context.refreshAllObjects()
        #expect(project.list("reviewers") == all)
        let slot = try #require(all[0].slot("reviews"))
        all[0].insert(project, intoRelationshipAt: slot)
        context.endEvent()
        #expect(!context.hasChanges)
        try context.undo()
        #expect(project.list("reviewers") == all && all[0].list("reviews") == [project])
    }

    @Test func undoneMembershipOfAnUnreadListLeavesNothingBehind() throws {
        let all = try employees(2)
        try context.save()
        context.refreshAllObjects()
        let slot = try #require(all[1].slot("reports"))
        all[1].insert(all[0], intoRelationshipAt: slot)
        context.endEvent()
        try context.undo()
        #expect(!context.hasChanges)
        try setElsewhere(all[0], all[1])
        #expect(all[1].list("reports") == [all[0]])
    }

    // MARK: Refreshes

    @Test func refreshOfADeletedObjectDropsMembersThatDoNotLeadBack() throws {
        let all = try employees(2)
        try context.save()
        all[0]["boss"] = .object(all[1])
        context.processPendingChanges()
        context.delete(all[1])
        context.processPendingChanges()
        context.refresh(all[1], mergeChanges: false)
        #expect(all[0].object("boss") == nil && all[1].list("reports") == [])
        try context.save()
        #expect(try context.stored("Employee", "boss") == [.null, .null])
    }

    @Test func undoRestoresTheOrderOfTheMembersThatARefreshLeft() throws {
        let all = try employees(3)
        let project = try context.make("Project")
        project["reviewers"] = .array(all.dropLast().map { .object($0) })
        try context.save()
        project["reviewers"] = .array(all.map { .object($0) })
        context.endEvent()
        project["reviewers"] = .array(all.reversed().map { .object($0) })
        context.endEvent()
        context.refresh(all[2], mergeChanges: false)
        try context.undo()
        #expect(project.list("reviewers") == [all[0], all[1]])
        try context.save()
    }

    @Test func refreshOfAnObjectThatOthersDeletedLeavesNoHalfOfAPair() throws {
        let all = try employees(3)
        try context.save()
        let other = context.sibling()
        other.delete(other.object(with: all[0].objectID))
        try other.save()
        all[0]["spouse"] = .object(all[1])
        all[2]["boss"] = .object(all[0])
        context.endEvent()
        context.stalenessInterval = .zero
        context.refresh(all[0], mergeChanges: false)
        #expect(context.invariantViolations() == [])
        #expect(all[1].object("spouse") == nil)
    }

    @Test func refreshOfAMemberWhoseLinkADeletionTookBackDoesNotStoreTheLink() throws {
        context.mergePolicy = .error
        context.automaticallyMergesChangesFromParent = true
        let employee = try employees(1)[0]
        let project = try context.make("Project")
        try context.save()
        project["members"] = .set([.object(employee)])
        context.delete(project)
        context.endEvent()
        let other = context.sibling()
        other.object(with: employee.objectID)["name"] = "other"
        other.object(with: project.objectID)["code"] = "other"
        try other.save()
        context.endEvent()
        #expect(failure { try context.save() }?.code == .mergeConflict)
        context.refresh(employee, mergeChanges: false)
        context.rollback()
        #expect(project.list("members") == [] && employee.list("projects") == [])
    }

    // MARK: Lists without inverse

    @Test func aSavedMemberOfAListWithoutInverseLeavesTheListThatHadIt() throws {
        let tag = try context.make("Tag")
        let projects = try (0..<2).map { _ in try context.make("Project") }
        projects[0]["tags"] = .set([.object(tag)])
        try context.save()
        projects[1]["tags"] = .set([.object(tag)])
        try context.save()
        #expect(projects.map { $0.list("tags") } == [[], [tag]])
        let fresh = context.sibling()
        let stored = projects.map { fresh.object(with: $0.objectID).list("tags").map(\.objectID) }
        #expect(stored == [[], [tag.objectID]])
    }

    // MARK: Undo after merges

    @Test func undoMovesAMemberOutOfTheListThatOthersMovedItTo() throws {
        let all = try employees(4)
        all[0]["boss"] = .object(all[1])
        try context.save()
        all[0]["boss"] = .object(all[2])
        try context.save()
        try setElsewhere(all[0], all[3])
        #expect(all[3].list("reports") == [all[0]])
        try context.undo()
        #expect(all[0].object("boss") === all[1])
        #expect(all[1...].map { $0.list("reports") } == [[all[0]], [], []])
    }

    @Test func redoneInsertionHasTheMembersThatLeadToIt() throws {
        let all = try employees(1)
        try context.save()
        let department = try context.make("Department")
        all[0]["department"] = .object(department)
        context.endEvent()
        try context.undo()
        context.refresh(all[0], mergeChanges: false)
        try context.redo()
        #expect(department.list("staff") == all && all[0].object("department") === department)
    }

    @Test func undoneDeletionDropsMembersThatHadLeftBefore() throws {
        let all = try employees(2)
        try context.save()
        all[0]["boss"] = .object(all[1])
        try setElsewhere(all[0], all[0])
        all[0]["boss"] = .null
        context.endEvent()
        context.delete(all[0])
        try context.save()
        try context.undo()
        #expect(all[0].context === context && all[0].object("boss") == nil)
        #expect(all[0].list("reports") == [])
    }
}
