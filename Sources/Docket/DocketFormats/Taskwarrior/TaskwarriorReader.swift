public import CivilTime
public import FoundationEssentials
import Recurrence
import TimeLanguage

/// Reads the output of `task export` (Taskwarrior 2 and 3): one array, or one object a line; also
/// data files of Taskwarrior 2 (``TaskwarriorData``).
///
/// | Taskwarrior | item | back again |
/// |---|---|---|
/// | `uuid` | UUID | same |
/// | `description` | title, in one line without control characters | title |
/// | `status` pending, waiting | open | `pending`, or `waiting` if it was that |
/// | `status` completed | completed at `end` (else at `modified`) | `completed`, `end` |
/// | `status` deleted | in the trash | `deleted`, `end` |
/// | `status` recurring | a template: see ``TaskwarriorSeries`` | same |
/// | `entry`, `modified` | created, modified | same |
/// | `due`, `scheduled` | due, start; local midnight is a whole day | same moment |
/// | `project` | list, each point one level down | joined by points |
/// | `priority` H, M, L | 3, 2, 1 | same |
/// | `tags` | tags | same |
/// | `annotations` | notes, a line each: `[2026-11-22 09:00] text` | see ``TaskwarriorNotes`` |
/// | `depends`, array or text with commas | dependencies | array |
/// | `parent` | series | same |
/// | `recur`, `until`, `rtype` | recurrence, as written; a rule if it ends; counted from completion if it is chained | same; a new one as `P2W`, and only beside a `due`, since Taskwarrior 2.6 crashes over others, unless it came without one |
/// | `id`, `urgency` | not kept: Taskwarrior computes them | – |
/// | all others: `start` (work began), `wait`, `until`, `imask`, `rtype`, `last`, `end` of a deleted task, attributes of the user | extra fields, word for word | same |
///
/// If the item cannot hold a value exactly (a custom priority, a project like `a..b`, a line break
/// in a description), the value is kept in the extra fields under its own name, and the item gets
/// the nearest value. It is written back as long as it still means the same as the item's value.
public struct TaskwarriorReader: RecordReader {
    private var stream: JSONItemStream
    private let settings: ExchangeSettings
    private let notes: TaskwarriorNotes
    /// Templates and their occurrences, until all are read.
    private var series = TaskwarriorTemplates()
    /// Whether this is half of a document: a series may be in both, so none can be read here.
    private let isHalf: Bool
    /// What comes of them.
    private var settled: ArraySlice<ImportedRecord>?

    public init(_ source: ByteSource, settings: ExchangeSettings) {
        let beginning = ExchangeFormat.text(of: source.share == .whole ? source.beginning() : [])
        let isData = TaskwarriorData.isAtStart(of: beginning)
        stream = JSONItemStream(isData ? TaskwarriorData.json(source) : source)
        isHalf = source.share != .whole
        self.settings = settings
        notes = TaskwarriorNotes(zone: settings.dates.zone)
    }

    public mutating func next() -> ImportEvent? {
        while settled == nil {
            let draft = TaskwarriorDraft(settings: settings, notes: notes)
            guard let event = stream.next(reading: draft) else {
                settled = series.settled(settings)[...]
                break
            }
            guard case .record(let imported) = event, series.hold(imported) else { return event }
            if isHalf {
                let why = "An occurrence of a series is read with the whole document."
                return .failure(ImportProblem(line: imported.line, message: why))
            }
        }
        return settled?.popFirst().map { .record($0) }
    }
}

/// The common rules of reader and writer of Taskwarrior's JSON.
public enum TaskwarriorRules {
    /// The section of an item's extra fields.
    public static let section = ExchangeFormat.taskwarrior.name

    /// Taskwarrior 2.6 crashes on an earlier date.
    static let earliest = Date(timeIntervalSince1970: 315_532_800)

