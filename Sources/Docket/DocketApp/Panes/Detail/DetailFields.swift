import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph
import TerminalUI

/// What the detail pane shows above and below the text of an item, in few words.
struct DetailFields {
    let item: Item
    /// How a task repeats, and how many occurrences it has missed; empty for nothing.
    let repetition: (words: String, missed: String)
    let dependencies: OpenDependencies
    let format: DateFormat
    let look: Look

    private var separator: String { " \(look.signs.separator) " }

    // MARK: Above the text

    /// The title, where the item belongs, and its dates.
    func lines(columns: Int, showsTitle: Bool) -> [RichLine] {
        var lines: [RichLine] = []
        func add(_ spans: [RichLine.Run]) {
            if !spans.isEmpty { lines += RichWrap.wrap(spans, columns: columns) }
        }
        if showsTitle { add([.init(text: title, role: isDone ? .done : .title)]) }
        if let trashed = item.trashed {
            add([
                .init(text: localized("in the trash since \(format.ago(trashed))"), role: .warning)
            ])
        }
        let rest = joined(belonging)
        add(place + (rest.isEmpty ? [] : [.init(text: separator, role: .dim)] + rest))
        add(joined(dates))
        let tags = item.tags.sorted { $0.name < $1.name }
        add(
            separated(by: .init(text: " ", role: .tag), tags) {
                .init(text: "#\($0.name)", role: .tag, target: .scope(.tag($0.objectID)))
            }
        )
        return lines
    }

    var title: String {
        item.title.isEmpty ? localized("(no title)") : DisplayWidth.singleLine(item.title)
    }

    private var isDone: Bool { (item as? Task)?.completed != nil }

    /// Parts with a dot between them.
    private func joined(_ parts: [(text: String, role: Role)]) -> [RichLine.Run] {
        separated(by: .init(text: separator, role: .dim), parts.filter { !$0.text.isEmpty }) {
            .init(text: DisplayWidth.singleLine($0.text), role: $0.role)
        }
    }

    private func separated<Part>(
        by separator: RichLine.Run,
        _ parts: [Part],
        _ run: (Part) -> RichLine.Run
    ) -> [RichLine.Run] {
        Array(parts.map { [run($0)] }.joined(separator: [separator]))
    }

    /// `Home › Garden · part of Plan`, each of which can be opened.
    private var place: [RichLine.Run] {
        var path: [List] = []
        var next = item.list
        while let list = next, !path.contains(list) {
            path.insert(list, at: 0)
            next = list.parent
        }
        var runs = separated(by: .init(text: " \(look.signs.crumb) ", role: .text), path) {
            let name = DisplayWidth.singleLine($0.name)
            return .init(text: name, role: .text, target: .scope(.list($0.objectID)))
        }
        if path.isEmpty {
            runs = [.init(text: localized("Inbox"), role: .text, target: .scope(.smart(.inbox)))]
        }
        if let parent = (item as? Task)?.parent {
            let title = localized("part of \(DisplayWidth.singleLine(parent.title))")
            runs.append(.init(text: separator, role: .dim))
            runs.append(.init(text: title, role: .text, target: .item(parent.objectID)))
        }
        return runs
    }

    /// `high priority · 30 m`.
    private var belonging: [(text: String, role: Role)] {
        var parts: [(String, Role)] = []
        if let task = item as? Task {
            let roles: [Role] = [.dim, .priorityLow, .priorityMedium, .priorityHigh]
            let level = min(max(0, Int(task.priority)), 3)
            let name = level == 0 ? "" : localized("\(ItemChange.priorityName(level)) priority")
            parts.append((name, roles[level]))
            if let estimate = task.estimate, estimate > 0 {
                parts.append((Estimate.text(seconds: Int(estimate)), .text))
            }
            parts.append((task.location.map { localized("at \($0.name)") } ?? "", .location))
        }
        if item.flagged { parts.append((localized("\(look.signs.flag) flagged"), .marked)) }
        return parts
    }

    /// `due tomorrow 9:00 · every month`.
    private var dates: [(text: String, role: Role)] {
        guard let task = item as? Task else { return [] }
        var parts: [(String, Role)] = []
        if let completed = task.completed {
            parts.append((localized("done \(format.ago(completed))"), .success))
        }
        if let due = task.dueDate {
            let isLate = task.completed == nil && due.isOverdue(in: format.context)
            let words = format.full(from: task.startDate, to: due)
            parts.append(
                (
                    localized("due \(words)\(isLate ? localized(", overdue") : "")"),
                    isLate ? .overdue : .text
                )
            )
        }
        if let start = task.startDate,
            task.dueDate.map({ format.isStretch(from: start, to: $0) }) != true
        {
            parts.append((localized("starts \(format.full(start))"), .text))
        }
        parts.append((repetition.words, .text))
        if let reminders = task.storedReminders {
            parts.append(
                (localized("reminds \(ReminderTimes.words(reminders) { format.full($0) })"), .text)
            )
        }
        parts.append((repetition.missed, .overdue))
        return parts
    }

    // MARK: Below the text

    private static let mostSources = 24

    /// Links, and when the item was added and changed.
    func footer(columns: Int) -> [RichLine] {
        var lines = [RichLine()]
        func add(_ label: String, _ values: [RichLine.Run]) {
            if values.isEmpty { return }
            lines += RichWrap.wrap(
                [.init(text: "\(label) ", role: .dim)] + values,
                columns: columns
            )
        }
        let (sources, rest) = item.linkSources(Self.mostSources)
        let more = rest > 0 ? [RichLine.Run(text: localized(" and \(rest) more"), role: .dim)] : []
        add(localized("linked from"), titles(sources, .link) + more)
        if let task = item as? Task {
            add(localized("waits for"), titles(dependencies.blockers(of: task), .warning))
            add(localized("blocks"), titles(dependencies.waiting(for: task), .text))
        }
        let (added, changed) = (format.ago(item.created), format.ago(item.modified))
        let text = added == changed ? added : localized("\(added), changed \(changed)")
        add(localized("added"), [.init(text: text, role: .dim)])
        add(localized("no."), [.init(text: "\(item.shortID)", role: .dim)])
        return lines
    }

    /// The line of a subtask.
    func line(of subtask: Task) -> RichLine {
        let isDone = subtask.completed != nil
        let sign = isDone ? look.signs.boxDone : look.signs.boxOpen
        return RichLine(runs: [
            .init(text: "\(sign) ", role: isDone ? .success : .text),
            .init(
                text: DisplayWidth.singleLine(subtask.title),
                role: isDone ? .done : .text,
                target: .item(subtask.objectID)
            ),
        ])
    }

    /// The titles of the first ones, and how many more there are.
    private func titles(_ found: OpenDependencies.Found, _ role: Role) -> [RichLine.Run] {
        let more = found.count - found.first.count
        if more == 0 { return titles(found.first, role) }
        return titles(found.first, role) + [.init(text: localized(" and \(more) more"), role: .dim)]
    }

    private func titles(_ items: [Item], _ role: Role) -> [RichLine.Run] {
        separated(by: .init(text: ", ", role: role), items) {
            let title = DisplayWidth.singleLine($0.title)
            return .init(text: title, role: role, target: .item($0.objectID))
        }
    }
}
