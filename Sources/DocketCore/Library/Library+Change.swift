import FoundationEssentials
import ObjectGraph

extension Library {
    /// Changes some items in one step.
    ///
    /// - Returns: the step, about the changed items; `nil` if none has changed.
    @discardableResult
    package func perform(_ change: ItemChange, on items: [Item]) throws -> SavedStep? {
        try self.change {
            let items = items.filter { !$0.isDeleted }
            let prepared = try change.prepared(in: context, now: now)
            for item in items { try prepared.apply(to: item) }
            return try commit(change.verb, of: items)
        }
    }

    /// Sets the tags of an item.
    func setTags(_ names: [String], of item: Item) throws {
        let wanted = Set(names.map { $0.lowercased() })
        let gone = item.tags.map(\.name).filter { !wanted.contains($0.lowercased()) }
        try ItemChange.tags(adding: names, removing: gone).prepared(in: context, now: now)
            .apply(to: item)
    }

    /// Makes tasks subtasks of another one, or top-level tasks.
    ///
    /// - Throws: `InputError` if a task would become its own ancestor.
    @discardableResult
    package func setParent(_ parent: Task?, of tasks: [Task]) throws -> SavedStep? {
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
        return try commit(parent == nil ? "Lift" : "Nest", of: tasks)
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
