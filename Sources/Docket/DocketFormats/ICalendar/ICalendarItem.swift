import CivilTime
import FoundationEssentials
import Recurrence
import TimeLanguage

/// A field of an item that a component of iCalendar has, with the properties that say it.
enum ICalendarField: CaseIterable {
    case modified, created, title, body, notes, start, due, recurrence, state, priority, tags
    case location, parent, dependencies, estimate, flagged, order, reminders

    /// The field that a line of a component says; `nil` for a line that is only kept.
    init?(_ line: ICalendarLine, isNote: Bool) {
        if line.name == "RELATED-TO" {
            switch line.parameter("RELTYPE")?.uppercased() ?? "PARENT" {
            case "PARENT": self = .parent
            case "DEPENDS-ON": self = .dependencies
            default: return nil
            }
            return
        }
        guard let field = ICalendarField.byName[line.name] else { return nil }
        switch field {
        case .modified, .created, .title, .tags, .flagged, .order: self = field
        case .notes where isNote: self = line.name == "DESCRIPTION" ? .body : .notes
        case .notes where line.name == "COMMENT": return nil
        default:
            if isNote { return nil }
            self = field
        }
    }

    private static let byName: [String: ICalendarField] = [
        "LAST-MODIFIED": .modified, "DTSTAMP": .modified, "CREATED": .created, "SUMMARY": .title,
        "DESCRIPTION": .notes, "COMMENT": .notes, "DTSTART": .start, "DUE": .due,
        "DURATION": .due, "RRULE": .recurrence, "RDATE": .recurrence, "EXDATE": .recurrence,
        "X-DOCKET-REPEATS-FROM": .recurrence,
        "STATUS": .state, "COMPLETED": .state, "PERCENT-COMPLETE": .state, "PRIORITY": .priority,
        "CATEGORIES": .tags, "LOCATION": .location, "ESTIMATED-DURATION": .estimate,
        "X-PINNED": .flagged, "X-APPLE-SORT-ORDER": .order,
    ]
}

/// How a component writes a date.
enum ICalendarDateForm: Equatable {
    case day, utc
    /// By the clock, wherever it hangs.
    case floating
    case zone(String)
}

/// What a VTODO or a VJOURNAL says of an item.
struct ICalendarItem {
    var fields: RecordFields
    private(set) var uid: String?
    /// Of an occurrence that differs from what its series says.
    private(set) var recurrenceID: String?
    /// The names of the zones that its dates have.
    private(set) var zones: Set<String> = []
    private(set) var startForm: ICalendarDateForm?
    private(set) var dueForm: ICalendarDateForm?
    /// Whether it says from what its repetition is counted.
    private(set) var saysBeginning = false
    /// Whether it says when it was completed.
    private(set) var isClosedAtATime = false
    /// The list that Docket has written beside it.
    private(set) var list: [String]?
    /// The items that name this one as their parent from here.
    private(set) var children: [UUID] = []
    /// Its number among the items of its list.
    private(set) var sortOrder: Int64?
    /// For each component inside the reminder that it is; `nil` for one that is only kept.
    private(set) var alarms: [String?] = []

    private var lastModified: Date?
    private var stamp: Date?
    private var status: String?
    private var percent: Int?
    private var completed: Date?
    private var duration: (days: Int, seconds: Int)?
    private var rules: [String] = []
    private var singleDates: [ICalendarLine] = []

    var record: ItemRecord { fields.record }

    init(
        _ component: ICalendarComponent,
        zones table: inout ICalendarZones,
        settings: ExchangeSettings
    ) {
        fields = RecordFields(settings: settings)
        let isNote = component.name == "VJOURNAL"
        fields.record.kind = isNote ? .note : .task
        for line in component.lines {
            if let field = ICalendarField(line, isNote: isNote) {
                read(field, line, &table)
            } else {
                readOther(line, isNote)
            }
        }
        if !isNote, let start = record.start, record.due == nil, let duration {
            addDuration(duration, to: start)
        }
        if !isNote { finishState() }
        finishTimes()
        finishTitle()
        readRecurrence(&table)
        for part in component.parts {
            if let lines = part.inside { alarms.append(isNote ? nil : reminder(lines, &table)) }
        }
        finishReminders()
    }

