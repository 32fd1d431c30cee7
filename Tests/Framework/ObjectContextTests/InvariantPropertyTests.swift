#if DEBUG

import ObjectContext
import ObjectModel
import SeededRandom
import Testing

@Suite("Random histories keep the invariants")
struct InvariantPropertyTests {
    /// Edits, undo, refreshes of either kind, rollbacks, saves, merges of others' saves, children
    /// that are saved or discarded: after each, every object of the context is looked at.
    @Test(arguments: SeededRandom.seeds(60))
    func everyEventLeavesTheContextConsistent(_ seed: UInt64) throws {
        let context = try TestGraph.context()
        context.mergePolicy = .mergeByPropertyObjectTrump
        context.undoManager = UndoManager()
        var graph = RandomGraph(context, seed: seed)
        var random = SeededRandom(seed: seed &+ 17)
        for _ in 0..<6 { try graph.edit() }
        try context.save()
        for step in 0..<60 {
            let name = try act(&graph, &random)
            context.processPendingChanges()
            let violations = context.invariantViolations()
            try #require(violations == [], "seed \(seed), step \(step): \(name)")
        }
    }

    /// One event; returns what it was.
    private func act(_ graph: inout RandomGraph, _ random: inout SeededRandom) throws -> String {
        let context = graph.context
        let living = graph.objects.filter { $0.context === context }
        switch random.below(16) {
        case 0:
            try context.undo()
            return "undo"
        case 1:
            try context.redo()
            return "redo"
        case 2, 3:
            guard let object = random.draw(living) else { return "nothing" }
            let merges = random.chance(2)
            context.refresh(object, mergeChanges: merges)
            return "refresh of \(object), merging: \(merges)"
        case 4:
            context.refreshAllObjects()
            return "refresh of all"
        case 5:
            context.rollback()
            return "rollback"
        case 6, 7:
            do {
                try context.save()
                return "save"
            } catch let error as ObjectGraphError {
                context.rollback()
                return "save that was refused: \(error.message)"
            }
        case 8, 9: return try merge(into: graph, &random)
        case 10: return try child(of: graph, &random)
        default:
            try graph.edit()
            context.processPendingChanges()
            context.undoManager?.endEvent()
            return "edit"
        }
    }

    /// Another context changes, links and deletes something; this one takes it over.
    private func merge(
        into graph: RandomGraph,
        _ random: inout SeededRandom
    ) throws -> String {
        let other = graph.context.sibling()
        other.mergePolicy = .mergeByPropertyObjectTrump
        guard let employee = random.draw(try other.sorted("Employee")) else { return "nothing" }
        employee["name"] = .string("m\(random.below(5))")
        if random.chance(2) {
            let department = random.draw(try other.sorted("Department"))
            employee["department"] = department.map { .object($0) } ?? .null
        }
        if random.chance(3) {
            let boss = random.draw(try other.sorted("Employee"))
            employee["boss"] = boss.map { .object($0) } ?? .null
        }
        if random.chance(4), let gone = random.draw(try other.sorted("Project")) {
            other.delete(gone)
        }
        let center = other.notifications
        let token = center.addObserver(of: ContextDidSave.self, from: other) {
            graph.context.mergeChanges(from: $0)
        }
        defer { center.removeObserver(token) }
        try other.save()
        return "merge"
    }

    /// A child makes edits of its own, which it saves or drops.
    private func child(of graph: RandomGraph, _ random: inout SeededRandom) throws -> String {
        let child = ManagedObjectContext(parent: graph.context)
        var edits = RandomGraph(child, seed: random.next())
        for _ in 0..<3 { try edits.edit() }
        if let employee = random.draw(try child.sorted("Employee")) {
            let boss = random.draw(try child.sorted("Employee"))
            employee["boss"] = boss.map { .object($0) } ?? .null
        }
        child.processPendingChanges()
        try #require(child.invariantViolations() == [])
        if random.chance(3) { return "child that was dropped" }
        do {
            try child.save()
        } catch let error as ObjectGraphError {
            return "child that was refused: \(error.message)"
        }
        try #require(child.invariantViolations() == [])
        return "child that was saved"
    }
}

extension ManagedObjectContext {
    /// All objects of an entity, in the same order in every run.
    fileprivate func sorted(_ entity: String) throws -> [ManagedObject] {
        try all(entity).sorted { $0.objectID < $1.objectID }
    }
}

#endif
