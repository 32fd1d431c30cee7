import CivilTime
import FoundationEssentials
import ObjectGraph

// To add a list, add a row, and a line to the order of `table`: the pane, the keys, the palette, the
// counts, the settings and `docket list` use it.

extension SmartList {
    /// All built-in lists, in the order of the lists pane.
    package static let table: [SmartList] = [
        today, overdue, dueSoon, highPriority, flagged, all, inbox, done, trash,
    ]

    package static let today = SmartList(
        "today",
        "Today",
        keys: ["g t"],
        order: .due,
        empty: "Nothing is due today.",
        prepare: { $0.due = DueDate(day: $1.today) },
        rule: { isDue(from: $0.today, before: $0.today.adding(days: 1), $0) }
    )

    package static let overdue = SmartList(
        "overdue",
        "Overdue",
        keys: ["g o"],
        order: .due,
        isUrgent: true,
        empty: "Nothing is overdue.",
        rule: { context in
            Condition.task { task in
                task.dueDateOnly == false && task.due < context.now
                    || task.dueDateOnly == true && task.due < DueDate.noon(context.today)
            }
        }
    )

    package static let dueSoon = SmartList(
        "dueSoon",
        "Next 7 days",
        keys: ["g s"],
        order: .due,
        empty: "Nothing is due in the next 7 days.",
        rule: { context in
            let end = context.today.adding(days: 8)
            return isDue(
                (context.now, context.zone.moment(end)),
                (DueDate.noon(context.today), DueDate.noon(end))
            )
        }
    )

    package static let highPriority = SmartList(
        "highPriority",
        "High priority",
        keys: ["g h"],
        empty: "Nothing has high priority.",
        prepare: { defaults, _ in defaults.priority = 3 },
        rule: { _ in Condition.task { $0.priority == 3 } }
    )

    package static let flagged = SmartList(
        "flagged",
        "Flagged",
        keys: ["g f"],
        empty: "Nothing is flagged.",
        prepare: { defaults, _ in defaults.isFlagged = true },
        rule: { _ in \.flagged == true }
    )

    package static let all = SmartList(
        "all",
        "All",
        keys: ["g a"],
        shows: .openOrDone,
        isTree: true,
        empty: "There are no tasks and no notes yet."
    )

    package static let inbox = SmartList(
        "inbox",
        "Inbox",
        keys: ["g i"],
        .places,
        shows: .openOrDone,
        isTree: true,
        showsList: false,
        empty: "Nothing is in the inbox.",
        rule: { _ in \.list == nil }
    )

    package static let done = SmartList(
        "done",
        "Done",
        keys: ["g d"],
        .archive,
        order: .completed,
        shows: .done,
        isCounted: false,
        empty: "Nothing is done yet."
    )

    package static let trash = SmartList(
        "trash",
        "Trash",
        keys: ["g x"],
        .archive,
        order: .trashed,
        shows: .trashed,
        empty: "The trash is empty."
    )

    // MARK: Dates

    private static func isDue(
        from first: Day,
        before end: Day,
        _ context: DateContext
    ) -> Condition<Item> {
        isDue(
            (context.zone.moment(first), context.zone.moment(end)),
            (DueDate.noon(first), DueDate.noon(end))
        )
    }

    /// Due between two moments, or on a whole day between two.
    private static func isDue(
        _ moments: (first: Date, end: Date),
        _ days: (first: Date, end: Date)
    ) -> Condition<Item> {
        Condition.task { task in
            let isTimed =
                task.dueDateOnly == false && task.due >= moments.first && task.due < moments.end
            let isWhole = task.dueDateOnly == true && task.due >= days.first && task.due < days.end
            return isTimed || isWhole
        }
    }
}
