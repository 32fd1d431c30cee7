import ObjectContext
import ObjectModel
import ObjectStore
import Testing

@Suite("Collisions under uniqueness constraints")
struct ConstraintConflictTests {
    static let stores = [StoreType.sqlite, .inMemory]
    static let solving = [
        MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
    ]
    static let trumps = [MergePolicy.mergeByPropertyObjectTrump, .overwrite]

    private func bench(_ kind: StoreType) throws -> (StoreBench, ManagedObjectContext) {
        let bench = try StoreBench(kind, model: ConstraintGraph.model())
        return (bench, bench.context())
    }

    /// A saved Ana of 30 without a nick, by another context than the one to be used.
    private func save(in bench: StoreBench) throws -> ManagedObjectID {
        let writer = bench.context()
        let ana = try writer.make("Person", ["email": "ana@x", "first": "Ana", "age": 30])
        try writer.save()
        return ana.objectID
    }

    private func values(_ object: ManagedObject) -> [GraphValue] {
        ["email", "first", "age", "nick"].map { object[$0] }
    }

    /// What the store holds agrees with the context, on both sides of every relationship.
    private func expectAgreement(_ context: ManagedObjectContext) throws {
        #expect(!context.hasChanges)
        let (here, stored) = (try GraphDump(context), try GraphDump(context.sibling()))
        #expect(here == stored, "\(here.difference(from: stored))")
    }

    // MARK: Error

    @Test(arguments: stores)
    func errorPolicySaysWhoCollidesWithWhom(_ kind: StoreType) throws {
        let (bench, context) = try bench(kind)
        let id = try save(in: bench)
        let one = try context.make("Person", ["email": "ana@x", "nick": "A"])
        let two = try context.make("Person", ["email": "bob@x"])
        let three = try context.make("Person", ["email": "bob@x"])
        let error = failure { try context.save() }
        #expect(error?.code == .constraintConflict)
        let conflicts = try #require(error?.underlying.compactMap { $0 as? ConstraintConflict })
        try #require(conflicts.count == 2)
        #expect(error?.underlying.first is ConstraintConflict)
        #expect(conflicts[0].constraint == ["email"] && conflicts[0].databaseObject == id)
        #expect(conflicts[0].conflictingObjects == [one.objectID])
        #expect(conflicts[0].conflictingSnapshots.first?["nick"] == "A")
        #expect(conflicts[1].databaseObject == nil)
        #expect(conflicts[1].conflictingObjects == [two.objectID, three.objectID])
        #expect(context.insertedObjects == [one, two, three] && one["nick"] == "A")
        #expect(try bench.context().all("Person").count == 1)
    }

    @Test(arguments: stores)
    func constraintPolicyGoesBeforeTheMergePolicy(_ kind: StoreType) throws {
        let (bench, context) = try bench(kind)
        _ = try save(in: bench)
        context.mergePolicy = .mergeByPropertyObjectTrump
        context.constraintPolicy = .error
        try context.make("Person", ["email": "ana@x"])
        #expect(failure { try context.save() }?.code == .constraintConflict)
        context.constraintPolicy = nil
        try context.save()
        #expect(try context.all("Person").count == 1)
    }

    // MARK: New against stored

    @Test(arguments: stores, solving)
    func newObjectIsMergedIntoTheStoredOne(_ kind: StoreType, _ policy: MergePolicy) throws {
        let (bench, context) = try bench(kind)
        let id = try save(in: bench)
        context.mergePolicy = policy
        let new = try context.make("Person", ["email": "ana@x", "nick": "A"])
        new["last"] = "Smith"
        try context.save()
        let ana = try context.existingObject(with: id)
        let expected: [GraphValue] =
            switch policy {
            case .overwrite: ["ana@x", .null, 7, "A"]
            case .rollback: ["ana@x", "Ana", 30, .null]
            default: ["ana@x", "Ana", 30, "A"]
            }
        #expect(values(ana) == expected)
        #expect(new.context == nil && context.registeredObject(for: new.objectID) == nil)
        #expect(try context.all("Person") == [ana])
        try expectAgreement(context)
    }

    @Test(arguments: stores, solving)
    func valuesOnBothSidesAreDecidedByThePolicy(_ kind: StoreType, _ policy: MergePolicy) throws {
        let (bench, context) = try bench(kind)
        let id = try save(in: bench)
        // Read before, and changed by somebody else since: the row counts, not what was read.
        let ana = try context.existingObject(with: id)
        let writer = bench.context()
        try writer.existingObject(with: id)["nick"] = "theirs"
        try writer.save()
        context.mergePolicy = policy
        try context.make("Person", ["email": "ana@x", "first": "Anna", "nick": "mine"])
        try context.save()
        let wins = ConstraintConflictTests.trumps.contains(policy)
        #expect(ana["first"] == (wins ? "Anna" : "Ana"))
        #expect(ana["nick"] == (wins ? "mine" : "theirs"))
        #expect(ana["age"] == (policy == .overwrite ? 7 : 30))
        try expectAgreement(context)
    }

