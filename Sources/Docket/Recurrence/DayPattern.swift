import CivilTime

/// The days of a year that a rule's parts from BYMONTH to BYDAY allow.
///
/// The days depend only on the kind of the year: its first weekday, and whether it, the one before
/// or the one after is a leap year (the weeks at both ends). There are 28 kinds, so each is
/// calculated once, at most, and a year in which nothing happens costs one look into a table.
struct DayPattern {
    /// The allowed days of one kind of year.
    struct Year {
        /// Days of the year from 0, rising.
        let days: [Int16]
        /// For each day of the year, and for the one after the last, the index in `days` of the
        /// first allowed day that is not before it.
        let firstIndex: [Int16]
    }

    private let filter: DayFilter
    private var kinds = [Year?](repeating: nil, count: 28)

    /// The year that was looked at last; its first day as a number, its length.
    private(set) var year = Int.min
    private(set) var start = 0
    private(set) var length = 0
    private(set) var current = Year(days: [], firstIndex: [])

    /// Whether every day is allowed.
    var isEveryDay: Bool { filter.isEmpty }

    init(_ filter: DayFilter) { self.filter = filter }

    /// The number of 1 January.
    static func firstDay(of year: Int) -> Int {
        let past = year - 1
        return past * 365 + past / 4 - past / 100 + past / 400 - 719_162
    }

    /// Makes `current` the allowed days of a year from 1 to 9999.
    mutating func look(at year: Int) {
        if year == self.year { return }
        let isNext = year == self.year + 1
        start = isNext ? start + length : DayPattern.firstDay(of: year)
        self.year = year
        let isLeap = Day.isLeap(year)
        length = isLeap ? 366 : 365
        // 1 January 1970 was a Thursday.
        let weekday = ((start + 3) % 7 + 7) % 7
        let neighbour = isLeap ? 1 : Day.isLeap(year - 1) ? 2 : Day.isLeap(year + 1) ? 3 : 0
        let kind = weekday * 4 + neighbour
        if let known = kinds[kind] {
            current = known
        } else {
            current = filter.days(
                length: length,
                weekday: weekday,
                isAfterLeap: neighbour == 2,
                isBeforeLeap: neighbour == 3
            )
            kinds[kind] = current
        }
    }

    /// Makes `current` the year of a day.
    private mutating func look(atDay number: Int) {
        if year != .min, number >= start, number < start + length { return }
        if year != .min, number >= start + length, number < start + length + 365 {
            look(at: year + 1)
        } else {
            look(at: Day(number: number).year)
        }
    }

    mutating func contains(_ number: Int) -> Bool {
        if isEveryDay { return true }
        look(atDay: number)
        let index = number - start
        return current.firstIndex[index] != current.firstIndex[index + 1]
    }

    /// The first allowed day that is not before another one, up to the last day of a year.
    mutating func first(from number: Int, upTo lastYear: Int) -> Int? {
        if isEveryDay { return number }
        guard number <= Day.last.number else { return nil }
        look(atDay: number)
        var index = Int(current.firstIndex[number - start])
        while index == current.days.count {
            guard year < lastYear else { return nil }
            look(at: year + 1)
            index = 0
        }
        return start + Int(current.days[index])
    }
}

/// The parts of a rule that select days, with what is missing taken from the start.
struct DayFilter {
    private var months: UInt16 = 0
    private var monthDays: [Int]
    private var yearDays: [Int]
    private var weekNumbers: [Int]
    /// Weekdays without a number, as bits from Monday.
    private var weekdays: UInt8 = 0
    /// Weekdays with a number.
    private var ordinals: [(ordinal: Int, weekday: Int)] = []
    private let hasWeekdays: Bool
    private let ordinalsCountInMonth: Bool
    private let weekStart: Int

    var isEmpty: Bool {
        months == 0 && monthDays.isEmpty && yearDays.isEmpty && weekNumbers.isEmpty && !hasWeekdays
    }

    init(_ rule: RecurrenceRule, start: Day) {
        let parts = rule.parts
        monthDays = parts.monthDays
        yearDays = parts.yearDays
        weekNumbers = parts.weekNumbers
        for month in parts.months { months |= 1 << UInt16(month) }
        var days = parts.weekdays
        let hasNoDay = days.isEmpty && monthDays.isEmpty && yearDays.isEmpty
        switch parts.frequency {
        case .yearly:
            if !weekNumbers.isEmpty {
                if hasNoDay { days = [.init(start.weekday)] }
            } else if days.isEmpty, yearDays.isEmpty {
                if hasNoDay { monthDays = [start.day] }
                // Days of a month without a month are those of the start's month.
                if months == 0 { months = 1 << UInt16(start.month) }
            }
        case .monthly:
            if hasNoDay { monthDays = [start.day] }
        case .weekly:
            if hasNoDay { days = [.init(start.weekday)] }
        case .daily, .hourly, .minutely, .secondly:
            break
        }
        for day in days {
            let index = day.weekday.rawValue - 1
            if let ordinal = day.ordinal {
                ordinals.append((ordinal, index))
            } else {
                weekdays |= 1 << UInt8(index)
            }
        }
        hasWeekdays = !days.isEmpty
        ordinalsCountInMonth = parts.frequency == .monthly || !parts.months.isEmpty
        weekStart = parts.weekStart.rawValue - 1
    }

