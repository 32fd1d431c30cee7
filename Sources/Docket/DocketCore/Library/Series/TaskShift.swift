import CivilTime
import FoundationEssentials
import ObjectGraph

/// Moves the dates of a task along with its due date: by days on the wall, so that 9:00 stays 9:00
/// when the clocks change.
struct TaskShift {
    let days: Int
    let context: DateContext

    init(from old: DueDate?, to new: DueDate, in context: DateContext) {
        let zone = context.zone
        let start = old?.day(in: zone) ?? context.today
        days = new.day(in: zone).number - start.number
        self.context = context
    }

    func date(_ date: DueDate) -> DueDate {
        if date.isDateOnly { return DueDate(day: date.day(in: context.zone).adding(days: days)) }
        return DueDate(moment: moment(date.date))
    }

    func moment(_ moment: Date) -> Date {
        let (day, second) = context.zone.local(moment)
        return context.zone.moment(day.adding(days: days), second: second)
    }

    /// Gives an occurrence the date on which it repeats, and moves the others along.
    func moveDates(of original: Task, to task: Task, repeatingOn date: DueDate) {
        let isStart = original.due == nil && original.start != nil
        if !isStart { task.setDue(date) }
        moveReminders(of: original, to: task)
        if isStart { task.setStart(date) }
    }

    /// Gives a task the start and the reminders of an original, moved along; its due date is set.
    func moveReminders(of original: Task, to task: Task) {
        task.setStart(original.startDate.map(date))
        guard let text = original.remindTimes, !text.isEmpty else {
            task.nextReminder = original.nextReminder.map(moment)
            return
        }
        let times = text.split(separator: " ").map(ReminderTime.init)
        task.remindTimes = times.map { $0.shifted(by: self).text }.joined(separator: " ")
        task.setNextReminder(context)
    }
}

/// The reminders of a task as a list of texts.
enum ReminderTimes {
    static func texts(_ stored: String?) -> [String] {
        stored?.split(separator: " ").map(String.init) ?? []
    }

    /// The reminder so many minutes before the due date, in the largest unit.
    static func text(minutesBefore minutes: Int) -> String {
        for (unit, length) in [("W", 10_080), ("D", 1440)] where minutes % length == 0 {
            return "-P\(minutes / length)\(unit)"
        }
        return minutes % 60 == 0 ? "-PT\(minutes / 60)H" : "-PT\(minutes)M"
    }

    /// The text for the store; `nil` for none.
    static func stored(_ texts: [String]) -> String? {
        texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    /// Whether a text is a moment or a duration.
    static func isOne(_ text: String) -> Bool {
        if text.utf8.contains(32) { return false }
        if case .other = ReminderTime(text[...]) { return false }
        return true
    }
}

extension Task {
    /// Sets the due date, which its reminders follow.
    func setDue(_ value: DueDate?, at context: DateContext) {
        setDue(value)
        setNextReminder(context)
    }

    /// Sets when to remind next, from its reminders and its due date; nothing without reminders.
    func setNextReminder(_ context: DateContext) {
        if remindTimes == nil { return }
        let due = dueDate?.beginning(in: context.zone)
        nextReminder = ReminderTimes.texts(remindTimes)
            .compactMap { ReminderTime($0[...]).moment(due: due) }
            .filter { $0 > context.now }.min()
    }
}

/// One of a task's reminders: a moment (`20261124T090000Z`), or a duration from the due date
/// (`-PT30M`).
private enum ReminderTime {
    case moment(Date)
    case fromDue(seconds: Int, String)
    case other(String)

    init(_ text: Substring) {
        if let seconds = ReminderTime.seconds(text) {
            self = .fromDue(seconds: seconds, String(text))
        } else if let date = ISODate.moment(text, zone: .utc) {
            self = .moment(date)
        } else {
            self = .other(String(text))
        }
    }

    var text: String {
        switch self {
        case .moment(let date):
            var bytes: [UInt8] = []
            ISODate.appendBasic(date, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        case .fromDue(_, let text), .other(let text): return text
        }
    }

    func shifted(by shift: TaskShift) -> ReminderTime {
        if case .moment(let date) = self { .moment(shift.moment(date)) } else { self }
    }

    func moment(due: Date?) -> Date? {
        switch self {
        case .moment(let date): date
        case .fromDue(let seconds, _): due?.addingTimeInterval(Double(seconds))
        case .other: nil
        }
    }

    /// A duration of RFC 5545 (section 3.3.6): `-PT30M`, `P1DT2H`, `-P1W`.
    private static func seconds(_ text: Substring) -> Int? {
        var rest = text
        let isBefore = rest.hasPrefix("-")
        if isBefore || rest.hasPrefix("+") { rest = rest.dropFirst() }
        guard rest.hasPrefix("P") else { return nil }
        rest = rest.dropFirst()
        var total = 0
        var number = 0
        for character in rest {
            switch character {
            case "0"..."9":
                number = min(number * 10 + (character.wholeNumberValue ?? 0), 1_000_000)
                continue
            case "T": continue
            case "W": total += number * 604_800
            case "D": total += number * 86_400
            case "H": total += number * 3600
            case "M": total += number * 60
            case "S": total += number
            default: return nil
            }
            number = 0
        }
        return isBefore ? -total : total
    }
}
