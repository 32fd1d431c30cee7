import CivilTime
import DocketCore

extension KeyContext {
    static let month = KeyContext(name: "month")
}

extension MonthPane {
    static let commands: [Command] =
        [
            Command(
                "month.show",
                "Go to the month",
                keys: ["g M"],
                .move,
                help: "Shows a month; the day under the cursor is beside it.",
                synonyms: ["calendar"],
                run: { workspace in
                    let span = AgendaSpan(
                        from: workspace.library.clock().today,
                        count: 1,
                        isOfMonth: true
                    )
                    try workspace.show(.days(span))
                    workspace.go(to: id)
                }
            )
        ]
        + AgendaPane.steps(
            .month,
            [
                ("nextDay", ["l", "right"], "Next day", 1, 0),
                ("previousDay", ["h", "left"], "Previous day", -1, 0),
                ("nextWeek", ["]"], "Next week", 7, 0),
                ("previousWeek", ["["], "Previous week", -7, 0),
                ("nextMonth", ["}"], "Next month", 0, 1),
                ("previousMonth", ["{"], "Previous month", 0, -1),
            ]
        ) + [
            AgendaPane.today(.month),
            Command(
                "month.add",
                "Add a task on this day",
                keys: ["a"],
                .item,
                help: "Adds a task that is due on the day under the cursor.",
                hint: "add",
                context: .month,
                disabled: { $0.notIn(.month) ?? $0.readOnly },
                run: { $0.open(CaptureBar(workspace: $0)) }
            ),
        ]
}
