import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore
import SeededRandom
import Testing

/// A change in the form in which a preview and the history can be compared.
private struct Effect: Hashable, CustomStringConvertible {
    let description: String

    init(_ change: HistoryChange) {
        var parts = ["\(change.kind) \(change.objectID.uri)"]
        func add(_ title: String, _ values: [String: GraphValue]) {
            parts += values.filter { !$0.value.isNull || change.kind == .update }
                .map { "\(title) \($0.key)=\($0.value)" }.sorted()
        }
        func add(_ title: String, _ members: [String: [ManagedObjectID]]) {
            parts += members.filter { !$0.value.isEmpty }
                .map { "\(title) \($0.key)=\($0.value.map(\.uri).sorted())" }.sorted()
        }
        // The history leaves out what an insert has, which is looked at in the store, and a preview
        // the members of what goes. The order of an ordered relationship tells its members.
        if change.kind != .insert {
            add("old", change.oldValues)
            add("new", change.newValues)
        }
        if change.kind == .update {
            let isOrdered = { (key: String) in change.newOrders[key] != nil }
            add("added", change.addedMembers.filter { !isOrdered($0.key) })
            add("removed", change.removedMembers.filter { !isOrdered($0.key) })
            parts += change.newOrders.map { "order \($0.key)=\($0.value.map(\.uri))" }.sorted()
        }
        description = parts.joined(separator: " ")
    }
}

@Suite("Previews of undo")
struct HistoryPreviewTests {
    @Test func previewNamesWhatChangesAndChangesNothing() throws {
        let context = try TestGraph.context()
        let ana = try context.make("Employee", ["name": "Ana"])
        try context.save(as: "Add")
        ana["name"] = "Anna"
        try context.save(as: "Rename")
        let preview = try #require(try context.previewUndo())
        #expect(preview.steps.map(\.name) == ["Rename"])
        #expect(preview.changes.map(\.objectID) == [ana.objectID])
        #expect(preview.changes.map(\.kind) == [.update])
        #expect(preview.changes[0].oldValues == ["name": "Anna"])
        #expect(preview.changes[0].newValues == ["name": "Ana"])
        #expect(!context.hasChanges)
        #expect(try context.undoSteps().count == 2)
        let both = try #require(try context.previewUndo(steps: 2))
        #expect(both.steps.map(\.name) == ["Rename", "Add"])
        #expect(both.changes.map(\.kind) == [.delete])
        #expect(try context.historySize(of: both.steps) == 2)
        #expect(try context.previewRedo() == nil)
        let error = failure { _ = try context.undoLastCommand(expecting: both) }
        #expect(error?.code == .invalidRequest)
        #expect(try context.undoSteps().count == 2)

        #expect(try context.undoLastCommand(expecting: preview)?.isDone == true)
        #expect(ana["name"] == "Ana")
        let back = try #require(try context.previewRedo())
        #expect(back.changes[0].newValues == ["name": "Anna"])
        #expect(try context.redoLastCommand(expecting: back)?.isDone == true)
        #expect(ana["name"] == "Anna")
    }

    @Test func whatComesBackBringsItsValuesAndWhatGoesLeavesThem() throws {
        let context = try TestGraph.context()
        let home = try context.make("Department", ["title": "Home"])
        let ana = try context.make("Employee", ["name": "Ana", "department": .object(home)])
        try context.save(as: "Add")
        let (anaID, homeID) = (ana.objectID, home.objectID)
        context.delete(home)
        try context.save(as: "Delete")
        let preview = try #require(try context.previewUndo())
        #expect(preview.changes.allSatisfy { $0.kind == .insert })
        let kept = try #require(preview.changes.first { $0.objectID == anaID })
        #expect(kept.newValues["name"] == "Ana")
        #expect(kept.newValues["department"] == .objectID(homeID))
        _ = try context.undoLastCommand()
        let gone = try #require(try context.previewUndo())
        #expect(Set(gone.changes.map(\.kind)) == [.delete])
        #expect(gone.changes.first { $0.objectID == anaID }?.oldValues["name"] == "Ana")
    }