    // MARK: Lines

    private mutating func read(
        _ field: ICalendarField,
        _ line: ICalendarLine,
        _ table: inout ICalendarZones
    ) {
        switch field {
        case .title: if record.title.isEmpty { fields.setTitle(line.text) }
        case .body:
            let text = fields.clean(lines: line.text)
            fields.record.body = fields.record.body.map { "\($0)\n\n\(text)" } ?? text
        case .notes:
            if record.notes == nil, !line.value.isEmpty {
                fields.record.notes = fields.clean(lines: line.text)
            }
        case .created:
            if let date = moment(line, &table) {
                fields.record.created = date
                fields.isDated = true
            }
        case .modified:
            let date = moment(line, &table)
            if line.name == "DTSTAMP" { stamp = date } else { lastModified = date }
        case .start:
            // Docket writes one beside a rule that counts from the due date.
            if line.isParameter("X-DOCKET-FROM", "DUE") { return }
            if let (date, form) = date(line, &table) {
                (fields.record.start, startForm) = (date, form)
            }
        case .due:
            if line.name == "DURATION" {
                duration = ICalendarItem.duration(line.word)
            } else if let (date, form) = date(line, &table) {
                (fields.record.due, dueForm) = (date, form)
            }
        case .recurrence:
            switch line.name {
            case "RRULE": rules.append(line.word)
            case "X-DOCKET-REPEATS-FROM":
                saysBeginning = true
                fields.record.repeatsFromCompletion = line.word.uppercased() == "COMPLETION"
            default: singleDates.append(line)
            }
        case .state:
            switch line.name {
            case "STATUS": status = line.word.uppercased()
            case "COMPLETED": completed = moment(line, &table)
            default: percent = number(line, 0...100)
            }
        case .priority:
            guard let number = number(line, 0...9) else { return }
            fields.record.priority = number == 0 ? 0 : number < 5 ? 3 : number == 5 ? 2 : 1
        case .tags:
            let tags = record.tags + line.texts.map { CaptureText.cleanLine($0).trimmingSpace }
            fields.setTags(tags.filter { !$0.isEmpty })
        case .location:
            let text = CaptureText.cleanLine(line.text).trimmingSpace
            if !text.isEmpty { fields.record.location = text }
        case .parent:
            if record.parent == nil { fields.record.parent = ICalendarItem.related(line) }
        case .dependencies:
            if let uuid = ICalendarItem.related(line), !record.dependencies.contains(uuid) {
                fields.record.dependencies.append(uuid)
            }
        case .estimate:
            if let (days, seconds) = ICalendarItem.duration(line.word) {
                fields.record.estimate = max(0, days * 86_400 + seconds)
            }
        case .flagged: fields.record.flagged = line.word.uppercased() == "TRUE"
        case .order: sortOrder = Int64(line.word)
        case .reminders: break
        }
    }

    private mutating func readOther(_ line: ICalendarLine, _ isNote: Bool) {
        switch line.name {
        case "UID":
            let text = CaptureText.cleanLine(line.text).trimmingSpace
            if uid == nil, !text.isEmpty { uid = text }
        case "RECURRENCE-ID": recurrenceID = line.word
        case "RELATED-TO" where line.parameter("RELTYPE")?.uppercased() == "CHILD" && !isNote:
            if let uuid = ICalendarItem.related(line) { children.append(uuid) }
        case "X-DOCKET-LIST": list = ListPath.parse(CaptureText.cleanLine(line.text))
        default: break
        }
    }

    /// The item that a line of RELATED-TO names.
    static func related(_ line: ICalendarLine) -> UUID? {
        let uid = CaptureText.cleanLine(line.text).trimmingSpace
        return uid.isEmpty ? nil : uuid(ofUID: uid)
    }

