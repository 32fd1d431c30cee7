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
            (note.body, note.notes) = (captured.notes, nil)
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
        try Library.fill(item, captured, defaults)
        if let task = item as? Task {
            task.setFirstDue(at: clock())
            task.setNextReminder(clock())
        }
        try assignNumbers(to: [item])
    }

    /// Gives a new item, of any context, what was captured and, where that says nothing, what its
    /// place on the screen says; part of a verb or a form.
    ///
    /// - Throws: `InputError` for too many tags or levels of lists, and for numbers that no task has.
    public static func fill(
        _ item: Item,
        _ captured: CapturedItem,
        _ defaults: ItemDefaults
    ) throws {
        guard let context = item.context else { return }
        // What the screen has shown may be deleted by now.
        func here<Kind: ManagedObject>(_ object: Kind?) -> Kind? {
            object.flatMap { try? context.existingObject(with: $0.objectID) as? Kind }
        }
        item.title = captured.title
        item.notes = captured.notes
        let list = defaults.list ?? defaults.parent?.list
        item.list =
            try Library.list(path: captured.list, in: context)
            ?? here(list)
        for tag in try Library.tags(named: captured.tags + defaults.tags, in: context) {
            item.$tags.insert(tag)
        }
        item.flagged = defaults.isFlagged
        guard let task = item as? Task else { return }
        task.priority = Int16(max(captured.priority, defaults.priority))
        task.setDue(captured.due ?? defaults.due)
        task.setStart(captured.start ?? defaults.start)
        task.rule = captured.recurrence
        task.estimate = captured.estimate.map { Int32($0 * 60) }
        if let reminder = captured.reminder {
            task.remindTimes = ReminderTimes.text(minutesBefore: reminder)
        }
        task.parent = here(defaults.parent)
        if let location = captured.location ?? defaults.location {
            task.location = try Library.location(location, in: context)
        }
        if !captured.waits.isEmpty {
            try setBlockers(tasks(numbered: captured.waits, in: context), of: task)
        }
        if !captured.blocks.isEmpty {
            try setBlocked(tasks(numbered: captured.blocks, in: context), by: task)
        }
    }
}
