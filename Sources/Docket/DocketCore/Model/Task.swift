public import CivilTime
public import FoundationEssentials
public import ObjectGraph

/// The objects of the entity Task.
public final class Task: Item {
    // Properties of the model, written by modelgen.
    /// From where the next occurrence is counted: 0 the due date, 1 the completion.
    @Managed("anchor") public var anchor: Int16

    /// When the task was done; nil while it is open.
    @Managed("completed") public var completed: Date?

    /// A moment, or 12:00 UTC of a whole day.
    @Managed("due") public var due: Date?

    /// Whether the due date is a day without a time.
    @Managed("dueDateOnly") public var dueDateOnly: Bool

    /// The expected effort in seconds.
    @Managed("estimate") public var estimate: Int32?

    /// When to remind next; nil if nothing is left to remind of.
    @Managed("nextReminder") public var nextReminder: Date?

    /// 0 none, 1 low, 2 medium, 3 high.
    @Managed("priority") public var priority: Int16

    /// When to remind, separated by spaces: moments in UTC (20261124T090000Z) and durations from
    /// the due date (-PT30M), as triggers of RFC 5545.
    @Managed("remindTimes") public var remindTimes: String?

    /// How the task repeats: a rule of RFC 5545, or the words that another program or an older
    /// version has for it.
    @Managed("rule") public var rule: String?

    /// What the occurrences of a repeating task have in common.
    @Managed("series") public var series: UUID?

    /// When the task becomes relevant; it waits until then.
    @Managed("start") public var start: Date?

    /// Whether the start is a day without a time.
    @Managed("startDateOnly") public var startDateOnly: Bool

    /// The tasks that must be done before this one.
    @Managed("blockedBy") public var blockedBy: Set<Task>

    /// The tasks that wait for this one.
    @Managed("blocks") public var blocks: Set<Task>

    @Managed("location") public var location: Location?
    @Managed("parent") public var parent: Task?
    @Managed("subtasks") public var subtasks: Set<Task>
    @Managed("timeEntries") public var timeEntries: Set<TimeEntry>
    // End of the properties of the model.
}

extension Task {
    public var dueDate: DueDate? { due.map { DueDate(date: $0, isDateOnly: dueDateOnly) } }
    public var startDate: DueDate? { start.map { DueDate(date: $0, isDateOnly: startDateOnly) } }
    public var isDone: Bool { completed != nil }

    /// Whether it is neither done nor in the trash.
    public var isOpen: Bool { completed == nil && trashed == nil }

    /// The tasks for which it waits: those that are open, in the order by hand.
    public var openBlockers: [Task] {
        blockedBy.filter(\.isOpen).sorted { $0.displayOrder < $1.displayOrder }
    }

    /// The date from which its repetition counts: the due date, or the start of a task without one.
    public var repeatedDate: DueDate? { dueDate ?? startDate }

    public func setDue(_ value: DueDate?) {
        due = value?.date
        dueDateOnly = value?.isDateOnly ?? false
    }

    public func setStart(_ value: DueDate?) {
        start = value?.date
        startDateOnly = value?.isDateOnly ?? false
    }
}

extension Set<Task> {
    /// The first open ones, in the order by hand, and how many are open.
    ///
    /// - Complexity: O(n · limit) at worst; few are compared more than once.
    public func firstOpen(_ limit: Int) -> (first: [Task], count: Int) {
        var first: [(order: Int64, task: Task)] = []
        var count = 0
        for task in self where task.isOpen {
            count += 1
            let order = task.displayOrder
            if first.count == limit, let last = first.last, order >= last.order { continue }
            first.insert((order, task), at: first.firstIndex { order < $0.order } ?? first.count)
            if first.count > limit { first.removeLast() }
        }
        return (first.map(\.task), count)
    }
}
