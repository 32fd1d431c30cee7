import CivilTime
import FoundationEssentials
import ObjectGraph
import Recurrence
import TimeLanguage

/// The rules that reader and writer of org have in common.
struct OrgSyntax: OutlineSyntax {
    let settings: ExchangeSettings
    private var zone: ZoneRules { settings.dates.zone }
    var format: ExchangeFormat { .org }
    var outermost: Int { 1 }
    var deepest: Int { .max }
    var lacks: Set<RecordField> { [] }
    var headingsEnclose: Bool { false }

    /// Whether a text begins like an org document.
    static func recognises(_ beginning: String) -> Bool {
        let names: Set = [
            "TITLE", "TODO", "SEQ_TODO", "TYP_TODO", "FILETAGS", "STARTUP", "AUTHOR", "OPTIONS",
        ]
        let lines = beginning.split(maxSplits: 200, whereSeparator: \.isNewline)
        guard let first = lines.first else { return false }
        if OrgEntry.setting(first, names) != nil { return true }
        var isHeading = false
        for line in lines.prefix(200) {
            if let level = OrgEntry.level(line.utf8) {
                let word = line.dropFirst(level + 1).prefix { $0 != " " }
                if word == "TODO" || word == "DONE" { return true }
                isHeading = true
            } else if isHeading, String(line).trimmingSpace == ":PROPERTIES:" {
                return true
            }
        }
        return false
    }

    // MARK: Reading

    func entry(_ text: String, _ extra: [JSONMember]) throws(OutlineRefusal) -> OrgEntry {
        var keywords = OrgEntry.Keywords()
        if let word = extra["open"]?.string { keywords.open.insert(word) }
        if let word = extra["done"]?.string { keywords.done.insert(word) }
        return try OrgEntry(text, keywords)
    }

    func fields(_ entry: OrgEntry, inherited tags: [String]) -> RecordFields {
        var fields = RecordFields(settings: settings)
        for remark in entry.remarks { fields.remark(remark) }
        fields.setTitle(entry.title)
        // Docket can have a subtask without a tag of its task.
        let exact = entry[property: "TAGS"]?.split(separator: ":").map(String.init)
        fields.setTags(exact ?? tags + entry.tags.filter { !tags.contains($0) })
        let text = CaptureText.notes(Array(fields.clean(lines: entry.body).utf8)[...])
        if entry.keyword == nil {
            fields.record.kind = .note
            fields.record.body = text
        } else {
            fields.record.notes = text
            fields.record.priority = TodoTxtLine.number(ofPriority: entry.priority)
        }
        if let stamp = entry[property: "CREATED"].flatMap({ try? OrgTimestamp($0[...]) }) {
            fields.record.created = stamp.moment(in: zone)
            fields.isDated = true
        }
        let closed = entry.dates["CLOSED"]?.moment(in: zone)
        if entry.isDone { fields.record.completed = closed ?? settings.dates.now }
        fields.record.modified = fields.record.created
        if entry.keyword != nil { readTask(entry, &fields) }
        return fields
    }

    private func readTask(_ entry: OrgEntry, _ fields: inout RecordFields) {
        let (due, start) = (entry.dates["DEADLINE"], entry.dates["SCHEDULED"])
        fields.record.due = due?.due(in: zone)
        fields.record.start = start?.due(in: zone)
        if let rule = entry[property: "REPEAT"] {
            fields.record.recurrence = TaskSeries.clean(rule.replacing("\\n", with: "\n"))
        } else if let (text, isFromCompletion) = due?.recurrence ?? start?.recurrence {
            fields.record.recurrence = text
            fields.record.repeatsFromCompletion = isFromCompletion
        }
        if let text = entry[property: "EFFORT"] {
            fields.record.estimate = ClockText.seconds(text)
            if fields.record.estimate == nil {
                fields.remark("The effort “\(ShortID.shown(text))” is kept for export only.")
            }
        }
        fields.record.location = entry[property: "LOCATION"].map(CaptureText.cleanLine)
        let blockers = entry[property: "BLOCKER"]?.split(separator: " ") ?? []
        fields.record.dependencies = blockers.compactMap { UUIDText.parse(String($0)) }
        fields.record.timeEntries = entry.log.compactMap(clock)
    }

    /// `CLOCK: [2026-11-22 Sun 10:00]--[2026-11-22 Sun 11:30] =>  1:30`; without an end while it runs.
    private func clock(_ line: String) -> TimeEntryRecord? {
        let line = line.trimmingSpace
        guard line.hasPrefix("CLOCK:") else { return nil }
        let text = line.dropFirst(6).drop { $0 == " " }
        guard let start = try? OrgTimestamp(text) else { return nil }
        let rest = text.dropFirst(start.text.count)
        let end = rest.hasPrefix("--") ? try? OrgTimestamp(rest.dropFirst(2)) : nil
        if rest.hasPrefix("--"), end == nil { return nil }
        return TimeEntryRecord(start: start.moment(in: zone), end: end?.moment(in: zone))
    }

