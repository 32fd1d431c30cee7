public import CivilTime
import FoundationEssentials
import Recurrence
public import TimeLanguage

/// The repetitions that other programs have: every so many minutes, hours, days, weeks, months or
/// years, or every working day.
///
/// Items store a repetition as text, in the words of capture, as a rule, or in the form of the
/// program it came from. ``TaskSeries`` reads it; this type reads the forms of the other programs
/// for it, and writes a repetition in them as far as they can say it.
public struct RecurrencePeriod: Hashable {
    public enum Unit: Character, Sendable {
        case minute = "M"
        case hour = "H"
        case day = "d"
        case weekday = "b"
        case week = "w"
        case month = "m"
        case year = "y"
    }

    public var count: Int
    public var unit: Unit
    /// Whether the next one is counted from completion rather than from the due date.
    public var isFromCompletion = false

    private init(_ count: Int, _ unit: Unit) {
        self.count = count
        self.unit = unit
    }

    // MARK: From a repetition

    /// The period at which a repetition happens that counts from a due date; `nil` if there is none.
    ///
    /// What the rule says and the due date says too is no difference: `every month on the 23rd`, due
    /// on a 23rd, is every month. When the repetition ends is left out.
    init?(_ repetition: Repetition, due: DueDate?, in zone: ZoneRules) {
        var parts = repetition.rule.parts
        parts.end = .never
        if let due, parts.frequency <= .daily {
            let second = zone.local(due.date).second
            if !due.isDateOnly, second % 60 == 0 {
                if parts.hours == [second / 3600] { parts.hours = [] }
                if parts.minutes == [second / 60 % 60] { parts.minutes = [] }
            }
            if !repetition.isFromCompletion { parts.leaveOut(due.day(in: zone)) }
        }
        let isWorkweek =
            parts.frequency == .weekly && parts.interval == 1
            && parts.weekdays == Weekday.allCases.prefix(5).map { .init($0) }
        if isWorkweek { parts.weekdays = [] }
        if parts.weekdays.isEmpty { parts.weekStart = .monday }
        var plain = RecurrenceRule.Parts(parts.frequency)
        plain.interval = parts.interval
        guard parts == plain else { return nil }
        count = parts.interval
        isFromCompletion = repetition.isFromCompletion
        let known = RecurrencePeriod.frequencies.first { $0.value == parts.frequency }?.key
        guard let unit = isWorkweek ? .weekday : known else { return nil }
        self.unit = unit
    }

    private static let frequencies: [Unit: RecurrenceRule.Frequency] = [
        .minute: .minutely, .hour: .hourly, .day: .daily, .week: .weekly, .month: .monthly,
        .year: .yearly,
    ]

    /// The repetition of a period; `nil` for several working days, which RFC 5545 cannot count.
    public var repetition: Repetition? {
        var parts = RecurrenceRule.Parts(RecurrencePeriod.frequencies[unit] ?? .weekly)
        if unit == .weekday {
            guard count == 1 else { return nil }
            parts.weekdays = Weekday.allCases.prefix(5).map { .init($0) }
        }
        parts.interval = count
        return (try? RecurrenceRule(parts)).map {
            Repetition($0, isFromCompletion: isFromCompletion)
        }
    }

    // MARK: The forms of other programs

    /// Reads todo.txt's `1w` (from completion), `+1w` and `+1b`.
    init?(todoTxt text: String) {
        let isStrict = text.utf8.first == UInt8(ascii: "+")
        let digits = text.dropFirst(isStrict ? 1 : 0).prefix { $0.isASCII && $0.isNumber }
        guard let letter = text.last, text[digits.endIndex...].count == 1,
            let unit = Unit(rawValue: letter), unit != .minute, unit != .hour,
            digits.count <= 4, let count = Int(digits), count > 0
        else { return nil }
        self.init(count, unit)
        isFromCompletion = !isStrict
    }

    /// Reads the periods of Taskwarrior: `fortnight`, `quarterly`, `3q`, `2 wks`, `1.5d`, `P1M`,
    /// `P1DT12H`.
    ///
    /// `nil` for other words, for months together with days, and for seconds.
    init?(taskwarrior text: String) {
        let text = text.lowercased()
        switch text {
        case "weekdays": self.init(1, .weekday)
        case "biannual", "biyearly": self.init(2, .year)
        case "semiannual": self.init(6, .month)
        case "bimonthly": self.init(2, .month)
        default:
            if text.utf8.first == UInt8(ascii: "p") {
                self.init(iso: text.dropFirst())
                return
            }
            let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let word = text[number.endIndex...].drop { $0 == " " }
            guard number.count <= 6, let (minutes, months) = RecurrencePeriod.unit(String(word)),
                let amount = number.isEmpty ? 1 : Double(number), amount > 0
            else { return nil }
            // A part of a month has no length.
            if months > 0, amount != amount.rounded() { return nil }
            self.init(
                months: Int(amount) * months,
                minutes: Int((amount * Double(minutes)).rounded())
            )
        }
    }