    /// The moment of a date; `nil` if Taskwarrior cannot read it.
    public static func moment(_ due: DueDate?, _ settings: ExchangeSettings) -> Date? {
        guard let moment = due?.beginning(in: settings.dates.zone), moment >= earliest else {
            return nil
        }
        return moment
    }

    /// A moment as a date here: midnight is a whole day.
    public static func due(_ moment: Date, _ settings: ExchangeSettings) -> DueDate {
        let (day, second) = settings.dates.zone.local(moment)
        return second == 0 ? DueDate(day: day) : DueDate(moment: moment)
    }

    /// A moment as Taskwarrior writes it.
    public static func text(_ date: Date) -> JSONValue {
        .string(ISODate.basicString(max(date, earliest)))
    }

    public static func list(ofProject project: String) -> [String] {
        project.utf8.split(separator: UInt8(ascii: "."))
            .map { CaptureText.cleanLine(String(Substring($0))) }
    }

    public static func project(ofList path: [String]) -> String { path.joined(separator: ".") }

    public static func priority(_ text: String) -> Int {
        switch text {
        case "H": 3
        case "M": 2
        case "L": 1
        default: 0
        }
    }

    public static func priority(_ number: Int) -> String? {
        switch number {
        case 3: "H"
        case 2: "M"
        case 1: "L"
        default: nil
        }
    }

    /// The valid UUIDs of a `depends` value, array or text.
    public static func dependencies(_ value: JSONValue) -> (uuids: [UUID], isWhole: Bool) {
        let texts: [String]
        switch value {
        case .array(let elements): texts = elements.map { $0.string ?? "" }
        case .string(let text): texts = text.split(separator: ",").map(String.init)
        default: texts = [""]
        }
        let uuids = texts.compactMap { UUIDText.parse($0) }
        return (uuids, uuids.count == texts.count)
    }
}

private struct TaskwarriorDraft: JSONItemDraft {
    var fields: RecordFields
    private let notes: TaskwarriorNotes
    private var extra = KeptMembers()
    private var status = "pending"
    private var end: Date?
    private var entry: Date?
    private var modified: Date?
    private var hasUUID = false
    private var recur: String?

    init(settings: ExchangeSettings, notes: TaskwarriorNotes) {
        fields = RecordFields(settings: settings)
        self.notes = notes
    }

    mutating func read(_ name: String, _ scanner: inout JSONScanner) throws(JSONScanner.Problem) {
        // Of a name that occurs twice, the last value counts.
        extra.remove(name)
        switch name {
        case "id", "urgency": try scanner.skip()
        case "uuid":
            if let uuid = try fields.uuid(name, &scanner) {
                fields.record.uuid = uuid
                hasUUID = true
            }
        case "description":
            if let text = try fields.text(name, &scanner), !fields.setTitle(text) {
                keep(name, .string(text))
            }
        case "status": status = try fields.text(name, &scanner) ?? status
        case "entry": entry = try fields.date(name, &scanner)
        case "modified": modified = try fields.date(name, &scanner)
        case "end": end = try fields.date(name, &scanner)
        case "due": fields.record.due = try fields.date(name, &scanner).map(due)
        case "scheduled": fields.record.start = try fields.date(name, &scanner).map(due)
        case "project":
            guard let text = try fields.text(name, &scanner) else { return }
            fields.record.list = TaskwarriorRules.list(ofProject: text)
            if TaskwarriorRules.project(ofList: fields.record.list) != text {
                keep(name, .string(text))
            }
        case "priority":
            guard let text = try fields.text(name, &scanner) else { return }
            fields.record.priority = TaskwarriorRules.priority(text)
            if fields.record.priority == 0, !text.isEmpty {
                keep(name, .string(text))
                fields.remark(
                    "The priority “\(ShortID.shown(text))” is unknown here; it became none."
                )
            }
        case "tags":
            scanner.skipSpace()
            if scanner.peek == UInt8(ascii: "[") {
                fields.setTags(try fields.texts(name, &scanner))
            } else if let text = try fields.text(name, &scanner) {
                // Before 2.0 tags were one text.
                fields.setTags(text.split(separator: ",").map(String.init))
            }
        case "recur":
            guard let text = try fields.text(name, &scanner) else { return }
            recur = text
            keep(name, .string(text))
        case "parent":
            guard let text = try fields.text(name, &scanner) else { return }
            fields.record.series = UUIDText.parse(text)
            if fields.record.series == nil { keep(name, .string(text)) }
        case "annotations": try readAnnotations(&scanner)
        case "depends": try readDependencies(&scanner)
        default: keep(name, try scanner.value())
        }
    }

