import CivilTime
import FoundationEssentials
import Recurrence
import TimeLanguage

/// Writes a todo.txt file; ``TodoTxtReader`` has the table of fields.
///
/// An unchanged item gets the line that it came from, byte for byte. Every other item gets a new
/// line: title, `+list`, `@context`, `#tag`, then keys. Names that the library has in another
/// letter case are written as in the line. Spaces in names become `_`. Items in the trash are
/// skipped, because the format has no trash; the report lists other parts that it cannot hold.
///
/// - Complexity: O(bytes).
public struct TodoTxtWriter: RecordWriter {
    private let settings: ExchangeSettings
    private let includesUUID: Bool
    private var bytes: [UInt8] = []
    private var count = 0
    public private(set) var report = ExchangeReport()

    /// Creates a writer; with `includesUUID` every line gets `uuid:`, so that a later import finds
    /// the items again.
    public init(settings: ExchangeSettings, includesUUID: Bool = false) {
        self.settings = settings
        self.includesUUID = includesUUID
    }

    public mutating func drain() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    public mutating func finish() {}

    public mutating func write(_ record: ItemRecord) {
        count += 1
        guard !record.trashed else {
            report.skip(line: count, title: record.title, reason: "todo.txt has no trash.")
            return
        }
        var remarks = losses(record)
        if let line = unchangedLine(record) {
            bytes.append(contentsOf: line.utf8)
        } else {
            let line = newLine(record)
            if !isSame(line, record) {
                remarks.append("Some of its words have another meaning in todo.txt: “\(line)”.")
            }
            bytes.append(contentsOf: line.utf8)
        }
        bytes.append(10)
        report.keep(line: count, title: record.title, remarks: remarks)
    }

    // MARK: Lines

    /// Whether an item still has the content of the line that it came from; false without a line.
    public func isUnchanged(_ record: ItemRecord) -> Bool { unchangedLine(record) != nil }

    private func unchangedLine(_ record: ItemRecord) -> String? {
        let line = record.extra[TodoTxtRules.section]["line"]?.string
        guard let line, isSame(CaptureText.cleanLine(line), record),
            !includesUUID || line.contains("uuid:")
        else { return nil }
        return line
    }

    /// Whether a line has the content of the item, as far as a line can hold it.
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
            && recurrence(read) == recurrence(record)
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
        if let recurrence = recurrence(record) { words.append("rec:\(recurrence)") }
        if record.completed != nil, let letter { words.append("pri:\(letter)") }
        if case .object(let keys) = extra["keys"] {
            words += keys.map { "\($0.name):\($0.value.string ?? "")" }
        }
        if includesUUID || extra["uuid"] != nil {
            words.append("uuid:\(UUIDText.lowercase(record.uuid))")
        }
        return words.joined(separator: " ")
    }

    /// The record with the names of its list and tags as in its line.
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

    /// The repetition as todo.txt writes it; else as a rule, which only some programs read; a text
    /// that is not understood as one word.
    private func recurrence(_ record: ItemRecord) -> String? {
        guard let text = record.recurrence else { return nil }
        if !record.repeatsFromCompletion, RecurrencePeriod(todoTxt: text) != nil { return text }
        guard let series = record.taskSeries(in: settings.dates) else {
            return TodoTxtWriter.word(text)
        }
        let repetition = series.repetition
        let period = RecurrencePeriod(repetition, due: record.due, in: settings.dates.zone)
        if case .never = repetition.rule.parts.end, let form = period?.todoTxt { return form }
        return repetition.rule.description
    }

    private static func word(_ name: String) -> String {
        guard name.utf8.contains(32) else { return name }
        return String(decoding: name.utf8.map { $0 == 32 ? 95 : $0 }, as: UTF8.self)
    }

    /// The parts of an item that a line cannot hold.
    private func losses(_ record: ItemRecord) -> [String] {
        var lost: [String] = []
        if let recurrence = recurrence(record), RecurrencePeriod(todoTxt: recurrence) == nil {
            lost.append("Few programs read its repetition: “rec:\(recurrence)”.")
            let series = record.taskSeries(in: settings.dates)
            if series?.repetition.isFromCompletion == true {
                lost.append("That it is counted from completion is not exported.")
            }
            if series?.hasSingleDates == true {
                lost.append("The single dates of its repetition are not exported.")
            }
        }
        if record.series != nil {
            lost.append("Its series is not exported: todo.txt knows no occurrences of one task.")
        }
        if record.kind == .note { lost.append("A note becomes a task.") }
        if record.notes != nil || record.body != nil { lost.append("Its notes are not exported.") }
        if !record.dependencies.isEmpty { lost.append("Its dependencies are not exported.") }
        return lost + record.usualLosses
    }
}
