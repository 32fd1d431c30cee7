import DocketCore
import FoundationEssentials
import TerminalUI

/// The head of the detail pane: the title and a line for each property that has a value.
struct DetailFields {
    let item: Item
    let format: DateFormat
    let look: Look

    private static let label = 10

    func lines(columns: Int) -> [RichLine] {
        let title = item.title.isEmpty ? "(no title)" : DisplayWidth.singleLine(item.title)
        let isDone = (item as? Task)?.completed != nil
        var lines = RichWrap.wrap(
            [.init(text: title, role: isDone ? .done : .title)],
            columns: columns
        )
        lines.append(RichLine())
        for (label, value, role) in fields where !value.isEmpty {
            lines += field(label, value, role, columns: columns)
        }
        return lines
    }

    private func field(_ label: String, _ value: String, _ role: Role, columns: Int) -> [RichLine] {
        let width = min(DetailFields.label, max(0, columns / 3))
        var lines = RichWrap.wrap(
            [.init(text: DisplayWidth.singleLine(value), role: role)],
            columns: max(1, columns - width)
        )
        for index in lines.indices {
            let text = index == 0 ? label : ""
            let lead = DisplayWidth.pad(text, to: width, symbols: look.symbols)
            lines[index].runs.insert(.init(text: lead, role: .dim), at: 0)
        }
        return lines
    }

    private var fields: [(label: String, value: String, role: Role)] {
        var fields: [(String, String, Role)] = []
        if let trashed = item.trashed {
            fields.append(("in trash", "since \(format.ago(trashed))", .warning))
        }
        fields.append(("list", item.list.map { ListPath.string($0.path) } ?? "Inbox", .list))
        if let task = item as? Task { fields += taskFields(task) }
        let tags = item.tags.map { "#\($0.name)" }.sorted().joined(separator: " ")
        fields.append(("tags", tags, .tag))
        if item.flagged { fields.append(("flagged", "\(look.signs.flag) yes", .marked)) }
        fields.append(("changed", format.ago(item.modified), .dim))
        fields.append(("number", "\(item.shortID)", .dim))
        return fields
    }

    private func taskFields(_ task: Task) -> [(String, String, Role)] {
        var fields: [(String, String, Role)] = []
        if let completed = task.completed {
            fields.append(("done", format.ago(completed), .success))
        }
        if let due = task.dueDate {
            let isLate = task.completed == nil && due.isOverdue(in: format.context)
            let late = isLate ? " (overdue)" : ""
            fields.append(("due", format.full(due) + late, isLate ? .overdue : .text))
        }
        if let start = task.startDate { fields.append(("starts", format.full(start), .text)) }
        fields.append(("repeats", task.recurrence ?? "", .text))
        if task.priority > 0 {
            let names = ["low !", "medium !!", "high !!!"]
            let roles: [Role] = [.priorityLow, .priorityMedium, .priorityHigh]
            let index = min(Int(task.priority), 3) - 1
            fields.append(("priority", names[index], roles[index]))
        }
        fields.append(("place", task.location?.name ?? "", .location))
        if let estimate = task.estimate, estimate > 0 {
            fields.append(("estimate", Estimate.text(seconds: Int(estimate)), .text))
        }
        fields.append(("part of", task.parent?.title ?? "", .link))
        let blockers = task.blockedBy.filter { $0.completed == nil && $0.trashed == nil }
        fields.append(("waits for", titles(blockers), .warning))
        fields.append(("blocks", titles(task.blocks.filter { $0.completed == nil }), .text))
        return fields
    }

    private func titles(_ tasks: Set<Task>) -> String {
        tasks.sorted { $0.displayOrder < $1.displayOrder }.map(\.title).joined(separator: ", ")
    }
}

/// The foot of the detail pane: subtasks and the items that link here.
struct DetailLinks {
    let item: Item
    let look: Look

    func lines(columns: Int) -> [RichLine] {
        var lines: [RichLine] = []
        if let task = item as? Task {
            let subtasks = task.subtasks.filter { $0.trashed == nil }
                .sorted { $0.displayOrder < $1.displayOrder }
            if !subtasks.isEmpty { lines.append(RichLine()) }
            for subtask in subtasks {
                let isDone = subtask.completed != nil
                let sign = isDone ? look.signs.done : look.signs.open
                lines.append(
                    RichLine(runs: [
                        .init(text: "\(sign) ", role: isDone ? .success : .text),
                        .init(
                            text: DisplayWidth.singleLine(subtask.title),
                            role: isDone ? .done : .text
                        ),
                    ])
                )
            }
        }
        let sources = item.backlinks.filter { $0.trashed == nil }.map(\.title).sorted()
        if !sources.isEmpty {
            lines.append(RichLine())
            lines += RichWrap.wrap(
                [
                    .init(text: "\(look.signs.backlink) linked from: ", role: .dim),
                    .init(text: sources.joined(separator: ", "), role: .link),
                ],
                columns: columns
            )
        }
        return lines
    }
}