    /// Selects the days of a year.
    ///
    /// - Parameters:
    ///   - length: 365 or 366.
    ///   - weekday: that of 1 January, 0 for Monday.
    ///   - isAfterLeap: whether the year before has 366 days.
    ///   - isBeforeLeap: whether the next year has 366 days.
    /// - Returns: the allowed days.
    func days(length: Int, weekday: Int, isAfterLeap: Bool, isBeforeLeap: Bool) -> DayPattern.Year {
        let weeks = Weeks(
            length: length,
            offset: (weekday - weekStart + 7) % 7,
            isAfterLeap: isAfterLeap,
            isBeforeLeap: isBeforeLeap
        )
        var days: [Int16] = []
        var firstIndex: [Int16] = []
        firstIndex.reserveCapacity(length + 1)
        var dayOfYear = 0
        for month in 1...12 {
            let monthLength = Day.length(ofMonth: month, year: length == 366 ? 2000 : 1999)
            let isMonth = months == 0 || months & 1 << UInt16(month) != 0
            for day in 1...monthLength {
                firstIndex.append(Int16(days.count))
                let dayWeekday = (weekday + dayOfYear) % 7
                if isMonth,
                    DayFilter.allows(monthDays, day, of: monthLength),
                    DayFilter.allows(yearDays, dayOfYear + 1, of: length),
                    weekNumbers.isEmpty || weeks.allows(weekNumbers, dayOfYear),
                    !hasWeekdays || weekdays & 1 << UInt8(dayWeekday) != 0
                        || allowsOrdinal(
                            dayWeekday,
                            ordinalsCountInMonth ? day - 1 : dayOfYear,
                            of: ordinalsCountInMonth ? monthLength : length
                        )
                {
                    days.append(Int16(dayOfYear))
                }
                dayOfYear += 1
            }
        }
        firstIndex.append(Int16(days.count))
        return DayPattern.Year(days: days, firstIndex: firstIndex)
    }

    private static func allows(_ numbers: [Int], _ number: Int, of length: Int) -> Bool {
        if numbers.isEmpty { return true }
        for allowed in numbers where allowed == number || allowed == number - length - 1 {
            return true
        }
        return false
    }

    private func allowsOrdinal(_ weekday: Int, _ index: Int, of length: Int) -> Bool {
        for allowed in ordinals where allowed.weekday == weekday {
            if allowed.ordinal == index / 7 + 1
                || allowed.ordinal == -((length - 1 - index) / 7 + 1)
            {
                return true
            }
        }
        return false
    }

    /// The weeks of a year: the first is the first one with four days in it.
    private struct Weeks {
        /// The day of the year with which the first week begins; negative in the year before.
        private let first: Int
        private let count: Int
        private let countBefore: Int
        private let countAfter: Int

        init(length: Int, offset: Int, isAfterLeap: Bool, isBeforeLeap: Bool) {
            let before = isAfterLeap ? 366 : 365
            let offsetBefore = ((offset - before) % 7 + 7) % 7
            first = Weeks.first(offset)
            count = Weeks.count(length, offset)
            countBefore = Weeks.count(before, offsetBefore)
            countAfter = Weeks.count(isBeforeLeap ? 366 : 365, (offset + length) % 7)
        }

        /// The day of the year of the first week, if 1 January is so many days after the begin of
        /// its week.
        private static func first(_ offset: Int) -> Int { offset <= 3 ? -offset : 7 - offset }

        private static func count(_ length: Int, _ offset: Int) -> Int {
            (length + first((offset + length) % 7) - first(offset)) / 7
        }

        func allows(_ numbers: [Int], _ dayOfYear: Int) -> Bool {
            let number: Int
            let total: Int
            if dayOfYear < first {
                (number, total) = (countBefore, countBefore)
            } else if dayOfYear >= first + count * 7 {
                (number, total) = (1, countAfter)
            } else {
                (number, total) = ((dayOfYear - first) / 7 + 1, count)
            }
            return DayFilter.allows(numbers, number, of: total)
        }
    }
}
