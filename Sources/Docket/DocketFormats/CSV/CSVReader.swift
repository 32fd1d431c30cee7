import CivilTime
import FoundationEssentials
import ObjectGraph
import TimeLanguage

/// Reads a table of items, one row each (`docs/manual/formats.md` has the columns).
///
/// The first row has the names; ``CSVColumn`` knows them and their synonyms, ``CSVDialect`` the rules
/// of programs. Columns with other names are kept with the item and written again.
///
/// An item is the one of its `id`. Without one it is that of its list and title, so that the same
/// table is the same items at every import; a second row with the same is another item.
struct CSVReader: RecordReader {
    private var rows: CSVRows
    /// Why the document is no table.
    private var broken: ImportProblem?
    private let settings: ExchangeSettings
    private var columns: [CSVColumn?] = []
    private var names: [String] = []
    private var dialect = CSVDialect.any
    private var isBegun = false
    private var isOver = false
    private var identities = NameIdentities(format: "csv")
    /// A task to which comments may follow.
    private var pending: ImportEvent?
    /// The section and the tasks above, by their level.
    private var section: String?
    private var above: [UUID] = []

    init(_ source: ByteSource, settings: ExchangeSettings) {
        self.settings = settings
        let beginning = String(decoding: source.beginning().prefix(400), as: UTF8.self)
        do throws(ImportProblem) {
            let isGoogles = GoogleTasks.recognises(beginning)
            rows = CSVRows(isGoogles ? ByteSource(try GoogleTasks.table(source)) : source)
        } catch {
            rows = CSVRows(source)
            broken = error
        }
    }

    mutating func next() -> ImportEvent? {
        if !isBegun {
            isBegun = true
            if let broken { return stop(broken) }
            if let problem = ImportProblem(ifNotText: rows.beginning) { return stop(problem) }
            if let problem = readNames() { return stop(problem) }
        }
        while !isOver {
            do throws(CSVRows.Problem) {
                guard let row = try rows.next() else { break }
                if row.allSatisfy({ $0.text.isEmpty }) { continue }
                if let event = read(row) { return event }
            } catch {
                return error.isNotUTF8 ? stop(error.shown) : .failure(error.shown)
            }
        }
        isOver = true
        return take(nil)
    }

    private mutating func stop(_ problem: ImportProblem) -> ImportEvent {
        isOver = true
        return .failure(problem)
    }

    /// Passes on what waited for comments.
    private mutating func take(_ next: ImportEvent?) -> ImportEvent? {
        defer { pending = next }
        return pending
    }

    // MARK: Names

    private mutating func readNames() -> ImportProblem? {
        do throws(CSVRows.Problem) {
            while let row = try rows.next() {
                // TickTick has lines about the file first.
                if row.count == 1, row[0].line < 10, row[0].text.contains(": ") { continue }
                rows.width = row.count
                return take(names: row)
            }
            return nil
        } catch {
            return error.shown
        }
    }

    private mutating func take(names row: [CSVRows.Field]) -> ImportProblem? {
        dialect = CSVDialect(row.map { $0.text.trimmingSpace })
        var seen: Set<String> = []
        let hasTitle = row.contains { ["title", "name"].contains($0.text.lowercased()) }
        for field in row {
            var name = field.text.trimmingSpace
            var column = CSVColumn.named(name)
            // It is the title of Todoist, and the notes of TickTick.
            if hasTitle, name.lowercased() == "content" { column = .notes }
            if dialect != .todoist, column == .indent || column == .duration { column = nil }
            if let known = column, columns.contains(known) { column = nil }
            while column == nil, !seen.insert(name.lowercased()).inserted { name += " 2" }
            columns.append(column)
            names.append(name)
        }
        if columns.contains(.title) { return nil }
        let found = row.prefix(5).map { "“\(CaptureText.short($0.text))”" }.joined(separator: ", ")
        return ImportProblem(
            line: row.first?.line ?? 1,
            message: "The first row has no column for titles, but \(found); name one of them title."
        )
    }

    // MARK: Rows

