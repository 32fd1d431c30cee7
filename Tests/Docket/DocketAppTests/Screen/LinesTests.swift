import DocketCore
import LibraryVerbs
import ObjectGraph
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

/// Lines of lists in which items are below others.
@Suite struct LinesTests {
    /// The arrangement said simply: each root, then what is below it.
    private func expected(
        _ ids: [ManagedObjectID],
        _ parents: [ManagedObjectID: ManagedObjectID],
        _ folded: Set<ManagedObjectID>
    ) -> [ItemsLine] {
        func isRoot(_ id: ManagedObjectID) -> Bool {
            guard let parent = parents[id], ids.contains(parent) else { return true }
            var current: ManagedObjectID? = parent
            var steps = 0
            while let ancestor = current, steps <= ids.count {
                if ancestor == id { return true }
                current = parents[ancestor]
                steps += 1
            }
            return steps > ids.count
        }
        func lines(_ id: ManagedObjectID, _ depth: Int) -> [ItemsLine] {
            var result: [ItemsLine] = [.item(id, depth: depth)]
            guard !folded.contains(id) else { return result }
            for child in ids where parents[child] == id && !isRoot(child) {
                result += lines(child, depth + 1)
            }
            return result
        }
        return ids.filter(isRoot).flatMap { lines($0, 0) }
    }

    @Test(arguments: SeededRandom.seeds(20))
    func treeLinesAreThoseOfASimpleWalk(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let robot = try Robot(sample: .many(1 + random.below(14)))
        let ids = Array(robot.workspace.items.unsearchedRows)
        var parents: [ManagedObjectID: ManagedObjectID] = [:]
        for id in ids where random.below(2) == 0 {
            parents[id] = ids.randomElement(using: &random)
        }
        let folded = Set(ids.filter { _ in random.below(5) == 0 })
        // Some parents are not shown.
        let shown = ids.filter { _ in random.below(6) > 0 }
        let lines = ItemsLines(TreeLines(ResultsIDs(shown), parents: parents, folded: folded))
        let wanted = expected(shown, parents.filter { shown.contains($0.key) }, folded)
        #expect(lines.indices.map { lines[$0] } == wanted, "seed \(seed)")
        #expect(Array(lines) == wanted, "seed \(seed): by a walk")
        for id in ids {
            #expect(lines.index(of: id) == wanted.firstIndex { $0.id == id }, "seed \(seed)")
        }
    }

    /// Also in circles, each task is whole once, and each dependency is one line.
    @Test(arguments: SeededRandom.seeds(20))
    func aDrawingHasEachTaskWholeOnceAndEachDependencyOnce(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let robot = try Robot(sample: .many(1 + random.below(12)))
        let ids = Array(robot.workspace.items.unsearchedRows)
        let tasks = ids.map { id in
            (id: id, blockers: ids.filter { $0 != id && random.below(4) == 0 })
        }
        let branches = DependencyTree(tasks).branches
        #expect(
            branches.filter { !$0.isReference }.map(\.id).sorted { $0.key < $1.key }
                == ids.sorted { $0.key < $1.key },
            "seed \(seed)"
        )
        for (id, blockers) in tasks {
            let drawn = branches.filter { $0.id == id }.compactMap(\.blocker)
            #expect(Set(drawn) == Set(blockers) && drawn.count == blockers.count, "seed \(seed)")
            #expect(branches.contains { $0.id == id && $0.blocker == nil } || !blockers.isEmpty)
        }
        for (place, branch) in branches.enumerated() where branch.depth > 0 {
            let above = branches[branch.above]
            #expect(above.id == branch.blocker && !above.isReference, "seed \(seed)")
            #expect(above.depth == branch.depth - 1 && branch.above < place, "seed \(seed)")
            let isLast = !branches[(place + 1)...].contains { $0.above == branch.above }
            #expect(branch.continues != isLast, "seed \(seed)")
        }
        // What is folded hides lines and shows none besides.
        let folded = Set(ids.filter { _ in random.below(4) == 0 })
        let some = DependencyTree(tasks, folded: folded).branches
        #expect(some.allSatisfy { $0.blocker.map { !folded.contains($0) } ?? true })
        #expect(some.count <= branches.count && !some.isEmpty, "seed \(seed)")
    }

    @Test func aLongListIsWholeOnceItIsAskedFor() throws {
        let robot = try Robot(settles: false, itemsAtOnce: 100, sample: .many(600))
        robot.application.drawFrame()
        #expect(robot.workspace.items.isIncomplete)
        #expect(robot.titles.count == 256)
        try robot.press("V")
        #expect(robot.workspace.items.marks.count == 600)
    }

    @Test func whatIsDoneWhileAListIsFetchedCounts() throws {
        let robot = try Robot(settles: false, itemsAtOnce: 100, sample: .many(600))
        robot.application.drawFrame()
        let other = try Robot.open(robot.folder)
        defer { other.close() }
        robot.application.follow(robot.library)
        robot.send(.key(.init(" ")))
        _ = try other.addTask(capturing: "From elsewhere")
        robot.application.handle([.woken])
        robot.settle()
        #expect(robot.titles.count == 600)
        #expect(robot.titles.first == "Task number 2")
        #expect(robot.titles.last == "From elsewhere")
    }

    @Test func anotherOrderOfALongListKeepsTheSelection() throws {
        let robot = try Robot(itemsAtOnce: 100, sample: .many(600))
        try robot.select("Task number 300")
        try robot.press("s r")
        #expect(robot.selected == "Task number 300")
        #expect(robot.titles.first == "Task number 600")
        try robot.press("g t")
        #expect(robot.titles.isEmpty)
        try robot.press("g A")
        #expect(robot.titles.count == 600)
    }
}
