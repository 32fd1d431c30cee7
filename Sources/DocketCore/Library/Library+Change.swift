import FoundationEssentials
import ObjectGraph

extension Library {
    /// Marks tasks as done.
    ///
    /// Notes among the items stay as they are.
    ///
    /// - Returns: those that were open.
    @discardableResult
    package func complete(_ items: [Item]) throws -> [Item] {
        let open = try present(items.compactMap { $0 as? Task }).filter { $0.completed == nil }
        for task in open { task.completed = now }
        try commit(StepName.of("Complete", open))
        return open
    }

    /// Opens done tasks again.
    ///
    /// - Returns: those that were done.
    @discardableResult
    package func reopen(_ items: [Item]) throws -> [Item] {
        let done = try present(items.compactMap { $0 as? Task }).filter { $0.completed != nil }
        for task in done { task.completed = nil }
        try commit(StepName.of("Reopen", done))
        return done
    }

    /// Completes the items if any of them is open, else reopens them.
    package func toggleDone(_ items: [Item]) throws {
        let tasks = try present(items.compactMap { $0 as? Task })
        if tasks.contains(where: { $0.completed == nil }) {
            try complete(items)
        } else {
            try reopen(items)
        }
    }

    /// Sets or clears the due date of tasks.
    package func setDue(_ due: DueDate?, of items: [Item]) throws {
        let tasks = try present(items.compactMap { $0 as? Task })
        for task in tasks { task.setDue(due) }
        try commit(StepName.of(due == nil ? "Clear Due Date of" : "Set Due Date of", tasks))
    }

    /// Sets or clears when work on the tasks can begin.
    package func setStart(_ start: DueDate?, of items: [Item]) throws {
        let tasks = try present(items.compactMap { $0 as? Task })
        for task in tasks { task.setStart(start) }
        try commit(StepName.of(start == nil ? "Clear Start of" : "Set Start of", tasks))
    }

    /// Sets the priority of tasks: 0 none, 1 low, 2 medium, 3 high.
    package func setPriority(_ priority: Int, of items: [Item]) throws {
        let tasks = try present(items.compactMap { $0 as? Task })
        for task in tasks { task.priority = Int16(min(max(priority, 0), 3)) }
        try commit(StepName.of("Set Priority of", tasks))
    }

    /// Sets or clears the flag.
    package func setFlagged(_ flagged: Bool, of items: [Item]) throws {
        let items = try present(items)
        for item in items { item.flagged = flagged }
        try commit(StepName.of(flagged ? "Flag" : "Unflag", items))
    }

    /// Moves items to a list, or out of any.
    package func move(_ items: [Item], to list: List?) throws {
        let items = try present(items)
        for item in items { item.list = list }
        try commit(StepName.of("Move", items))
    }

    /// Adds and removes tags by name.
    package func changeTags(
        of items: [Item],
        adding: [String] = [],
        removing: [String] = []
    ) throws {
        let items = try present(items)
        try change {
            for item in items { try change(item, adding, removing) }
            try commit(StepName.of("Tag", items))
        }
    }

    private func change(_ item: Item, _ adding: [String], _ removing: [String]) throws {
        let gone = Set(removing.map { $0.lowercased() })
        for tag in item.tags where gone.contains(tag.name.lowercased()) { item.removeFromTags(tag) }
        for tag in try tags(named: adding) { item.addToTags(tag) }
        try Limits.check(tags: item.tagsCount)
    }

    /// Makes the tags of an item exactly these.
    func setTags(_ names: [String], of item: Item) throws {
        let wanted = Set(names.map { $0.lowercased() })
        try change(item, names, item.tags.map(\.name).filter { !wanted.contains($0.lowercased()) })
    }

    /// Makes tasks subtasks of another, or top-level tasks.
    ///
    /// - Throws: `InputError` if a task would become its own ancestor.
    package func setParent(_ parent: Task?, of tasks: [Task]) throws {
        let tasks = try present(tasks)
        for task in tasks {
            var ancestor = parent
            while let current = ancestor {
                if current === task {
                    context.rollback()
                    throw InputError(
                        .badReference,
                        "\"\(task.title)\" cannot be a subtask of itself."
                    )
                }
                ancestor = current.parent
            }
            task.parent = parent
        }
        try commit(StepName.of(parent == nil ? "Lift" : "Nest", tasks))
    }
}

extension Task {
    package var dueDate: DueDate? { due.map { DueDate(date: $0, isDateOnly: dueDateOnly) } }
    package var startDate: DueDate? { start.map { DueDate(date: $0, isDateOnly: startDateOnly) } }
    package var isDone: Bool { completed != nil }

    package func setDue(_ value: DueDate?) {
        due = value?.date
        dueDateOnly = value?.isDateOnly ?? false
    }

    package func setStart(_ value: DueDate?) {
        start = value?.date
        startDateOnly = value?.isDateOnly ?? false
    }
}
