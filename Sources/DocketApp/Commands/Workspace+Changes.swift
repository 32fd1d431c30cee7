import DocketCore
import ObjectGraph

/// The two ways in which a task leaves the lists, and how they are told.
enum TaskEnd {
    case completing
    case trashing

    var change: ItemChange { self == .completing ? .complete : .trash }
    var title: String { self == .completing ? "Complete" : "Trash" }
    var told: String { self == .completing ? "Completed" : "Trashed" }
    var unchanged: String { self == .completing ? "Done already" : "In the trash already" }
}

// What commands do to items: one step each, and a message made from that step.
extension Workspace {
    /// Makes a change to some items, spends their marks and tells what happened.
    ///
    /// `done` gets the title of the only item, or `3 tasks`.
    func perform(
        _ change: ItemChange,
        on items: [Item],
        unchanged: String,
        keepsMarks: Bool = false,
        _ done: (String) -> String
    ) throws {
        let step = try library.perform(change, on: items)
        if !keepsMarks { finish() }
        tell(step, unchanged: unchanged, done)
    }

    /// Completes or trashes items; asks once what becomes of open subtasks that are not among them.
    func end(_ items: [Item], by end: TaskEnd) throws {
        let left = try library.openSubtasks(of: items)
        guard !left.isEmpty else { return try finish(items, end) }
        let count = "\(left.count) open subtask\(left.count == 1 ? "" : "s")"
        let them = left.count == 1 ? "it" : "them"
        let what = items.count == 1 ? items.first.map { quoted($0.title) } ?? "" : "These"
        open(
            QuestionBox(
                end.title,
                "\(what) \(items.count == 1 ? "has" : "have") \(count).",
                [
                    .init(key: "s", title: "\(end.title) \(them) too") { workspace in
                        let all =
                            end == .trashing ? try workspace.library.subtasks(of: items) : left
                        try workspace.finish(items + all, end)
                    },
                    .init(key: "l", title: "Leave \(them) open") { workspace in
                        try workspace.finish(items, end, "; \(count) \(left.count == 1 ? "stays" : "stay") open")
                    },
                ]
            )
        )
    }

    private func finish(_ items: [Item], _ end: TaskEnd, _ rest: String = "") throws {
        try perform(end.change, on: items, unchanged: end.unchanged) {
            "\(end.told) \($0)\(rest)"
        }
    }
}