    @Test(arguments: stores, solving)
    func relationshipsMoveWithBothSides(_ kind: StoreType, _ policy: MergePolicy) throws {
        let (bench, context) = try bench(kind)
        let id = try save(in: bench)
        let club = try context.make("Club", ["name": "both"])
        let old = try context.existingObject(with: id)
        old["clubs"] = [.object(club)]
        let first = try context.make("Note", ["text": "1", "person": .object(old)])
        let spot = try context.make("Pet", ["name": "Spot", "owner": .object(old)])
        try context.save()
        context.mergePolicy = policy
        let new = try context.make("Person", ["email": "ana@x"])
        let team = try context.make("Team", ["people": [.object(new)], "guests": [.object(new)]])
        let rex = try context.make("Pet", ["name": "Rex", "owner": .object(new)])
        let other = try context.make("Club", ["name": "other"])
        new["clubs"] = [.object(club), .object(other)]
        new["notes"] = .array([.object(first)])
        let second = try context.make("Note", ["text": "2", "person": .object(new)])
        let spouse = try context.make("Person", ["spouse": .object(new), "mentor": .object(new)])
        try context.save()
        if policy == .rollback {
            #expect(old.objects("clubs") == [club] && old.list("notes") == [first])
            #expect(old.objects("pets") == [spot] && rex.context == nil)
            #expect(team.objects("people").isEmpty && team.objects("guests").isEmpty)
            #expect(spouse["spouse"].isNull && spouse["mentor"].isNull)
            #expect(second["person"].isNull)
        } else {
            #expect(old.object("team") === team && team.objects("people") == [old])
            #expect(old.objects("pets") == [spot, rex] && rex.object("owner") === old)
            #expect(old.objects("clubs") == [club, other] && club.objects("members") == [old])
            #expect(old.list("notes") == [first, second])
            #expect(old.object("spouse") === spouse && spouse.object("spouse") === old)
            #expect(spouse.object("mentor") === old && team.objects("guests") == [old])
        }
        try expectAgreement(context)
    }

    @Test(arguments: stores)
    func rollbackPutsSavedObjectsBackWhereTheyWere(_ kind: StoreType) throws {
        let (bench, context) = try bench(kind)
        _ = try save(in: bench)
        let bob = try context.make("Person", ["email": "bob@x"])
        let pet = try context.make("Pet", ["name": "Rex", "owner": .object(bob)])
        try context.save()
        context.mergePolicy = .rollback
        let new = try context.make("Person", ["email": "ana@x"])
        pet["owner"] = .object(new)
        try context.save()
        #expect(pet.object("owner") === bob && bob.objects("pets") == [pet])
        try expectAgreement(context)
    }

    @Test(arguments: stores)
    func nothingBecomesAnObjectOfAnotherEntity(_ kind: StoreType) throws {
        let (bench, context) = try bench(kind)
        let id = try save(in: bench)
        context.mergePolicy = .mergeByPropertyObjectTrump
        let worker = try context.make("Worker", ["email": "ana@x", "wage": 3.0])
        #expect(failure { try context.save() }?.code == .constraintConflict)
        #expect(worker.isInserted && worker["wage"] == 3.0)
        context.mergePolicy = .rollback
        try context.save()
        #expect(try context.all("Person").map(\.objectID) == [id])
        // A plain person has nothing that a worker has not.
        context.mergePolicy = .mergeByPropertyObjectTrump
        let bob = try context.make("Worker", ["email": "bob@x", "wage": 3.0])
        try context.save()
        try context.make("Person", ["email": "bob@x", "nick": "B"])
        try context.save()
        #expect(bob["nick"] == "B" && bob["wage"] == 3.0)
        try expectAgreement(context)
    }

    @Test(arguments: stores)
    func valuesOfADeletedOrRenamedObjectAreFree(_ kind: StoreType) throws {
        let (bench, context) = try bench(kind)
        let id = try save(in: bench)
        context.mergePolicy = .mergeByPropertyObjectTrump
        context.delete(try context.existingObject(with: id))
        let bob = try context.make("Person", ["email": "ana@x"])
        try context.make("Person", ["email": "cem@x"])
        try context.make("Person", ["email": "cem@x"])
        try context.save()
        #expect(try context.all("Person").count == 2 && bob.context === context)
        bob["email"] = "bob@x"
        try context.make("Person", ["email": "ana@x"])
        try context.make("Person", ["email": "cem@x"])
        try context.save()
        #expect(try context.all("Person").count == 3)
        try expectAgreement(context)
    }

