import FoundationEssentials

/// Writes a todo.txt file; the table of fields stands at ``TodoTxtReader``.
///
/// An item that came from a line and still says the same gets that line back byte for byte. For
/// all others a new line is made: title, `+list`, `@context`, `#tag`, then keys. Names that the
/// library knows in other letter case are written as the line had them. Names with spaces
/// get `_` for each. Items in the trash are skipped, since the format has no trash; what else it
/// cannot hold is reported.
///
/// - Complexity: O(bytes).
package struct TodoTxtWriter: RecordWriter {
    private let settings: ExchangeSettings
    private let includesUUID: Bool
    private var bytes: [UInt8] = []
    private var count = 0
    package private(set) var report = ExchangeReport()

    /// Makes a writer; with `includesUUID` every line gets `uuid:`, so that a later import knows
    /// the items again.
    package init(settings: ExchangeSettings, includesUUID: Bool = false) {
        self.settings = settings
        self.includesUUID = includesUUID
    }

    package mutating func drain() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    package mutating func finish() {}

    package mutating func write(_ record: ItemRecord) {
        count += 1
        guard !record.trashed else {
            report.skip(
                line: count,
                title: record.title,
                reason: "todo.txt has no trash."
            )
            return
        }
        var remarks = TodoTxtWriter.losses(record)
        if let line = unchangedLine(record) {
            bytes.append(contentsOf: line.utf8)
        } else {
            let line = newLine(record)
            if !isSame(line, record) {
                remarks.append("Some of its words read differently in todo.txt: “\(line)”.")
            }
            bytes.append(contentsOf: line.utf8)
        }
        bytes.append(10)
        report.keep(line: count, title: record.title, remarks: remarks)
    }

    // MARK: Lines

    /// Whether an item still says what the line says that it came from; not if it came from none.
    func isUnchanged(_ record: ItemRecord) -> Bool { unchangedLine(record) != nil }

    private func unchangedLine(_ record: ItemRecord) -> String? {
        let line = record.extra[TodoTxtRules.section]["line"]?.string
        guard let line, isSame(CaptureText.cleanLine(line), record),
            !includesUUID || line.contains("uuid:")
        else { return nil }
        return line
    }

    /// Whether a line says what the item says, in all that a line can hold.
    private func isSame(_ line: String, _ record: ItemRecord) -> Bool {
        let zone = settings.dates.zone
        guard let parsed = try? TodoTxtLine(line, zone: zone) else { return false }
        let read = TodoTxtRules.record(
            parsed,
            uuid: record.uuid,
            now: record.created,
            makeUUID: settings.makeUUID
        )
        let extra = record.extra[TodoTxtRules.section]
        let letter = TodoTxtLine.letter(ofPriority: record.priority) ?? extra["priority"]?.string
        return read.title == record.title && read.list.folded == record.list.folded
            && Set(read.tags.folded) == Set(record.tags.folded) && read.due == record.due
            && read.start == record.start
            && TodoTxtWriter.isSame(read.recurrence, record.recurrence)
            && parsed.isDone == (record.completed != nil) && parsed.priority == letter
            && parsed.created.map { $0 == DueDate.day(of: record.created, in: zone) } ?? true
            && parsed.completed.map { day in
                record.completed.map { DueDate.day(of: $0, in: zone) == day } ?? false
            } ?? true
    }

    private func newLine(_ record: ItemRecord) -> String {
        let extra = record.extra[TodoTxtRules.section]
        let zone = settings.dates.zone
        let letter = TodoTxtLine.letter(ofPriority: record.priority) ?? extra["priority"]?.string
        var words: [String] = []
        if let completed = record.completed {
            words.append("x")
            if extra["endless"] == nil {
                words.append(ISODate.string(DueDate.day(of: completed, in: zone)))
            }
        } else if let letter {
            words.append("(\(letter))")
        }
        if extra["undated"] == nil {
            words.append(ISODate.string(DueDate.day(of: record.created, in: zone)))
        }
        words.append(record.title)
        words += TodoTxtWriter.markers(spelled(record))

        let format = DateFormat(context: settings.dates)
        if let due = record.due { words.append("due:\(format.plain(due))") }
        if let start = record.start { words.append("t:\(format.plain(start))") }
        if let recurrence = record.recurrence {
            words.append("rec:\(TodoTxtWriter.period(recurrence))")
        }
        if record.completed != nil, let letter { words.append("pri:\(letter)") }
        if case .object(let keys) = extra["keys"] {
            words += keys.map { "\($0.name):\($0.value.string ?? "")" }
        }
        if includesUUID || extra["uuid"] != nil {
            words.append("uuid:\(UUIDText.lowercase(record.uuid))")
        }
        return words.joined(separator: " ")
    }

    /// The record with the names of its list and tags as its line had them.
    private func spelled(_ record: ItemRecord) -> ItemRecord {
        guard let text = record.extra[TodoTxtRules.section]["line"]?.string,
            let line = try? TodoTxtLine(CaptureText.cleanLine(text), zone: settings.dates.zone)
        else { return record }
        let kept = TodoTxtRules.record(
            line,
            uuid: record.uuid,
            now: record.created,
            makeUUID: settings.makeUUID
        )
        var record = record
        if kept.list.folded == record.list.folded { record.list = kept.list }
        record.tags = record.tags.map { tag in
            kept.tags.first { $0.lowercased() == tag.lowercased() } ?? tag
        }
        return record
    }

    private static func markers(_ record: ItemRecord) -> [String] {
        var markers: [String] = []
        if !record.list.isEmpty { markers.append("+" + word(ListPath.string(record.list))) }
        for tag in record.tags {
            let sign = tag.utf8.first
            let isSigned =
                (sign == UInt8(ascii: "@") || (sign == UInt8(ascii: "+") && !record.list.isEmpty))
                && TodoTxtLine.isName(tag.dropFirst())
            markers.append(isSigned ? word(tag) : "#" + word(tag))
        }
        return markers
    }

    /// The text itself when it is of todo.txt's form already, else that form if there is one.
    private static func period(_ recurrence: String) -> String {
        guard recurrence.utf8.contains(32) || recurrence.utf8.count > 5,
            let period = RecurrencePeriod(recurrence)
        else { return word(recurrence) }
        return period.todoTxt
    }

    private static func isSame(_ one: String?, _ other: String?) -> Bool {
        if one == other { return true }
        guard let one, let other, let period = RecurrencePeriod(one) else { return false }
        return period == RecurrencePeriod(other)
    }

    private static func word(_ name: String) -> String {
        guard name.utf8.contains(32) else { return name }
        return String(decoding: name.utf8.map { $0 == 32 ? 95 : $0 }, as: UTF8.self)
    }

    /// What an item says that a line cannot hold.
    private static func losses(_ record: ItemRecord) -> [String] {
        var lost: [String] = []
        if record.kind == .note { lost.append("A note becomes a task.") }
        if record.notes != nil || record.body != nil { lost.append("Its notes stay behind.") }
        if record.extra.isDamaged { lost.append(ForeignFields.damage) }
        if record.location != nil { lost.append("The location stays behind.") }
        if record.flagged { lost.append("The flag stays behind.") }
        if record.estimate != nil { lost.append("The estimate stays behind.") }
        if record.reminder != nil { lost.append("The reminder stays behind.") }
        if record.parent != nil { lost.append("That it is a subtask stays behind.") }
        if !record.dependencies.isEmpty { lost.append("Its dependencies stay behind.") }
        if !record.timeEntries.isEmpty { lost.append("Its time entries stay behind.") }
        return lost
    }
}
