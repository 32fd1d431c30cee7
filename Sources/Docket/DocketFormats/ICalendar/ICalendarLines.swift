import CivilTime
import FoundationEssentials
import Recurrence
import TimeLanguage

/// Lines of a component that are made of an item.
struct ICalendarLines {
    private(set) var bytes: [UInt8] = []
    /// The names of the zones that its dates have.
    private(set) var zones: Set<String> = []
    let lineEnd: [UInt8]
    private let dates: DateContext
    private var line: [UInt8] = []

    init(lineEnd: [UInt8], dates: DateContext) {
        self.lineEnd = lineEnd
        self.dates = dates
    }

    mutating func add(raw: ArraySlice<UInt8>) { bytes += raw }

    /// Adds a line that is written already, without its end.
    mutating func add(_ text: String) {
        line.removeAll(keepingCapacity: true)
        line += text.utf8
        ICalendarText.append(line, lineEnd: lineEnd, to: &bytes)
    }

    mutating func add(_ name: String, text: String) {
        line.removeAll(keepingCapacity: true)
        line += name.utf8
        line.append(UInt8(ascii: ":"))
        line += ICalendarText.escaped(text)
        ICalendarText.append(line, lineEnd: lineEnd, to: &bytes)
    }

    private mutating func add(_ name: String, _ moment: Date) {
        add("\(name):\(ISODate.basicString(moment))")
    }

    /// Adds the properties of a field, in the forms in which the item's component has dates.
    mutating func add(
        _ field: ICalendarField,
        of record: ItemRecord,
        like known: ICalendarItem?,
        _ zones: inout ICalendarZones,
        uid: (UUID) -> String
    ) {
        switch field {
        case .modified:
            add("DTSTAMP", record.modified)
            add("LAST-MODIFIED", record.modified)
        case .created: add("CREATED", record.created)
        case .title: add("SUMMARY", text: record.title)
        case .body: if let body = record.body { add("DESCRIPTION", text: body) }
        case .notes:
            if let notes = record.notes {
                add(record.kind == .note ? "COMMENT" : "DESCRIPTION", text: notes)
            }
        case .start:
            if let start = record.start {
                add("DTSTART", start, record, known?.startForm ?? known?.dueForm, &zones)
            } else if let due = record.due, rule(of: record) != nil {
                add("DTSTART;X-DOCKET-FROM=DUE", due, record, known?.dueForm, &zones)
            }
        case .due:
            if let due = record.due {
                add("DUE", due, record, known?.dueForm ?? known?.startForm, &zones)
            }
        case .recurrence: addRecurrence(record, known, &zones)
        case .state:
            add("STATUS:\(record.completed == nil ? "NEEDS-ACTION" : "COMPLETED")")
            if let completed = record.completed {
                add("COMPLETED", completed)
                add("PERCENT-COMPLETE:100")
            }
        case .priority:
            if record.priority > 0 { add("PRIORITY:\([9, 5, 1][min(record.priority, 3) - 1])") }
        case .tags:
            if !record.tags.isEmpty {
                let tags = record.tags.map {
                    String(decoding: ICalendarText.escaped($0), as: UTF8.self)
                }
                add("CATEGORIES:\(tags.joined(separator: ","))")
            }
        case .location: if let location = record.location { add("LOCATION", text: location) }
        case .parent: if let parent = record.parent { add("RELATED-TO", text: uid(parent)) }
        case .dependencies:
            for other in record.dependencies {
                add("RELATED-TO;RELTYPE=DEPENDS-ON", text: uid(other))
            }
        case .estimate:
            if let seconds = record.estimate {
                let text =
                    seconds % 60 == 0
                    ? ReminderTimes.text(minutesBefore: -seconds / 60) : "PT\(seconds)S"
                add("ESTIMATED-DURATION:\(text)")
            }
        case .flagged: if record.flagged { add("X-PINNED:TRUE") }
        case .order: if let order = record.order { add("X-APPLE-SORT-ORDER:\(order)") }
        case .reminders: for text in ICalendarLines.reminders(of: record) { addAlarm(text, record) }
        }
    }

    // MARK: Dates