    @Test(arguments: stores)
    func mergedValuesMayCollideInTurn(_ kind: StoreType) throws {
        let (bench, context) = try bench(kind)
        _ = try save(in: bench)
        let other = try context.make("Person", ["first": "Bob", "last": "B", "nick": "x"])
        try context.save()
        let club = try context.make("Club", ["members": [.object(other)]])
        context.mergePolicy = .mergeByPropertyObjectTrump
        // By its address it is Ana, by its name Bob: all three are one.
        try context.make("Person", ["email": "ana@x", "first": "Bob", "last": "B"])
        try context.save()
        let all = try context.all("Person")
        #expect(all.count == 1 && all.first?["email"] == "ana@x" && all.first?["last"] == "B")
        #expect(club.objects("members") == Set(all))
        try expectAgreement(context)
    }

    // MARK: New against new

    @Test(arguments: stores, solving)
    func earlierNewObjectSurvives(_ kind: StoreType, _ policy: MergePolicy) throws {
        let (bench, context) = try bench(kind)
        // The bench removes the store's file with itself.
        defer { withExtendedLifetime(bench) {} }
        context.mergePolicy = policy
        let earlier = try context.make("Person", ["email": "a", "first": "One", "age": 1])
        let later = try context.make("Person", ["email": "a", "first": "Two", "nick": "N"])
        let pet = try context.make("Pet", ["owner": .object(later)])
        try context.save()
        #expect(later.context == nil && !earlier.isInserted)
        let expected: [GraphValue] =
            switch policy {
            case .mergeByPropertyObjectTrump: ["a", "Two", 1, "N"]
            case .overwrite: ["a", "Two", 7, "N"]
            case .rollback: ["a", "One", 1, .null]
            default: ["a", "One", 1, "N"]
            }
        #expect(values(earlier) == expected)
        #expect(earlier.objects("pets") == (policy == .rollback ? [] : [pet]))
        #expect((pet.context == nil) == (policy == .rollback))
        try expectAgreement(context)
    }

    // MARK: Updated against stored

    @Test(arguments: stores, solving)
    func renamedObjectMeetsAStoredOne(_ kind: StoreType, _ policy: MergePolicy) throws {
        let (bench, context) = try bench(kind)
        let id = try save(in: bench)
        let bob = try context.make("Person", ["email": "bob@x", "nick": "B"])
        let pet = try context.make(
            "Pet",
            ["owner": .object(context.object(with: id)), "name": "Rex"]
        )
        try context.save()
        context.mergePolicy = policy
        let ana = try context.existingObject(with: id)
        bob["email"] = "ana@x"
        bob["nick"] = "BB"
        try context.save()
        switch policy {
        case .mergeByPropertyObjectTrump, .overwrite:
            #expect(try context.all("Person") == [bob])
            #expect(bob["email"] == "ana@x" && bob.objects("pets") == [pet])
            #expect(pet.object("owner") === bob && ana.context == nil)
        case .mergeByPropertyStoreTrump:
            #expect(bob["email"] == "bob@x" && bob["nick"] == "BB")
            #expect(ana.objects("pets") == [pet])
        default:
            #expect(bob["email"] == "bob@x" && bob["nick"] == "B")
            #expect(ana.objects("pets") == [pet])
        }
        try expectAgreement(context)
    }

    @Test(arguments: stores, solving)
    func severalClaimantsAndAHolderBecomeOne(_ kind: StoreType, _ policy: MergePolicy) throws {
        let (bench, context) = try bench(kind)
        let id = try save(in: bench)
        let others = try (0..<3).map { try context.make("Person", ["email": .string("\($0)")]) }
        try context.save()
        context.mergePolicy = policy
        for other in others { other["email"] = "ana@x" }
        try context.make("Person", ["email": "ana@x"])
        try context.save()
        let all = try context.all("Person")
        let winners = ConstraintConflictTests.trumps.contains(policy) ? 1 : 4
        #expect(all.count == winners && Set(all.values("email")).count == winners)
        #expect(all.contains { $0.objectID == (winners == 1 ? others[0].objectID : id) })
        try expectAgreement(context)
    }

    @Test(arguments: stores)
    func exchangedValuesAreNoCollision(_ kind: StoreType) throws {
        let (bench, context) = try bench(kind)
        // The bench removes the store's file with itself.
        defer { withExtendedLifetime(bench) {} }
        context.mergePolicy = .mergeByPropertyObjectTrump
        let one = try context.make("Person", ["email": "1"])
        let two = try context.make("Person", ["email": "2"])
        try context.save()
        (one["email"], two["email"]) = ("2", "1")
        try context.save()
        #expect(one["email"] == "2" && two["email"] == "1")
        try expectAgreement(context)
    }

    // MARK: Events, undo, numbers

