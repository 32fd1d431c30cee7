import ObjectContext
import ObjectModel
import ObjectStore
import Testing

/// Contexts that take over what others save find the conflicts that they would find without it.
@Suite("Following others")
struct FollowingTests {
    let here: ManagedObjectContext
    let there: ManagedObjectContext

    init() throws {
        here = try TestGraph.context()
        there = here.sibling()
        here.automaticallyMergesChangesFromParent = true
        there.automaticallyMergesChangesFromParent = true
    }

    private func twin(_ object: ManagedObject) -> ManagedObject {
        there.object(with: object.objectID)
    }

    /// One saved employee, aged 5 in both contexts.
    private func counter() throws -> ManagedObject {
        let counter = try here.make("Employee", ["name": "Ana", "age": 5])
        try here.save()
        #expect(twin(counter)["age"] == 5)
        return counter
    }

    private func increase(_ counter: ManagedObject) {
        counter["age"] = .int((counter["age"].integerValue ?? 0) + 1)
    }

    // MARK: Conflicts

    @Test func equalIncrementsOfBothAreAConflict() throws {
        let counter = try counter()
        let other = twin(counter)
        increase(counter)
        increase(other)
        try there.save()
        let error = try #require(failure { try here.save() })
        #expect(error.code == .mergeConflict && error.objectIDs == [counter.objectID])
        let conflict = try #require(error.underlying.first as? MergeConflict)
        #expect(conflict.oldVersion == 1 && conflict.newVersion == 2)
        #expect(conflict.objectSnapshot["age"] == 5 && conflict.objectValues["age"] == 6)
        #expect(conflict.storedSnapshot?["age"] == 6)
        here.refresh(counter, mergeChanges: false)
        increase(counter)
        try here.save()
        #expect(try here.stored("Employee", "age") == [7])
    }

    @Test func newerValueIsSeenButNotOverwritten() throws {
        let counter = try counter()
        counter["age"] = 50
        twin(counter)["age"] = 7
        twin(counter)["name"] = "Anna"
        try there.save()
        here.processPendingChanges()
        #expect(counter["age"] == 50 && counter["name"] == "Anna")
        #expect(counter.committedValues(forKeys: ["age"]) == ["age": 7])
        counter["salary"] = 3.0
        let error = try #require(failure { try here.save() })
        let conflict = try #require(error.underlying.first as? MergeConflict)
        #expect(conflict.keys == ["age"] && conflict.objectSnapshot["age"] == 5)
        here.refresh(counter, mergeChanges: true)
        #expect(counter["age"] == 50)
        try here.save()
        #expect(try here.stored("Employee", "age") == [50])
    }

    @Test func conflictSurvivesSeveralDeliveries() throws {
        let counter = try counter()
        counter["age"] = 50
        for age in [6, 7, 5] {
            twin(counter)["age"] = .int(Int64(age))
            try there.save()
            here.processPendingChanges()
        }
        let error = try #require(failure { try here.save() })
        let conflict = try #require(error.underlying.first as? MergeConflict)
        #expect(conflict.oldVersion == 1 && conflict.newVersion == 4)
    }

    @Test(
        arguments: zip(
            [
                MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite,
                .rollback,
            ],
            [50, 7, 50, 7] as [Int64]
        )
    )
    func policyDecidesAsWithoutFollowing(_ policy: MergePolicy, age: Int64) throws {
        let counter = try counter()
        here.mergePolicy = policy
        counter["age"] = 50
        twin(counter)["age"] = 7
        twin(counter)["name"] = "Anna"
        try there.save()
        here.processPendingChanges()
        try here.save()
        #expect(try here.stored("Employee", "age") == [.int(age)])
        #expect(try here.stored("Employee", "name") == ["Anna"])
        #expect(counter["age"] == .int(age) && !here.hasChanges)
    }

    @Test func objectReadBetweenItsInsertionAndItsChangeIsReadAgain() throws {
        let counter = try there.make("Employee", ["age": 5])
        try there.save()
        let other = here.object(with: counter.objectID)
        #expect(other["age"] == 5)
        counter["age"] = 6
        try there.save()
        here.processPendingChanges()
        #expect(other["age"] == 6)
    }

