import DocketCore
import ObjectGraph

extension CommandTable {
    static let changes: [Command] = [
        Command(
            "item.due",
            "Set the due date",
            keys: ["D"],
            .change,
            help: "Asks for a date in words; +1d counts from the item's own date; empty clears it.",
            synonyms: ["date", "deadline", "schedule", "when", "reschedule"],
            disabled: { $0.noTask },
            run: { $0.open(try DateBar(.due, $0)) }
        ),
        Command(
            "item.start",
            "Set the start date",
            keys: ["S"],
            .change,
            help: "Asks for the start date; an empty date clears it.",
            synonyms: ["defer", "hide until"],
            disabled: { $0.noTask },
            run: { $0.open(try DateBar(.start, $0)) }
        ),
        Command(
            "item.remind",
            "Set the reminder",
            keys: ["R"],
            .change,
            help: "Asks when to remind: 1 week before, 2 h before, tomorrow 9:00; empty clears it.",
            synonyms: ["remind me", "alarm", "notify"],
            disabled: { $0.noTask },
            run: { $0.open(try RemindBar($0)) }
        ),
        Command(
            "item.tags",
            "Change tags",
            keys: ["t"],
            .change,
            help: "Asks for tags; -name removes one.",
            synonyms: ["label", "#"],
            disabled: { $0.noChange },
            run: { $0.open(try TagsBar(workspace: $0)) }
        ),
        Command(
            "item.waits",
            "Set what it waits for",
            keys: ["w"],
            .change,
            help: "Searches for the tasks that must be done before; Tab ticks, Enter saves.",
            synonyms: ["blocked", "depends on", "dependencies", "after", "prerequisite"],
            disabled: { $0.noTask },
            run: { $0.open(try BlockersPicker($0)) }
        ),
        Command(
            "item.location",
            "Set the location",
            keys: ["@"],
            .change,
            help: "Asks for the place where it is done; an empty name clears it.",
            synonyms: ["place", "where", "context"],
            disabled: { $0.noTask },
            run: { $0.open(try LocationBar($0)) }
        ),
        Command(
            "item.list",
            "Move to a list",
            keys: ["m"],
            .change,
            help: "Asks for a list by a few letters; a new name creates one.",
            synonyms: ["project", "refile"],
            disabled: { $0.noChange },
            run: { try $0.openListPicker() }
        ),
        priority("p p", nil),
        priority("p 0", 0), priority("p 1", 1), priority("p 2", 2), priority("p 3", 3),
        Command(
            "item.review",
            "Keep as it is",
            keys: ["="],
            .change,
            help: "Notes that you have looked at it; for two weeks it is not in the list Review.",
            synonyms: ["review", "reviewed", "touch"],
            disabled: { $0.noChange },
            run: { try $0.perform(.review, on: $0.items.targets(), unchanged: "Reviewed already") }
        ),
        Command(
            "item.flag",
            "Flag",
            keys: ["f"],
            .change,
            help: "Sets or removes the flag.",
            synonyms: ["star", "important"],
            disabled: { $0.noChange },
            run: { workspace in
                let (library, targets) = (workspace.library, try workspace.items.targets())
                let flags = try !library.affected(by: .flag(true), among: targets).isEmpty
                let verb = flags ? localized("Flagged") : localized("Unflagged")
                try workspace.perform(.flag(flags), on: targets, unchanged: "\(verb) already")
            }
        ),
    ]

    /// The key for one priority, or the key that cycles through them.
    private static func priority(_ key: String, _ value: Int?) -> Command {
        let name = value.map(ItemChange.priorityName)
        return Command(
            "item.priority" + (value.map { ".\($0)" } ?? ""),
            name.map { "Priority \($0)" } ?? "Next priority",
            keys: [key],
            .change,
            help: name.map { "Sets the priority to \($0)." }
                ?? "Goes through none, low, medium and high.",
            synonyms: ["priority", "importance"],
            disabled: { $0.noTask },
            run: { workspace in
                let targets = try workspace.items.targets().tasks
                let next = try value ?? (workspace.firstPriority(of: targets) + 1) % 4
                let name = ItemChange.priorityName(next)
                try workspace.perform(
                    .priority(next),
                    on: targets,
                    unchanged: "Priority \(name) already",
                    // The user presses the cycling key again for the same items.
                    keepsMarks: value == nil
                )
            }
        )
    }
}

extension Workspace {
    fileprivate func firstPriority(of targets: Targets) throws -> Int {
        let first = try targets.items?.first ?? library.existing(Array(targets.ids.prefix(1))).first
        return Int((first as? Task)?.priority ?? 0)
    }
}
