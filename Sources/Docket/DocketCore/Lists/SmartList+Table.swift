// To add a list, add a row, and a line to the order of `table`: the pane, the keys, the palette, the
// counts, the settings and `docket list` use it.

extension SmartList {
    /// All built-in lists, in the order of the lists pane.
    public static let table: [SmartList] = [
        today, overdue, dueSoon, highPriority, flagged, someday, next, blocked, repeating,
        reminders, review, brokenLinks,
        all, inbox, recentlyDone, done, trash,
    ]

    public static let today = SmartList(
        "today",
        "Today",
        keys: ["g t"],
        order: .due,
        empty: "Nothing is due today, and nothing is overdue.",
        query: "due:<=today"
    )

    public static let overdue = SmartList(
        "overdue",
        "Overdue",
        keys: ["g o"],
        order: .due,
        isUrgent: true,
        empty: "Nothing is overdue.",
        query: "due:<now"
    )

    public static let dueSoon = SmartList(
        "dueSoon",
        "Next 7 days",
        keys: ["g s"],
        order: .due,
        empty: "Nothing is due in the next 7 days.",
        query: "due:now..7d"
    )

    public static let highPriority = SmartList(
        "highPriority",
        "High priority",
        keys: ["g h"],
        empty: "Nothing has high priority.",
        query: "priority:high"
    )

    public static let flagged = SmartList(
        "flagged",
        "Flagged",
        keys: ["g f"],
        empty: "Nothing is flagged.",
        query: "is:flagged"
    )

    public static let someday = SmartList(
        "someday",
        "Someday",
        keys: ["g y"],
        empty: "Nothing waits for some day.",
        query: "is:someday"
    )

    public static let next = SmartList(
        "next",
        "Next",
        keys: ["g n"],
        isCounted: false,
        isHidden: true,
        empty: "Every open task waits for another one, or starts later.",
        concernsOthers: true,
        query: "is:task -is:blocked -is:waiting"
    )

    public static let blocked = SmartList(
        "blocked",
        "Blocked",
        keys: ["g b"],
        empty: "Nothing waits for something else.",
        concernsOthers: true,
        query: "is:blocked"
    )

    public static let repeating = SmartList(
        "repeating",
        "Repeating",
        keys: ["g r"],
        order: .due,
        empty: "Nothing repeats.",
        query: "is:repeating"
    )

    public static let reminders = SmartList(
        "reminders",
        "Reminders",
        keys: ["g R"],
        order: .due,
        isCounted: false,
        isHidden: true,
        empty: "No reminder has come.",
        query: "remind:<now"
    )

    public static let review = SmartList(
        "review",
        "Review",
        keys: ["g V"],
        order: .modified,
        isReversed: true,
        isCounted: false,
        isHidden: true,
        empty: "Everything was looked at",
        hasReviewAge: true,
        query: "is:task modified:>2w"
    )

    public static let brokenLinks = SmartList(
        "brokenLinks",
        "Broken links",
        keys: ["g l"],
        order: .modified,
        isReversed: false,
        isCounted: false,
        isHidden: true,
        empty: "Every link leads to an item.",
        concernsOthers: true,
        query: "links:broken"
    )

    public static let all = SmartList(
        "all",
        "All",
        keys: ["g A"],
        shows: .openOrDone,
        isTree: true,
        empty: "There are no tasks and no notes yet."
    )

    public static let inbox = SmartList(
        "inbox",
        "Inbox",
        keys: ["g i"],
        .places,
        shows: .openOrDone,
        isTree: true,
        showsList: false,
        empty: "Nothing is in the inbox.",
        query: "list:none"
    )

    public static let recentlyDone = SmartList(
        "recentlyDone",
        "Recently done",
        keys: ["g c"],
        .archive,
        order: .completed,
        shows: .done,
        isCounted: false,
        empty: "Nothing was done in the last 7 days.",
        query: "done:<7d"
    )

    public static let done = SmartList(
        "done",
        "Done",
        keys: ["g d"],
        .archive,
        order: .completed,
        shows: .done,
        isCounted: false,
        empty: "Nothing is done yet."
    )

    public static let trash = SmartList(
        "trash",
        "Trash",
        keys: ["g x"],
        .archive,
        order: .trashed,
        shows: .trashed,
        empty: "The trash is empty."
    )
}