    @Test func whatIsReadAfterTheDeliveryIsNoConflict() throws {
        let counter = try counter()
        twin(counter)["age"] = 7
        try there.save()
        here.processPendingChanges()
        increase(counter)
        try here.save()
        #expect(try here.stored("Employee", "age") == [8])
    }

    @Test func undoneEditTakesNothingBackFromOthers() throws {
        let counter = try counter()
        here.undoManager = UndoManager()
        here.mergePolicy = .mergeByPropertyObjectTrump
        counter["age"] = 50
        here.endEvent()
        twin(counter)["age"] = 7
        try there.save()
        here.processPendingChanges()
        try here.undo()
        try here.save()
        #expect(try here.stored("Employee", "age") == [7])
        #expect(counter["age"] == 7)
    }

    @Test func deletionOfWhatOthersChangedIsAConflict() throws {
        let counter = try counter()
        here.delete(counter)
        twin(counter)["age"] = 7
        try there.save()
        here.processPendingChanges()
        #expect(failure { try here.save() }?.code == .mergeConflict)
        here.mergePolicy = .rollback
        try here.save()
        #expect(!counter.isDeleted && counter["age"] == 7)
    }

    @Test func changeOfWhatOthersDeletedIsAConflict() throws {
        let counter = try counter()
        counter["age"] = 50
        there.delete(twin(counter))
        try there.save()
        here.processPendingChanges()
        #expect(counter["age"] == 50 && counter.isUpdated)
        let error = try #require(failure { try here.save() })
        #expect((error.underlying.first as? MergeConflict)?.newVersion == 0)
        here.rollback()
        here.processPendingChanges()
        #expect(counter.isDeleted && !here.hasChanges)
    }

    @Test func deletionArrivesWhereOnlyAReferenceToAnotherDeletedObjectWasPending() throws {
        let department = try here.make("Department")
        let staff = try (0..<8).map { _ in try here.make("Employee") }
        try here.save()
        for object in staff + [department] { there.delete(twin(object)) }
        for employee in staff { employee["department"] = .object(department) }
        try there.save()
        here.processPendingChanges()
        #expect(department.isDeleted && staff.allSatisfy(\.isDeleted))
        #expect(!here.hasChanges)
    }

    @Test func changeBringsBackWhatOthersDeletedIfThePolicySaysSo() throws {
        let counter = try counter()
        here.mergePolicy = .overwrite
        counter["age"] = 50
        there.delete(twin(counter))
        try there.save()
        here.processPendingChanges()
        try here.save()
        #expect(try here.stored("Employee", "age") == [50])
        here.processPendingChanges()
        #expect(!counter.isDeleted && counter["age"] == 50)
    }

    @Test(arguments: [true, false])
    func guardedObjectIsComparedWithWhatWasRead(isChangedToo: Bool) throws {
        let counter = try counter()
        here.detectConflicts(for: counter)
        twin(counter)["age"] = 7
        try there.save()
        here.processPendingChanges()
        if isChangedToo { counter["name"] = "Anna" }
        try here.make("Employee", ["name": "derived"])
        #expect(failure { try here.save() }?.code == .mergeConflict)
        here.mergePolicy = .mergeByPropertyObjectTrump
        try here.save()
        #expect(!here.hasChanges)
    }

    @Test func childIsToldOfWhatTheParentChanged() throws {
        let counter = try counter()
        let child = ManagedObjectContext(parent: here)
        child.automaticallyMergesChangesFromParent = true
        let inChild = child.object(with: counter.objectID)
        inChild["age"] = 50
        counter["age"] = 7
        here.processPendingChanges()
        #expect(inChild["age"] == 50)
        #expect(failure { try child.save() }?.code == .mergeConflict)
        child.mergePolicy = .mergeByPropertyStoreTrump
        try child.save()
        #expect(counter["age"] == 7 && inChild["age"] == 7)
    }

    // MARK: Deliveries

    /// Counts the notifications of a context that tell of a merge, and how deep they nest.
    private final class Merges {
        var count = 0
        var depth = 0
        var deepest = 0
        private var token: GraphNotificationCenter.Token?

