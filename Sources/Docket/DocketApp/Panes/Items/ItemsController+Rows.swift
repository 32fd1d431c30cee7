import CivilTime
import DocketCore
import FoundationEssentials
import ObjectGraph
import TerminalUI

extension ItemsController {
    /// How many rows beyond the screen are read with it.
    private static let reach = 40

    /// Lays the list out and reads the objects of its rows.
    func layout(rows: Int) {
        list.layout(rows: rows)
        let visible = list.visible
        let shown = visible.compactMap { lines[$0].id }
        let isRead = shown.allSatisfy { objects[$0] != nil }
        if isRead, shown.allSatisfy({ subtasks.counts[$0] != nil }) { return }
        let low = max(0, visible.lowerBound - ItemsController.reach)
        let high = min(lines.count, visible.upperBound + ItemsController.reach)
        let ids = lines[low..<high].compactMap(\.id)
        if !isRead {
            let kept = objects
            objects = [:]
            for id in ids { objects[id] = kept[id] }
            let missing = ids.filter { objects[$0] == nil }
            if let read = try? library.items(withIDs: missing) { objects.merge(read) { $1 } }
        }
        // A row that has come near since is counted when it is read.
        subtasks.count(ids.filter { objects[$0] != nil })
    }

    /// The items that the next movement may show: a screen in each direction, and both ends.
    var near: [ManagedObjectID] {
        let visible = list.visible
        let rows = visible.count + ItemsController.reach
        let around = visible.lowerBound - rows..<visible.upperBound + rows
        let ranges = [0..<rows, around, lines.count - rows..<lines.count]
        let shown = ranges.map { $0.clamped(to: 0..<lines.count) }
        return Set(shown.joined()).sorted().compactMap { lines[$0].id }
    }

    /// The row of a line; `nil` for a heading and for lines of an agenda.
    func row(_ line: ItemsLine, _ format: DateFormat) -> ItemRow? {
        guard let (id, depth) = line.itemAtDepth else { return nil }
        var row = row(id, depth: depth, format)
        guard case .branch(let branch) = line, let task = item(id) as? Task else { return row }
        row.rails = rails(of: branch)
        row.isReference = branch.isReference
        if branch.isReference { row.fold = nil }
        // The rows above say for what it waits.
        row.waitsFor =
            branch.isReference
            ? nil
            : dependencies.blockers(of: task).first.first { $0.objectID != branch.blocker }
                .map { DisplayWidth.singleLine($0.title) }
        return row
    }

    /// The row of an item.
    func row(_ id: ManagedObjectID, depth: Int, _ format: DateFormat) -> ItemRow {
        guard let item = item(id) else { return ItemRow(title: "…") }
        var row = ItemRow(title: DisplayWidth.singleLine(item.title), depth: depth)
        row.isMarked = marks.contains(id)
        row.isFlagged = item.flagged
        row.isInConflict = isInConflict(id)
        row.tags = item.tags.map { "#\($0.name)" }.sorted().joined(separator: " ")
        // A subtask below its parent does not repeat the parent's list.
        if scope.namesList(of: item, depth: depth) || isSearching {
            row.list = item.list?.name ?? ""
        }
        if hasChildren(id) { row.fold = folded.contains(id) ? .folded : .unfolded }
        if depth == 0, !scope.isDependencies, let parent = (item as? Task)?.parent {
            // Its parent is done or in the trash: the row still names the parent.
            let isGone = parent.completed != nil || parent.trashed != nil
            if isGone { row.list = partOf(parent, in: row.list) }
        }
        if let task = item as? Task {
            describe(task, &row, format)
        } else {
            row.state = .note
            row.due = ItemRow.Due(text: format.moment(item.modified), role: .dim)
        }
        if let query = found?.query {
            let names = SearchField.allCases.map(\.title)
            let texts = SearchField.texts(of: item)
            row.show(query, in: texts, named: names)
        }
        return row
    }

    private func partOf(_ parent: Task, in list: String) -> String {
        let title = DisplayWidth.singleLine(parent.title)
        return localized("\(list.isEmpty ? "" : "\(list) ")of \(title)")
    }

    private func describe(_ task: Task, _ row: inout ItemRow, _ format: DateFormat) {
        row.priority = Int(task.priority)
        if let location = task.location {
            let sign = "@\(DisplayWidth.singleLine(location.name))"
            row.tags += row.tags.isEmpty ? sign : " \(sign)"
        }
        if let estimate = task.estimate, estimate > 0 {
            row.estimate = Estimate.text(seconds: Int(estimate))
        }
        row.progress = subtasks.progress(of: task.objectID)
        if let blocker = dependencies.blockers(of: task).first.first {
            row.state = .blocked
            row.waitsFor = DisplayWidth.singleLine(blocker.title)
        }
        if task.completed != nil { row.state = .done }
        row.missed = missedCounts.words(for: task, in: format.context)
        row.due = due(of: task, format)
    }

    private func due(of task: Task, _ format: DateFormat) -> ItemRow.Due? {
        if let completed = task.completed {
            return scope.isDone
                ? ItemRow.Due(text: format.ago(completed), role: .dim) : nil
        }
        if let due = task.dueDate {
            let days = due.day(in: format.context.zone).number - format.context.today.number
            let role: Role =
                due.isOverdue(in: format.context) ? .overdue : days <= 1 ? .dueSoon : .dim
            let start = task.startDate.flatMap { format.isStretch(from: $0, to: due) ? $0 : nil }
            return ItemRow.Due(
                text: role == .overdue
                    ? "! \(format.late(due))" : format.relative(from: start, to: due),
                short: format.shortest(role == .overdue ? due : start ?? due),
                role: role
            )
        }
        guard let start = task.startDate, start.beginning(in: format.context.zone) > library.now
        else { return nil }
        return ItemRow.Due(text: localized("from \(format.relative(start))"), role: .dim)
    }
}
