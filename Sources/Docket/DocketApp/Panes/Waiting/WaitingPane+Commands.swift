extension KeyContext {
    static let waiting = KeyContext(name: "waiting")
}

extension WaitingPane {
    static let commands: [Command] = [
        Command(
            "waiting.show",
            "Go to Waiting",
            keys: ["g w"],
            .move,
            help: "Shows the tasks that wait for others, below those they wait for.",
            synonyms: ["blocked", "dependencies"],
            run: { $0.go(to: kind.id) }
        ),
        Command(
            "waiting.open",
            "Go to this task among the items",
            keys: ["enter"],
            .find,
            help: "Leaves the waiting tasks and selects this one in its list.",
            hint: "go to the task",
            context: .waiting,
            disabled: { $0.pane.cannotOpen },
            run: { try $0.pane.open() }
        ),
    ]
}
