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

// Changes of items by commands: one step each, and a message made from that step. Items are passed
// as IDs, because a million may be marked.
extension Workspace {
    /// Changes some items, removes their marks and reports the step.
    ///
    /// More items than fit into one transaction are changed in parts, with a progress bar.
    func perform(
        _ change: ItemChange,
        on ids: [ManagedObjectID],
        unchanged: String,
        keepsMarks: Bool = false,
        also rest: @escaping (Workspace) -> String = { _ in "" }
    ) throws {
        let affected = try affected(by: change, among: ids)
        if affected.count > followed {
            let command = try library.longCommand(change, on: affected)
            return try start(command, keepsMarks: keepsMarks) { workspace, command in
                workspace.tell(command.step, unchanged: unchanged, also: rest(workspace))
            }
        }
        let step = try library.perform(change, on: library.existing(affected))
        if !keepsMarks { items.clearTargets() }
        tell(step, unchanged: unchanged, also: rest(self))
    }

    /// The items that a change affects; for a few items the change itself checks each.
    func affected(
        by change: ItemChange,
        among ids: [ManagedObjectID]
    ) throws -> [ManagedObjectID] {
        ids.count > library.largestChange ? try library.affected(by: change, among: ids) : ids
    }

    /// Completes items if any of them is open, else reopens them.
    func toggleDone(_ ids: [ManagedObjectID]) throws {
        let open: [ManagedObjectID]
        if ids.count > library.largestChange {
            open = try library.affected(by: .complete, among: ids)
        } else {
            open = try library.existing(ids).filter { ($0 as? Task).map { !$0.isDone } ?? false }
                .map(\.objectID)
        }
        if !open.isEmpty { return try end(open, by: .completing) }
        try perform(.reopen, on: ids, unchanged: "Open already")
    }

    /// Completes or trashes items; asks once about open subtasks that are not among them.
    func end(_ ids: [ManagedObjectID], by end: TaskEnd) throws {
        let left = try library.openSubtasks(of: ids)
        guard !left.isEmpty else { return try carryOut(end, ids) }
        let count = "\(left.count) open subtask\(left.count == 1 ? "" : "s")"
        let them = left.count == 1 ? "it" : "them"
        let only = ids.count == 1 ? ids.first.flatMap(items.item) : nil
        let what = only.map { "\(quoted($0.title)) has" } ?? "They have"
        open(
            QuestionBox(
                end.title,
                "\(what) \(count).",
                [
                    .init(key: "s", title: "\(end.title) \(them) too") { workspace in
                        let all =
                            end == .trashing ? try workspace.library.subtasks(of: ids) : left
                        try workspace.carryOut(end, ids + all)
                    },
                    .init(key: "l", title: "Leave \(them) open") { workspace in
                        let stay = left.count == 1 ? "stays" : "stay"
                        try workspace.carryOut(end, ids, "; \(count) \(stay) open")
                    },
                ]
            )
        )
    }

    private func carryOut(
        _ end: TaskEnd,
        _ ids: [ManagedObjectID],
        _ rest: String = ""
    ) throws {
        try perform(end.change, on: ids, unchanged: end.unchanged) { workspace in
            rest + (end == .completing ? workspace.openBlockersInWords(of: ids) : "")
        }
    }

    /// `; it still waits for "dry week"`, after items were completed; empty if none of them waits.
    private func openBlockersInWords(of ids: [ManagedObjectID]) -> String {
        guard ids.count <= followed else { return "" }
        let waiting = ((try? library.existing(ids)) ?? []).compactMap { $0 as? Task }
            .filter { $0.completed != nil && !$0.openBlockers.isEmpty }
        guard let first = waiting.first else { return "" }
        if waiting.count > 1 { return "; \(waiting.count) of them wait for other tasks" }
        let blockers = first.openBlockers.map { quoted($0.title) }
        let more = blockers.count > 1 ? " and \(blockers.count - 1) more" : ""
        return "; it waits for \(blockers[0])\(more), still open"
    }
}