    private mutating func read(_ row: [CSVRows.Field]) -> ImportEvent? {
        var values: [CSVColumn: String] = [:]
        var kept: [JSONMember] = []
        for (place, field) in row.enumerated() where !field.text.isEmpty {
            if let column = columns[place] {
                values[column] = field.text
            }
            // A zone is for the dates of its row alone.
            if columns[place].map({ $0 == .zone }) ?? true {
                kept.append(JSONMember(names[place], .string(field.text)))
            }
        }
        if dialect == .todoist {
            switch values[.kind] {
            case "section":
                let name = values[.title].map(RecordFields.cleanTitle)
                (section, above) = (name?.isEmpty == false ? name : nil, [])
                return take(nil)
            case "note":
                addComment(values[.title] ?? "")
                return nil
            case "task": break
            // How the project is shown.
            default: if values[.kind] != nil { return nil }
            }
        }
        var draft = CSVDraft(values, kept, dialect, settings)
        var record = draft.record()
        if let section, dialect == .todoist { record.list = [section] }
        if dialect == .todoist {
            let level = max(1, values[.indent].flatMap { Int($0) } ?? 1)
            above = Array(above.prefix(level - 1))
            record.parent = above.last
        }
        if !draft.fields.isNamed {
            record.uuid = identities.uuid(record.list, record.parent, record.title)
            draft.fields.isNamed = true
        }
        if dialect == .todoist { above.append(record.uuid) }
        let line = row.first?.line ?? 1
        record.order = Int64(line) * Ranks.spacing
        draft.fields.record = record
        return take(draft.fields.finish(line: line))
    }

    /// A comment of Todoist follows its task.
    private mutating func addComment(_ text: String) {
        guard case .record(var imported)? = pending else { return }
        let notes = [imported.record.notes, CaptureText.cleanText(text)].compactMap(\.self)
        imported.record.notes = notes.joined(separator: "\n\n")
        pending = .record(imported)
    }
}

/// An item of one row.
private struct CSVDraft {
    var fields: RecordFields
    private let values: [CSVColumn: String]
    private let dialect: CSVDialect
    private let zone: ZoneRules
    private var extra: [JSONMember] = []

    init(
        _ values: [CSVColumn: String],
        _ kept: [JSONMember],
        _ dialect: CSVDialect,
        _ settings: ExchangeSettings
    ) {
        fields = RecordFields(settings: settings)
        (self.values, self.dialect) = (values, dialect)
        zone = settings.dates.zone
        if !kept.isEmpty { extra.append(JSONMember("columns", .object(kept))) }
    }

    mutating func record() -> ItemRecord {
        readTexts()
        readDates()
        readState()
        readOthers()
        fields.record.extra[ExchangeFormat.csv.name] = extra
        return fields.record
    }

    // MARK: Texts

    private mutating func readTexts() {
        var title = values[.title] ?? ""
        var tags = CSVTags.parse(values[.tags] ?? "")
        if dialect == .todoist {
            // Labels are words of the title.
            let words = title.split(separator: " ", omittingEmptySubsequences: false)
            let labels = words.filter { $0.hasPrefix("@") && $0.count > 1 }
            title = words.filter { !labels.contains($0) }.joined(separator: " ").trimmingSpace
            tags += labels.map { String($0.dropFirst()) }
        }
        fields.setTitle(title)
        fields.setTags(tags)
        let inbox = dialect == .tickTick && values[.list] == "Inbox"
        let path = inbox ? [] : values[.list].map(ListPath.parse) ?? []
        let names = [values[.area]].compactMap(\.self) + path
        fields.setList(names + (dialect == .any ? [values[.section]].compactMap(\.self) : []))
        let isNote = ["note", "notes"].contains((values[.kind] ?? "").lowercased())
        if isNote { fields.record.kind = .note }
        fields.record.notes = values[.notes].map { fields.clean(lines: $0) }
        fields.record.body = values[.text].map { fields.clean(lines: $0) }
        if dialect == .tickTick, isNote { swap(&fields.record.notes, &fields.record.body) }
        fields.record.location = values[.location].map(CaptureText.cleanLine)
        let identities = NameIdentities(format: "csv")
        if let id = values[.id] {
            fields.record.uuid = identities.uuid(named: id)
            fields.isNamed = true
        }
        fields.record.parent = values[.parent].map(identities.uuid(named:))
        fields.record.series = values[.series].flatMap { UUIDText.parse($0) }
        fields.record.dependencies = (values[.dependencies] ?? "")
            .split { $0 == " " || $0 == "," }.map { identities.uuid(named: String($0)) }
    }

