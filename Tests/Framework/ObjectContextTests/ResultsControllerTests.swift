import ObjectContext
import ObjectModel
import Testing

/// A controller and what it reported.
final class ResultsMirror {
    let controller: FetchedResultsController<ManagedObject>
    private(set) var changes: [ResultsChange] = []
    /// The rows as a list would have them that only applies changes.
    private(set) var rows = ResultsSnapshot(sections: [])
    private var before: ResultsSnapshot?

    init(
        _ context: ManagedObjectContext,
        _ entity: String,
        where format: String? = nil,
        sort keys: [FetchSortDescriptor],
        sections: String? = nil
    ) throws {
        var request = FetchRequest<ManagedObject>(entityName: entity, sortDescriptors: keys)
        if let format { request.predicate = try FetchPredicate(format: format) }
        controller = try FetchedResultsController(
            request: request,
            context: context,
            sectionNameKeyPath: sections
        )
        try controller.performFetch()
        rows = controller.snapshot
        controller.willChange = { [unowned self] in
            #expect(controller.snapshot == rows, "the rows are the old ones until told")
        }
        controller.didChange = { [unowned self] change in
            changes.append(change)
            rows = rows.applying(change)
        }
        controller.didReplaceIDs = { [unowned self] replaced in
            for section in rows.sections.indices {
                rows.sections[section].ids = rows.sections[section].ids.map { replaced[$0] ?? $0 }
            }
        }
    }

    func take() -> [ResultsChange] {
        defer { changes = [] }
        return changes
    }
}

@Suite("Results controller")
struct ResultsControllerTests {
    let context: ManagedObjectContext

    init() throws { context = try TestGraph.context() }

    private func person(_ name: String, _ team: String, _ age: Int64 = 1) throws -> ManagedObject {
        try context.make(
            "Employee",
            ["name": .string(name), "code": .string(team), "age": .int(age)]
        )
    }

    private func mirror(
        where format: String? = nil,
        sections: Bool = false
    ) throws -> ResultsMirror {
        let keys = [FetchSortDescriptor("code"), FetchSortDescriptor("name")]
        return try ResultsMirror(
            context,
            "Employee",
            where: format,
            sort: sections ? keys : Array(keys.dropFirst()),
            sections: sections ? "code" : nil
        )
    }

    private func path(_ section: Int, _ item: Int) -> ResultIndexPath {
        ResultIndexPath(section: section, item: item)
    }

