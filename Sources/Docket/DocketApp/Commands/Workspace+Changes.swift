import DocketCore
import ObjectGraph

/// The two ways in which a task leaves the lists, and their messages.
enum TaskEnd {
    case completing
    case trashing

    var change: ItemChange { self == .completing ? .complete : .trash }
    var title: String { self == .completing ? "Complete" : "Trash" }
    var unchanged: String { self == .completing ? "Done already" : "In the trash already" }
}

// Changes of items by commands: one step each, and a message made from that step.
extension Workspace {
    /// Changes some items, removes their marks and reports the step.
    ///
    /// More items than fit into one transaction are changed in parts, with a progress bar.
    func perform(
        _ change: ItemChange,
        on targets: Targets,
        unchanged: String,
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
        if !open.isEmpty { return try end(open, by: .completing) }
        try perform(.reopen, on: targets, unchanged: "Open already")
    }

    /// Completes or trashes items; asks once about open subtasks that are not among them.
    func end(_ targets: Targets, by end: TaskEnd) throws {
        let left = try library.openSubtasks(of: targets)
        guard !left.isEmpty else { return try carryOut(end, targets) }
        let (ids, leftIDs) = (targets.ids, left.ids)
        let count = "\(left.count) open subtask\(left.count == 1 ? "" : "s")"
        let them = left.count == 1 ? "it" : "them"
        let what = targets.onlyTask.map { "\(quoted($0.title)) has" } ?? "They have"
        open(
            QuestionBox(
                end.title,
                "\(what) \(count).",
                [
                    .init(key: "s", title: "\(end.title) \(them) too") { workspace in
                        let library = workspace.library
                        let below =
                            end == .trashing
                            ? try library.subtasks(of: library.targets(ids)).ids : leftIDs
                        try workspace.carryOut(end, library.targets(ids + below))
                    },
                    .init(key: "l", title: "Leave \(them) open") { workspace in
                        let stay = left.count == 1 ? "stays" : "stay"
                        let targets = try workspace.library.targets(ids)
                        try workspace.carryOut(end, targets, "; \(count) \(stay) open")
                    },
                ]
            )
        )
    }

    /// Deletes what is in the trash, after a question that names how much that is.
    func emptyTrash() throws {
        let count = try library.trashedItemIDs().count
        if count == 0 { return tell("The trash is empty") }
        let items = "\(count) item\(count == 1 ? "" : "s")"
        open(
            QuestionBox(
                "Empty the trash",
                "\(items) in the trash will be deleted.",
                [
                    .init(key: "y", title: "Delete \(items)") { workspace in
                        // Others may have put something there, or taken it out.
                        let ids = try workspace.library.trashedItemIDs()
                        let targets = try workspace.library.targets(ids)
                        try workspace.perform(.purge, on: targets, unchanged: "The trash is empty")
                    },
                    .init(key: "n", title: "Keep them") { _ in },
                ]
            )
        )
    }

    private func carryOut(
        _ end: TaskEnd,
        _ targets: Targets,
        _ rest: String = ""
    ) throws {
        try perform(end.change, on: targets, unchanged: end.unchanged) { workspace in
            rest + (end == .completing ? workspace.openBlockersInWords(of: targets) : "")
        }
    }

    /// `; it still waits for "dry week"`, after items were completed; empty if none of them waits.
    private func openBlockersInWords(of targets: Targets) -> String {
        guard let items = targets.items, items.count <= followed else { return "" }
        let waiting = items.compactMap { $0 as? Task }
            .filter { !$0.isDeleted && $0.isDone && !$0.openBlockers.isEmpty }
        guard let first = waiting.first else { return "" }
        if waiting.count > 1 { return "; \(waiting.count) of them wait for other tasks" }
        let blockers = first.openBlockers.map { quoted($0.title) }
        let more = blockers.count > 1 ? " and \(blockers.count - 1) more" : ""
        return "; it waits for \(blockers[0])\(more), still open"
    }
}
