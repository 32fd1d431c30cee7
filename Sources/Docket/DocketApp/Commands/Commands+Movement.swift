import DocketCore
import TerminalUI

extension CommandTable {
    static let movement: [Command] =
        [
            Command(
                "move.down",
                "Next row",
                keys: ["j", "down"],
                .move,
                help: "Moves down, or scrolls the detail pane.",
                takesCount: true,
                run: { $0.pane.move(by: $0.takeCount()) }
            ),
            Command(
                "move.up",
                "Previous row",
                keys: ["k", "up"],
                .move,
                help: "Moves up, or scrolls the detail pane.",
                takesCount: true,
                run: { $0.pane.move(by: -$0.takeCount()) }
            ),
            Command(
                "pane.left",
                "Pane to the left",
                keys: ["h", "left"],
                .move,
                help: "Goes to the pane on the left.",
                run: { $0.moveFocus(by: -1, wraps: false) }
            ),
            Command(
                "pane.right",
                "Pane to the right",
                keys: ["l", "right"],
                .move,
                help: "Goes to the pane on the right.",
                run: { $0.moveFocus(by: 1, wraps: false) }
            ),
            Command(
                "pane.next",
                "Next pane",
                keys: ["tab"],
                .move,
                help: "Goes to the next pane.",
                run: { $0.moveFocus(by: 1, wraps: true) }
            ),
            Command(
                "pane.previous",
                "Previous pane",
                keys: ["shift+tab"],
                .move,
                help: "Goes to the previous pane.",
                run: { $0.moveFocus(by: -1, wraps: true) }
            ),
            Command(
                "move.pageDown",
                "Page down",
                keys: ["pagedown", "ctrl+f"],
                .move,
                help: "Moves down by one screen.",
                takesCount: true,
                run: { $0.pane.page($0.takeCount()) }
            ),
            Command(
                "move.pageUp",
                "Page up",
                keys: ["pageup", "ctrl+b"],
                .move,
                help: "Moves up by one screen.",
                takesCount: true,
                run: { $0.pane.page(-$0.takeCount()) }
            ),
            Command(
                "move.first",
                "First row",
                keys: ["g g", "home"],
                .move,
                help: "Goes to the first row.",
                run: { try $0.pane.moveToEnd(first: true) }
            ),
            Command(
                "move.last",
                "Last row",
                keys: ["G", "end"],
                .move,
                help: "Goes to the last row.",
                run: { try $0.pane.moveToEnd(first: false) }
            ),
            Command(
                "back",
                "Back",
                keys: ["esc"],
                .move,
                help:
                    "Leaves one level: removes marks, then ends the search, then leaves the pane.",
                run: { $0.backOut() }
            ),
        ] + SmartList.table.map(go)

    /// What people call lists, by the name of the list.
    private static let otherWords = [
        "today": ["my day"],
        "overdue": ["late"],
        "dueSoon": ["upcoming", "week", "weekly"],
        "highPriority": ["important", "urgent"],
        "flagged": ["starred"],
        "someday": ["no date", "maybe"],
        "blocked": ["waiting", "dependencies"],
        "repeating": ["recurring", "series", "habits"],
        "all": ["everything"],
        "recentlyDone": ["completed", "log", "weekly"],
        "reminders": ["alarms", "reminded"], "review": ["stale", "untouched", "weekly"],
        "done": ["completed", "archive", "logbook"],
        "trash": ["deleted", "bin", "empty"],
    ]

    private static func go(_ list: SmartList) -> Command {
        Command(
            "go.\(list.id)",
            "Go to \(list.name)",
            keys: list.keys,
            .move,
            help: "Shows the list \(list.name).",
            synonyms: otherWords[list.id] ?? [],
            run: { workspace in
                try workspace.show(.smart(list))
                workspace.go(to: .items)
            }
        )
    }
}

extension Workspace {
    /// Goes to another of the panes that stand side by side.
    func moveFocus(by count: Int, wraps: Bool) {
        let columns = panes.columns
        guard let index = columns.firstIndex(of: focus) else { return }
        let target = index + count
        go(
            to: wraps
                ? columns[(target + columns.count) % columns.count]
                : columns[min(max(0, target), columns.count - 1)]
        )
    }

    /// Leaves one level: inside the pane, then the pane.
    func backOut() {
        if pane.leaveLevel() { return }
        guard let index = panes.columns.firstIndex(of: focus) else { return leavePane() }
        focus = panes.columns[max(0, index - 1)]
    }
}