    // MARK: Dates

    private mutating func readDates() {
        var due = date(.due)
        if let deadline = date(.deadline) {
            // What is due and has a date before that is planned for it.
            if let planned = due { fields.record.start = planned }
            due = deadline
        }
        if let day = due, day.isDateOnly, let time = values[.dueTime],
            let found = date(.dueTime, "\(ISODate.string(day.day(in: zone))) \(time)")
        {
            due = found
        }
        if let start = date(.start) { fields.record.start = start }
        // TickTick gives a task with one date both.
        if dialect == .tickTick, fields.record.start == due { fields.record.start = nil }
        fields.record.due = due
        let created = moment(.created)
        fields.isDated = created != nil
        let modified = moment(.modified)
        fields.isStamped = modified != nil
        fields.record.created = created ?? modified ?? fields.settings.dates.now
        fields.record.modified = modified ?? fields.record.created
        fields.record.reviewed = moment(.reviewed)
    }

    private mutating func moment(_ column: CSVColumn) -> Date? {
        date(column, isMoment: true).map { $0.isDateOnly ? $0.date : $0.beginning(in: zone) }
    }

    private mutating func date(
        _ column: CSVColumn,
        _ value: String? = nil,
        isMoment: Bool = false
    ) -> DueDate? {
        guard let text = (value ?? values[column])?.trimmingSpace, !text.isEmpty,
            !CSVDialect.undated.contains(text.lowercased())
        else { return nil }
        func refuse(_ why: String) {
            let name = column.rawValue
            fields.refuse(
                "“\(ShortID.shown(text))” in the column for “\(name)” is not a date\(why)"
            )
        }
        let reading = ISODate.read(text)
        switch reading {
        case .day(let day): return DueDate(day: day)
        case .impossible(let why):
            refuse(": \(why)")
            return nil
        case .time:
            guard let moment = ISODate.moment(reading, zone: rowZone) else { return nil }
            if !isMoment, let day = wholeDay(moment) { return DueDate(day: day) }
            return DueDate(moment: moment)
        case .none: break
        }
        var dates = fields.settings.dates
        dates.zone = rowZone
        do throws(FieldProblem) {
            return try Recogniser(context: dates).field(text)
        } catch {
            if case .impossible(_, let why) = error {
                refuse(": \(why)")
            } else if column == .due, TaskSeries(text, in: dates) != nil {
                // Todoist has both in one column: "every friday".
                fields.record.recurrence = CaptureText.cleanLine(text)
            } else {
                refuse("")
            }
            return nil
        }
    }

    /// The zone of Todoist's dates; TickTick writes them with their offset.
    private var rowZone: ZoneRules {
        let name = dialect == .todoist ? values[.zone] : nil
        return name.flatMap { ZoneRules.named($0) } ?? zone
    }

    /// The day of a moment of TickTick that has no time, in the zone of the task.
    private func wholeDay(_ moment: Date) -> Day? {
        guard dialect == .tickTick, values[.isAllDay]?.lowercased() == "true" else { return nil }
        return (values[.zone].flatMap { ZoneRules.named($0) } ?? zone).day(of: moment)
    }

    // MARK: State

