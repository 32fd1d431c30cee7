import ObjectGraph

// A task that is completed or put into the trash may have subtasks that are still open. Nothing
// happens to them by itself: whoever gives the command says whether they go with it. Those that
// are left keep their parent.

extension Library {
    /// Beyond so many tasks all subtasks of the store are looked through, in one fetch.
    private static let walked = 64

    /// The open subtasks of some items, at any depth, that are not among them: what a command
    /// that completes the items, or puts them into the trash, would leave behind.
    ///
    /// - Complexity: a few statements for a few items, else one fetch of all subtasks there are.
    package func openSubtasks(of items: [Item]) throws -> [Task] {
        try subtasks(of: items).filter { $0.completed == nil }
    }

    /// All subtasks of some items, at any depth, that are not among them and not in the trash.
    package func subtasks(of items: [Item]) throws -> [Task] {
        try refresh()
        let tasks = items.compactMap { $0 as? Task }
        let found =
            tasks.count > Library.walked
            ? try subtasks(inFetchOf: tasks) : Library.subtasks(below: tasks)
        return found.filter { $0.trashed == nil }.sorted { $0.displayOrder < $1.displayOrder }
    }

    private static func subtasks(below tasks: [Task]) -> [Task] {
        var seen = Set(tasks)
        var found: [Task] = []
        var open = tasks
        while let task = open.popLast() {
            for subtask in task.subtasks where seen.insert(subtask).inserted {
                found.append(subtask)
                open.append(subtask)
            }
        }
        return found
    }

    private func subtasks(inFetchOf tasks: [Task]) throws -> [Task] {
        let request = FetchRequest<Task>(
            entityName: "Task",
            predicate: try FetchPredicate(format: "parent != nil")
        )
        var children: [Task: [Task]] = [:]
        for task in try context.fetch(request) {
            if let parent = task.parent { children[parent, default: []].append(task) }
        }
        var seen = Set(tasks)
        var found: [Task] = []
        var open = tasks
        while let task = open.popLast() {
            for subtask in children[task] ?? [] where seen.insert(subtask).inserted {
                found.append(subtask)
                open.append(subtask)
            }
        }
        return found
    }
}
