import ObjectContext
import ObjectModel
import SeededRandom
import Testing

@Suite("Random edits")
struct GraphPropertyTests {
    /// Edits in several events with saves between; then undo all is the start, redo all the end,
    /// both sides of relationships always agree, and a fresh context reads what memory shows.
    @Test(arguments: SeededRandom.seeds(40))
    func undoOfEverythingIsTheStartAndRedoTheEnd(_ seed: UInt64) throws {
        let context = try TestGraph.context()
        let undo = UndoManager()
        context.undoManager = undo
        var graph = RandomGraph(context, seed: seed)
        for _ in 0..<6 { try graph.edit() }
        try context.save()
        undo.endEvent()
        undo.removeAllActions()
        var dumps = [try graph.dump()]
        var shape = SeededRandom(seed: seed &+ 77)
        for _ in 0..<12 {
            try graph.edit()
            context.processPendingChanges()
            #expect(try inconsistencies(of: context).isEmpty, "seed \(seed)")
            undo.endEvent()
            if shape.below(4) == 0 { try saveAndCompare(context, seed) }
            dumps.append(try graph.dump())
        }
        try walkBack(graph, undo, dumps, seed, saving: seed % 3 == 0)
        try walkForth(graph, undo, dumps, seed)
        try walkBack(graph, undo, dumps, seed, saving: false)
        try saveAndCompare(context, seed)
        #expect(try graph.dump().difference(from: dumps[0]) == [], "seed \(seed)")
    }

    private func saveAndCompare(_ context: ManagedObjectContext, _ seed: UInt64) throws {
        try context.save()
        #expect(!context.hasChanges, "seed \(seed)")
        let fresh = try GraphDump(context.sibling())
        let difference = try GraphDump(context).difference(from: fresh)
        #expect(difference == [], "seed \(seed)")
    }

    /// An event that changed nothing left no step, so equal states are passed at once.
    private func walkBack(
        _ graph: RandomGraph,
        _ undo: UndoManager,
        _ dumps: [GraphDump],
        _ seed: UInt64,
        saving: Bool
    ) throws {
        let context = graph.context
        var shape = SeededRandom(seed: seed &+ 99)
        while undo.canUndo {
            try context.undo()
            #expect(try inconsistencies(of: context).isEmpty, "seed \(seed)")
            let dump = try graph.dump()
            let nearest = dumps.map { dump.difference(from: $0) }.min { $0.count < $1.count }
            #expect(nearest == [], "seed \(seed)")
            if saving, shape.below(3) == 0 { try saveAndCompare(context, seed) }
        }
        let end = try graph.dump()
        #expect(end.difference(from: dumps[0]) == [], "seed \(seed): undo is not the start")
    }

    private func walkForth(
        _ graph: RandomGraph,
        _ undo: UndoManager,
        _ dumps: [GraphDump],
        _ seed: UInt64
    ) throws {
        let context = graph.context
        while undo.canRedo {
            try context.redo()
            #expect(try inconsistencies(of: context).isEmpty, "seed \(seed)")
        }
        let end = try graph.dump()
        #expect(
            end.difference(from: try #require(dumps.last)) == [],
            "seed \(seed): redo is not the end"
        )
    }
}
