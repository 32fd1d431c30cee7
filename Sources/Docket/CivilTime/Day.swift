/// A day of the Gregorian calendar, without time and without time zone.
///
/// Stored as a number of days, so that comparing and adding are integer operations. The calendar is
/// extended to the past without the reform of 1582, as in ISO 8601. Conversions use the usual
/// arithmetic of eras of 400 years (146,097 days) with years that begin in March.
public struct Day: Hashable, Comparable, Sendable {
    /// Days since 1 January 1970.
    public let number: Int

    public init(number: Int) {
        self.number = number
    }

    /// `nil` if the calendar does not have this day, or if the year is not in 1…9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Day.length(ofMonth: month, year: year)
        else { return nil }
        self.init(number: Day.number(year: year, month: month, day: day))
    }

    public static let first = Day(number: Day.number(year: 1, month: 1, day: 1))
    public static let last = Day(number: Day.number(year: 9999, month: 12, day: 31))

    public static func < (left: Day, right: Day) -> Bool { left.number < right.number }

    public static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    public static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func number(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Year, month 1…12 and day 1…31.
    public var parts: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    public var year: Int { parts.year }
    public var month: Int { parts.month }
    public var day: Int { parts.day }

    public var weekday: Weekday {
        // 1 January 1970 was a Thursday.
        let index = ((number + 3) % 7 + 7) % 7
        return Weekday.allCases[index]
    }

    public func adding(days: Int) -> Day { Day(number: number + days) }

    /// The same day of another month, or that month's last day if it is shorter.
    ///
    /// The result is limited to the years 1…9999.
    public func adding(months: Int) -> Day {
        let (year, month, day) = parts
        let index = year * 12 + month - 1 + months
        let newYear = index >= 0 ? index / 12 : (index - 11) / 12
        let newMonth = index - newYear * 12 + 1
        let length = Day.length(ofMonth: newMonth, year: newYear)
        return Day(year: newYear, month: newMonth, day: min(day, length))
            ?? (months < 0 ? .first : .last)
    }

    public var firstOfMonth: Day { Day(number: number - day + 1) }

    public var lastOfMonth: Day {
        let (year, month, day) = parts
        return Day(number: number - day + Day.length(ofMonth: month, year: year))
    }

    /// The day on which this day's week began.
    public func startOfWeek(_ first: Weekday) -> Day {
        Day(number: number - first.days(until: weekday))
    }

    /// Day and month in the current language: `27 Nov`, in German `27. Nov`.
    public var shortText: String {
        "\(day)\(Language.current == .german ? "." : "") \(Day.shortName(ofMonth: month))"
    }

    /// Three letters, in the current language: `Nov`.
    public static func shortName(ofMonth month: Int) -> String {
        let names =
            Language.current == .german
            ? "JanFebMärAprMaiJunJulAugSepOktNovDez" : "JanFebMarAprMayJunJulAugSepOctNovDec"
        return String(names.dropFirst((min(max(month, 1), 12) - 1) * 3).prefix(3))
    }

    /// The month of an English name or its usual abbreviation; `name` is in lower case.
    public static func month(named name: String) -> Int? {
        switch name {
        case "jan", "january": 1
        case "feb", "february": 2
        case "mar", "march": 3
        case "apr", "april": 4
        case "may": 5
        case "jun", "june": 6
        case "jul", "july": 7
        case "aug", "august": 8
        case "sep", "sept", "september": 9
        case "oct", "october": 10
        case "nov", "november": 11
        case "dec", "december": 12
        default: nil
        }
    }

    /// `November`.
    public static func name(ofMonth month: Int) -> String {
        let names =
            Language.current == .german
            ? "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
            : "January February March April May June July August September October November December"
        return String(names.split(separator: " ")[max(1, min(12, month)) - 1])
    }
}
