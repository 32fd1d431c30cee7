import FoundationEssentials
import ObjectGraph

/// Reads Docket's own JSON, as ``DocketJSONWriter`` describes it; as an array or one object a line.
///
/// An object of the kind `smartList` is a saved search.
///
/// Only `title` is required. Other missing members get the value of a new item. `list` may also be
/// an array of names, dates may have any form of ISO 8601. Unknown members are kept in the item's
/// extra fields. Of a name that occurs twice, the last value counts.
public struct DocketJSONReader: RecordReader {
    private var stream: JSONItemStream
    private let settings: ExchangeSettings

    public init(_ source: ByteSource, settings: ExchangeSettings) {
        stream = JSONItemStream(source, depthLimit: JSONScanner.ownDepth)
        self.settings = settings
    }

    public mutating func next() -> ImportEvent? {
        stream.next(reading: Draft(settings: settings))
    }

    private struct Draft: JSONItemDraft {
        var fields: RecordFields
        private var hasCreated = false
        private var hasModified = false
        private var hasUUID = false
        private var isSmartList = false

        init(settings: ExchangeSettings) {
            fields = RecordFields(settings: settings)
        }

        mutating func read(
            _ name: String,
            _ scanner: inout JSONScanner
        ) throws(JSONScanner.Problem) {
            if try scanner.takeNull() { return }
            switch name {
            case "id":
                fields.record.shortID = try fields.integer(
                    name,
                    in: 1...ShortID.largestImported,
                    instead: "the item gets the next number",
                    &scanner
                )
            case "uuid":
                if let uuid = try fields.uuid(name, &scanner) {
                    fields.record.uuid = uuid
                    hasUUID = true
                }
            case "kind":
                let text = try fields.text(name, &scanner)
                if let text, let kind = ItemRecord.Kind(rawValue: text) {
                    fields.record.kind = kind
                } else if text == SmartListRecord.kind {
                    isSmartList = true
                } else {
                    fields.refuse("“kind” must be task or note")
                }
            case "title": fields.setTitle(try fields.text(name, &scanner) ?? "")
            case "notes": fields.record.notes = try fields.text(name, &scanner)
            case "body": fields.record.body = try fields.text(name, &scanner)
            case "list": try readList(&scanner)
            case "tags": fields.setTags(try fields.texts(name, &scanner))
            case "due": fields.record.due = try fields.due(name, &scanner)
            case "start": fields.record.start = try fields.due(name, &scanner)
            case "priority":
                let priority = try fields.integer(name, &scanner) ?? 0
                if (0...3).contains(priority) {
                    fields.record.priority = Int(priority)
                } else {
                    fields.refuse("“priority” must be 0, 1, 2 or 3")
                }
            case "completed": fields.record.completed = try fields.date(name, &scanner)
            case "created":
                if let date = try fields.date(name, &scanner) {
                    fields.record.created = date
                    hasCreated = true
                }
            case "modified":
                if let date = try fields.date(name, &scanner) {
                    fields.record.modified = date
                    hasModified = true
                }
            case "order":
                fields.record.order = try fields.integer(
                    name,
                    in: -Ranks.limit...Ranks.limit,
                    instead: "the item goes to the end",
                    &scanner
                )
            case "trashed": fields.record.trashed = try fields.bool(name, &scanner)
            case "flagged": fields.record.flagged = try fields.bool(name, &scanner)
            default: try readMore(name, &scanner)
            }
        }

