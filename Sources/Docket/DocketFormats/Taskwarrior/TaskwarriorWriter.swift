import CivilTime
import FoundationEssentials

/// Writes the input of `task import`: an array with one task a line.
///
/// ``TaskwarriorReader`` has the table of fields. The report lists what Taskwarrior cannot hold: a
/// note becomes a task, body and notes become annotations; location, flag, estimate, reminder,
/// subtask relation and time entries are not exported.
///
/// Occurrences of a series are written last, each series with its template (`+Series`).
///
/// - Complexity: O(bytes); occurrences are held until ``finish()``.
public struct TaskwarriorWriter: RecordWriter {
    public let settings: ExchangeSettings
    private let notes: TaskwarriorNotes
    private var bytes: [UInt8] = Array("[".utf8)
    private var count = 0
    public private(set) var report = ExchangeReport()
    /// The occurrences of each series, and the order of the series.
    private var members: [UUID: [ItemRecord]] = [:]
    private var order: [UUID] = []

    public init(settings: ExchangeSettings) {
        self.settings = settings
        notes = TaskwarriorNotes(zone: settings.dates.zone)
    }

    public mutating func drain() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    public mutating func finish() {
        for series in order {
            for part in TaskwarriorSeries(series, members[series] ?? [], settings).written {
                switch part {
                case .member(let record, let recur, let lost): write(record, recur, lost)
                case .template(let template): write(template: template)
                }
            }
        }
        (members, order) = ([:], [])
        bytes.append(contentsOf: "\n]\n".utf8)
    }

    public mutating func write(_ record: ItemRecord) {
        guard let series = TaskwarriorSeries.series(of: record, settings) else {
            return writeAlone(record)
        }
        if members[series] == nil { order.append(series) }
        members[series, default: []].append(record)
    }

    private mutating func write(template: [JSONMember]) {
        JSONText.append(literal: count == 0 ? "\n" : ",\n", to: &bytes)
        count += 1
        JSONText.append(.object(template), to: &bytes)
    }

    /// The object of an item alone.
    public static func object(of record: ItemRecord, _ settings: ExchangeSettings) -> [JSONMember] {
        var writer = TaskwarriorWriter(settings: settings)
        writer.writeAlone(record)
        var scanner = JSONScanner(ByteSource(Array(writer.drain().dropFirst(2))))
        guard case .object(let members)? = try? scanner.value() else { return [] }
        return members
    }

    /// Writes an item that belongs to no series.
    private mutating func writeAlone(_ record: ItemRecord) {
        let recur =
            TaskwarriorSeries.recur(of: record, settings)
            ?? TaskwarriorSeries.recurWithoutDue(of: record, settings)
        let isLost = record.recurrence != nil && recur == nil
        write(record, recur, isLost ? [TaskwarriorWriter.noRecurrence] : [])
    }

    private mutating func write(_ record: ItemRecord, _ recur: String?, _ lost: [String]) {
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
        if let recur { member("recur", recur) }
        extra["recur"] = nil
        writeTags(record, kept: taken("tags"))
        writeAnnotations(record, kept: taken("annotations"))
        writeDependencies(record, kept: taken("depends"))
        for field in extra where !TaskwarriorWriter.own.contains(field.name) {
            member(field.name, field.value)
        }
        bytes.append(UInt8(ascii: "}"))
        let all = TaskwarriorWriter.losses(record) + lost
        report.keep(line: count, title: record.title, remarks: all)
    }

    /// Names that are written from the item; kept fields cannot have them.
    private static let own: Set<String> = [
        "uuid", "entry", "modified", "due", "scheduled", "id", "urgency",
    ]

    /// Taskwarrior 2.6 crashes over a period without a due date.
    static let noRecurrence =
        "The repetition is not exported: Taskwarrior needs a due date and a period."

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
        TaskwarriorRules.moment(due, settings)
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
        return lost + record.usualLosses
    }
}