    private mutating func readState() {
        let text = values[.completed]?.lowercased() ?? ""
        let status = (values[.status] ?? "").lowercased()
        let words: Set = ["true", "yes", "x", "done", "complete", "completed", "1"]
        var isDone = words.contains(text) || (dialect != .tickTick && words.contains(status))
        isDone = isDone || (values[.percent].map { $0.hasPrefix("100") || $0 == "1" } ?? false)
        switch status {
        case "2" where dialect == .tickTick, "1" where dialect == .tickTick: isDone = true
        case "-1", "canceled", "cancelled":
            isDone = true
            fields.remark("It was cancelled there; it is done here.")
        default: break
        }
        if !words.contains(text), !["", "false", "no", "0", "open"].contains(text) {
            if let end = moment(.completed) {
                fields.record.completed = end
                return
            }
        }
        guard isDone else { return }
        fields.record.completed = fields.record.modified
        extra.append(JSONMember("endless", .bool(true)))
    }

    private mutating func readOthers() {
        if let text = values[.priority]?.trimmingSpace, !text.isEmpty {
            if let number = dialect.priority(text) {
                fields.record.priority = number
            } else {
                fields.remark(
                    "The priority “\(ShortID.shown(text))” is unknown here; it became none."
                )
            }
        }
        if let text = values[.repetition]?.trimmingSpace, !text.isEmpty {
            let rule = text.hasPrefix("RRULE:") ? String(text.dropFirst(6)) : text
            fields.record.recurrence = TaskSeries.clean(rule)
        }
        fields.record.repeatsFromCompletion = isSet(.fromCompletion)
        fields.record.flagged = isSet(.flagged)
        readEstimate()
        for text in (values[.reminders] ?? "").split(whereSeparator: { $0 == " " || $0 == "," }) {
            let time = String(text.hasPrefix("TRIGGER:") ? text.dropFirst(8) : text)
            if ReminderTimes.isOne(time) {
                fields.record.reminders.append(time)
            } else {
                fields.remark("The reminder “\(ShortID.shown(time))” is not read.")
            }
        }
        for text in (values[.timeEntries] ?? "").split(separator: " ") {
            let ends = text.split(separator: "/", omittingEmptySubsequences: false)
            let moments = ends.map { ISODate.moment($0, zone: zone) }
            guard ends.count == 2, let start = moments[0], moments[1] != nil || ends[1].isEmpty
            else {
                fields.remark("The time entry “\(ShortID.shown(String(text)))” is not read.")
                continue
            }
            fields.record.timeEntries.append(TimeEntryRecord(start: start, end: moments[1]))
        }
    }

    private func isSet(_ column: CSVColumn) -> Bool {
        ["true", "yes", "x", "1", "y"].contains(values[column]?.lowercased() ?? "")
    }

    private mutating func readEstimate() {
        if let text = values[.estimate] {
            fields.record.estimate = ClockText.seconds(text)
            if fields.record.estimate == nil {
                fields.remark(
                    "The estimate “\(ShortID.shown(text))” is not read; write it as 1:30."
                )
            }
        } else if let text = values[.duration], let count = Int(text), (1..<1_000_000) ~= count {
            let isDays = values[.durationUnit]?.lowercased() == "day"
            fields.record.estimate = count * (isDays ? 8 * 3600 : 60)
        }
    }
}

extension CSVRows {
    /// Reads a document, and finds the separator.
    init(_ source: ByteSource) {
        self.init(separator: nil, rowLimit: source.itemLimit) {
            var part: [UInt8] = []
            return source.read(into: &part) ? part : nil
        }
    }
}

extension CSVRows.Problem {
    /// The problem as a report shows it.
    fileprivate var shown: ImportProblem {
        if isNotUTF8 { return .notUTF8(line: line) }
        let message = reason.prefix(1).uppercased() + reason.dropFirst() + "."
        return ImportProblem(line: line, message: message)
    }
}

/// Tags in one field: with commas or semicolons between, a backslash before one that is text.
enum CSVTags {
    static func parse(_ text: String) -> [String] {
        ListPath.parts(of: text, between: [",", ";"]).map(\.trimmingSpace).filter { !$0.isEmpty }
    }

    static func string(_ tags: [String]) -> String {
        ListPath.joined(tags, with: ", ", escaping: ",;\\".utf8)
    }
}
