import FoundationEssentials
import ObjectGraph

/// The values that a new item gets from its place on the screen, unless its text has others.
package struct ItemDefaults {
    package var list: List?
    package var tags: [String] = []
    package var due: DueDate?
    package var priority = 0
    package var isFlagged = false
    package var parent: Task?
    /// The item after which the new one is placed; at the end if there is none.
    package var after: Item?

    package init() {}
}

extension Library {
    /// Adds a captured task, with defaults for missing values.
    ///
    /// - Returns: the task and the step that added it.
    package func addTask(
        _ captured: CapturedItem,
        _ defaults: ItemDefaults
    ) throws -> (task: Task, step: SavedStep?) {
        try change { try makeTask(captured, defaults) }
    }

    /// Adds several captured tasks as one step.
    package func addTasks(
        _ captured: [CapturedItem],
        _ defaults: ItemDefaults
    ) throws -> (tasks: [Task], step: SavedStep?) {
        var added: [Task] = []
        var step: SavedStep?
        for item in captured {
            let (task, last) = try addTask(item, defaults)
            added.append(task)
            step = last
        }
        return (added, step)
    }

    private func makeTask(
        _ captured: CapturedItem,
        _ defaults: ItemDefaults
    ) throws -> (task: Task, step: SavedStep?) {
        try Limits.check(tags: captured.tags.count + defaults.tags.count)
        try Limits.check(listLevels: captured.list.count)
        let task = context.insert(Task.self)
        task.title = captured.title
        task.notes = captured.notes
        let list = captured.list.isEmpty ? nil : try self.list(path: captured.list)
        task.list = list ?? defaults.list ?? defaults.parent?.list
        for tag in try tags(named: captured.tags + defaults.tags) { task.$tags.insert(tag) }
        task.priority = Int16(max(captured.priority, defaults.priority))
        task.setDue(captured.due ?? defaults.due)
        task.setStart(captured.start)
        task.recurrence = captured.recurrence
        task.flagged = defaults.isFlagged
        task.parent = defaults.parent
        if let place = captured.location {
            task.location = try Library.location(place, in: context)
        }
        try number([task])
        if let after = defaults.after { task.displayOrder = try rank(after: after) }
        let step = try commit(
            defaults.parent == nil ? "Add Task" : "Add Subtask",
            about: StepSubject([task])
        )
        return (task, step)
    }

    /// A rank after an item, where there is a gap.
    private func rank(after item: Item) throws -> Int64 {
        var request = FetchRequest<Item>(
            where: \.displayOrder > item.displayOrder,
            sortedBy: \.displayOrder
        )
        request.limit = 1
        request.includesPendingChanges = false
        guard let next = try context.fetch(request).first?.displayOrder else {
            return item.displayOrder + Ranks.spacing
        }
        let middle = item.displayOrder + (next - item.displayOrder) / 2
        return middle > item.displayOrder ? middle : try lastRank() + Ranks.spacing
    }

    private func lastRank() throws -> Int64 {
        try Item.first(in: context, sortedBy: \.displayOrder.descending)?.displayOrder ?? 0
    }

    // MARK: Lists

    /// Creates the list of a path, and missing lists above it.
    ///
    /// - Returns: the list, and the step that created it; no step if the list existed.
    package func addList(path: [String]) throws -> (list: List, step: SavedStep?) {
        try change {
            guard path.contains(where: { !$0.isEmpty }), let list = try list(path: path) else {
                throw InputError(.emptyTitle, "A list needs a name; write some words.")
            }
            return (list, try commit("Add List", about: StepSubject(list)))
        }
    }

    /// Renames a list.
    ///
    /// - Returns: the step; `nil` if it has that name already.
    @discardableResult
    package func rename(_ list: List, to name: String) throws -> SavedStep? {
        let name = name.trimmed
        guard !name.isEmpty else {
            throw InputError(.emptyTitle, "A list needs a name; write some words.")
        }
        if list.name != name { list.name = name }
        return try commit("Rename List", about: StepSubject(list))
    }

    /// Deletes a list and those below it; their items move to the inbox.
    @discardableResult
    package func delete(_ list: List) throws -> SavedStep? {
        let subject = StepSubject(list)
        context.delete(list)
        return try commit("Delete List", about: subject)
    }

    /// Moves a list among its siblings.
    ///
    /// - Returns: the step; `nil` at the end.
    @discardableResult
    package func move(_ list: List, by places: Int) throws -> SavedStep? {
        var siblings = try lists().filter { $0.parent === list.parent }
        guard let place = siblings.firstIndex(of: list) else { return nil }
        let target = min(max(0, place + places), siblings.count - 1)
        guard target != place else { return nil }
        siblings.remove(at: place)
        siblings.insert(list, at: target)
        for (sibling, rank) in zip(siblings, Ranks.initial(count: siblings.count))
        where sibling.displayOrder != rank {
            sibling.displayOrder = rank
        }
        return try commit("Move List", about: StepSubject(list))
    }

    // MARK: Texts

    /// Replaces the text of an item: a note's body, a task's notes.
    ///
    /// - Returns: the step; `nil` if the text is the same.
    @discardableResult
    package func setText(_ text: String, of item: Item) throws -> SavedStep? {
        let value = text.isEmpty ? nil : text
        if let note = item as? Note {
            if note.body != value { note.body = value }
        } else if item.notes != value {
            item.notes = value
        }
        return try commit("Edit Text of", of: [item])
    }
}

extension StepSubject {
    fileprivate init(_ list: List) { self.init(.list, count: 1, title: list.name) }
}

extension Item {
    /// The item's text: a note's body, a task's notes.
    package var text: String { (self as? Note)?.body ?? notes ?? "" }
}

extension String {
    /// Without white space at both ends.
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace ?? false { text.removeFirst() }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }
}