    // MARK: Lists

    func pass(_ text: String, in context: inout OutlineContext) -> Bool {
        var isLoose = false
        for line in text.utf8.split(separator: 10) {
            if let level = OrgEntry.level(line),
                let entry = try? OrgEntry(String(Substring(line)), OrgEntry.Keywords())
            {
                context.enter(
                    heading: RecordFields.cleanTitle(entry.title),
                    level: level,
                    inner: level + 1,
                    tags: entry.tags
                )
            } else if line.first == UInt8(ascii: "#") {
                guard context.frames.count == 1,
                    let tags = OrgEntry.setting(Substring(line), ["FILETAGS"])
                else { continue }
                context.setTags(tags.split { $0 == ":" || $0 == " " }.map(String.init))
            } else if line.first != UInt8(ascii: ":"), line.first != 0xEF {
                // Neither a drawer nor the byte order mark.
                isLoose = isLoose || !Substring(line).allSatisfy(\.isWhitespace)
            }
        }
        return isLoose
    }

    func headings(in text: String) -> [Substring] {
        text.utf8.split(separator: 10).filter { OrgEntry.level($0) != nil }.map { Substring($0) }
    }

    func heading(_ name: String, level: Int) -> String {
        String(repeating: "*", count: level) + " \(name)\n"
    }

    // MARK: Writing

    func text(_ item: OutlineItem, level: Int, parent: UUID?, isNamed: Bool) -> String {
        var properties = item.text.marks
        let all = item.tags.map(OrgSyntax.tag)
        let inherited = item.inherited.folded
        let tags = all.filter { !inherited.contains($0.lowercased()) }
        if !Set(all.folded).isSuperset(of: inherited) {
            properties = ":TAGS: \(all.joined(separator: ":"))\n" + properties
        }
        if let parent { properties = ":PARENT: \(UUIDText.lowercase(parent))\n" + properties }
        if isNamed, !item.isNamed {
            properties = ":ID: \(UUIDText.lowercase(item.uuid))\n" + properties
        }
        let drawer = properties.isEmpty ? "" : ":PROPERTIES:\n\(properties):END:\n"
        let heading = String(repeating: "*", count: level) + " " + item.text.head
        let marks = tags.isEmpty ? "" : " :\(tags.joined(separator: ":")):"
        return "\(heading)\(marks)\n\(item.text.dates)\(drawer)\(item.text.rest)"
    }

    func preamble(for items: [OutlineItem]) -> String {
        var keywords = OrgEntry.Keywords()
        for item in items where item.before.contains("#+") {
            for line in item.before.utf8.split(separator: 10) { keywords.take(Substring(line)) }
        }
        var open: [String] = []
        var done: [String] = []
        for item in items {
            guard let word = item.extra[item.isDone ? "done" : "open"]?.string,
                !(open + done).contains(word), !keywords.open.contains(word),
                !keywords.done.contains(word)
            else { continue }
            if item.isDone { done.append(word) } else { open.append(word) }
        }
        if open.isEmpty, done.isEmpty { return "" }
        let words = ["TODO"] + open + ["|", "DONE"] + done
        return "#+TODO: \(words.joined(separator: " "))\n"
    }

    func compose(
        _ record: ItemRecord,
        _ original: OrgEntry?,
        _ read: ItemRecord?
    ) -> OutlineText {
        var text = OutlineText()
        var words: [String] = []
        if record.kind == .task {
            let isDone = record.completed != nil
            let word = original.flatMap { $0.isDone == isDone ? $0.keyword : nil }
            words.append(word ?? (isDone ? "DONE" : "TODO"))
            let letter = TodoTxtLine.letter(ofPriority: record.priority)
            if let priority = letter ?? original?.priority, letter != nil || read?.priority == 0 {
                words.append("[#\(priority)]")
            }
        }
        words.append(OrgEntry.escapedTitle(record.title))
        text.inheritance = record.tags.map(OrgSyntax.tag)
        text.head = words.joined(separator: " ")
        var repeatRule: String?
        if record.kind == .task { text.dates = dates(record, original, read, &repeatRule) }
        text.marks = properties(record, original, read, repeatRule)
        let log = log(record, original)
        text.rest = log.isEmpty ? "" : ":LOGBOOK:\n\(log.joined(separator: "\n"))\n:END:\n"
        text.rest += original?.drawers ?? ""
        if let words = record.kind == .note ? record.body : record.notes {
            text.rest += OrgEntry.escaped(CaptureText.cleanText(words)) + "\n"
        }
        return text
    }