        init(_ context: ManagedObjectContext, _ body: @escaping () -> Void = {}) {
            token = context.notifications.addObserver(of: ObjectsDidChange.self, from: context) {
                [unowned self] _ in
                count += 1
                depth += 1
                deepest = max(deepest, depth)
                body()
                depth -= 1
            }
        }

        func end(_ context: ManagedObjectContext) {
            if let token { context.notifications.removeObserver(token) }
        }
    }

    @Test func deliveriesAreTakenTogether() throws {
        let counter = try counter()
        let merges = Merges(here)
        defer { merges.end(here) }
        for _ in 0..<10 {
            increase(twin(counter))
            try there.make("Employee")
            try there.save()
        }
        here.processPendingChanges()
        #expect(merges.count == 1)
        #expect(counter["age"] == 15)
        #expect(try here.all("Employee").count == 11)
    }

    /// Whoever observes a merge causes the next delivery, so a call that took each of them would
    /// never return.
    @Test(arguments: ["processPendingChanges", "hasChanges", "fetch", "save", "count", "refresh"])
    func callTakesDeliveriesOnce(_ call: String) throws {
        let counter = try counter()
        let merges = Merges(here) {
            if twin(counter)["age"].integerValue ?? 0 > 200 { return }
            increase(twin(counter))
            try? there.save()
        }
        defer { merges.end(here) }
        for _ in 0..<2 {
            increase(twin(counter))
            try there.save()
        }
        let request = FetchRequest<ManagedObject>(entityName: "Employee")
        switch call {
        case "hasChanges": #expect(!here.hasChanges)
        case "fetch": #expect(try here.fetch(request).count == 1)
        case "save": try here.save()
        case "count": #expect(try here.count(for: request) == 1)
        case "refresh": here.refreshAllObjects()
        default: here.processPendingChanges()
        }
        // A refresh is an event of its own.
        #expect(merges.count <= (call == "refresh" ? 2 : 1))
        #expect(merges.deepest == 1)
        #expect(counter["age"].integerValue ?? 0 >= 7)
    }

    @Test func saveOfChangesTakesDeliveriesOnce() throws {
        here.undoManager = UndoManager()
        let counter = try counter()
        let merges = Merges(here) {
            if twin(counter)["age"].integerValue ?? 0 > 200 { return }
            increase(twin(counter))
            try? there.save()
        }
        defer { merges.end(here) }
        increase(twin(counter))
        try there.save()
        try here.make("Employee", ["name": "Bob"])
        try here.save(as: "Hire")
        // The event itself, and one merge.
        #expect(merges.count == 2 && merges.deepest == 1)
    }

    /// Two contexts save one after the other, and the second one's delivery comes first.
    @Test func lateDeliveryOfAnOlderSaveBringsNothingBack() throws {
        let here = try TestGraph.context(classes: ["Employee": Announcing.self])
        let (there, third) = (here.sibling(), here.sibling())
        third.automaticallyMergesChangesFromParent = true
        let ana = try here.make("Employee", ["name": "Ana"])
        try here.save()
        let kept = third.object(with: ana.objectID)
        #expect(kept["name"] == "Ana")
        var inserted: Set<ManagedObject> = []
        let token = third.notifications.addObserver(of: ObjectsDidChange.self, from: third) {
            inserted.formUnion($0.inserted)
        }
        defer { third.notifications.removeObserver(token) }
        let bob = try #require(try here.make("Employee", ["name": "Bob"]) as? Announcing)
        ana["age"] = 9
        var deleted = 0
        bob.afterSave = {
            for object in (try? there.all("Employee")) ?? [] {
                there.delete(object)
                deleted += 1
            }
            try? there.save()
            third.processPendingChanges()
        }
        try here.save()
        #expect(deleted == 2 && kept.isDeleted && inserted.isEmpty)
        third.processPendingChanges()
        #expect(kept.isDeleted && inserted.isEmpty)
        #expect(third.registeredObject(for: bob.objectID) == nil)
    }
}

/// Does something between its commit and the delivery to other contexts.
private final class Announcing: ManagedObject {
    var afterSave: (() -> Void)?

    override func didSave() {
        let body = afterSave
        afterSave = nil
        body?()
    }
}
