import DocketFormats
import ObjectGraph

// No task waits for itself or is below itself, also not through others. Verbs check what they have
// read; inside the write transaction, where nobody else can write, what others have saved counts too.

extension Library {
    /// Throws if a task would lead to itself through what others have saved since the last merge.
    ///
    /// Cost: none while nobody else saves; else a statement for each step of the way between tasks.
    ///
    /// - Parameters:
    ///   - context: the context that is about to be saved.
    ///   - isInversion: whether it undoes or redoes, which follows no verb that has checked.
    /// - Throws: `InputError` with the two tasks, or the store's error.
    func checkCircles(in context: ManagedObjectContext, isInversion: Bool = false) throws {
        let tasks = context.insertedObjects.union(context.updatedObjects)
            .compactMap { $0 as? Task }.filter(\.hasPersistentChangedValues)
        for way in TaskWay.allCases {
            let changed = tasks.filter(way.isChanged)
            if changed.isEmpty { continue }
            if try !isInversion && latestTransaction() == seenTransaction { return }
            let pending = Dictionary(changed.map { ($0.shortID, $0) }) { first, _ in first }
            var reached: [Int64: Set<Int64>] = [:]
            for task in changed {
                for target in way.added(to: task) {
                    let seen = try reached[target.shortID] ?? way.reached(from: target, pending)
                    reached[target.shortID] = seen
                    if seen.contains(task.shortID) { throw way.refusal(task, target) }
                }
            }
        }
    }

    /// Undoes or redoes in a context, unless a task would lead to itself.
    func inverting<Result>(
        in context: ManagedObjectContext,
        _ work: () throws -> Result
    ) throws -> Result {
        context.beforeWriting = { [unowned self, unowned context] in
            try checkCircles(in: context, isInversion: true)
        }
        defer { context.beforeWriting = nil }
        return try advisingRepair(work)
    }
}

/// A relationship by which no task leads to itself.
private enum TaskWay: CaseIterable {
    case waiting
    case nesting

    private var key: String { self == .waiting ? Task.Keys.blockedBy : Task.Keys.parent }

    func isChanged(_ task: Task) -> Bool { task.changedKeys.contains(key) }

    private func targets(of task: Task) -> Set<Task> {
        self == .waiting ? task.blockedBy : Set([task.parent].compactMap(\.self))
    }

    private func saved(of task: Task) -> Set<GraphValue> {
        guard let value = task.committedValues(forKeys: [key])[key] else { return [] }
        return self == .waiting ? Set(value.elements ?? []) : [value]
    }

    /// The tasks to which a task leads since the last save.
    func added(to task: Task) -> Set<Task> {
        targets(of: task).filter { !saved(of: task).contains(.objectID($0.objectID)) }
    }

    /// Whether a task leads no longer to one to which it did.
    private func hasRemoved(_ task: Task) -> Bool {
        let now = Set(targets(of: task).map { GraphValue.objectID($0.objectID) })
        return !saved(of: task).subtracting([.null]).isSubset(of: now)
    }

    /// The numbers of the tasks to which one will lead after the save, itself included.
    func reached(from task: Task, _ pending: [Int64: Task]) throws -> Set<Int64> {
        guard let context = task.context else { return [] }
        var seen: Set = [task.shortID]
        var ends = seen
        while !ends.isEmpty {
            let own = ends.compactMap { pending[$0] }
            let stored = ends.subtracting(own.filter(hasRemoved).map(\.shortID))
            let saved =
                try stored.isEmpty
                ? [] : Item.values(of: \.shortID, in: context, where: sources(of: stored))
            ends = Set(saved + own.flatMap(targets).map(\.shortID)).subtracting(seen)
            seen.formUnion(ends)
        }
        return seen
    }

    /// The tasks to which some lead in the store.
    private func sources(of numbers: Set<Int64>) -> Condition<Item> {
        switch self {
        case .waiting: .task { $0.blocks.any { $0.shortID.in(numbers) } }
        case .nesting: .task { $0.subtasks.any { $0.shortID.in(numbers) } }
        }
    }

    func refusal(_ task: Task, _ target: Task) -> InputError {
        let (task, target) = (StepName.quoted(task.title), StepName.quoted(target.title))
        return switch self {
        case .waiting:
            InputError(
                .conflict,
                "\(task) cannot wait for \(target), which waits for it since another program's save."
            )
        case .nesting:
            InputError(
                .conflict,
                "\(task) cannot be a subtask of \(target), which is below it since another "
                    + "program's save."
            )
        }
    }
}
