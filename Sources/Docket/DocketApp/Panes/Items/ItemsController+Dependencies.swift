import DocketCore
import ObjectGraph

// A drawing of dependencies is an arrangement of items, as an agenda is.
extension ItemsController {
    /// The lines of the open tasks of a list that wait for others, or for which others wait.
    func dependencyLines() -> [ItemsLine] {
        let ids = unsearchedRows.filter { $0.entityName == Task.entityName }
        let blockers = try? library.context.savedDestinations(
            of: \.blockedBy,
            in: Task.self,
            for: ids
        )
        let tree = DependencyTree(
            zip(ids, blockers ?? []).map { (id: $0, blockers: $1) },
            folded: folded
        )
        parentIDs = tree.parents
        waitingCount = tree.waitingCount
        return tree.branches.map { .branch($0) }
    }

    /// Where a line of the drawing is now: the same task below the same one.
    func dependencyPlace(_ line: ItemsLine) -> Int? {
        guard case .branch(let old) = line, scope.isDependencies, !isSearching else { return nil }
        return lines.firstIndex {
            if case .branch(let new) = $0 {
                new.id == old.id && new.blocker == old.blocker
            } else {
                false
            }
        }
    }

    /// For the levels of a line, from the outermost shown one on, whether they go on below it.
    func rails(of branch: DependencyBranch) -> [Bool] {
        var rails: [Bool] = []
        var next = branch
        // No screen shows more levels.
        while next.depth > 0, rails.count < 100 {
            rails.append(next.continues)
            guard case .branch(let above) = lines[next.above] else { break }
            next = above
        }
        return rails.reversed()
    }
}