        private mutating func readMore(
            _ name: String,
            _ scanner: inout JSONScanner
        ) throws(JSONScanner.Problem) {
            switch name {
            case "location":
                fields.record.location = try fields.text(name, &scanner).map(CaptureText.cleanLine)
            case "recurrence":
                let text = try fields.text(name, &scanner)
                fields.record.recurrence = text.map(TaskSeries.clean)
            case "countedFrom":
                switch try fields.text(name, &scanner) {
                case "completion": fields.record.repeatsFromCompletion = true
                case "due": fields.record.repeatsFromCompletion = false
                default: fields.refuse("“countedFrom” must be due or completion")
                }
            case "series": fields.record.series = try fields.uuid(name, &scanner)
            // What had passed when it was written.
            case "missed": try scanner.skip()
            case "reminders":
                let texts = try fields.texts(name, &scanner)
                fields.record.reminders = texts
                if let wrong = texts.first(where: { !ReminderTimes.isOne($0) }) {
                    fields.refuse(
                        "“reminders” holds “\(ShortID.shown(wrong))”; one is like "
                            + "20261124T090000Z or -PT30M"
                    )
                }
            case "estimate":
                fields.record.estimate = try fields.integer(
                    name,
                    in: 0...Int64(Int32.max),
                    instead: "the item has none",
                    &scanner
                ).map { Int($0) }
            case "reminder": fields.record.reminder = try fields.date(name, &scanner)
            case "reviewed": fields.record.reviewed = try fields.date(name, &scanner)
            case "parent": fields.record.parent = try fields.uuid(name, &scanner)
            case "depends":
                fields.record.dependencies = []
                for text in try fields.texts(name, &scanner) {
                    if let uuid = UUIDText.parse(text) {
                        fields.record.dependencies.append(uuid)
                    } else {
                        fields.refuse(
                            "“depends” holds “\(ShortID.shown(text))”, which is not a UUID"
                        )
                    }
                }
            case "timeEntries": try readTimes(&scanner)
            case "extra":
                if case .object(let sections) = try scanner.value() {
                    let kept = fields.record.extra[ExchangeFormat.json.name]
                    fields.record.extra = ForeignFields(sections)
                    fields.record.extra[ExchangeFormat.json.name] += kept
                } else {
                    fields.refuse("“extra” must be an object")
                }
            default:
                let value = try scanner.value()
                fields.record.extra[ExchangeFormat.json.name].append(JSONMember(name, value))
            }
        }

        private mutating func readList(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) {
            scanner.skipSpace()
            if scanner.peek == UInt8(ascii: "[") {
                fields.setList(try fields.texts("list", &scanner))
            } else if let text = try fields.text("list", &scanner) {
                fields.setList(ListPath.parse(text))
            }
        }

        private mutating func readTimes(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) {
            var draft = fields
            draft.record.timeEntries = []
            try scanner.array { (scanner) throws(JSONScanner.Problem) in
                var start: Date?
                var end: Date?
                try scanner.object { (scanner, name) throws(JSONScanner.Problem) in
                    if try scanner.takeNull() { return }
                    switch name {
                    case "start": start = try draft.date(name, &scanner)
                    case "end": end = try draft.date(name, &scanner)
                    default:
                        try scanner.skip()
                        draft.remark("“\(ShortID.shown(name))” of a time entry is not kept.")
                    }
                }
                if let start {
                    draft.record.timeEntries.append(TimeEntryRecord(start: start, end: end))
                } else {
                    draft.refuse("a time entry needs a “start”")
                }
            }
            fields = draft
        }

        mutating func finish(line: Int) -> ImportEvent {
            if isSmartList { return smartList(line) }
            fields.isNamed = hasUUID
            fields.isStamped = hasModified
            fields.isDated = hasCreated
            if !hasUUID { fields.record.uuid = fields.settings.makeUUID() }
            if !hasModified { fields.record.modified = fields.record.created }
            if !hasCreated, hasModified {
                fields.record.created = min(fields.record.created, fields.record.modified)
            }
            remarkOtherKind()
            return fields.finish(line: line)
        }

        /// Says what an item of this kind does not have.
        private mutating func remarkOtherKind() {
            let record = fields.record
            let isNote = record.kind == .note
            if !isNote, record.body == nil { return }
            let blank = ItemRecord(uuid: record.uuid, title: "", created: record.created)
            let lost = record.fields(unlike: blank).filter { isNote ? $0.isOfTasks : $0 == .body }
            if lost.isEmpty { return }
            let names = lost.map(\.rawValue).joined(separator: ", ")
            fields.remark("A \(record.kind.rawValue) has no \(names); that is not kept.")
        }

        private func smartList(_ line: Int) -> ImportEvent {
            let list = SmartListRecord(
                name: fields.record.title,
                rank: fields.record.order,
                members: fields.record.extra[ExchangeFormat.json.name]
            )
            if let list { return .smartList(list, line: line) }
            return .failure(
                ImportProblem(
                    line: line,
                    message: "A smart list needs a “title” and a “search”, both texts."
                )
            )
        }
    }
}
