import DocketCore
import ObjectGraph

/// What the panes show of subtasks, read once until something changes.
final class Subtasks {
    private let library: Library
    private(set) var counts: [ManagedObjectID: (done: Int, all: Int)] = [:]
    private var first: (task: ManagedObjectID, limit: Int, subtasks: [Task])?

    init(library: Library) { self.library = library }

    /// Drops everything, because others may have changed tasks that are not in memory.
    func forget() { (counts, first) = ([:], nil) }

    /// Drops what a change of objects can concern: tasks with subtasks, and parents of changed ones.
    func forget(after change: ObjectsDidChange) {
        let changed = change.inserted.union(change.updated).union(change.refreshed)
        if change.invalidatedAll || changed.count > 1_000 { return forget() }
        first = nil
        counts = counts.filter { $0.value.all == 0 }
        for case let task as Task in changed {
            if let parent = task.parent { counts[parent.objectID] = nil }
        }
    }

    /// Counts the subtasks of the items of a screen, those that are not counted yet in one statement.
    func count(_ ids: [ManagedObjectID]) {
        let kept = counts
        let missing = ids.filter { kept[$0] == nil }
        let found = missing.isEmpty ? [:] : (try? library.subtaskCounts(of: missing)) ?? [:]
        counts = [:]
        for id in ids { counts[id] = kept[id] ?? found[id] ?? (0, 0) }
    }

    /// `3/8`: how many are done; empty without subtasks.
    func progress(of id: ManagedObjectID) -> String {
        guard let count = counts[id], count.all > 0 else { return "" }
        return "\(count.done)/\(count.all)"
    }

    /// The first subtasks in the order by hand, and whether there are more.
    func first(_ limit: Int, of task: Task) -> (subtasks: ArraySlice<Task>, isCut: Bool) {
        if counts[task.objectID]?.all == 0 { return ([], false) }
        if first?.task != task.objectID || first?.limit != limit {
            let found = (try? library.firstSubtasks(of: task, limit: limit + 1)) ?? []
            first = (task.objectID, limit, found)
        }
        let found = first?.subtasks ?? []
        return (found.prefix(limit), found.count > limit)
    }
}