    private mutating func keep(_ name: String, _ value: JSONValue) {
        extra.add(name, value)
    }

    private func due(_ moment: Date) -> DueDate {
        TaskwarriorRules.due(moment, fields.settings)
    }

    private mutating func readAnnotations(
        _ scanner: inout JSONScanner
    ) throws(JSONScanner.Problem) {
        let value = try scanner.value()
        guard let text = notes.text(of: value) else {
            fields.refuse("“annotations” must be a list of objects with “entry” and “description”")
            return
        }
        fields.record.notes = text.isEmpty ? nil : text
        keep("annotations", value)
    }

    private mutating func readDependencies(
        _ scanner: inout JSONScanner
    ) throws(JSONScanner.Problem) {
        let value = try scanner.value()
        let (uuids, isWhole) = TaskwarriorRules.dependencies(value)
        fields.record.dependencies = uuids
        if !isWhole {
            keep("depends", value)
            fields.remark("The parts of “depends” that are not UUIDs are kept for export only.")
        }
    }

    mutating func finish(line: Int) -> ImportEvent {
        fields.record.created = entry ?? modified ?? fields.settings.dates.now
        fields.record.modified = modified ?? fields.record.created
        fields.isNamed = hasUUID
        fields.isStamped = modified != nil
        fields.isDated = entry != nil
        if !hasUUID {
            fields.record.uuid = fields.settings.makeUUID()
            fields.remark("It had no UUID and got a new one.")
        }
        applyStatus()
        applyRecurrence()
        fields.record.extra[TaskwarriorRules.section] = extra.members
        return fields.finish(line: line)
    }

    private mutating func applyStatus() {
        switch status {
        case "pending":
            keepEnd()
        case "completed":
            fields.record.completed = end ?? fields.record.modified
            if end == nil { fields.remark("It had no “end”; the time of its last change is used.") }
        case "deleted":
            fields.record.trashed = true
            keepStatus()
        case "recurring":
            fields.record.trashed = true
            keepStatus()
        case "waiting":
            keepStatus()
        default:
            fields.refuse(
                "“status” holds “\(ShortID.shown(status))”, which is not a status of Taskwarrior"
            )
        }
    }

    private mutating func applyRecurrence() {
        guard let recur else { return }
        fields.record.repeatsFromCompletion = extra["rtype"]?.string == "chained"
        let text = CaptureText.cleanLine(recur)
        fields.record.recurrence = text
        guard let period = RecurrencePeriod(taskwarrior: text)?.repetition else {
            fields.remark(
                "“\(ShortID.shown(text))” cannot be followed here; it is kept for export."
            )
            return
        }
        let dates = fields.settings.dates
        let until = extra["until"]?.string.flatMap { ISODate.moment($0, zone: dates.zone) }
        if let until {
            let (day, second) = ZoneRules.utc.local(until)
            let end = RecurrenceRule.End.until(.utc(LocalTime(day, second: second)))
            if let rule = try? period.rule.ending(end) {
                fields.record.recurrence = rule.description
            }
        } else if TaskSeries(text, in: dates)?.repetition != period {
            fields.record.recurrence = period.rule.description
        }
    }

    private mutating func keepStatus() {
        keep("status", .string(status))
        keepEnd()
    }

    private mutating func keepEnd() {
        if let end { keep("end", .string(ISODate.basicString(end))) }
    }
}
