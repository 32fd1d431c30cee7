import DocketCore

extension KeyContext {
    static let statistics = KeyContext(name: "statistics")
}

extension StatisticsPane {
    static let commands: [Command] = [
        Command(
            "statistics.show",
            "Go to the statistics",
            keys: ["g S"],
            .move,
            help: "Shows what was done and what is left as plots: of the list, or of all tasks.",
            synonyms: ["stats", "burndown", "charts", "plots", "progress", "time"],
            run: { workspace in
                if case .list(let list) = workspace.items.scope {
                    workspace.showStatistics(of: list)
                } else {
                    workspace.showStatistics(of: nil)
                }
            }
        ),
        Command(
            "statistics.next",
            "Next chart",
            keys: ["l", "right"],
            .move,
            help: "Selects the next chart.",
            context: .statistics,
            run: { ($0.pane as? StatisticsPane)?.moveAside(by: 1) }
        ),
        Command(
            "statistics.previous",
            "Previous chart",
            keys: ["h", "left"],
            .move,
            help: "Selects the previous chart.",
            context: .statistics,
            run: { ($0.pane as? StatisticsPane)?.moveAside(by: -1) }
        ),
        Command(
            "statistics.enlarge",
            "One chart alone, or all",
            keys: ["enter"],
            .move,
            help: "Gives the selected chart the whole screen, or shows all charts again.",
            hint: "one chart or all",
            context: .statistics,
            run: { try $0.pane.open() }
        ),
        Command(
            "statistics.list",
            "Choose the list of the statistics",
            keys: ["m"],
            .find,
            help: "Chooses the list that the charts are about, with those below it.",
            hint: "list",
            context: .statistics,
            run: { $0.open(try StatisticsListBox(workspace: $0)) }
        ),
    ]
}
