import CivilTime
import FoundationEssentials
import ObjectGraph
import Recurrence
import TimeLanguage

/// The rules that reader and writer of Markdown have in common.
///
/// The level of a heading is that of its signs; the level of a task is its column behind
/// ``tasks``, so that every heading ends all tasks.
struct MarkdownSyntax: OutlineSyntax {
    static let tasks = 100

    let settings: ExchangeSettings
    private var zone: ZoneRules { settings.dates.zone }
    var format: ExchangeFormat { .markdown }
    var outermost: Int { MarkdownSyntax.tasks }
    var deepest: Int { 6 }
    var lacks: Set<RecordField> { [.timeEntries] }
    var headingsEnclose: Bool { true }

    /// Whether one of the first lines is a task.
    static func recognises(_ beginning: String) -> Bool {
        var scanner = MarkdownLine.Scanner(atStartOf: beginning.utf8)
        for line in beginning.utf8.split(maxSplits: 1000, whereSeparator: { $0 == 10 }).prefix(1000)
        {
            if case .item = scanner.next(line, inner: nil).kind { return true }
        }
        return false
    }

    // MARK: Reading

    func entry(_ text: String, _ extra: [JSONMember]) throws(OutlineRefusal) -> MarkdownEntry {
        try MarkdownEntry(text, zone: zone)
    }

    func fields(_ entry: MarkdownEntry, inherited: [String]) -> RecordFields {
        let identities = NameIdentities(format: format.name)
        var fields = RecordFields(settings: settings)
        fields.setTitle(entry.title)
        fields.setTags(entry.tags)
        if let created = entry.dates[.created] {
            fields.record.created = created.date
            fields.isDated = true
        }
        fields.record.modified = fields.record.created
        let notes = CaptureText.notes(Array(fields.clean(lines: entry.notes).utf8)[...])
        if entry.box == nil {
            fields.record.kind = .note
            fields.record.body = notes
            return fields
        }
        fields.record.notes = notes
        fields.record.due = entry.dates[.due]
        fields.record.start = entry.dates[.start] ?? entry.dates[.scheduled]
        if entry.isDone {
            fields.record.completed = entry.end?.date ?? settings.dates.now
        }
        if let name = entry.fields[.priority]?.value.lowercased() {
            let known = MarkdownEntry.priorities.first { $0.name == name }
            fields.record.priority = known?.number ?? 0
        }
        if let rule = entry.fields[.recurrence]?.value {
            let words = rule.hasSuffix(MarkdownSyntax.whenDone)
            let text = words ? String(rule.dropLast(MarkdownSyntax.whenDone.count)) : rule
            fields.record.recurrence = TaskSeries.clean(text.replacing("\\n", with: "\n"))
            fields.record.repeatsFromCompletion = words
        }
        if let text = entry.fields[.estimate]?.value {
            fields.record.estimate = ClockText.seconds(text)
            if fields.record.estimate == nil {
                fields.remark("The estimate “\(ShortID.shown(text))” is kept for export only.")
            }
        }
        fields.record.location = entry.fields[.location]?.value
        fields.record.dependencies = (entry.fields[.dependencies]?.value ?? "")
            .split { $0 == "," || $0 == " " }.map { identities.uuid(named: String($0)) }
        return fields
    }

    private static let whenDone = " when done"

    // MARK: Lists

    func pass(_ text: String, in context: inout OutlineContext) -> Bool {
        var isLoose = false
        var scanner =
            context.isAtStart ? MarkdownLine.Scanner(atStartOf: text.utf8) : MarkdownLine.Scanner()
        for line in text.utf8.split(separator: 10, omittingEmptySubsequences: false) {
            let found = scanner.next(line, inner: nil)
            switch found.kind {
            case .heading(let level):
                let name = MarkdownLine.indent(line).1.dropFirst(level)
                let title = String(Substring(name)).trimmingSpace
                // Signs at the end are no part of the name.
                let bare = String(title.reversed().drop { $0 == "#" }.reversed())
                let isClosed = bare.isEmpty || bare.last?.isWhitespace ?? true
                context.enter(
                    heading: RecordFields.cleanTitle(isClosed ? bare : title),
                    level: level,
                    inner: MarkdownSyntax.tasks
                )
            case .text:
                isLoose = true
                context.leave(MarkdownSyntax.tasks + found.indent)
            default: break
            }
        }
        context.isAtStart = false
        return isLoose
    }

    func headings(in text: String) -> [Substring] {
        var scanner = MarkdownLine.Scanner(atStartOf: text.utf8)
        return text.utf8.split(separator: 10, omittingEmptySubsequences: false).filter {
            if case .heading = scanner.next($0, inner: nil).kind { true } else { false }
        }.map { Substring($0) }
    }

    func heading(_ name: String, level: Int) -> String {
        String(repeating: "#", count: min(6, level)) + " \(name)\n\n"
    }

    func preamble(for items: [OutlineItem]) -> String { "" }

    /// A line that was between items would begin front matter, and items below would be that.
    func lead(of text: String, in document: [UInt8]) -> String {
        MarkdownLine.hasMatter(document) && !MarkdownLine.hasMatter(text.utf8) ? "\n" : ""
    }

    // MARK: Writing

