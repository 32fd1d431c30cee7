import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph
import TerminalUI

/// Prints all fields of one item, for people.
struct ItemDetails {
    private let library: Library
    private let dates: DateFormat

    init(_ library: Library) {
        self.library = library
        dates = DateFormat(context: library.clock())
    }

    func print(_ item: Item) throws {
        try Console.print(Console.shown(item.title))
        try add("id", ShortID.string(item.shortID))
        try add("uuid", item.uuid.uuidString.lowercased())
        try add("kind", item is Note ? "note" : "task")
        try add("list", item.list.map { ListPath.string($0.path) })
        try add("tags", item.tags.map { "#\($0.name)" }.sorted().joined(separator: " "))
        if let task = item as? Task { try add(task) }
        try add("flagged", item.flagged ? "yes" : nil)
        try add("created", dates.ago(item.created))
        try add("changed", dates.ago(item.modified))
        try add("trashed", item.trashed.map { dates.ago($0) })
        for text in [item.notes, (item as? Note)?.body] {
            guard let text, !text.isEmpty else { continue }
            try Console.print("")
            try Console.print(text: text, indent: "  ")
        }
        if let note = item as? Note, note.isEncrypted {
            let id = ShortID.string(note.shortID)
            try Console.print("")
            try Console.print("  (The text is encrypted; docket vault read \(id) shows it.)")
        }
    }

    private func add(_ name: String, _ value: String?) throws {
        guard let value, !value.isEmpty else { return }
        try Console.print("  \(name.padding(to: 10))\(Console.shown(value))")
    }

    private func add(_ task: Task) throws {
        try add("due", task.dueDate.map { dates.full(from: task.startDate, to: $0) })
        try add("start", task.startDate.map { dates.full($0) })
        try add("reminds", task.storedReminders.map { ReminderTimes.words($0) { dates.full($0) } })
        try add("priority", ["", "low", "medium", "high"][Int(min(max(task.priority, 0), 3))])
        try add("estimate", task.estimate.map { Estimate.text(seconds: Int($0)) })
        try add("location", task.location?.name)
        try add("repeats", task.ruleInWords(in: dates.context))
        if let series = task.taskSeries(in: dates.context), task.completed == nil {
            let next = series.upcoming(after: task.repeatedDate, count: 3, in: dates.context)
            let missed = task.missed(in: dates.context)
            try add("missed", missed > 0 ? "\(missed)" : nil)
            try add(
                "next",
                next.isEmpty
                    ? "this is the last one"
                    : next.map(dates.absolute).joined(separator: ", ")
            )
        }
        try add("done", task.completed.map { dates.ago($0) })
        try add("part of", task.parent.map { "\($0.shortID) \($0.title)" })
        _ = try library.forEachRecord(matching: .task { $0.parent == task }, isLine: true) {
            for subtask in $0 {
                let sign = subtask.completed == nil ? "○" : "✓"
                try add("subtask", "\(subtask.shortID ?? 0) \(sign) \(subtask.title)")
            }
        }
        for other in task.blockedBy.sorted(by: { $0.shortID < $1.shortID }) {
            try add("waits for", "\(other.shortID) \(other.isDone ? "✓" : "○") \(other.title)")
        }
        for other in task.blocks.sorted(by: { $0.shortID < $1.shortID }) {
            try add("blocks", "\(other.shortID) \(other.isDone ? "✓" : "○") \(other.title)")
        }
    }
}

extension String {
    func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
