import FoundationEssentials
import ObjectGraph

// Several programs may move the same occurrence on at the same moment: two windows complete it, or
// one skips what the other completes. Each would add the next one. So inside the write transaction,
// where nobody else can write, a verb looks whether the occurrences are still where it found them;
// if not, its changes are reverted, and it runs again on what the other program has saved.
//
//   change ── refresh ── continueSeries, skip ── save ── BEGIN IMMEDIATE ── checkMovedOn ── COMMIT
//               ▲                                                               │
//               └───────────────── revertChanges ◀── OccurrenceMovedOn, ROLLBACK ┘

extension Library {
    /// Another program has completed, skipped, separated or deleted an occurrence in the meantime.
    struct OccurrenceMovedOn: Error {}

    /// Throws if the store does not have the occurrences of `movedOn` as they were read.
    ///
    /// One that is skipped may be as it is about to be saved: two programs that skip it agree.
    ///
    /// Cost: three statements for 500 occurrences.
    ///
    /// - Parameter context: the context that is being saved.
    /// - Throws: `OccurrenceMovedOn`, or the store's error.
    func checkMovedOn(in context: ManagedObjectContext) throws {
        let tasks = movedOn.filter { $0.context === context && !$0.isInserted && !$0.isDeleted }
            .sorted { $0.shortID < $1.shortID }
        for start in stride(from: 0, to: tasks.count, by: 500) {
            let slice = tasks[start..<min(start + 500, tasks.count)]
            let numbers = slice.map(\.shortID)
            // Asks the store, not objects.
            func saved<Value: GraphValueConvertible>(
                _ keyPath: RequestKeyPath<Task, Value>
            ) throws -> [Value] {
                try Task.values(
                    of: keyPath,
                    in: self.context,
                    where: Condition { $0.shortID.in(numbers) },
                    sortedBy: \.shortID.ascending
                )
            }
            let completed = try saved(\.completed)
            let due = try saved(\.due)
            let rules = try saved(\.rule)
            guard rules.count == slice.count else { throw OccurrenceMovedOn() }
            for (index, task) in slice.enumerated() {
                let now = [completed[index].value, due[index].value, rules[index].value]
                let isSkipped = task.completed == nil && task.rule != nil
                let pending = [task.completed.value, task.due.value, task.rule.value]
                if isSkipped, pending == now { continue }
                let read = task.committedValues(forKeys: Self.whereItIs)
                if Self.whereItIs.map({ read[$0] ?? .null }) != now { throw OccurrenceMovedOn() }
            }
        }
    }

    /// What says where a series is.
    private static let whereItIs = [Task.Keys.completed, Task.Keys.due, Task.Keys.rule]
}
