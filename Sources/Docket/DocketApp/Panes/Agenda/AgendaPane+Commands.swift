import CivilTime
import DocketCore
import ObjectGraph
import TerminalUI

extension KeyContext {
    static let agenda = KeyContext(name: "agenda")
}

extension AgendaPane {
    static let commands: [Command] =
        [
            Command(
                "agenda.show",
                "Go to the agenda",
                keys: ["g a"],
                .move,
                help: "Shows the next days with what is due, starts or comes again.",
                synonyms: ["calendar", "week", "upcoming", "plan"],
                run: { workspace in
                    try workspace.show(.days(AgendaSpan()))
                    workspace.go(to: .items)
                    workspace.items.select(workspace.library.clock().today)
                }
            )
        ]
        + steps(
            .agenda,
            [
                ("nextWeek", ["]"], "Next week", 7, 0),
                ("previousWeek", ["["], "Previous week", -7, 0),
                ("nextMonth", ["}"], "Next month", 0, 1),
                ("previousMonth", ["{"], "Previous month", 0, -1),
            ]
        )
        + [
            today(.agenda),
            Command(
                "agenda.skip",
                "Skip an occurrence",
                keys: ["x"],
                .item,
                help: "Leaves one occurrence of a repeating task out; the others stay.",
                hint: "skip",
                context: .agenda,
                disabled: { workspace in
                    workspace.notIn(.agenda)
                        ?? (workspace.items.selectedLater == nil
                            ? workspace.noRepeatingTask : workspace.readOnly)
                },
                run: { workspace in
                    guard let later = workspace.items.selectedLater else {
                        return try workspace.skipOccurrence()
                    }
                    try workspace.move(later.date, of: later.task, to: nil)
                }
            ),
        ]

    /// The command that shows today.
    static func today(_ context: KeyContext) -> Command {
        Command(
            "\(context.name).today",
            "Today",
            keys: ["t"],
            .move,
            help: "Shows today, and in the agenda the days from it on.",
            hint: "today",
            context: context,
            disabled: { $0.notIn(context) },
            run: { try $0.showDays(from: $0.library.clock().today) }
        )
    }

    /// Commands that show other days.
    static func steps(
        _ context: KeyContext,
        _ rows: [(id: String, keys: [String], title: Phrase, days: Int, months: Int)]
    ) -> [Command] {
        rows.map { id, keys, title, days, months in
            let unit: Phrase = months != 0 ? "month" : abs(days) == 7 ? "week" : "day"
            let isLater = days + months > 0
            return Command(
                "\(context.name).\(id)",
                title,
                keys: keys,
                .move,
                help: isLater
                    ? "Shows the days a \(unit) later." : "Shows the days a \(unit) earlier.",
                hint: isLater ? unit : "",
                context: context,
                takesCount: true,
                disabled: { $0.notIn(context) },
                run: { workspace in
                    guard let span = workspace.items.span else { return }
                    let count = workspace.takeCount()
                    let first = span.days(workspace.library.clock()).lowerBound
                    try workspace.showDays(
                        from: first.adding(months: months * count).adding(days: days * count)
                    )
                }
            )
        }
    }
}

extension Workspace {
    /// Why a command of the agenda or of the month cannot run.
    func notIn(_ context: KeyContext) -> String? {
        if paneKind.keyContext == context { return nil }
        let key = self.key("\(context.name).show")
        return localized("It works in the \(context.name); \(key) shows that.")
    }

    /// Shows the agenda, or the calendar, from another day on.
    func showDays(from day: Day) throws {
        guard var span = items.span else { return }
        let today = library.clock().today
        span.first = day == today && !span.isOfMonth ? nil : day
        span.showsOverdue = false
        try items.show(.days(span))
        items.select(day)
    }

    /// Shows the list again that the lists pane selects.
    func leaveDays() {
        do { try show(lists.selectedScope ?? .smart(.all)) } catch { tell(error) }
    }

    /// Skips an occurrence that is not there yet, or moves it; the selection goes with it.
    func move(_ occurrence: DueDate, of task: Task, to date: DueDate?) throws {
        let step = try library.move(occurrence, of: task, to: date)
        if step != nil { items.wantedLater = date.map { (task.objectID, $0) } }
        tell(step, unchanged: "The task does not repeat")
    }

    /// Moves a dragged occurrence to a day, when it is dropped there.
    func move(_ later: (task: Task, date: DueDate), to day: Day, isDrop: Bool) throws {
        let clock = library.clock()
        let name = DateFormat(context: clock).absolute(DueDate(day: day))
        guard isDrop else { return tell("Drop it on \(name).") }
        if let readOnly { return tell("\(readOnly)", .warning) }
        let date = Postponement.to(day).date(from: later.date, clock)
        if date == later.date { return tell("On \(name) already") }
        try move(later.date, of: later.task, to: date)
    }

    /// Moves dragged items to a day, when they are dropped there.
    func move(_ ids: [ManagedObjectID], to day: Day, isDrop: Bool) throws {
        let name = DateFormat(context: library.clock()).absolute(DueDate(day: day))
        guard isDrop else { return tell("Drop it on \(name).") }
        if let readOnly { return tell("\(readOnly)", .warning) }
        guard let dragged = try library.targets(ids).items else {
            throw Targets.refusal(of: ids.count, localized("to move each from its own date"))
        }
        try perform(
            .postpone(.to(day), library.clock()),
            on: .items(dragged),
            unchanged: "On \(name) already"
        )
    }
}