    @Test(.scenario("frc-indexpath"))
    func sectionsAndPaths() throws {
        let carol = try person("Carol", "Sales")
        let alice = try person("Alice", "Engin")
        let bob = try person("Bob", "Engin")
        let controller = try mirror(sections: true).controller
        #expect(controller.fetchedObjects == [alice, bob, carol] && controller.sectionCount == 2)
        #expect(controller.indexPath(for: carol) == path(1, 0))
        #expect(controller.object(at: path(0, 1)) === bob)
        #expect(
            controller.sectionName(1) == "Sales" && controller.sectionIndexTitles == ["E", "S"]
        )
        #expect(controller.section(forSectionIndexTitle: "S") == 1)
        #expect(controller.section(forSectionIndexTitle: "X") == nil)
        #expect(controller.numberOfObjects(inSection: 0) == 2 && controller.count == 3)
        #expect(controller.indexPath(for: try context.make("Employee")) == nil)
    }

    @Test(.scenario("frc-sorted"))
    func rowsWithoutSectionsAreOneSection() throws {
        let people = try [("Carol", "Sales"), ("Alice", "Engin"), ("Bob", "Engin")]
            .map { try person($0.0, $0.1) }
        try context.save()
        let controller = try mirror().controller
        #expect(controller.fetchedObjects == [people[1], people[2], people[0]])
        #expect(controller.sectionCount == 1)
    }

    /// The section between two that change places is reported as gone and come; its row is not.
    @Test func rowOfASectionThatIsReplacedIsMoved() throws {
        let names = ["Alpha", "Beta", "Gamma"]
        let homes = try names.map { try context.make("Department", ["title": .string($0)]) }
        let people = try homes.enumerated().map { index, home in
            try context.make("Employee", ["age": .int(Int64(index)), "department": .object(home)])
        }
        let mirror = try ResultsMirror(
            context,
            "Employee",
            sort: [FetchSortDescriptor("age")],
            sections: "department.title"
        )
        let before = mirror.rows
        people[0]["age"] = 2
        people[2]["age"] = 0
        context.processPendingChanges()
        #expect(mirror.rows == mirror.controller.snapshot && mirror.rows != before)
        let change = try #require(mirror.take().first)
        var seen: [ManagedObjectID: Int] = [:]
        for object in change.objects {
            switch object {
            case .delete(let id, _), .insert(let id, _), .move(let id, _, _), .update(let id, _, _):
                seen[id, default: 0] += 1
            }
        }
        #expect(seen.values.allSatisfy { $0 == 1 }, "\(change.objects)")
    }

    @Test func emptyResults() throws {
        #expect(try mirror().controller.sectionCount == 1)
        #expect(try mirror(sections: true).controller.sectionCount == 0)
    }

    @Test func needsAnOrderThatFitsTheSections() throws {
        let request = FetchRequest<ManagedObject>(entityName: "Employee")
        #expect(
            failure { _ = try FetchedResultsController(request: request, context: context) } != nil
        )
        _ = try person("a", "xx")
        _ = try person("b", "yy")
        _ = try person("c", "xx")
        let wrong = try FetchedResultsController(
            request: FetchRequest<ManagedObject>(
                entityName: "Employee",
                sortDescriptors: [FetchSortDescriptor("name")]
            ),
            context: context,
            sectionNameKeyPath: "code"
        )
        #expect(failure { try wrong.performFetch() }?.code == .invalidRequest)
    }

    @Test(.scenario("frc-insert-section"))
    func insertionOpensASection() throws {
        _ = try person("Alice", "Engin")
        try context.save()
        let mirror = try mirror(sections: true)
        let carol = try person("Carol", "Sales")
        context.processPendingChanges()
        let change = try #require(mirror.take().first)
        #expect(change.sections == [.insert(name: "Sales", at: 1)])
        #expect(change.objects == [.insert(carol.objectID, at: path(1, 0))])
    }

    @Test(.scenario("frc-update"))
    func updateKeepsItsPath() throws {
        let alice = try person("Alice", "Engin")
        try context.save()
        let mirror = try mirror()
        alice["age"] = 42
        context.processPendingChanges()
        let path = path(0, 0)
        #expect(
            mirror.take().map(\.objects) == [[.update(alice.objectID, at: path, newPath: path)]]
        )
    }

    @Test(.scenario("frc-leaves-predicate"))
    func leavingThePredicateDeletes() throws {
        let alice = try person("Alice", "Engin", 10)
        _ = try person("Bob", "Engin", 20)
        try context.save()
        let mirror = try mirror(where: "age > 5")
        alice["age"] = 1
        context.processPendingChanges()
        #expect(mirror.take().map(\.objects) == [[.delete(alice.objectID, at: path(0, 0))]])
        alice["age"] = 9
        context.processPendingChanges()
        #expect(mirror.take().map(\.objects) == [[.insert(alice.objectID, at: path(0, 0))]])
    }

    @Test(.scenario("frc-unrelated"))
    func unrelatedChangeDoesNotNotify() throws {
        _ = try person("Alice", "Engin")
        try context.save()
        let mirror = try mirror(where: "code == 'Engin'")
        let carol = try person("Carol", "Sales")
        try context.make("Project")
        try context.save()
        carol["age"] = 5
        try context.save()
        context.delete(carol)
        try context.save()
        #expect(mirror.take().isEmpty)
    }

    @Test func sortKeyChangeMovesOneRow() throws {
        let people = try ["b", "d", "f"].map { try person($0, "team") }
        try context.save()
        let mirror = try mirror()
        people[0]["name"] = "e"
        context.processPendingChanges()
        let id = people[0].objectID
        #expect(mirror.take().map(\.objects) == [[.move(id, from: path(0, 0), to: path(0, 1))]])
        people[0]["name"] = "ee"
        context.processPendingChanges()
        let same = path(0, 1)
        #expect(mirror.take().map(\.objects) == [[.update(id, at: same, newPath: same)]])
    }

    @Test func onlyRowOfASectionMovesToANewOne() throws {
        let alice = try person("Alice", "bb")
        _ = try person("Bob", "cc")
        try context.save()
        let mirror = try mirror(sections: true)
        alice["code"] = "dd"
        context.processPendingChanges()
        var change = try #require(mirror.take().first)
        #expect(change.sections == [.delete(name: "bb", at: 0), .insert(name: "dd", at: 1)])
        #expect(change.objects == [.move(alice.objectID, from: path(0, 0), to: path(1, 0))])
        alice["code"] = "ee"
        context.processPendingChanges()
        change = try #require(mirror.take().first)
        #expect(
            change.objects == [
                .delete(alice.objectID, at: path(1, 0)), .insert(alice.objectID, at: path(1, 0)),
            ]
        )
    }

    @Test func rowsMakeWayForOneThatWouldMoveToItself() throws {
        let people = try ["b", "d", "f"].map { try person($0, "team") }
        try context.save()
        let mirror = try mirror()
        // b goes and d passes f: d is second before and after.
        context.delete(people[0])
        people[1]["name"] = "g"
        context.processPendingChanges()
        let change = try #require(mirror.take().first)
        let second = path(0, 1)
        #expect(change.objects.contains(.update(people[1].objectID, at: second, newPath: second)))
        #expect(
            change.objects.contains(.move(people[2].objectID, from: path(0, 2), to: path(0, 0)))
        )
        #expect(mirror.rows == mirror.controller.snapshot)
    }

    @Test func saveKeepsRowsAndTellsNewIDs() throws {
        let mirror = try mirror()
        let alice = try person("Alice", "Engin")
        context.processPendingChanges()
        #expect(mirror.take().count == 1 && mirror.rows.ids.allSatisfy(\.isTemporaryID))
        try context.save()
        #expect(mirror.take().isEmpty && mirror.rows.ids == [alice.objectID])
        #expect(mirror.rows == mirror.controller.snapshot)
        let bob = try person("Bob", "Engin")
        try context.obtainPermanentIDs(for: [bob])
        #expect(mirror.rows == mirror.controller.snapshot && mirror.rows.ids.last == bob.objectID)
    }

    @Test func mergesReachObjectsNobodyHolds() throws {
        for (name, age) in [("a", 1), ("b", 9), ("c", 9)] {
            _ = try person(name, "team", Int64(age))
        }
        try context.save()
        let mirror = try mirror(where: "age > 5")
        #expect(context.registeredObjects.isEmpty && mirror.rows.ids.count == 2)
        let other = context.sibling()
        let people = try other.fetch(
            FetchRequest<ManagedObject>(
                entityName: "Employee",
                sortDescriptors: [FetchSortDescriptor("name")]
            )
        )
        people[0]["age"] = 7
        people[1]["age"] = 2
        other.delete(people[2])
        try other.make("Employee", ["name": "d", "age": 8])
        var saved: ObjectIDChanges?
        let token = other.notifications.addObserver(of: ContextDidSave.self, from: other) {
            saved = $0.changes
        }
        defer { other.notifications.removeObserver(token) }
        try other.save()
        context.mergeChanges(try #require(saved))
        #expect(mirror.take().count == 1)
        #expect(mirror.controller.fetchedObjects.values("name") == ["a", "d"])
        #expect(mirror.rows == mirror.controller.snapshot)
    }

    @Test func relatedObjectsMoveRows() throws {
        let homes = try ["a", "b"].map { try context.make("Department", ["title": .string($0)]) }
        let people = try homes.map { try context.make("Employee", ["department": .object($0)]) }
        try context.save()
        let mirror = try ResultsMirror(
            context,
            "Employee",
            where: "department.title != 'z'",
            sort: [FetchSortDescriptor("department.title")],
            sections: "department.title"
        )
        #expect(mirror.rows.sections.map(\.name) == ["a", "b"])
        homes[0]["title"] = "c"
        context.processPendingChanges()
        #expect(mirror.rows.sections.map(\.name) == ["b", "c"])
        #expect(mirror.rows == mirror.controller.snapshot && mirror.take().count == 1)
        homes[1]["title"] = "z"
        context.processPendingChanges()
        #expect(mirror.rows.ids == [people[0].objectID])
        homes[1]["head"] = .null
        try context.make("Department")
        context.processPendingChanges()
        #expect(mirror.take().count == 1)
    }

    @Test func ownerThatOnlyGainsOrLosesMembersTouchesNoOtherRow() throws {
        let homes = try ["a", "b"].map { try context.make("Department", ["title": .string($0)]) }
        let people = try (0..<6).map {
            try context.make("Employee", ["department": .object(homes[$0 % 2])])
        }
        try context.save()
        let mirror = try ResultsMirror(
            context,
            "Employee",
            sort: [FetchSortDescriptor("department.title"), FetchSortDescriptor("name")],
            sections: "department.title"
        )
        people[0]["department"] = .object(homes[1])
        context.processPendingChanges()
        let moved = try #require(mirror.take().first)
        #expect(moved.objects.count == 1, "\(moved.objects)")
        #expect(mirror.rows.sections.map(\.ids.count) == [2, 4])
        context.undoManager = UndoManager()
        people[2]["department"] = .object(homes[1])
        context.processPendingChanges()
        try context.undo()
        let changes = mirror.take()
        #expect(changes.count == 2 && changes.allSatisfy { $0.objects.count == 1 })
        #expect(mirror.rows.sections.map(\.ids.count) == [2, 4])
        homes[0]["title"] = "z"
        context.processPendingChanges()
        #expect(mirror.take().first?.objects.isEmpty == false)
        #expect(mirror.rows == mirror.controller.snapshot)
        #expect(mirror.rows.sections.map(\.name) == ["b", "z"])
    }

    @Test func resetLeavesTheSavedRows() throws {
        let alice = try person("Alice", "team")
        try context.save()
        let saved = alice.objectID
        let mirror = try mirror()
        let bob = try person("Bob", "team")
        context.processPendingChanges()
        #expect(mirror.rows.ids == [saved, bob.objectID])
        context.reset()
        #expect(mirror.rows.ids == [saved] && mirror.rows == mirror.controller.snapshot)
    }

    /// The row is gone before the context hears of it, and a view reads the object meanwhile.
    @Test func faultThatFindsNoRowLeavesTheRowsWhenItsDeletionIsMerged() throws {
        let ids = try [person("Alice", "team"), person("Bob", "team")]
        try context.save()
        let (alice, bob) = (ids[0].objectID, ids[1].objectID)
        let view = ManagedObjectContext(coordinator: context.coordinator)
        let mirror = try ResultsMirror(view, "Employee", sort: [FetchSortDescriptor("name")])
        context.delete(ids[0])
        try context.save()
        view.coordinator.forgetRows([alice])
        let seen = view.object(with: alice)
        #expect(try seen.value(forKey: "name") == .null)
        #expect(mirror.rows.ids == [alice, bob])
        for _ in 0..<2 {
            view.mergeChanges(ObjectIDChanges(deleted: [alice]))
            #expect(mirror.rows.ids == [bob])
        }
        #expect(mirror.take().count == 1)
    }

    @Test func differenceOfOneSection() throws {
        let people = try ["a", "b", "c"].map { try person($0, "team") }
        try context.save()
        let mirror = try mirror()
        let old = mirror.controller.snapshot
        context.delete(people[1])
        people[0]["name"] = "x"
        context.processPendingChanges()
        let new = mirror.controller.snapshot
        let difference = FetchedResultsController<ManagedObject>.difference(from: old, to: new)
        #expect(old.ids.applying(difference) == new.ids)
    }

    @Test func withoutAnObserverNothingIsTracked() throws {
        let request = FetchRequest<ManagedObject>(
            entityName: "Employee",
            sortDescriptors: [FetchSortDescriptor("name")]
        )
        let controller = try FetchedResultsController(request: request, context: context)
        try controller.performFetch()
        _ = try person("Alice", "team")
        context.processPendingChanges()
        #expect(controller.count == 0)
    }
}