    @Test func conflictIsInThePreview() throws {
        let context = try TestGraph.context()
        let ana = try context.make("Employee", ["name": "Ana"])
        try context.save(as: "Add")
        (ana["name"], ana["age"]) = ("Anna", 30)
        try context.save(as: "Edit")
        ana["name"] = "Zoe"
        var silent = TransactionInfo()
        silent.kind = .silent
        try context.save(silent)
        let refused = try #require(try context.previewUndo())
        #expect(refused.isEmpty)
        #expect(refused.conflicts.map(\.key) == ["name"])
        let skipping = try #require(try context.previewUndo(onConflict: .skip))
        #expect(skipping.changes[0].newValues == ["age": 0])
        let forcing = try #require(try context.previewUndo(onConflict: .overwrite))
        #expect(forcing.changes[0].newValues == ["age": 0, "name": "Ana"])
    }

    @Test func undoRefusesToDoAnythingElseThanThePreviewSaid() throws {
        let context = try TestGraph.context()
        context.automaticallyMergesChangesFromParent = true
        let ana = try context.make("Employee", ["name": "Ana"])
        try context.save(as: "Add")
        ana["name"] = "Anna"
        try context.save(as: "Rename")
        let preview = try #require(try context.previewUndo())
        let other = context.sibling()
        try other.all("Employee")[0]["age"] = 5
        try other.save(as: "Age")
        let error = failure { _ = try context.undoLastCommand(expecting: preview) }
        #expect(error?.code == .undoState)
        #expect("\(try #require(error))".contains("Rename"))
        #expect(!context.hasChanges)
        #expect(try context.stored("Employee", "name") == ["Anna"])
        #expect(try context.stored("Employee", "age") == [5])
    }

    @Test(arguments: [StoreType.sqlite, .inMemory], SeededRandom.seeds(15))
    func previewIsWhatHappens(_ kind: StoreType, _ seed: UInt64) throws {
        let bench = try StoreBench(kind)
        let (context, other) = (bench.context(), bench.context())
        context.automaticallyMergesChangesFromParent = true
        var graph = RandomGraph(context, seed: seed)
        var random = SeededRandom(seed: seed &+ 1000)
        for step in 0..<20 {
            try graph.edit()
            do { try context.save(as: "Step \(step)") } catch { context.rollback() }
            let isRedo = random.chance(3)
            let made = isRedo ? try context.previewRedo() : try context.previewUndo()
            guard let preview = made else { continue }
            let hasWritten = random.chance(3) ? try write(other, &random) : false
            let before = try GraphDump(bench.context())
            var request = HistoryRequest()
            request.after = try bench.coordinator.history(request).token
            let place = "seed \(seed), step \(step)"
            do {
                let outcome =
                    isRedo
                    ? try context.redoLastCommand(expecting: preview)
                    : try context.undoLastCommand(expecting: preview)
                #expect(outcome?.conflicts == preview.conflicts, "\(place)")
            } catch let error as ObjectGraphError where error.code == .undoState && hasWritten {
                #expect(try GraphDump(bench.context()) == before, "\(place)")
                #expect(!context.hasChanges)
                continue
            }
            let done = try bench.coordinator.history(request).transactions
            let effects = Set(done.flatMap(\.changes).map { Effect($0) })
            let said = Set(preview.changes.map { Effect($0) })
            #expect(effects.subtracting(said) == [], "\(place): more than was said")
            #expect(said.subtracting(effects) == [], "\(place): less than was said")
            let fresh = bench.context()
            for change in preview.changes where change.kind == .insert {
                let object = try fresh.existingObject(with: change.objectID)
                for (key, value) in change.newValues {
                    if case .objectID(let id) = value {
                        #expect(object.object(key)?.objectID == id, "\(place)")
                    } else {
                        #expect(object[key] == value, "\(place)")
                    }
                }
            }
        }
    }

    /// Somebody else changes or deletes something; whether anything was written.
    private func write(
        _ other: ManagedObjectContext,
        _ random: inout SeededRandom
    ) throws -> Bool {
        other.refreshAllObjects()
        guard let person = try random.draw(other.all("Employee")) else { return false }
        switch random.below(3) {
        case 0: other.delete(person)
        case 1: person["name"] = .string("other \(random.below(100))")
        default: person["hired"] = .date(Date(timeIntervalSinceReferenceDate: 1))
        }
        do {
            try other.save(as: random.chance(2) ? "Other" : nil)
        } catch {
            other.rollback()
            return false
        }
        return true
    }
}