    func text(_ item: OutlineItem, level: Int, parent: UUID?, isNamed: Bool) -> String {
        let indent = String(repeating: " ", count: level - MarkdownSyntax.tasks)
        var line = item.text.head
        if let parent { line += " [parent:: \(UUIDText.lowercase(parent))]" }
        line += item.text.marks
        if isNamed, !item.isNamed { line += " 🆔 \(UUIDText.lowercase(item.uuid))" }
        let margin = indent + String(repeating: " ", count: item.text.inner)
        let notes = item.text.rest.isEmpty ? [] : MarkdownEntry.escaped(item.text.rest)
        return ([indent + line] + notes.map { $0.isEmpty ? "" : margin + $0 })
            .joined(separator: "\n") + "\n"
    }

    func compose(
        _ record: ItemRecord,
        _ original: MarkdownEntry?,
        _ read: ItemRecord?
    ) -> OutlineText {
        var item = OutlineText()
        let marker = original?.marker ?? "-"
        item.inner = marker.utf8.count + 1
        var words = [marker]
        let isTask = record.kind == .task
        if isTask {
            let isDone = record.completed != nil
            let box = original.flatMap { $0.isDone == isDone ? $0.box : nil }
            words.append("[\(box ?? (isDone ? "x" : " "))]")
        }
        let title = record.title.utf8.split(separator: 32, omittingEmptySubsequences: false)
        words += title.enumerated().map { number, word in
            MarkdownEntry.escapedWord(String(Substring(word)), isLast: number == title.count - 1)
        }
        words += record.tags.map {
            "#" + ($0.utf8.contains(32) ? $0.replacing(" ", with: "_") : $0)
        }
        item.head = words.joined(separator: " ")
        var marks: [String] = isTask ? [] : ["[kind:: note]"]
        func add(_ field: MarkdownEntry.Field, _ isSame: Bool, _ text: String?) {
            if let kept = original?.fields[field]?.text, isSame {
                marks.append(kept)
            } else if let text {
                marks.append(text)
            }
        }
        let number = record.priority
        let names = [3: "⏫", 2: "🔼", 1: "🔽"]
        if isTask {
            add(.priority, read?.priority == number, names[number])
            let isSameRule =
                read?.recurrence == record.recurrence
                && read?.repeatsFromCompletion == record.repeatsFromCompletion
            add(.recurrence, isSameRule, recurrence(record))
        }
        let day = DueDate(day: DueDate.day(of: record.created, in: zone))
        let isCreatedKept = original.map { $0.fields[.created] != nil } ?? true
        add(.created, read?.created == record.created, isCreatedKept ? date(.created, day) : nil)
        if isTask {
            let isSameStart = read?.start == record.start
            let isFromStart = original?.fields[.start] != nil || original == nil
            add(.start, isSameStart, isFromStart || !isSameStart ? date(.start, record.start) : nil)
            add(.scheduled, isSameStart || isFromStart, nil)
            add(.due, read?.due == record.due, date(.due, record.due))
            let isSameEnd = read?.completed == record.completed && original?.end != nil
            let isEndless = original?.isDone == true && original?.end == nil
            let end = record.completed.map { DueDate(day: DueDate.day(of: $0, in: zone)) }
            add(.completion, isSameEnd, isEndless || isSameEnd ? nil : date(.completion, end))
            add(.cancelled, isSameEnd, nil)
            let others = record.dependencies.map(UUIDText.lowercase).joined(separator: ",")
            let isSame = read?.dependencies == record.dependencies
            add(.dependencies, isSame, others.isEmpty ? nil : "⛔ \(others)")
            let estimate = record.estimate.map { "[estimate:: \(ClockText.string($0))]" }
            add(.estimate, read?.estimate == record.estimate, estimate)
            let location = record.location.map { "[location:: \($0)]" }
            add(.location, read?.location == record.location, location)
        }
        add(.id, true, nil)
        marks += original?.others ?? []
        item.marks = marks.map { " " + $0 }.joined()
        item.rest = CaptureText.cleanText((isTask ? record.notes : record.body) ?? "")
        return item
    }

    /// A sign with its day; a field where there is a time, which no sign has.
    private func date(_ field: MarkdownEntry.Field, _ due: DueDate?) -> String? {
        guard let due else { return nil }
        let text = DateFormat(context: settings.dates).plain(due)
        guard due.isDateOnly, let sign = field.sign else { return "[\(field.rawValue):: \(text)]" }
        return "\(sign) \(text)"
    }

    /// The repetition in English words, which Obsidian reads if they are simple.
    private func recurrence(_ record: ItemRecord) -> String? {
        guard let recurrence = record.recurrence else { return nil }
        let text = recurrence.replacing("\n", with: "\\n")
        guard let series = record.taskSeries(in: settings.dates), !series.hasSingleDates else {
            return "🔁 \(text)"
        }
        var repetition = series.repetition
        let whenDone = repetition.isFromCompletion ? MarkdownSyntax.whenDone : ""
        repetition.isFromCompletion = false
        return "🔁 \(repetition.words(.english))\(whenDone)"
    }

    func losses(_ record: ItemRecord) -> [(isLost: Bool, remark: String)] {
        [
            (!record.timeEntries.isEmpty, "Its time entries are not exported."),
            (record.list.count > deepest, "The names of its list below the sixth are one name."),
        ]
    }
}
