import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import TerminalUI

/// All fields of one item, for people.
struct ItemDetails {
    private let library: Library
    private let dates: DateFormat

    init(_ library: Library) {
        self.library = library
        dates = DateFormat(context: library.clock())
    }

    func lines(_ item: Item) -> [String] {
        var lines: [String] = [Console.shown(item.title)]
        func add(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            let label = name.padding(to: 10)
            lines.append("  \(label)\(Console.shown(value))")
        }
        add("id", ShortID.string(item.shortID))
        add("uuid", item.uuid.uuidString.lowercased())
        add("kind", item is Note ? "note" : "task")
        add("list", item.list.map { ListPath.string($0.path) })
        add("tags", item.tags.map { "#\($0.name)" }.sorted().joined(separator: " "))
        if let task = item as? Task { addTask(task, add) }
        add("flagged", item.flagged ? "yes" : nil)
        add("created", dates.ago(item.created))
        add("changed", dates.ago(item.modified))
        add("trashed", item.trashed.map { dates.ago($0) })
        for text in [item.notes, (item as? Note)?.body] {
            guard let text, !text.isEmpty else { continue }
            lines.append("")
            lines += text.split(separator: "\n", omittingEmptySubsequences: false).map {
                "  " + Console.shown(String($0))
            }
        }
        if let note = item as? Note, note.isEncrypted {
            let id = ShortID.string(note.shortID)
            lines += ["", "  (The text is encrypted; docket vault read \(id) shows it.)"]
        }
        return lines
    }

    private func addTask(_ task: Task, _ add: (String, String?) -> Void) {
        add("due", task.dueDate.map { dates.full(from: task.startDate, to: $0) })
        add("start", task.startDate.map { dates.full($0) })
        add("reminds", task.storedReminders.map { ReminderTimes.words($0) { dates.full($0) } })
        add("priority", ["", "low", "medium", "high"][Int(min(max(task.priority, 0), 3))])
        add("estimate", task.estimate.map { Estimate.text(seconds: Int($0)) })
        add("location", task.location?.name)
        add("repeats", task.ruleInWords(in: dates.context))
        if let series = task.taskSeries(in: dates.context), task.completed == nil {
            let next = series.upcoming(after: task.repeatedDate, count: 3, in: dates.context)
            let missed = task.missed(in: dates.context)
            add("missed", missed > 0 ? "\(missed)" : nil)
            add(
                "next",
                next.isEmpty
                    ? "this is the last one"
                    : next.map(dates.absolute).joined(separator: ", ")
            )
        }
        add("done", task.completed.map { dates.ago($0) })
        add("part of", task.parent.map { "\($0.shortID) \($0.title)" })
        for subtask in task.subtasks.sorted(by: { $0.displayOrder < $1.displayOrder }) {
            add("subtask", "\(subtask.shortID) \(subtask.isDone ? "✓" : "○") \(subtask.title)")
        }
        for other in task.blockedBy.sorted(by: { $0.shortID < $1.shortID }) {
            add("waits for", "\(other.shortID) \(other.isDone ? "✓" : "○") \(other.title)")
        }
        for other in task.blocks.sorted(by: { $0.shortID < $1.shortID }) {
            add("blocks", "\(other.shortID) \(other.isDone ? "✓" : "○") \(other.title)")
        }
    }
}

extension String {
    func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