    private mutating func add(
        _ name: String,
        _ date: DueDate,
        _ record: ItemRecord,
        _ form: ICalendarDateForm?,
        _ zones: inout ICalendarZones
    ) {
        if date.isDateOnly {
            let text = RecurrenceTime.day(date.day(in: dates.zone))
            return add("\(name);VALUE=DATE:\(text)")
        }
        let second = date.date.timeIntervalSince1970.rounded(.down)
        let moment = Date(timeIntervalSince1970: second)
        let usual: ICalendarDateForm =
            record.recurrence == nil
            ? .utc
            : zones.inDatabase(dates.zone.name) == nil ? .floating : .zone(dates.zone.name)
        var (zone, parameter) = (dates.zone, "")
        switch form.flatMap({ $0 == .day ? nil : $0 }) ?? usual {
        case .utc, .day: return add(name, moment)
        case .floating: break
        case .zone(let id):
            guard let rules = zones.rules(id) else { return add(name, moment) }
            self.zones.insert(id)
            (zone, parameter) = (rules, ";TZID=\(ICalendarText.parameter(id))")
        }
        let (day, time) = zone.local(moment)
        // Of an hour that there is twice, a local time means the first.
        guard zone.moment(day, second: time) == moment, Day.first <= day, day <= Day.last else {
            return add(name, moment)
        }
        add("\(name)\(parameter):\(RecurrenceTime.local(LocalTime(day, second: time)))")
    }

    /// The rule that iCalendar has for the item's repetition; `nil` if none is understood.
    func rule(of record: ItemRecord) -> RecurrenceRule? {
        guard let text = record.recurrence, let series = record.taskSeries(in: dates) else {
            return nil
        }
        // Words may say the last day of a month that is shorter.
        guard !text.uppercased().contains("FREQ="), let due = record.due ?? record.start else {
            return left(of: series.repetition.rule, record)
        }
        return series.repetition.begun(on: due.day(in: dates.zone)).rule
    }

    /// A rule whose count is that from the item's date on: its single dates keep their first start.
    ///
    /// Dates that are taken out count too (RFC 5545, 3.3.10).
    private func left(of rule: RecurrenceRule, _ record: ItemRecord) -> RecurrenceRule {
        guard case .count(let count) = rule.parts.end, let set = ICalendarLines.set(of: record),
            let due = record.due ?? record.start
        else { return rule }
        let zone = set.start.isUTC ? .utc : dates.zone
        let (day, second) = zone.local(due.beginning(in: dates.zone))
        var times = Occurrences(rule, start: set.start, zone: dates.zone)
        let passed = times.skip(before: LocalTime(day, second: second))
        return passed == 0 ? rule : (try? rule.ending(.count(max(1, count - passed)))) ?? rule
    }

    private mutating func addRecurrence(
        _ record: ItemRecord,
        _ known: ICalendarItem?,
        _ zones: inout ICalendarZones
    ) {
        guard let rule = rule(of: record) else { return }
        add("RRULE:\(rule)")
        let isLate = isFromCompletion(record)
        if isLate || known?.saysBeginning ?? false {
            add("X-DOCKET-REPEATS-FROM:\(isLate ? "COMPLETION" : "DUE")")
        }
        guard let set = ICalendarLines.set(of: record) else { return }
        for (name, times) in [("RDATE", set.additions), ("EXDATE", set.exceptions)] {
            for time in times {
                let date: DueDate
                switch time {
                case .day(let day): date = DueDate(day: day)
                case .local(let time): date = DueDate(moment: time.moment(in: dates.zone))
                case .utc(let time): date = DueDate(moment: time.moment(in: .utc))
                }
                add(name, date, record, known?.dueForm ?? known?.startForm, &zones)
            }
        }
    }

    private func isFromCompletion(_ record: ItemRecord) -> Bool {
        record.taskSeries(in: dates)?.repetition.isFromCompletion ?? false
    }

    /// The single dates of an item's repetition.
    private static func set(of record: ItemRecord) -> RecurrenceSet? {
        guard let text = record.recurrence, text.utf8.contains(10) else { return nil }
        return try? RecurrenceSet(text)
    }

    /// Whether two items repeat at the same times.
    func isSameRecurrence(_ one: ItemRecord, _ other: ItemRecord) -> Bool {
        let (first, second) = (ICalendarLines.set(of: one), ICalendarLines.set(of: other))
        return rule(of: one) == rule(of: other)
            && isFromCompletion(one) == isFromCompletion(other)
            && first?.additions == second?.additions
            && first?.exceptions == second?.exceptions
    }

    // MARK: Reminders

    /// When to remind of an item; one of another program may have only its next reminder.
    static func reminders(of record: ItemRecord) -> [String] {
        record.reminders.isEmpty
            ? record.reminder.map { [ISODate.basicString($0)] } ?? [] : record.reminders
    }

    mutating func addAlarm(_ text: String, _ record: ItemRecord) {
        add("BEGIN:VALARM")
        add("ACTION:DISPLAY")
        add("DESCRIPTION", text: record.title)
        let isMoment = ICalendarItem.duration(text) == nil
        add("TRIGGER;\(isMoment ? "VALUE=DATE-TIME" : "RELATED=END"):\(text)")
        add("END:VALARM")
    }
}
