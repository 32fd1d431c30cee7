import DocketCore

extension CommandTable {
    static let synchronizing: [Command] = [
        Command(
            "sync.start",
            "Synchronize",
            keys: ["ctrl+s"],
            .sync,
            help:
                "Exchanges the items with the servers of the settings in the background; quitting does not end that.",
            synonyms: ["caldav", "server", "taskwarrior", "push", "pull"],
            disabled: { $0.cannotSynchronize },
            run: { try $0.synchronize() }
        ),
        Command(
            "conflict.next",
            "Show the next conflict",
            keys: ["C n"],
            .sync,
            help:
                "Shows a value that was not taken because both sides had changed it, or goes to the next item that has one.",
            synonyms: ["is:conflict"],
            on: .list,
            run: { try $0.showNextConflict() }
        ),
        Command(
            "conflict.swap",
            "Take the other value",
            keys: ["C s"],
            .sync,
            help: "Swaps the value of the item with the one that was not taken.",
            synonyms: ["swap", "conflict"],
            on: .items,
            disabled: { $0.noConflict ?? $0.inTrash },
            run: { try $0.settleConflicts(by: .swap) }
        ),
        Command(
            "conflict.dismiss",
            "Forget the other value",
            keys: ["C d"],
            .sync,
            help: "Keeps the value of the item, and forgets the one that was not taken.",
            synonyms: ["dismiss", "conflict"],
            on: .items,
            disabled: { $0.noConflict },
            run: { try $0.settleConflicts(by: .dismiss) }
        ),
    ]
}
