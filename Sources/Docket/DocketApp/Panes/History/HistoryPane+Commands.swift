import Phrases

extension KeyContext {
    static let history = KeyContext(name: "history")
}

extension HistoryPane {
    static let commands: [Command] = [
        Command(
            "history.show",
            "History",
            keys: ["U"],
            .history,
            help: "Shows what was changed, by whom, and goes back to any step.",
            synonyms: ["log", "undo list", "versions"],
            disabled: { $0.pane is HistoryPane ? localized("The history is shown already.") : nil },
            run: { $0.go(to: kind.id) }
        ),
        Command(
            "history.goTo",
            "Go to just after this step",
            keys: ["enter"],
            .history,
            help: "Undoes what came after the step, or redoes up to it.",
            hint: "go to just after this step",
            context: .history,
            disabled: { $0.pane.cannotOpen },
            run: { try $0.pane.open() }
        ),
        command("history.preview", "Show what that would change", "p", "what that would change") {
            $0.togglePreview()
        },
        command("history.filter", "Filter the steps", "/", "filter") { $0.openFilter() },
    ]

    private static func command(
        _ id: String,
        _ title: Phrase,
        _ key: String,
        _ hint: Phrase,
        _ run: @escaping @Sendable (HistoryPane) -> Void
    ) -> Command {
        Command(
            id,
            title,
            keys: [key],
            .history,
            help: "\(title), in the history.",
            hint: hint,
            context: .history,
            disabled: {
                $0.pane is HistoryPane ? nil : localized("The history is not open; U shows it.")
            },
            run: { workspace in
                if let history = workspace.pane as? HistoryPane { run(history) }
            }
        )
    }
}
