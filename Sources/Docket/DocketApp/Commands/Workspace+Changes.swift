import DocketCore
import ObjectGraph

/// The changes that ask what becomes of subtasks, and their messages.
enum SubtreeChange {
    case completing
    case trashing
    case restoring

    var change: ItemChange {
        switch self {
        case .completing: .complete
        case .trashing: .trash
        case .restoring: .restore
        }
    }

    var title: String {
        switch self {
        case .completing: localized("Complete")
        case .trashing: localized("Trash")
        case .restoring: localized("Restore")
        }
    }

    var unchanged: Phrase {
        switch self {
        case .completing: "Done already"
        case .trashing: "In the trash already"
        case .restoring: "Not in the trash"
        }
    }

    /// The subtasks that it would leave as they are.
    func left(_ targets: Targets, in library: Library) throws -> Targets {
        self == .restoring
            ? try library.trashedSubtasks(of: targets) : try library.openSubtasks(of: targets)
    }
}

/// A question about the subtasks of what a command changes, which is asked once.
struct SubtaskQuestion {
    /// The title of the command; the answer is remembered by it.
    let command: String
    let text: String
    /// The answers: with the subtasks, and without them.
    let take: String
    let leave: String
}

// Changes of items by commands: one step each, and a message made from that step.
extension Workspace {
    /// Changes some items, removes their marks and reports the step.
    ///
    /// More items than fit into one transaction are changed in parts, with a progress bar.
    func perform(
        _ change: ItemChange,
        on targets: Targets,
        unchanged: Phrase,
        keepsMarks: Bool = false,
        also rest: @escaping (Workspace) -> String = { _ in "" }
    ) throws {
        // Of a few items the change itself checks each.
        let affected =
            targets.items == nil ? try library.affected(by: change, among: targets) : targets
        if affected.count > followed {
            let command = try library.longCommand(change, on: affected)
            return try start(command, keepsMarks: keepsMarks) { workspace, command in
                workspace.tell(command.step, unchanged: unchanged, also: rest(workspace))
            }
        }
        let step = try library.perform(change, on: library.items(of: affected))
        if !keepsMarks { items.clearTargets() }
        tell(step, unchanged: unchanged, also: rest(self))
    }

    /// Completes items if any of them is open, else reopens them.
    func toggleDone(_ targets: Targets) throws {
        let open = try library.affected(by: .complete, among: targets)
        if !open.isEmpty { return try change(open, by: .completing) }
        try perform(.reopen, on: targets, unchanged: "Open already")
    }

    /// Completes, trashes or restores items; asks once about subtasks that are not among them.
    func change(_ targets: Targets, by change: SubtreeChange) throws {
        let left = try change.left(targets, in: library)
        guard !left.isEmpty else { return try carryOut(change, targets) }
        let (ids, leftIDs) = (targets.ids, left.ids)
        let isOne = left.count == 1
        let isBack = change == .restoring
        let state = isBack ? localized("in the trash") : localized("open", in: "state")
        let count = Phrase(left.count, isBack ? "subtask" : "open subtask").text
        let question = SubtaskQuestion(
            command: change.title,
            text: (targets.onlyTask.map { localized("\(quoted($0.title)) has") }
                ?? localized("They have"))
                + " \(count)\(isBack ? localized(" in the trash") : "").",
            take: localized("\(change.title) \(isOne ? localized("it") : localized("them")) too"),
            leave: localized("Leave \(isOne ? localized("it") : localized("them")) \(state)")
        )
        try ask(question) { workspace, takes in
            let library = workspace.library
            guard takes else {
                let stay = "; \(count) \(isOne ? localized("stays") : localized("stay")) \(state)"
                return try workspace.carryOut(change, library.targets(ids), stay)
            }
            let below =
                change == .trashing ? try library.subtasks(of: library.targets(ids)).ids : leftIDs
            try workspace.carryOut(change, library.targets(ids + below))
        }
    }

    /// Asks whether a command takes subtasks, unless that was answered before; undo makes it ask
    /// again.
    func ask(
        _ question: SubtaskQuestion,
        then carryOut: @escaping (Workspace, Bool) throws -> Void
    ) throws {
        if let takes = subtaskAnswers[question.command] { return try carryOut(self, takes) }
        func answer(_ key: Character, _ title: String, takes: Bool) -> QuestionBox.Answer {
            .init(key: key, title: title) { workspace in
                workspace.subtaskAnswers[question.command] = takes
                try carryOut(workspace, takes)
            }
        }
        open(
            QuestionBox(
                "\(question.command)",
                "\(question.text)",
                [
                    answer("s", question.take, takes: true),
                    answer("l", question.leave, takes: false),
                ],
                note: "It is not asked again until \(key("history.undo")) undoes something."
            )
        )
    }

    /// Deletes what is in the trash, after a question that names how much that is.
    func emptyTrash() throws {
        let count = try library.trashedItemIDs().count
        if count == 0 { return tell("The trash is empty") }
        let items = "\(Phrase(count, "item"))"
        open(
            QuestionBox(
                "Empty the trash",
                "\(items) in the trash will be deleted.",
                [
                    .init(key: "y", title: localized("Delete \(items)")) { workspace in
                        // Others may have put something there, or taken it out.
                        let ids = try workspace.library.trashedItemIDs()
                        let targets = try workspace.library.targets(ids)
                        try workspace.perform(.purge, on: targets, unchanged: "The trash is empty")
                    },
                    .init(key: "n", title: localized("Keep them")) { _ in },
                ]
            )
        )
    }

    private func carryOut(
        _ change: SubtreeChange,
        _ targets: Targets,
        _ rest: String = ""
    ) throws {
        try perform(change.change, on: targets, unchanged: change.unchanged) { workspace in
            rest + (change == .completing ? workspace.openBlockersInWords(of: targets) : "")
                + (change.change.endsTasks ? workspace.freedInWords(by: targets) : "")
        }
    }

    /// `; "Sow" can start now`: what has waited for items that are done or in the trash now.
    private func freedInWords(by targets: Targets) -> String {
        guard let items = targets.items, items.count <= followed else { return "" }
        return (try? library.freedInWords(by: items)) ?? ""
    }

    /// `; it still waits for "dry week"`, after items were completed; empty if none of them waits.
    private func openBlockersInWords(of targets: Targets) -> String {
        guard let items = targets.items, items.count <= followed else { return "" }
        let waiting = items.compactMap { $0 as? Task }
            .filter { !$0.isDeleted && $0.isDone && !$0.openBlockers.isEmpty }
        guard let first = waiting.first else { return "" }
        if waiting.count > 1 { return localized("; \(waiting.count) of them wait for other tasks") }
        let blockers = first.openBlockers.map { quoted($0.title) }
        let more = blockers.count > 1 ? localized(" and \(blockers.count - 1) more") : ""
        return localized("; it waits for \(blockers[0])\(more), still open")
    }
}