    /// The UUID of an item: its UID, or if that is none, one that is always the same for it.
    static func uuid(ofUID uid: String, recurrenceID: String? = nil) -> UUID {
        if let recurrenceID { return UUIDText.made(from: "icalendar\n\(uid)\n\(recurrenceID)") }
        return UUIDText.parse(uid) ?? UUIDText.made(from: "icalendar\n\(uid)")
    }

    private mutating func number(_ line: ICalendarLine, _ range: ClosedRange<Int>) -> Int? {
        if let number = Int(line.word), range.contains(number) { return number }
        remarkKept(line, "which is not a number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    private mutating func remarkKept(_ line: ICalendarLine, _ why: String) {
        let shown = ShortID.shown(line.word)
        fields.remark("“\(line.name)” holds “\(shown)”, \(why); it is kept for export only.")
    }

    // MARK: Dates

    private mutating func date(
        _ line: ICalendarLine,
        _ table: inout ICalendarZones
    ) -> (DueDate, ICalendarDateForm)? {
        let text = line.word
        if text.isEmpty { return nil }
        guard let reading = fields.reading(line.name, of: text, as: "a date of iCalendar") else {
            return nil
        }
        if case .day(let day) = reading { return (DueDate(day: day), .day) }
        var (zone, form) = (ZoneRules.utc, ICalendarDateForm.utc)
        if case .time(_, _, _, nil) = reading { (zone, form) = self.zone(of: line, &table) }
        return ISODate.moment(reading, zone: zone).map { (DueDate(moment: $0), form) }
    }

    private mutating func moment(_ line: ICalendarLine, _ table: inout ICalendarZones) -> Date? {
        date(line, &table)?.0.beginning(in: fields.settings.dates.zone)
    }

    private mutating func zone(
        of line: ICalendarLine,
        _ table: inout ICalendarZones
    ) -> (ZoneRules, ICalendarDateForm) {
        let local = fields.settings.dates.zone
        guard let name = line.parameter("TZID") else { return (local, .floating) }
        zones.insert(name)
        if let rules = table.rules(name) { return (rules, .zone(name)) }
        fields.remark(
            "The time zone “\(ShortID.shown(name))” is unknown; its times are read as here."
        )
        return (local, .floating)
    }

    static func duration(_ text: String) -> (days: Int, seconds: Int)? {
        guard case .fromDue(let days, let seconds, _) = ReminderTime(text[...]) else { return nil }
        return (days, seconds)
    }

    /// A duration is the due date by another name.
    private mutating func addDuration(_ duration: (days: Int, seconds: Int), to start: DueDate) {
        let zone = fields.settings.dates.zone
        dueForm = startForm
        if start.isDateOnly, duration.seconds == 0 {
            // The end of a duration of days is the beginning of the next day.
            let days = max(0, duration.days - 1)
            fields.record.due = DueDate(day: start.day(in: zone).adding(days: days))
        } else {
            let (day, second) = zone.local(start.beginning(in: zone))
            let moved = zone.moment(day.adding(days: duration.days), second: second)
            fields.record.due = DueDate(
                moment: moved.addingTimeInterval(Double(duration.seconds))
            )
            if dueForm == .day { dueForm = .floating }
        }
    }

    // MARK: What follows from several lines

    private mutating func finishState() {
        let isClosed: Bool
        switch status {
        case "COMPLETED", "CANCELLED": isClosed = true
        case nil: isClosed = completed != nil || percent == 100
        default: isClosed = false
        }
        guard isClosed else { return }
        isClosedAtATime = completed != nil
        fields.record.completed = completed ?? lastModified ?? stamp ?? record.created
    }

    private mutating func finishTimes() {
        fields.isStamped = lastModified != nil
        fields.isNamed = uid != nil
        let last = lastModified ?? stamp
        if !fields.isDated, let last { fields.record.created = last }
        fields.record.modified = last ?? max(record.created, record.completed ?? record.created)
    }

    /// What has no summary has the first line of its description.
    private mutating func finishTitle() {
        guard record.title.isEmpty, let text = record.body ?? record.notes else { return }
        let line = text.split(separator: "\n").first { !$0.allSatisfy(\.isWhitespace) }
        if let line { fields.setTitle(String(line)) }
    }

    /// The rule as it is written, or with single dates as lines of local times.
    private mutating func readRecurrence(_ table: inout ICalendarZones) {
        guard let text = rules.first else {
            if !singleDates.isEmpty {
                fields.remark("Its single dates without a rule are kept for export only.")
            }
            return
        }
        fields.record.recurrence = text
        let dates = fields.settings.dates
        guard let series = TaskSeries(text, in: dates) else {
            fields.remark(
                "“\(ShortID.shown(text))” cannot be followed here; it is kept for export."
            )
            return
        }
        if rules.count > 1 { fields.remark("Its second rule is kept for export only.") }
        if singleDates.isEmpty { return }
        let (start, due) = (record.start, record.due)
        guard let base = due ?? start, start == nil || due == nil || start == due else {
            fields.remark("The single dates of its repetition are kept for export only.")
            return
        }
        func time(_ date: DueDate) -> RecurrenceTime {
            if base.isDateOnly { return .day(date.day(in: dates.zone)) }
            let (day, second) = dates.zone.local(date.isDateOnly ? base.date : date.date)
            return .local(
                LocalTime(date.isDateOnly ? date.day(in: dates.zone) : day, second: second)
            )
        }
        var times: [String: [RecurrenceTime]] = [:]
        for line in singleDates {
            for text in line.word.split(separator: ",") {
                // A period has its end behind a slash.
                let single = line.head + Array(":\(text.prefix { $0 != "/" })".utf8)
                if let (date, _) = date(ICalendarLine(single), &table) {
                    times[line.name, default: []].append(time(date))
                }
            }
        }
        let set = try? RecurrenceSet(
            start: time(base),
            rule: series.repetition.rule,
            additions: times["RDATE"] ?? [],
            exceptions: times["EXDATE"] ?? []
        )
        if let set { fields.record.recurrence = set.description }
    }

    // MARK: Reminders

    /// The moment at which programs set an alarm that shall not ring by time.
    private static let never = "19760401T005545Z"

    /// What an alarm is here: a moment, or a duration from the due date.
    private mutating func reminder(
        _ lines: [ICalendarLine],
        _ table: inout ICalendarZones
    ) -> String? {
        func first(_ name: String) -> ICalendarLine? { lines.first { $0.name == name } }
        guard first("BEGIN")?.word.uppercased() == "VALARM",
            ["DISPLAY", "AUDIO"].contains(first("ACTION")?.word.uppercased() ?? "DISPLAY"),
            first("X-APPLE-PROXIMITY") == nil, first("PROXIMITY") == nil,
            let trigger = first("TRIGGER")
        else { return nil }
        let text = trigger.word.uppercased()
        guard let (days, seconds) = ICalendarItem.duration(text) else {
            if text == ICalendarItem.never { return nil }
            guard case .time = ISODate.read(text), let moment = moment(trigger, &table) else {
                remarkKept(trigger, "which is neither a moment nor a duration")
                return nil
            }
            return ISODate.basicString(moment)
        }
        if trigger.isParameter("RELATED", "END") || record.start == nil
            || record.start == record.due
        {
            return text
        }
        guard let start = record.start else { return nil }
        let zone = fields.settings.dates.zone
        let moment = ReminderTime.fromDue(days: days, seconds: seconds, text)
            .moment(due: start.beginning(in: zone), in: zone)
        return moment.map(ISODate.basicString)
    }

    private mutating func finishReminders() {
        for case let text? in alarms where !record.reminders.contains(text) {
            fields.record.reminders.append(text)
        }
        if record.reminders.isEmpty || record.completed != nil { return }
        let dates = fields.settings.dates
        let stored = ReminderTimes.stored(record.reminders)
        fields.record.reminder = ReminderTimes.moments(stored, due: record.due, in: dates.zone)
            .filter { $0 > dates.now }.min()
    }
}
