package import CivilTime
package import FoundationEssentials
package import ObjectGraph

/// The objects of the entity Task.
package final class Task: Item {
    // Properties of the model, written by modelgen.
    /// From where the next occurrence is counted: 0 the due date, 1 the completion.
    @Managed("anchor") package var anchor: Int16

    /// When the task was done; nil while it is open.
    @Managed("completed") package var completed: Date?

    /// A moment, or 12:00 UTC of a whole day.
    @Managed("due") package var due: Date?

    /// Whether the due date is a day without a time.
    @Managed("dueDateOnly") package var dueDateOnly: Bool

    /// The expected effort in seconds.
    @Managed("estimate") package var estimate: Int32?

    /// When to remind next; nil if nothing is left to remind of.
    @Managed("nextReminder") package var nextReminder: Date?

    /// 0 none, 1 low, 2 medium, 3 high.
    @Managed("priority") package var priority: Int16

    /// When to remind, separated by spaces: moments in UTC (20261124T090000Z) and durations from
    /// the due date (-PT30M), as triggers of RFC 5545.
    @Managed("remindTimes") package var remindTimes: String?

    /// How the task repeats: a rule of RFC 5545, or the words that another program or an older
    /// version has for it.
    @Managed("rule") package var rule: String?

    /// What the occurrences of a repeating task have in common.
    @Managed("series") package var series: UUID?

    /// When the task becomes relevant; it waits until then.
    @Managed("start") package var start: Date?

    /// Whether the start is a day without a time.
    @Managed("startDateOnly") package var startDateOnly: Bool

    /// The tasks that must be done before this one.
    @Managed("blockedBy") package var blockedBy: Set<Task>

    /// The tasks that wait for this one.
    @Managed("blocks") package var blocks: Set<Task>

    @Managed("location") package var location: Location?
    @Managed("parent") package var parent: Task?
    @Managed("subtasks") package var subtasks: Set<Task>
    @Managed("timeEntries") package var timeEntries: Set<TimeEntry>
    // End of the properties of the model.
}

extension Task {
    package var dueDate: DueDate? { due.map { DueDate(date: $0, isDateOnly: dueDateOnly) } }
    package var startDate: DueDate? { start.map { DueDate(date: $0, isDateOnly: startDateOnly) } }
    package var isDone: Bool { completed != nil }

    /// The tasks for which it waits: those that are neither done nor in the trash, in the order by
    /// hand.
    package var openBlockers: [Task] {
        blockedBy.filter { $0.completed == nil && $0.trashed == nil }
            .sorted { $0.displayOrder < $1.displayOrder }
    }

    /// The date from which its repetition counts: the due date, or the start of a task without one.
    package var repeatedDate: DueDate? { dueDate ?? startDate }

    package func setDue(_ value: DueDate?) {
        due = value?.date
        dueDateOnly = value?.isDateOnly ?? false
    }

    package func setStart(_ value: DueDate?) {
        start = value?.date
        startDateOnly = value?.isDateOnly ?? false
    }
}
