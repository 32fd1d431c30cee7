import CivilTime
import FoundationEssentials

/// Writes the input of `task import`: an array with one task a line.
///
/// ``TaskwarriorReader`` has the table of fields. The report lists what Taskwarrior cannot hold: a
/// note becomes a task, body and notes become annotations; location, flag, estimate, reminder,
/// subtask relation and time entries are not exported.
///
/// - Complexity: O(bytes).
package struct TaskwarriorWriter: RecordWriter {
    private let settings: ExchangeSettings
    private let notes: TaskwarriorNotes
    private var bytes: [UInt8] = Array("[".utf8)
    private var count = 0
    package private(set) var report = ExchangeReport()

    package init(settings: ExchangeSettings) {
        self.settings = settings
        notes = TaskwarriorNotes(zone: settings.dates.zone)
    }

    package mutating func drain() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    package mutating func finish() { bytes.append(contentsOf: "\n]\n".utf8) }

    package mutating func write(_ record: ItemRecord) {
        JSONText.append(literal: count == 0 ? "\n{" : ",\n{", to: &bytes)
        count += 1
        var extra = record.extra[TaskwarriorRules.section]
        /// A kept value, which counts as written from now on.
        func taken(_ name: String) -> JSONValue? {
            defer { extra[name] = nil }
            return extra[name]
        }

        JSONText.append(literal: "\"uuid\":", to: &bytes)
        JSONText.append(record.uuid, to: &bytes)
        writeStatus(record, kept: taken("status")?.string, end: taken("end"))
        let title = taken("description")?.string
        let isSameTitle = title.map { RecordFields.cleanTitle($0) == record.title } ?? false
        member("description", isSameTitle ? title ?? record.title : record.title)
        member("entry", record.created)
        member("modified", record.modified)
        if let due = moment(record.due) { member("due", due) }
        if let start = moment(record.start) { member("scheduled", start) }
        writeProject(record, kept: taken("project")?.string)
        let priority = taken("priority")?.string
        if let letter = TaskwarriorRules.priority(record.priority) ?? priority {
            member("priority", letter)
        }
        let recurrence = recurrence(record, kept: taken("recur")?.string)
        if let recurrence { member("recur", recurrence) }
        writeTags(record, kept: taken("tags"))
        writeAnnotations(record, kept: taken("annotations"))
        writeDependencies(record, kept: taken("depends"))
        for field in extra where !TaskwarriorWriter.own.contains(field.name) {
            member(field.name, field.value)
        }
        bytes.append(UInt8(ascii: "}"))
        var lost = TaskwarriorWriter.losses(record)
        if record.recurrence != nil, recurrence == nil {
            lost.append(
                "The repetition is not exported: Taskwarrior needs a due date and a period."
            )
        }
        report.keep(line: count, title: record.title, remarks: lost)
    }

    /// Names that are written from the item; kept fields cannot have them.
    private static let own: Set<String> = [
        "uuid", "entry", "modified", "due", "scheduled", "id", "urgency",
    ]

    /// The period in a form that Taskwarrior reads; without a due date there must not be one.
    private func recurrence(_ record: ItemRecord, kept: String?) -> String? {
        guard let text = record.recurrence, moment(record.due) != nil else { return nil }
        if let kept, CaptureText.cleanLine(kept) == text { return kept }
        return RecurrencePeriod(text)?.taskwarrior
    }

    /// Taskwarrior would read a comma as two tags.
    private static func tag(_ tag: String) -> String {
        guard tag.utf8.contains(UInt8(ascii: ",")) else { return tag }
        return String(decoding: tag.utf8.map { $0 == 44 ? 95 : $0 }, as: UTF8.self)
    }

    // MARK: Members

    private mutating func key(_ name: String) {
        bytes.append(UInt8(ascii: ","))
        JSONText.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func member(_ name: String, _ text: String) {
        key(name)
        JSONText.append(text, to: &bytes)
    }

    private mutating func member(_ name: String, _ date: Date) {
        key(name)
        bytes.append(34)
        ISODate.appendBasic(max(date, TaskwarriorRules.earliest), to: &bytes)
        bytes.append(34)
    }

    private mutating func member(_ name: String, _ value: JSONValue) {
        key(name)
        JSONText.append(value, to: &bytes)
    }

    /// The moment to write; `nil` if Taskwarrior cannot read it.
    private func moment(_ due: DueDate?) -> Date? {
        guard let moment = due?.beginning(in: settings.dates.zone),
            moment >= TaskwarriorRules.earliest
        else { return nil }
        return moment
    }

    private mutating func writeStatus(_ record: ItemRecord, kept: String?, end: JSONValue?) {
        if record.trashed {
            member("status", kept == "recurring" ? "recurring" : "deleted")
            if let end {
                member("end", end)
            } else if kept == nil {
                member("end", record.completed ?? record.modified)
            }
        } else if let completed = record.completed {
            member("status", "completed")
            member("end", completed)
        } else {
            member("status", kept == "waiting" ? "waiting" : "pending")
            // A restored task has not ended.
            if kept == nil, let end { member("end", end) }
        }
    }

    private mutating func writeProject(_ record: ItemRecord, kept: String?) {
        if let kept, TaskwarriorRules.list(ofProject: kept).folded == record.list.folded {
            member("project", kept)
        } else if !record.list.isEmpty {
            member("project", TaskwarriorRules.project(ofList: record.list))
        }
    }

    private mutating func writeTags(_ record: ItemRecord, kept: JSONValue?) {
        if case .array(let elements) = kept, !record.tags.isEmpty,
            Set(elements.compactMap(\.string).folded) == Set(record.tags.folded)
        {
            member("tags", .array(elements))
        } else if !record.tags.isEmpty {
            member("tags", .array(record.tags.map { .string(TaskwarriorWriter.tag($0)) }))
        }
    }

    private mutating func writeAnnotations(_ record: ItemRecord, kept: JSONValue?) {
        let text = [record.notes, record.body].compactMap(\.self).joined(separator: "\n")
        let value = notes.annotations(text, kept: kept, modified: record.modified)
        if let value { member("annotations", value) }
    }

    private mutating func writeDependencies(_ record: ItemRecord, kept: JSONValue?) {
        if let kept, TaskwarriorRules.dependencies(kept).uuids == record.dependencies {
            member("depends", kept)
        } else if !record.dependencies.isEmpty {
            let texts = record.dependencies.map { JSONValue.string(UUIDText.lowercase($0)) }
            member("depends", .array(texts))
        }
    }

    /// The parts of an item that Taskwarrior cannot hold.
    private static func losses(_ record: ItemRecord) -> [String] {
        var lost: [String] = []
        if record.kind == .note { lost.append("A note becomes a task, its text annotations.") }
        if record.list.contains(where: { $0.utf8.contains(UInt8(ascii: ".")) }) {
            lost.append("Taskwarrior reads a point in a list's name as a new level.")
        }
        let earliest = TaskwarriorRules.earliest
        let dates = [record.due?.date, record.start?.date, record.completed, record.modified]
        if (dates + [record.created]).contains(where: { $0.map { $0 < earliest } ?? false }) {
            lost.append("Taskwarrior has no dates before 1980; such dates are not exported.")
        }
        if record.tags.contains(where: { $0.utf8.contains(UInt8(ascii: ",")) }) {
            lost.append("A comma in a tag becomes “_”.")
        }
        if record.extra.isDamaged { lost.append(ForeignFields.damage) }
        if record.location != nil { lost.append("The location is not exported.") }
        if record.flagged { lost.append("The flag is not exported.") }
        if record.estimate != nil { lost.append("The estimate is not exported.") }
        if record.reminder != nil { lost.append("The reminder is not exported.") }
        if record.parent != nil { lost.append("Its parent is not exported.") }
        if !record.timeEntries.isEmpty { lost.append("Its time entries are not exported.") }
        return lost
    }
}
