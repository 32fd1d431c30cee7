public import CivilTime

/// The rule by which a holiday's day follows from the year.
public enum HolidayRule: Hashable, Sendable {
    case fixed(month: Int8, day: Int8)
    /// The nth weekday of a month; -1 is the last one.
    case nth(Int8, Weekday, month: Int8)
    /// Days after Easter Sunday (Gregorian).
    case easter(Int8)
    /// Days after Easter Sunday of the churches that count by the Julian calendar.
    case orthodoxEaster(Int8)
    /// Days after the nth weekday of a month.
    case nthPlus(Int8, Int8, Weekday, month: Int8)
    /// The last weekday before a day of a month.
    case before(Weekday, month: Int8, day: Int8)
    /// The nth Sunday of Advent: 1…4.
    case advent(Int8)
}

/// A day that has a name in every year.
public struct Holiday: Hashable, Sendable {
    public var rule: HolidayRule

    public init(_ rule: HolidayRule) { self.rule = rule }

    /// The holiday's day in a year; `nil` if the calendar does not have it.
    ///
    /// - Complexity: O(1).
    public func day(in year: Int) -> Day? {
        switch rule {
        case .fixed(let month, let day):
            return Day(year: year, month: Int(month), day: Int(day))
        case .nth(let index, let weekday, let month):
            return Day.nth(Int(index), weekday, month: Int(month), year: year)
        case .nthPlus(let days, let index, let weekday, let month):
            return Day.nth(Int(index), weekday, month: Int(month), year: year)?
                .adding(days: Int(days))
        case .easter(let days):
            return Day.easter(in: year)?.adding(days: Int(days))
        case .orthodoxEaster(let days):
            return Day.julianEaster(in: year)?.adding(days: Int(days))
        case .before(let weekday, let month, let day):
            guard let limit = Day(year: year, month: Int(month), day: Int(day)) else { return nil }
            let back = weekday.days(until: limit.weekday)
            return limit.adding(days: back == 0 ? -7 : -back)
        case .advent(let index):
            // The fourth one is the last Sunday before Christmas Day.
            let fourth = Holiday(.before(.sunday, month: 12, day: 25)).day(in: year)
            return fourth?.adding(days: (Int(index) - 4) * 7)
        }
    }
}

extension Day {
    /// The nth weekday of a month, counted from its end if `index` is negative; `nil` if the month
    /// has fewer.
    public static func nth(_ index: Int, _ weekday: Weekday, month: Int, year: Int) -> Day? {
        guard let first = Day(year: year, month: month, day: 1) else { return nil }
        return nth(index, weekday, from: first, through: first.lastOfMonth)
    }

    /// The nth weekday between two days, counted from the end if `index` is negative.
    public static func nth(
        _ index: Int,
        _ weekday: Weekday,
        from first: Day,
        through last: Day
    ) -> Day? {
        guard index != 0, abs(index) < 1000 else { return nil }
        let found =
            index > 0
            ? first.adding(days: first.weekday.days(until: weekday) + (index - 1) * 7)
            : last.adding(days: -weekday.days(until: last.weekday) + (index + 1) * 7)
        return found >= first && found <= last ? found : nil
    }

    /// Easter Sunday by the Julian calendar, as a day of the Gregorian one; by the algorithm of Meeus.
    public static func julianEaster(in year: Int) -> Day? {
        let moon = (19 * (year % 19) + 15) % 30
        let week = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
        let number = moon + week + 114
        let gap = year / 100 - year / 400 - 2
        return Day(year: year, month: number / 31, day: number % 31 + 1)?.adding(days: gap)
    }

    /// Easter Sunday of a year of the Gregorian calendar, by the algorithm of Meeus, Jones and
    /// Butcher.
    public static func easter(in year: Int) -> Day? {
        let golden = year % 19
        let (century, rest) = (year / 100, year % 100)
        let shifted = (century - (century + 8) / 25 + 1) / 3
        let moon = (19 * golden + century - century / 4 - shifted + 15) % 30
        let week = (32 + 2 * (century % 4) + 2 * (rest / 4) - moon - rest % 4) % 7
        let late = (golden + 11 * moon + 22 * week) / 451
        let number = moon + week - 7 * late + 114
        return Day(year: year, month: number / 31, day: number % 31 + 1)
    }
}
