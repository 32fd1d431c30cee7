import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import SeededRandom
import Testing

/// Delete rules, undo, conflicts and random changes: the same end in every store, after reopening.
@Suite struct RandomGraphContractTests {
    private func context(_ bench: TestBench) throws -> ManagedObjectContext {
        let coordinator = try PersistentStoreCoordinator(model: bench.model)
        coordinator.add(bench.session.store)
        return ManagedObjectContext(coordinator: coordinator)
    }

    private struct Refusal: Error {
        let kind: StoreKind
        let error: any Error
    }

    /// Everything in a store, with objects named by their text.
    private func dump(_ context: ManagedObjectContext) throws -> [String] {
        var lines: [String] = []
        for name in ["Task", "Note", "List", "Tag"] {
            for object in try context.fetch(FetchRequest<ManagedObject>(entityName: name)) {
                var line = "\(name) \(try label(object))"
                for relationship in object.entity.relationships {
                    let value = try object.value(forKey: relationship.name)
                    let names = try (value.elements ?? [value]).compactMap { element -> String? in
                        guard case .object(let other as ManagedObject) = element else { return nil }
                        return try label(other)
                    }
                    let shown = relationship.isOrdered ? names : names.sorted()
                    line += " \(relationship.name)=\(shown.joined(separator: ","))"
                }
                lines.append(line)
            }
        }
        return lines.sorted()
    }

    private func label(_ object: ManagedObject) throws -> String {
        let key = object.entity.property(named: "title") == nil ? "name" : "title"
        if case .string(let text) = try object.value(forKey: key) { return text }
        return "?"
    }

    @Test(arguments: SeededRandom.seeds(3))
    func randomChangesEndAlikeInEveryStore(_ seed: UInt64) throws {
        var dumps: [StoreKind: [String]] = [:]
        for kind in StoreKind.allCases {
            let bench = try TestBench(kind)
            var random = SeededRandom(seed: seed)
            var serial = 0
            for _ in 0..<4 {
                let context = try context(bench)
                for _ in 0..<6 {
                    for _ in 0..<5 { try change(context, &random, &serial) }
                    do { try context.save() } catch { throw Refusal(kind: kind, error: error) }
                    if random.chance(3) {
                        let difference = try undoOneStep(context, &random, &serial)
                        #expect(difference == [], "seed \(seed), \(kind)")
                    }
                }
                let before = try dump(context)
                try bench.reopen()
                let after = try dump(try self.context(bench))
                #expect(after == before, "seed \(seed), \(kind)")
            }
            dumps[kind] = try dump(try context(bench))
        }
        for kind in StoreKind.allCases {
            #expect(dumps[kind] == dumps[.sqlite], "seed \(seed), \(kind)")
        }
        #expect((dumps[.sqlite] ?? []).count > 5)
    }

    /// Changes something, saves, undoes it and saves again.
    ///
    /// - Returns: the lines that are not as before.
    private func undoOneStep(
        _ context: ManagedObjectContext,
        _ random: inout SeededRandom,
        _ serial: inout Int
    ) throws -> [String] {
        let undoManager = UndoManager()
        context.undoManager = undoManager
        defer { context.undoManager = nil }
        let before = try dump(context)
        for _ in 0..<3 { try change(context, &random, &serial) }
        context.processPendingChanges()
        try context.save()
        while undoManager.canUndo { try undoManager.undo() }
        try context.save()
        return Array(Set(try dump(context)).symmetricDifference(before)).sorted()
    }

    private func all(
        _ context: ManagedObjectContext,
        _ name: String
    ) throws -> [ManagedObject] {
        try context.fetch(FetchRequest<ManagedObject>(entityName: name))
            .map { ($0, try label($0)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    private func change(
        _ context: ManagedObjectContext,
        _ random: inout SeededRandom,
        _ serial: inout Int
    ) throws {
        func pick(_ name: String) throws -> ManagedObject? { random.draw(try all(context, name)) }
        func some(_ name: String) throws -> [GraphValue] {
            try all(context, name).filter { _ in random.chance(2) }.shuffled(using: &random)
                .map { .object($0) }
        }
        serial += 1
        switch random.below(10) {
        case 0...2:
            let name = random.pick(["Task", "Note", "List", "Tag"])
            let object = try context.insert(entityNamed: name)
            let key = object.entity.property(named: "title") == nil ? "name" : "title"
            try object.setValue(.string("\(name)\(serial)"), forKey: key)
        case 3:
            let item = try pick("Item")
            let list = try pick("List")
            try item?.setValue(list.map { .object($0) } ?? .null, forKey: "list")
        case 4:
            let members = try some("Tag")
            try pick("Item")?.setValue(.set(Set(members)), forKey: "tags")
        case 5:
            // A member of a one-way relationship has one owner, which only the store knows.
            let list = try pick("List")
            let others = try all(context, "List").filter { $0 !== list }
                .flatMap { try $0.value(forKey: "pinned").elements ?? [] }
            let members = try some("Item").filter { !others.contains($0) }
            try list?.setValue(.array(members), forKey: "pinned")
        case 6:
            let parent = try pick("Task")
            let steps = try some("Task").filter { $0 != parent.map { .object($0) } }
            try parent?.setValue(.array(steps), forKey: "steps")
        case 7:
            let members = try some("Item")
            try pick("Item")?.setValue(.set(Set(members)), forKey: "links")
        case 8:
            let members = try some("Tag")
            try pick("Tag")?.setValue(.set(Set(members)), forKey: "friends")
        default:
            // A list takes its items with it; all others leave their relationships.
            if let object = try pick(random.pick(["Item", "Item", "Tag"])) {
                context.delete(object)
            } else if let list = try pick("List"),
                try list.value(forKey: "pinned").elements?.isEmpty == true,
                try list.value(forKeyPath: "items.@count") == 0 || context.undoManager == nil
            {
                context.delete(list)
            }
        }
        context.processPendingChanges()
    }

    @Test(arguments: StoreKind.allCases)
    func conflictBetweenTwoContextsIsFoundAndMerged(_ kind: StoreKind) throws {
        let bench = try TestBench(kind)
        let coordinator = try PersistentStoreCoordinator(model: bench.model)
        coordinator.add(bench.session.store)
        let first = ManagedObjectContext(coordinator: coordinator)
        let second = ManagedObjectContext(coordinator: coordinator)
        let task = try first.insert(entityNamed: "Task")
        try task.setValue("one", forKey: "title")
        try first.save()
        let twin = second.object(with: task.objectID)
        #expect(try twin.value(forKey: "title") == "one")
        try task.setValue("two", forKey: "title")
        try first.save()
        try twin.setValue("three", forKey: "title")
        try twin.setValue(3, forKey: "rank")
        let error = #expect(throws: ObjectGraphError.self) { try second.save() }
        #expect(error?.code == .mergeConflict)
        second.mergePolicy = .mergeByPropertyObjectTrump
        try second.save()
        try bench.reopen()
        #expect(try bench.session.value(task.objectID, "title") == "three")
        #expect(try bench.session.value(task.objectID, "rank") == 3)
    }
}
