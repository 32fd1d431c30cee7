import DocketFormats
public import ObjectGraph

// Which task waits for which: the wanted tasks are named by the task that waits, its blockers.
// No task waits for itself, also not through others.

extension Library {
    /// Makes a task of any context wait for some others and for nothing else; part of a verb.
    ///
    /// - Throws: `InputError` with the path if a task would wait for itself; nothing is changed then.
    static func setBlockers(_ blockers: [Task], of task: Task) throws {
        try addBlockers(blockers, to: task)
        for other in task.blockedBy where !blockers.contains(other) {
            task.$blockedBy.remove(other)
        }
    }

    /// Makes a task of any context wait for some others, too; part of a verb.
    static func addBlockers(_ blockers: [Task], to task: Task) throws {
        let new = blockers.filter { !task.$blockedBy.contains($0) }
        for blocker in new {
            if let path = blocker.waitingPath(to: task) {
                let refusal = Task.refusal(ofWaiting: task, blocker, path)
                throw InputError(.badReference, "\(refusal)")
            }
        }
        for blocker in new { task.$blockedBy.insert(blocker) }
    }

    /// Makes some others wait for a task of any context, and nothing else; part of a verb.
    static func setBlocked(_ waiting: [Task], by task: Task) throws {
        for other in task.blocks where !waiting.contains(other) {
            other.$blockedBy.remove(task)
        }
        for other in waiting { try addBlockers([task], to: other) }
    }

    /// The tasks of some numbers, in a context.
    ///
    /// - Throws: `InputError` for a number that no task has.
    public static func tasks(
        numbered numbers: [Int64],
        in context: ManagedObjectContext
    ) throws -> [Task] {
        if numbers.isEmpty { return [] }
        guard numbers.count <= Limits.blockers else {
            throw InputError(
                .tooMuch,
                "A task can wait for at most \(Limits.blockers) others, not \(numbers.count)."
            )
        }
        let found = try Item.all(in: context, where: { $0.shortID.in(numbers) })
        let known = Dictionary(found.map { ($0.shortID, $0) }) { first, _ in first }
        return try numbers.map { number in
            if let task = known[number] as? Task { return task }
            throw known[number] == nil
                ? missing(.number(number))
                : InputError(
                    .badReference,
                    "\(ShortID.string(number)) is a note; only tasks wait for each other."
                )
        }
    }
}

extension Library {
    private static let mostFreed = 1_000

    /// The tasks that can start after some were completed or put into the trash, in words.
    ///
    /// These are the tasks that have waited for them and wait for nothing else: `; "Sow" can start
    /// now`, or `; 2 tasks can start now`; empty for none.
    ///
    /// - Parameter items: what has ended.
    /// - Returns: the end of a message.
    /// - Throws: the store's error.
    /// - Complexity: nothing if no task has waited for them, else one statement.
    public func freedInWords(by items: [Item]) throws -> String {
        let ended = items.compactMap { $0 as? Task }
            .filter { !$0.isDeleted && $0.$blocks.count > 0 }.map(\.shortID)
        if ended.isEmpty { return "" }
        let freed = try itemIDs(
            matching: Library.openItems
                && Condition.task { $0.blockedBy.any { $0.shortID.in(ended) } }
                && !QueryRelation.blocked.condition,
            limit: Library.mostFreed + 1
        )
        guard let first = freed.first else { return "" }
        if freed.count == 1 {
            let title = try existing([first]).first?.title ?? ""
            return localized("; \(StepName.quoted(title)) can start now")
        }
        let isMore = freed.count > Library.mostFreed
        return localized(
            "; \(isMore ? "> \(Library.mostFreed)" : "\(freed.count)") tasks can start now"
        )
    }
}

extension Task {
    /// The tasks from this one to another one for which it waits, both included; `nil` if it does
    /// not wait for it.
    ///
    /// A task leads to itself.
    ///
    /// - Complexity: O(tasks for which it waits); constant if nothing waits for the other one.
    func waitingPath(to other: Task) -> [Task]? {
        if self === other { return [self] }
        // Most have nothing that waits for them, so nothing needs to be read.
        if other.$blocks.count == 0 { return nil }
        var before: [ObjectIdentifier: Task] = [:]
        var seen: Set = [ObjectIdentifier(self)]
        var queue = [self]
        var next = 0
        while next < queue.count {
            let task = queue[next]
            next += 1
            for blocker in task.blockedBy where seen.insert(ObjectIdentifier(blocker)).inserted {
                before[ObjectIdentifier(blocker)] = task
                queue.append(blocker)
                guard blocker === other else { continue }
                var path = [blocker]
                while let last = path.last, let former = before[ObjectIdentifier(last)] {
                    path.append(former)
                }
                return path.reversed()
            }
        }
        return nil
    }

    /// Why a task cannot wait for a blocker from which a path leads to it.
    fileprivate static func refusal(ofWaiting task: Task, _ blocker: Task, _ path: [Task]) -> String
    {
        if path.count == 1 { return localized("\(task.nameInPath) cannot wait for itself.") }
        let names = path.map(\.nameInPath).joined(separator: ", which waits for ")
        return localized("\(task.nameInPath) cannot wait for \(names).")
    }

    /// The number and the title; a new task has no number yet.
    private var nameInPath: String {
        let title = StepName.quoted(title)
        return shortID > 0 ? "\(ShortID.string(shortID)) \(title)" : title
    }
}
