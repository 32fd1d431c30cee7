import DocketCore
import ObjectGraph

/// What the panes show of subtasks, read once until something changes.
final class Subtasks {
    private let library: Library
    private(set) var counts: [ManagedObjectID: (done: Int, all: Int)] = [:]
    private var first: (task: ManagedObjectID, limit: Int, subtasks: [Task])?

    init(library: Library) { self.library = library }

    /// Drops everything, because an item may have changed.
    func forget() {
        counts = [:]
        first = nil
    }

    /// Counts the subtasks of the items of a screen, in one statement.
    func count(_ ids: [ManagedObjectID]) {
        let found = (try? library.subtaskCounts(of: ids)) ?? [:]
        for id in ids { counts[id] = found[id] ?? (0, 0) }
    }

    /// `3/8`: how many are done; empty without subtasks.
    func progress(of id: ManagedObjectID) -> String {
        guard let count = counts[id], count.all > 0 else { return "" }
        return "\(count.done)/\(count.all)"
    }

    /// The first subtasks in the order by hand, and whether there are more.
    func first(_ limit: Int, of task: Task) -> (subtasks: ArraySlice<Task>, isCut: Bool) {
        if first?.task != task.objectID || first?.limit != limit {
            let found = (try? library.firstSubtasks(of: task, limit: limit + 1)) ?? []
            first = (task.objectID, limit, found)
        }
        let found = first?.subtasks ?? []
        return (found.prefix(limit), found.count > limit)
    }
}
