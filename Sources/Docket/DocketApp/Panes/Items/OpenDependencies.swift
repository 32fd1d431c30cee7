import DocketCore
import ObjectGraph

/// The open tasks for which shown tasks wait, and those that wait for them, found once until one of
/// them changes: a task may wait for ten thousand.
final class OpenDependencies {
    /// The first open ones, in the order by hand, and how many there are.
    typealias Found = (first: [Task], count: Int)

    private struct Entry {
        let task: Task
        let found: Found
    }

    private var blockers: [ManagedObjectID: Entry] = [:]
    private var waiting: [ManagedObjectID: Entry] = [:]

    /// How many are named.
    private static let mostNamed = 20
    /// More than fit on any screen.
    private static let mostTasks = 1_000
    /// For more comparisons than these, everything is found again.
    private static let mostCompared = 10_000

    /// The tasks for which one waits.
    func blockers(of task: Task) -> Found {
        find(task, task.$blockedBy.count, \.blockedBy, in: \.blockers)
    }

    /// The tasks that wait for one.
    func waiting(for task: Task) -> Found {
        find(task, task.$blocks.count, \.blocks, in: \.waiting)
    }

    private func find(
        _ task: Task,
        _ count: Int,
        _ related: (Task) -> Set<Task>,
        in known: ReferenceWritableKeyPath<OpenDependencies, [ManagedObjectID: Entry]>
    ) -> Found {
        if count == 0 { return ([], 0) }
        let entry = self[keyPath: known][task.objectID]
        if let entry, entry.task === task { return entry.found }
        if self[keyPath: known].count >= Self.mostTasks { self[keyPath: known] = [:] }
        let found = related(task).firstOpen(Self.mostNamed)
        self[keyPath: known][task.objectID] = Entry(task: task, found: found)
        return found
    }

    /// Drops everything.
    func forget() { (blockers, waiting) = ([:], [:]) }

    /// Drops what a change of objects can concern: changed tasks, and those that are connected with
    /// one.
    ///
    /// Cost: no statement, because the connections of shown tasks were read.
    func forget(after change: ObjectsDidChange) {
        if blockers.isEmpty, waiting.isEmpty { return }
        let changed = change.inserted.union(change.updated).union(change.refreshed)
            .compactMap { $0 as? Task }
        let entries = blockers.count + waiting.count
        if change.invalidatedAll || !change.deleted.isEmpty
            || changed.count * entries > Self.mostCompared
        {
            return forget()
        }
        for task in changed {
            blockers = blockers.filter {
                $0.value.task !== task && !$0.value.task.$blockedBy.contains(task)
            }
            waiting = waiting.filter {
                $0.value.task !== task && !$0.value.task.$blocks.contains(task)
            }
        }
    }
}
