import CivilTime
import FoundationEssentials
import ObjectGraph

/// Reads a todo.txt file, one item a line.
///
/// | todo.txt | item | back again |
/// |---|---|---|
/// | `x`, date of completion, or priority and date | completed (without a date: at the moment of import) | same |
/// | `(A)` `(B)` `(C)`, or `pri:` | priority 3, 2, 1 | `(A)`; `pri:A` on a completed item |
/// | `(D)`…`(Z)` | none, the letter kept | same, while the priority is none |
/// | date of creation | created (without one: the moment of import) | same |
/// | first `+project` | list, `/` one level down | same |
/// | further `+project` | tag with its `+` | same |
/// | `@context` | tag with its `@` | same |
/// | `#tag` | tag | same |
/// | `due:`, `t:` | due, start; a day, or with a time | same |
/// | `rec:` | recurrence, as written | same; capture's `every 2 weeks` as `+2w` |
/// | `uuid:` | UUID | same |
/// | `h:`, `id:`, `p:` | kept | same |
/// | any other `key:value` | part of the title; a marker before it stands at the end too | same |
/// | place in the file | order | order of writing |
///
/// Markers at either end are removed from the title; those in the middle of a sentence lose only
/// their sign (`Mail @Ana about +Taxes` becomes "Mail Ana about Taxes", and is written back with
/// both at the end once it was edited).
///
/// The whole line is kept: as long as an item still has the content of its line, an export writes
/// the line back byte for byte.
public struct TodoTxtReader: RecordReader {
    private var window: ByteWindow
    private let settings: ExchangeSettings
    private var at = 0
    private var line = 0
    /// Why nothing is read.
    private var problem: ImportProblem?
    private var isRefused = false
    /// The same line is the same item at every import; a second equal one is another item.
    private var identities = NameIdentities(format: "todo.txt")

    public init(_ source: ByteSource, settings: ExchangeSettings) {
        window = ByteWindow(source)
        self.settings = settings
        if window.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
        _ = window.has(8191)
        problem = ImportProblem(ifNotText: window.bytes.prefix(8192))
    }

    public mutating func next() -> ImportEvent? {
        if let problem {
            // Each line of it would be an item.
            if isRefused { return nil }
            isRefused = true
            return .failure(problem)
        }
        while window.has(at) {
            at -= window.discard(before: at)
            line += 1
            let start = at
            var end = window.lineEnd(from: at)
            if window.isOverfull {
                window.skipLine(&at)
                return tooLong(window.itemLimit)
            }
            at = end + 1
            // All of them, so that a line that is written and read again is the same one.
            while end > start, window.bytes[end - 1] == 13 { end -= 1 }
            let raw = window.bytes[start..<end]
            if !raw.allSatisfy({ $0 == 32 || $0 == 9 }) { return read(raw) }
        }
        return nil
    }

    private func tooLong(_ limit: Int) -> ImportEvent {
        let message = "The line is longer than \(limit >> 20) MB."
        return .failure(ImportProblem(line: line, message: message))
    }

    private mutating func read(_ raw: ArraySlice<UInt8>) -> ImportEvent {
        guard let text = String(validating: raw, as: UTF8.self) else {
            problem = .notUTF8(line: line)
            isRefused = true
            return .failure(.notUTF8(line: line))
        }
        // Its words would need twenty times as much.
        if raw.count > Limits.textBytes { return tooLong(Limits.textBytes) }
        let parsed: TodoTxtLine
        do {
            parsed = try TodoTxtLine(CaptureText.cleanLine(text), zone: settings.dates.zone)
        } catch {
            return .failure(ImportProblem(line: line, message: error.message + "."))
        }
        var record = TodoTxtRules.record(
            parsed,
            uuid: parsed.uuid,
            now: settings.dates.now,
            makeUUID: { identities.uuid(of: text) }
        )
        guard !record.title.isEmpty else {
            return .failure(
                ImportProblem(line: line, message: "The line has no words for a title.")
            )
        }
        let refusal =
            Limits.refusal(ofTags: record.tags.count)
            ?? Limits.refusal(ofListLevels: record.list.count)
        if let refusal {
            return .failure(ImportProblem(line: line, message: refusal + "."))
        }
        record.order = Int64(line) * Ranks.spacing
        record.modified = max(record.created, record.completed ?? record.created)
        var extra: [JSONMember] = [JSONMember("line", .string(text))]
        if let letter = parsed.priority, record.priority == 0 {
            extra.append(JSONMember("priority", .string(letter)))
        }
        if parsed.created == nil { extra.append(JSONMember("undated", .bool(true))) }
        if parsed.isDone, parsed.completed == nil {
            extra.append(JSONMember("endless", .bool(true)))
        }
        if parsed.uuid != nil { extra.append(JSONMember("uuid", .bool(true))) }
        if !parsed.keys.isEmpty { extra.append(JSONMember("keys", .object(parsed.keys))) }
        record.extra[TodoTxtRules.section] = extra

        return .record(
            ImportedRecord(
                record: record,
                line: line,
                remarks: parsed.remarks,
                isDated: parsed.created != nil
            )
        )
    }
}

/// The common rules of reader and writer of todo.txt.
enum TodoTxtRules {
    /// The section of an item's extra fields.
    public static let section = ExchangeFormat.todotxt.name

    /// The item that a line describes.
    ///
    /// - Parameters:
    ///   - line: A parsed line.
    ///   - uuid: Its identity, if known.
    ///   - now: The date for missing dates.
    ///   - makeUUID: Creates an identity if it has none.
    /// - Returns: A record with the fields that a line can hold.
    public static func record(
        _ line: TodoTxtLine,
        uuid: UUID?,
        now: Date,
        makeUUID: () -> UUID
    ) -> ItemRecord {
        var record = ItemRecord(
            uuid: uuid ?? makeUUID(),
            title: line.title,
            created: line.created.map(DueDate.noon) ?? now
        )
        if line.isDone { record.completed = line.completed.map(DueDate.noon) ?? now }
        record.priority = TodoTxtLine.number(ofPriority: line.priority)
        record.list = line.projects.first.map(ListPath.parse) ?? []
        record.tags = line.tags + line.projects.dropFirst().map { "+" + $0 }
        record.due = line.due
        record.start = line.start
        record.recurrence = line.recurrence
        return record
    }
}