    @Test(arguments: stores)
    func mergingIsOneEventThatUndoTakesBack(_ kind: StoreType) throws {
        let (bench, context) = try bench(kind)
        let id = try save(in: bench)
        context.mergePolicy = .mergeByPropertyObjectTrump
        let undo = UndoManager()
        undo.groupsByEvent = false
        context.undoManager = undo
        let new = try context.make("Person", ["email": "ana@x", "nick": "A"])
        let pet = try context.make("Pet", ["owner": .object(new)])
        context.processPendingChanges()
        var events: [(updated: Set<ManagedObject>, deleted: Set<ManagedObject>)] = []
        let token = context.notifications.addObserver(of: ObjectsDidChange.self, from: context) {
            events.append(($0.updated, $0.deleted))
        }
        try context.save()
        context.notifications.removeObserver(token)
        let ana = try context.existingObject(with: id)
        #expect(events.count == 1 && events.first?.deleted == [new])
        #expect(events.first?.updated == [ana, pet])
        try context.undo()
        #expect(new.isInserted && new["nick"] == "A" && new.objects("pets") == [pet])
        #expect(pet.object("owner") === new && ana.objects("pets").isEmpty && ana["nick"].isNull)
        try context.redo()
        #expect(new.context == nil && pet.object("owner") === ana && ana["nick"] == "A")
        #expect(!context.hasChanges)
        try context.undo()
        try context.undo()
        #expect(new.context == nil)
        try context.save()
        #expect(values(ana) == ["ana@x", "Ana", 30, .null])
        #expect(try context.all("Pet").isEmpty)
        try expectAgreement(context)
    }

    @Test func undoOfASavedDeletionMergesNothing() throws {
        let (bench, context) = try bench(.sqlite)
        let id = try save(in: bench)
        context.mergePolicy = .mergeByPropertyObjectTrump
        context.delete(try context.existingObject(with: id))
        try context.save(as: "Delete")
        // Somebody takes the address between the look at the history and the save.
        let token = context.notifications.addObserver(of: ContextWillSave.self, from: context) {
            _ in
            let writer = bench.context()
            guard (try? writer.all("Person").isEmpty) == true else { return }
            _ = try? writer.make("Person", ["email": "ana@x", "nick": "other"])
            try? writer.save()
        }
        let error = failure { _ = try context.undoLastCommand() }
        context.notifications.removeObserver(token)
        #expect(error?.code == .constraintConflict)
        #expect(try context.stored("Person", "nick") == ["other"])
        #expect(context.constraintPolicy == nil && !context.hasChanges)
    }

    @Test(arguments: stores)
    func thousandUpsertsCostAFewQueries(_ kind: StoreType) throws {
        let (bench, writer) = try bench(kind)
        for number in 0..<1000 {
            try writer.make("Person", ["email": .string("\(number)"), "age": 1])
        }
        try writer.save()
        let context = bench.context()
        context.mergePolicy = .mergeByPropertyObjectTrump
        for number in 0..<1000 {
            try context.make("Person", ["email": .string("\(number)"), "nick": "new"])
        }
        var statements: [String] = []
        let store = try #require(bench.coordinator.openStores.first)
        store.trace { text, _ in statements.append(text) }
        try context.save()
        store.trace(nil)
        let reads = statements.filter { $0.hasPrefix("SELECT") }
        let attempts = statements.filter { $0.hasPrefix("ROLLBACK") }
        #expect(reads.count <= 10, "\(reads.count): \(Set(reads))")
        #expect(attempts.count <= 2)
        let fresh = bench.context()
        let all = try fresh.all("Person")
        #expect(all.count == 1000 && all.allSatisfy { $0["nick"] == "new" && $0["age"] == 1 })
        try expectAgreement(context)
    }

    @Test(arguments: stores)
    func batchInsertsUpsertAndBatchUpdatesRefuse(_ kind: StoreType) throws {
        let (bench, context) = try bench(kind)
        let id = try save(in: bench)
        context.mergePolicy = .mergeByPropertyObjectTrump
        let insert = BatchInsert(
            entityName: "Person",
            objects: [["email": "ana@x", "nick": "A"], ["email": "b"], ["email": "b", "age": 2]]
        )
        let result = try context.execute(insert)
        #expect(result.objectIDs.count == 3 && result.objectIDs[0] == id)
        #expect(result.objectIDs[1] == result.objectIDs[2])
        #expect(result.changes.inserted.count == 1 && result.changes.updated == [id])
        #expect(try context.existingObject(with: id)["nick"] == "A")
        var update = BatchUpdate(entityName: "Person")
        update.values = ["email": .constant("same")]
        #expect(failure { try context.execute(update) }?.code == .constraintConflict)
        #expect(try context.all("Person").count == 2)
        context.constraintPolicy = .error
        #expect(failure { try context.execute(insert) }?.code == .constraintConflict)
        try expectAgreement(context)
    }
}