    /// `1Y2M`, `2W`, `1DT12H`.
    private init?(iso text: Substring) {
        var (months, minutes, digits) = (0, 0, "")
        var isTime = false
        for character in text {
            if character.isASCII, character.isNumber, digits.utf8.count < 6 {
                digits.append(character)
                continue
            }
            if character == "t", !isTime, digits.isEmpty {
                isTime = true
                continue
            }
            guard let number = Int(digits) else { return nil }
            digits = ""
            switch (character, isTime) {
            case ("y", false): months += number * 12
            case ("m", false): months += number
            case ("w", false): minutes += number * 7 * 1440
            case ("d", false): minutes += number * 1440
            case ("h", true): minutes += number * 60
            case ("m", true): minutes += number
            default: return nil
            }
        }
        guard digits.isEmpty else { return nil }
        self.init(months: months, minutes: minutes)
    }

    private init?(months: Int, minutes: Int) {
        switch (months, minutes) {
        case (1..., 0):
            if months % 12 == 0 { self.init(months / 12, .year) } else { self.init(months, .month) }
        case (0, 1...):
            if minutes % (7 * 1440) == 0 {
                self.init(minutes / (7 * 1440), .week)
            } else if minutes % 1440 == 0 {
                self.init(minutes / 1440, .day)
            } else if minutes % 60 == 0 {
                self.init(minutes / 60, .hour)
            } else {
                self.init(minutes, .minute)
            }
        default: return nil
        }
    }

    /// A unit of Taskwarrior in minutes or in months.
    private static func unit(_ name: String) -> (minutes: Int, months: Int)? {
        switch name {
        case "min", "mins", "minute", "minutes": (1, 0)
        case "h", "hr", "hrs", "hour", "hours": (60, 0)
        case "d", "day", "days", "daily": (1440, 0)
        case "w", "wk", "wks", "week", "weeks", "weekly", "sennight": (7 * 1440, 0)
        case "fortnight", "fortnightly", "biweekly": (14 * 1440, 0)
        case "m", "mo", "mos", "mth", "mths", "mnths", "month", "months", "monthly": (0, 1)
        case "q", "qtr", "qtrs", "qrtr", "qrtrs", "quarter", "quarters", "quarterly": (0, 3)
        case "y", "yr", "yrs", "year", "years", "yearly", "annual", "annually": (0, 12)
        default: nil
        }
    }

    /// `P2W`, `PT12H`, or `weekdays`; `nil` for a period that Taskwarrior does not have.
    public var taskwarrior: String? {
        switch unit {
        case .weekday: count == 1 ? "weekdays" : nil
        case .hour, .minute: "PT\(count)\(unit.rawValue)"
        default: "P\(count)\(unit.rawValue.uppercased())"
        }
    }

    /// `2w`, or `+2w` if it is counted from the due date; `nil` for parts of a day.
    var todoTxt: String? {
        if unit == .hour || unit == .minute { return nil }
        return "\(isFromCompletion ? "" : "+")\(count)\(unit.rawValue)"
    }
}

extension RecurrenceRule.Parts {
    /// Leaves out the days that a due date on such a day gives too.
    fileprivate mutating func leaveOut(_ day: Day) {
        let (_, month, dayOfMonth) = day.parts
        switch frequency {
        case .weekly where weekdays == [.init(day.weekday)]: weekdays = []
        case .monthly where monthDays == [dayOfMonth] && weekdays.isEmpty: monthDays = []
        case .yearly where months == [month] && monthDays == [dayOfMonth] && weekdays.isEmpty:
            (months, monthDays) = ([], [])
        default: break
        }
    }
}

extension ItemRecord {
    /// How the item repeats; `nil` if it does not, or by a text that is not understood.
    public func taskSeries(in context: DateContext) -> TaskSeries? {
        recurrence.flatMap {
            TaskSeries($0, isFromCompletion: repeatsFromCompletion, in: context)
        }
    }

    /// How the item repeats, as a calendar gets it and gives it back: words are a rule there, or words
    /// again if it is counted from completion.
    public func recurrenceInCalendars(in context: DateContext) -> String? {
        guard let recurrence, !recurrence.utf8.contains(10) else { return recurrence }
        let lines = ICalendarLines(lineEnd: [], dates: context)
        guard let rule = lines.rule(of: self) else { return recurrence }
        if taskSeries(in: context)?.repetition.isFromCompletion ?? false {
            let words = Repetition(rule, isFromCompletion: true).words(.english)
            let read = TaskSeries(words, in: context)?.repetition
            if let read, read.isFromCompletion, read.rule == rule { return words }
        }
        return rule.description
    }

    /// The period at which the item repeats, counted from its due date.
    public func period(in context: DateContext) -> RecurrencePeriod? {
        taskSeries(in: context).flatMap {
            RecurrencePeriod($0.repetition, due: due, in: context.zone)
        }
    }
}
