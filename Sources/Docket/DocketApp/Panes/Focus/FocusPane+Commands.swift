import DocketCore
import ObjectGraph

extension KeyContext {
    static let focus = KeyContext(name: "focus")
}

extension FocusPane {
    static let commands: [Command] = [
        Command(
            "focus.show",
            "Focus on the task",
            keys: ["F"],
            .item,
            help:
                "Shows the selected task alone, with its timer; without one that whose timer runs.",
            synonyms: ["timer", "pomodoro", "work", "concentrate"],
            on: .window,
            disabled: { workspace in
                workspace.items.selected is Task || workspace.timer.running != nil
                    ? nil : localized("There is no task here, and no timer runs.")
            },
            run: { $0.goToFocus() }
        ),
        Command(
            "timer.toggle",
            "Start or stop the timer",
            keys: ["T"],
            .item,
            help: "Starts the timer of the selected task, or stops it; only one timer runs.",
            synonyms: ["time tracking", "clock in", "clock out"],
            disabled: { $0.noTask },
            run: { workspace in
                guard let task = workspace.items.selected as? Task else { return }
                try workspace.toggleTimer(of: task)
            }
        ),
        Command(
            "timer.stop",
            "Stop the timer",
            keys: [],
            .item,
            help: "Stops the timer that runs, whatever is selected.",
            synonyms: ["time tracking", "clock out"],
            on: .window,
            disabled: { $0.noTimer },
            run: { try $0.stopTimer() }
        ),
        Command(
            "focus.toggle",
            "Start or pause",
            keys: ["space"],
            .item,
            help: "Starts the timer of the task, or stops it for a while.",
            hint: "start or pause",
            context: .focus,
            disabled: { $0.noFocus },
            run: { workspace in
                guard let task = (workspace.pane as? FocusPane)?.task else { return }
                try workspace.toggleTimer(of: task)
            }
        ),
        Command(
            "focus.stop",
            "Stop the timer and leave",
            keys: ["s"],
            .item,
            help: "Stops the timer if it runs, and leaves the focus.",
            hint: "stop and leave",
            context: .focus,
            run: { workspace in
                if workspace.timer.running != nil { try workspace.stopTimer() }
                workspace.leavePane()
            }
        ),
        Command(
            "focus.done",
            "Complete the task",
            keys: ["x"],
            .item,
            help: "Completes the task, which stops its timer; reopens a done one.",
            hint: "done",
            context: .focus,
            disabled: { $0.noFocus },
            run: { workspace in
                guard let task = (workspace.pane as? FocusPane)?.task else { return }
                try workspace.toggleDone(.items([task]))
            }
        ),
        Command(
            "focus.edit",
            "Edit the task",
            keys: ["enter", "e"],
            .item,
            help: "Opens the form of the task.",
            hint: "edit",
            context: .focus,
            disabled: { $0.noFocus },
            run: { try $0.pane.open() }
        ),
    ]
}

extension Workspace {
    /// Why the task of the focus cannot be changed.
    fileprivate var noFocus: String? {
        readOnly ?? pane.cannotOpen
    }
}
