import TerminalUI

extension CommandTable {
    static let movement: [Command] = [
        Command(
            "move.down",
            "Next row",
            keys: ["j", "down"],
            .move,
            help: "Moves down, or scrolls the detail pane.",
            run: { $0.move(rows: 1) }
        ),
        Command(
            "move.up",
            "Previous row",
            keys: ["k", "up"],
            .move,
            help: "Moves up, or scrolls the detail pane.",
            run: { $0.move(rows: -1) }
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
            run: { $0.page(1) }
        ),
        Command(
            "move.pageUp",
            "Page up",
            keys: ["pageup", "ctrl+b"],
            .move,
            help: "Moves up by one screen.",
            run: { $0.page(-1) }
        ),
        Command(
            "move.first",
            "First row",
            keys: ["g g", "home"],
            .move,
            help: "Goes to the first row.",
            run: { try $0.moveToEnd(first: true) }
        ),
        Command(
            "move.last",
            "Last row",
            keys: ["G", "end"],
            .move,
            help: "Goes to the last row.",
            run: { try $0.moveToEnd(first: false) }
        ),
        Command(
            "back",
            "Back",
            keys: ["esc"],
            .move,
            help: "Leaves one level: removes marks, then ends the search, then leaves the pane.",
            run: { $0.backOut() }
        ),
        go("g t", .today), go("g o", .overdue), go("g s", .dueSoon), go("g h", .highPriority),
        go("g f", .flagged), go("g a", .all), go("g i", .inbox), go("g d", .done),
        go("g x", .trash),
    ]

    private static func go(_ keys: String, _ list: SmartList) -> Command {
        Command(
            "go.\(list.rawValue)",
            "Go to \(list.title)",
            keys: [keys],
            .move,
            help: "Shows the list \(list.title).",
            run: { workspace in
                try workspace.show(.smart(list))
                workspace.focus = .items
            }
        )
    }
}

extension Workspace {
    func move(rows: Int) {
        switch focus {
        case .lists: moveLists { $0.move(by: rows) }
        case .items: items.move(by: rows)
        case .detail: detail.scroll(by: rows)
        }
    }

    func page(_ windows: Int) {
        switch focus {
        case .lists: moveLists { $0.page(windows) }
        case .items: items.page(windows)
        case .detail: detail.page(windows)
        }
    }

    func moveToEnd(first: Bool) throws {
        switch focus {
        case .lists: moveLists { $0.selectEnd(first: first) }
        case .items: try items.selectEnd(first: first)
        case .detail: detail.scrollToEnd(first: first)
        }
    }

    /// Moves in the lists pane; the items pane follows.
    func moveLists(_ body: (ListsController) -> Void) {
        body(lists)
        guard let scope = lists.selectedScope, scope != items.scope else { return }
        do { try show(scope) } catch { tell(error) }
    }

    func moveFocus(by panes: Int, wraps: Bool) {
        let count = Pane.allCases.count
        var index = focus.rawValue + panes
        index = wraps ? (index + count) % count : min(max(0, index), count - 1)
        focus = Pane(rawValue: index) ?? focus
    }

    func backOut() {
        if !items.marks.isEmpty {
            items.clearMarks()
        } else if items.isSearching {
            clearSearch()
        } else if focus == .detail {
            focus = .items
        } else if focus == .items {
            focus = .lists
        }
    }
}
