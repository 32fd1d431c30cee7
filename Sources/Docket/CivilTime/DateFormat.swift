public import FoundationEssentials

/// Writes dates for people: short, in the current language, the same in every locale.
///
/// | distance | day | with time |
/// |---|---|---|
/// | yesterday, today, tomorrow | `today` | `today 9:00` |
/// | 2–6 days ahead | `Fri` | `Fri 9:00` |
/// | 2–6 days back | `3 days ago` | `3 days ago` |
/// | ahead, under eleven months | `22 Nov` | `22 Nov 9:00` |
/// | any other | `22 Nov 2028` | `22 Nov 2028 9:00` |
///
/// ``DateParser`` reads the result as the same day (and the same minute where a time is shown).
/// ``ISODate`` is the form for programs.
public struct DateFormat: Sendable {
    public let context: DateContext
    private let today: Day

    public init(context: DateContext) {
        self.context = context
        today = context.today
    }

    public func relative(_ due: DueDate) -> String {
        if due.isDateOnly { return relative(due.day(in: context.zone)) }
        let (day, second) = context.zone.local(due.date)
        let distance = day.number - today.number
        let text = relative(day)
        if distance < -1, distance >= -6 { return text }
        return "\(text) \(DateFormat.clock(second))"
    }

    /// The date of a task with a start.
    ///
    /// A stretch of hours is shown from its start: `today 12:30-13:30`; any other start is left out.
    public func relative(from start: DueDate?, to due: DueDate) -> String {
        guard let start, isStretch(from: start, to: due) else { return relative(due) }
        let text = relative(start)
        // A few days ago no time is shown.
        return text.hasSuffix(clock(start)) ? "\(text)-\(clock(due))" : relative(due)
    }

    /// Whether a start and an end are less than a day of hours.
    public func isStretch(from start: DueDate, to due: DueDate) -> Bool {
        !start.isDateOnly && !due.isDateOnly && start.date < due.date
            && due.date.timeIntervalSince(start.date) < 86_400
    }

    public func relative(_ day: Day) -> String {
        let distance = day.number - today.number
        let isGerman = Language.current == .german
        switch distance {
        case 0: return isGerman ? "heute" : "today"
        case 1: return isGerman ? "morgen" : "tomorrow"
        case -1: return isGerman ? "gestern" : "yesterday"
        case 2...6: return day.weekday.shortName
        case -6...(-2): return isGerman ? "vor \(-distance) Tagen" : "\(-distance) days ago"
        default:
            let short = day.shortText
            let isNear = distance > 0 && day < today.adding(months: 11)
            return isNear ? short : "\(short) \(DateFormat.fourDigits(day.year))"
        }
    }

    /// A date for a text that is read later: `Fri 27 Nov`, `Fri 27 Nov 9:00`; more than half a year
    /// away `27 Nov 2028`.
    public func absolute(_ due: DueDate) -> String {
        let day = due.day(in: context.zone)
        let (year, name) = (day.year, day.shortText)
        let isNear = abs(day.number - today.number) <= 183
        let text =
            isNear
            ? "\(day.weekday.shortName) \(name)" : "\(name) \(DateFormat.fourDigits(year))"
        if due.isDateOnly { return text }
        return "\(text) \(DateFormat.clock(context.zone.local(due.date).second))"
    }

    /// From a start to an end: `Mon 30 Nov to Wed 2 Dec`, `Fri 27 Nov 14:00 to 16:00`.
    public func absolute(from start: DueDate, to end: DueDate) -> String {
        let isOneDay = start.day(in: context.zone) == end.day(in: context.zone)
        let last =
            isOneDay && !end.isDateOnly
            ? DateFormat.clock(context.zone.local(end.date).second) : absolute(end)
        return "\(absolute(start)) \(Language.current == .german ? "bis" : "to") \(last)"
    }

    /// The whole date: `Sun 22 Nov 2026, 9:00`.
    public func full(_ due: DueDate) -> String {
        let day = due.day(in: context.zone)
        let date = "\(day.shortText) \(DateFormat.fourDigits(day.year))"
        let text = "\(day.weekday.shortName) \(date)"
        if due.isDateOnly { return text }
        return "\(text), \(DateFormat.clock(context.zone.local(due.date).second))"
    }

    /// The whole date of a task with a start; see ``relative(from:to:)``.
    public func full(from start: DueDate?, to due: DueDate) -> String {
        guard let start, isStretch(from: start, to: due) else { return full(due) }
        return "\(full(start))-\(clock(due))"
    }

    private func clock(_ due: DueDate) -> String {
        DateFormat.clock(context.zone.local(due.date).second)
    }

    /// The time since something happened: `just now`, `2 min ago`, `3 h ago`, then days as in
    /// ``relative(_:)-(Day)``.
    public func ago(_ date: Date) -> String {
        let seconds = context.now.timeIntervalSince(date)
        let day = context.zone.day(of: date)
        guard seconds >= 0, seconds < 86_400, day >= today.adding(days: -1) else {
            return relative(day)
        }
        let isGerman = Language.current == .german
        if seconds < 60 { return isGerman ? "gerade eben" : "just now" }
        let number = "\(Int(seconds) / (seconds < 3600 ? 60 : 3600))"
        if seconds < 3600 { return isGerman ? "vor \(number) Min." : "\(number) min ago" }
        if day != today { return relative(day) }
        return isGerman ? "vor \(number) Std." : "\(number) h ago"
    }

    /// The form for programs, which ``DateParser`` always reads: `2026-11-22`, or local time
    /// `2026-11-22T09:00` (with seconds only if they are not zero).
    public func plain(_ due: DueDate) -> String {
        let day = ISODate.string(due.day(in: context.zone))
        if due.isDateOnly { return day }
        let second = context.zone.local(due.date).second
        let rest = second % 60
        let clock = "\(DateFormat.two(second / 3600)):\(DateFormat.two(second / 60 % 60))"
        return "\(day)T\(clock)" + (rest == 0 ? "" : ":\(DateFormat.two(rest))")
    }

    /// `9:00`; from one to six at night with two digits, `05:00`, since `5:00` is read as a time in
    /// the afternoon.
    public static func clock(_ second: Int) -> String {
        let hour = second / 3600
        return "\((1...6).contains(hour) ? two(hour) : "\(hour)"):\(two(second / 60 % 60))"
    }

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

    private static func fourDigits(_ year: Int) -> String {
        let text = "\(year)"
        return String(repeating: "0", count: max(0, 4 - text.utf8.count)) + text
    }
}
