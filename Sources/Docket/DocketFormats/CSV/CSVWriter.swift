import CivilTime
import FoundationEssentials

/// Writes a table of items: the columns of ``CSVColumn/exported``, then those that items have kept
/// from other tables.
///
/// - Complexity: O(bytes); the rows are held until ``finish()``, because the names of all columns are
///   in the first one.
struct CSVWriter: RecordWriter {
    private let format: DateFormat
    private var bytes: [UInt8] = []
    private var rows: [UInt8] = []
    /// Where each row ends, and how many kept columns it has.
    private var ends: [(offset: Int, kept: Int)] = []
    private var names: [String] = []
    private var places: [String: Int] = [:]
    private(set) var report = ExchangeReport()

    init(settings: ExchangeSettings) { format = DateFormat(context: settings.dates) }

    mutating func drain() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    mutating func finish() {
        let own = CSVColumn.exported.map(\.rawValue)
        bytes.append(contentsOf: (own + names).map(CSVWriter.quoted).joined(separator: ",").utf8)
        bytes.append(10)
        var start = 0
        for end in ends {
            bytes += rows[start..<end.offset]
            bytes += [UInt8](repeating: UInt8(ascii: ","), count: names.count - end.kept)
            bytes.append(10)
            start = end.offset
        }
        (rows, ends) = ([], [])
    }

    mutating func write(_ record: ItemRecord) {
        let line = ends.count + 1
        if record.trashed {
            return report.skip(line: line, title: record.title, reason: "A table has no trash.")
        }
        let extra = record.extra[ExchangeFormat.csv.name]
        for (place, column) in CSVColumn.exported.enumerated() {
            if place > 0 { rows.append(UInt8(ascii: ",")) }
            rows.append(contentsOf: CSVWriter.quoted(text(column, record, extra)).utf8)
        }
        var kept: [String?] = []
        if case .object(let members)? = extra["columns"] {
            for member in members {
                let place = places[member.name] ?? names.count
                if place == names.count {
                    names.append(member.name)
                    places[member.name] = place
                }
                while kept.count <= place { kept.append(nil) }
                kept[place] = member.value.string
            }
        }
        for text in kept {
            rows.append(UInt8(ascii: ","))
            rows.append(contentsOf: CSVWriter.quoted(text ?? "").utf8)
        }
        ends.append((rows.count, kept.count))
        let damage = record.extra.isDamaged ? [ForeignFields.damage] : []
        report.keep(line: line, title: record.title, remarks: damage)
    }

    private func text(_ column: CSVColumn, _ record: ItemRecord, _ extra: [JSONMember]) -> String {
        func mark(_ isSet: Bool) -> String { isSet ? "yes" : "" }
        return switch column {
        case .id: UUIDText.lowercase(record.uuid)
        case .kind: record.kind.rawValue
        case .title: record.title
        case .list: ListPath.string(record.list)
        case .parent: record.parent.map(UUIDText.lowercase) ?? ""
        case .tags: CSVTags.string(record.tags)
        case .due: date(record.due)
        case .start: date(record.start)
        case .priority: CSVDialect.name(ofPriority: record.priority)
        case .completed:
            record.completed.map { extra["endless"] == nil ? ISODate.string($0) : "yes" } ?? ""
        case .created: ISODate.string(record.created)
        case .modified: ISODate.string(record.modified)
        case .notes: record.notes ?? ""
        case .text: record.body ?? ""
        case .repetition: record.recurrence ?? ""
        case .fromCompletion: mark(record.repeatsFromCompletion)
        case .series: record.series.map(UUIDText.lowercase) ?? ""
        case .estimate: record.estimate.map(ClockText.string) ?? ""
        case .reminders: record.reminders.joined(separator: " ")
        case .location: record.location ?? ""
        case .flagged: mark(record.flagged)
        case .reviewed: record.reviewed.map(ISODate.string) ?? ""
        case .dependencies: record.dependencies.map(UUIDText.lowercase).joined(separator: " ")
        case .timeEntries:
            record.timeEntries
                .map { "\(ISODate.string($0.start))/\($0.end.map(ISODate.string) ?? "")" }
                .joined(separator: " ")
        default: ""
        }
    }

    /// A moment in UTC, so that the file means the same in another time zone.
    private func date(_ due: DueDate?) -> String {
        guard let due else { return "" }
        return due.isDateOnly ? format.plain(due) : ISODate.string(due.date)
    }

    /// A field, in quotes if it needs them.
    static func quoted(_ text: String) -> String {
        let needsQuotes = text.utf8.contains {
            $0 == 34 || $0 == 44 || $0 == 59 || $0 == 9 || $0 == 10 || $0 == 13
        }
        return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }
}