    private func dates(
        _ record: ItemRecord,
        _ original: OrgEntry?,
        _ read: ItemRecord?,
        _ repeatRule: inout String?
    ) -> String {
        var repeater: String?
        if let recurrence = record.recurrence {
            repeater = self.repeater(record)
            if record.due == nil && record.start == nil { repeater = nil }
            if repeater == nil { repeatRule = recurrence.replacing("\n", with: "\\n") }
        }
        let isSameRule =
            read?.recurrence == record.recurrence
            && read?.repeatsFromCompletion == record.repeatsFromCompletion
            && original?[property: "REPEAT"] == nil
        if isSameRule { repeatRule = nil }
        var words: [String] = []
        func add(_ name: String, _ due: DueDate?, _ former: DueDate?, _ repeater: String?) {
            guard let due else { return }
            if let stamp = original?.dates[name], former == due, isSameRule {
                words.append("\(name): \(stamp.text)")
            } else {
                words.append("\(name): \(OrgTimestamp.string(due, repeater, in: zone))")
            }
        }
        if let completed = record.completed {
            let kept = original?.dates["CLOSED"]
            let isEndless = original?.isDone == true && kept == nil
            if let kept, read?.completed == completed {
                words.append("CLOSED: \(kept.text)")
            } else if !isEndless {
                words.append("CLOSED: \(OrgTimestamp.string(completed, in: zone))")
            }
        }
        add("DEADLINE", record.due, read?.due, repeater)
        add("SCHEDULED", record.start, read?.start, record.due == nil ? repeater : nil)
        return words.isEmpty ? "" : words.joined(separator: " ") + "\n"
    }

    /// The repetition as part of a date; `nil` if org cannot say it.
    private func repeater(_ record: ItemRecord) -> String? {
        guard let series = record.taskSeries(in: settings.dates), !series.hasSingleDates,
            case .never = series.repetition.rule.parts.end,
            let period = RecurrencePeriod(
                series.repetition,
                due: record.due ?? record.start,
                in: zone
            ), period.unit != .minute, period.unit != .weekday
        else { return nil }
        let unit = period.unit.rawValue.lowercased()
        return "\(period.isFromCompletion ? ".+" : "++")\(period.count)\(unit)"
    }

    /// Names that say something of an item.
    private static let own: Set<String> = [
        "PARENT", "TAGS", "KIND", "CREATED", "REPEAT", "EFFORT", "LOCATION", "BLOCKER",
    ]

    private func properties(
        _ record: ItemRecord,
        _ original: OrgEntry?,
        _ read: ItemRecord?,
        _ repeatRule: String?
    ) -> String {
        var lines: [(String, String)] = []
        for (name, value) in original?.properties ?? [] {
            let upper = name.uppercased()
            let isUnread = upper == "EFFORT" && read?.estimate == nil && record.estimate == nil
            if !OrgSyntax.own.contains(upper) || isUnread { lines.append((name, value)) }
        }
        if record.kind == .note { lines.append(("KIND", "note")) }
        if original == nil || original?[property: "CREATED"] != nil {
            lines.append(("CREATED", OrgTimestamp.string(record.created, in: zone)))
        }
        if record.kind == .task {
            if let repeatRule { lines.append(("REPEAT", repeatRule)) }
            if let estimate = record.estimate {
                lines.append(("Effort", ClockText.string(estimate)))
            }
            if let location = record.location { lines.append(("LOCATION", location)) }
            // Words that are no identities are those of another program.
            let others = original?[property: "BLOCKER"]?.split(separator: " ").map(String.init)
                .filter { UUIDText.parse($0) == nil }
            let blockers = (others ?? []) + record.dependencies.map(UUIDText.lowercase)
            if !blockers.isEmpty { lines.append(("BLOCKER", blockers.joined(separator: " "))) }
        }
        return lines.map { ":\($0.0): \($0.1)\n" }.joined()
    }

    private func log(_ record: ItemRecord, _ original: OrgEntry?) -> [String] {
        var lines: [String] = []
        var entries = record.timeEntries
        for line in original?.log ?? [] {
            if let entry = clock(line) {
                guard let place = entries.firstIndex(of: entry) else { continue }
                entries.remove(at: place)
            }
            lines.append(line)
        }
        return lines
            + entries.map { entry in
                let start = OrgTimestamp.string(entry.start, in: zone)
                guard let end = entry.end else { return "CLOCK: \(start)" }
                let length = max(0, Int(end.timeIntervalSince(entry.start).rounded())) / 60 * 60
                let text = "CLOCK: \(start)--\(OrgTimestamp.string(end, in: zone)) => "
                return text + " " + ClockText.string(length)
            }
    }

    private static func tag(_ tag: String) -> String {
        String(tag.map { OrgEntry.isTag(String($0)) ? $0 : "_" })
    }

    func losses(_ record: ItemRecord) -> [(isLost: Bool, remark: String)] {
        [
            (
                record.tags.contains { !OrgEntry.isTag($0) },
                "Other signs than letters, digits, “_”, “@”, “#” and “%” in a tag become “_”."
            ),
            (
                record.recurrence != nil && repeater(record) == nil,
                "Its repetition is exported as a property, which only Docket reads."
            ),
        ]
    }
}
