public import CivilTime
import DocketFormats
import ObjectGraph

/// The values that a new item gets from its place on the screen, unless its text has others.
public struct ItemDefaults {
    public var list: List?
    public var tags: [String] = []
    public var due: DueDate?
    public var start: DueDate?
    public var priority = 0
    public var location: String?
    public var isFlagged = false
    public var parent: Task?

    public init() {}
}

extension Library {
    /// Reads one line of quick capture, and the lines below it as notes; adds nothing.
    ///
    /// - Throws: `InputError` for an empty title.
    public func capture(_ text: String) throws -> CapturedItem {
        try CaptureParser(context: clock()).capture(text)
    }

    /// Reads the text of a new item, or takes it as it is, with the values said beside it; adds
    /// nothing.
    ///
    /// - Throws: `InputError` for an empty title, and for a value that cannot be read.
    public func capture(
        _ text: String,
        isPlain: Bool,
        _ fields: CaptureFields
    ) throws -> CapturedItem {
        let parser = CaptureParser(context: clock())
        var item = isPlain ? try parser.plain(text) : try parser.capture(text)
        try fields.apply(to: &item, clock())
        try Limits.check(tags: item.tags.count)
        try Limits.check(listLevels: item.list.count)
        try Limits.check(text: item.title)
        try Limits.check(text: item.notes)
        return item
    }

    /// Adds a captured task at the end of the display order, with defaults for missing values.
    ///
    /// - Returns: the task, and the step that added it.
    public func addTask(
        _ captured: CapturedItem,
        _ defaults: ItemDefaults = ItemDefaults()
    ) throws -> (task: Task, step: SavedStep?) {
        try changeAndReturn {
            let task = context.insert(Task.self)
            try fill(task, captured, defaults)
            return (task, StepName(added: task))
        }
    }

    /// Adds several captured tasks, in their order, as one step.
    ///
    /// - Returns: the tasks, and the step that added them.
    public func addTasks(
        _ captured: [CapturedItem],
        _ defaults: ItemDefaults = ItemDefaults()
    ) throws -> (tasks: [Task], step: SavedStep?) {
        try changeAndReturn {
            let tasks = try captured.map { try addTask($0, defaults).task }
            return (tasks, StepName(.added, StepSubject(tasks)))
        }
    }

    /// Adds a captured note at the end of the display order; its first line is the title.
    ///
    /// - Returns: the note, and the step that added it.
    public func addNote(
        _ captured: CapturedItem,
        _ defaults: ItemDefaults = ItemDefaults()
    ) throws -> (note: Note, step: SavedStep?) {
        try changeAndReturn {
            let note = context.insert(Note.self)
            try fill(note, captured, defaults)
            return (note, StepName(added: note))
        }
    }

    /// Gives a new item its values, its number and its place; part of a verb.
    private func fill(
        _ item: Item,
        _ captured: CapturedItem,
        _ defaults: ItemDefaults
    ) throws {
        try checkNewList(captured.list)
        // It comes to the end: lists that follow it before it has its rank look for no other place.
        item.displayOrder = .max
        try give(captured, defaults, to: item)
        (item as? Task)?.setFirstDue(at: clock())
        try assignNumbers(to: [item])
    }

    /// Gives a new item, of any context, what was captured and, where that says nothing, what its
    /// place on the screen says; part of a verb or a form.
    ///
    /// - Throws: `InputError` for too many tags or levels of lists, and for numbers that no task has.
    public func give(
        _ captured: CapturedItem,
        _ defaults: ItemDefaults,
        to item: Item
    ) throws {
        // What the screen has shown may be deleted by now.
        func here(_ object: ManagedObject?) -> ManagedObjectID? {
            guard let id = object?.objectID else { return nil }
            return (try? item.context?.existingObject(with: id)).map(\.objectID)
        }
        let list = captured.list.isEmpty ? here(defaults.list ?? defaults.parent?.list) : nil
        var changes: [ItemChange] = [
            .title(captured.title),
            item is Note ? .body(captured.notes) : .notes(captured.notes),
            .list(list.map(ItemChange.ListTarget.list) ?? .path(captured.list)),
            .tags(adding: captured.tags + defaults.tags, removing: []),
            .flag(defaults.isFlagged),
            .priority(max(captured.priority, defaults.priority)),
            .due(captured.due ?? defaults.due),
            .start(captured.start ?? defaults.start),
            .repeats(captured.recurrence ?? ""),
            .estimate(captured.estimate.map { $0 * 60 }),
            .remind(captured.reminder.map { ReminderTimes.text(minutesBefore: $0) }),
            .parent(here(defaults.parent)),
            .waits(captured.waits),
            .blocks(captured.blocks),
        ]
        // The name may itself begin with the sign.
        if let name = captured.location ?? defaults.location {
            changes.append(.location("@" + name))
        }
        for change in changes { try change.apply(to: item, at: clock()) }
    }
}
