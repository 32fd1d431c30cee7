import DocketCore
import ObjectGraph

extension KeyContext {
    static let review = KeyContext(name: "review")
}

extension ReviewPane {
    static let commands: [Command] =
        [
            Command(
                "review.show",
                "Review one by one",
                keys: ["g ="],
                .move,
                help:
                    "Shows what nobody has touched for weeks, one thing at a time, with what to do.",
                synonyms: ["weekly review", "stale"],
                run: { $0.go(to: kind.id) }
            ),
            Command(
                "review.open",
                "Edit the task, or go to the list",
                keys: ["enter", "e"],
                .item,
                help: "Opens the form of the task, or leaves the review and shows the list.",
                context: .review,
                disabled: { $0.pane.cannotOpen },
                run: { try $0.pane.open() }
            ),
        ] + decisions

    /// What can be decided about a thing.
    static let decisions: [Command] = [
        Command(
            "review.keep",
            "Keep as it is",
            keys: ["="],
            .item,
            help:
                "Notes that you have looked at it; it comes back after the weeks of the settings.",
            hint: "keep",
            context: .review,
            disabled: { $0.noReview(needsTask: false) },
            run: { workspace in
                if let task = workspace.reviewedTask {
                    return try workspace.perform(
                        .review,
                        on: .items([task]),
                        unchanged: "Reviewed already"
                    )
                }
                guard let list = (workspace.pane as? ReviewPane)?.reviewedList else { return }
                workspace.tell(try workspace.library.review(list), unchanged: "Reviewed already")
            }
        ),
        Command(
            "review.schedule",
            "Schedule",
            keys: ["D"],
            .item,
            help: "Asks for the due date of the task.",
            hint: "schedule",
            context: .review,
            disabled: { $0.noReview(needsTask: true) },
            run: { workspace in
                guard let task = workspace.reviewedTask else { return }
                workspace.open(try DateBar(.due, workspace, of: .items([task])))
            }
        ),
        Command(
            "review.someday",
            "Someday",
            keys: ["y"],
            .item,
            help: "Takes the dates from the task; it waits for some day.",
            hint: "someday",
            context: .review,
            disabled: { $0.noReview(needsTask: true) },
            run: { workspace in
                guard let task = workspace.reviewedTask else { return }
                let someday = ItemChange.postpone(.someday, workspace.library.clock())
                // A task without dates waits already; then it is kept.
                let change = someday.affects(task) ? someday : .review
                try workspace.perform(change, on: .items([task]), unchanged: "Someday already")
            }
        ),
        Command(
            "review.drop",
            "Drop",
            keys: ["d", "delete"],
            .item,
            help: "Puts the task into the trash.",
            hint: "drop",
            context: .review,
            disabled: { $0.noReview(needsTask: true) },
            run: { workspace in
                guard let task = workspace.reviewedTask else { return }
                try workspace.change(.items([task]), by: .trashing)
            }
        ),
        Command(
            "review.next",
            "Next action",
            keys: ["n"],
            .item,
            help: "Asks for a new task: a part of this one, or in this list.",
            hint: "next action",
            context: .review,
            disabled: { $0.noReview(needsTask: false) },
            run: { workspace in
                let list = (workspace.pane as? ReviewPane)?.reviewedList
                workspace.open(
                    CaptureBar(workspace: workspace, parent: workspace.reviewedTask, list: list)
                )
            }
        ),
        Command(
            "review.done",
            "Complete the task",
            keys: ["space"],
            .item,
            help: "Completes the task.",
            hint: "done",
            context: .review,
            disabled: { $0.noReview(needsTask: true) },
            run: { workspace in
                guard let task = workspace.reviewedTask else { return }
                try workspace.toggleDone(.items([task]))
            }
        ),
    ]
}

extension Workspace {
    fileprivate var reviewedTask: Task? { (pane as? ReviewPane)?.task }

    /// Why nothing can be decided about what a review shows.
    fileprivate func noReview(needsTask: Bool) -> String? {
        if let readOnly { return readOnly }
        if pane.cannotOpen != nil { return pane.cannotOpen }
        return needsTask && reviewedTask == nil
            ? localized("This is a list; = keeps it, n adds its next task.") : nil
    }
}
