import CivilTime

/// The occurrences of a rule that repeats by years, months or weeks.
///
/// Each period has its allowed days, each day the same times; BYSETPOS selects among the pairs by
/// their index, so that they are never listed.
struct PeriodWalk {
    private let frequency: RecurrenceRule.Frequency
    private let interval: Int
    private var pattern: DayPattern
    fileprivate let times: [Int]
    fileprivate let positions: [Int]
    /// Which pairs of a period BYSETPOS selects, by the number of its days.
    fileprivate var selections: [[Int]?]

    /// The next period: a year, a month counted from the year 0, or the number of a week's first
    /// day.
    private var period: Int
    /// So many periods without an occurrence mean that there is none: the calendar repeats after 400
    /// years, and the interval within it.
    private let horizon: Int
    private var lastFound: Int
    /// Days of the week that the rule has, counted from the begin of the week.
    private let weekOffsets: [Int16]

    /// The period at hand: its days are `base + days[low]` and those after it.
    private var base = 0
    private var days: [Int16] = []
    private var low = 0
    private var selection: [Int] = []
    private var index = 0
    private var end = 0

    /// - Parameters:
    ///   - rule: a rule by years, months or weeks.
    ///   - start: the day from which the periods are counted, and that fills what the rule leaves
    ///     open.
    ///   - times: the seconds of a day, rising, not empty.
    ///   - first: nothing before this day is wanted; periods before it are left out.
    init(_ rule: RecurrenceRule, start: Day, times: [Int], from first: Day) {
        let parts = rule.parts
        frequency = parts.frequency
        interval = parts.interval
        pattern = DayPattern(DayFilter(rule, start: start))
        self.times = times
        positions = parts.positions
        selections = Array(repeating: nil, count: positions.isEmpty ? 0 : 367)
        let weekStart = parts.weekStart
        switch frequency {
        case .yearly: period = start.year
        case .monthly: period = PeriodWalk.month(start)
        default: period = start.startOfWeek(weekStart).number
        }
        let cycle = frequency == .yearly ? 400 : frequency == .monthly ? 4800 : 146_097
        let step = frequency == .weekly ? interval * 7 : interval
        horizon = ClockWalk.Cycle.multiple(step, cycle)
        lastFound = period
        let weekdays = parts.weekdays.isEmpty ? [start.weekday] : parts.weekdays.map(\.weekday)
        weekOffsets =
            frequency == .weekly ? weekdays.map { Int16(weekStart.days(until: $0)) }.sorted() : []
        if first > start {
            switch frequency {
            case .yearly: skip(to: first.year)
            case .monthly: skip(to: PeriodWalk.month(first))
            default: skip(to: first.startOfWeek(weekStart).number)
            }
        }
        lastFound = period
        // The days of the first period that are before the first wanted one.
        guard positions.isEmpty, advance() else { return }
        while index < end, day(low + index / times.count) < first { index += times.count }
    }

    private static func month(_ day: Day) -> Int {
        let (year, month, _) = day.parts
        return year * 12 + month - 1
    }

    private var step: Int { frequency == .weekly ? interval * 7 : interval }

    /// Goes on to the first period of the rule that is not before another one.
    private mutating func skip(to other: Int) {
        guard other > period else { return }
        period += (other - period + step - 1) / step * step
    }

    mutating func next() -> LocalTime? {
        while index == end {
            guard advance() else { return nil }
        }
        let pair = positions.isEmpty ? index : selection[index]
        index += 1
        if times.count == 1 { return LocalTime(day(low + pair), second: times[0]) }
        let (day, time) = pair.quotientAndRemainder(dividingBy: times.count)
        return LocalTime(self.day(low + day), second: times[time])
    }

    /// Passes times before a day, in whole periods.
    ///
    /// - Parameters:
    ///   - bound: the number of the day.
    ///   - most: how many times may be passed.
    /// - Returns: how many were passed.
    /// - Complexity: O(periods).
    mutating func pass(toDay bound: Int, atMost most: Int) -> Int {
        var count = 0
        while true {
            if index == end { guard advance() else { return count } }
            let last = positions.isEmpty ? end - 1 : selection[end - 1]
            guard day(low + last / times.count).number < bound, end - index <= most - count else {
                return count
            }
            count += end - index
            index = end
        }
    }

    private func day(_ index: Int) -> Day { Day(number: base + Int(days[index])) }

    /// Looks at periods until one has occurrences; false after the year 9999.
    private mutating func advance() -> Bool {
        switch frequency {
        case .yearly: advanceByYear()
        case .monthly: advanceByMonth()
        default: advanceByWeek()
        }
    }

    private mutating func advanceByYear() -> Bool {
        while period <= 9999, period - lastFound <= horizon {
            pattern.look(at: period)
            period += interval
            let year = pattern.current
            if take(0..<year.days.count, of: year.days, base: pattern.start) { return true }
        }
        return false
    }

    private mutating func advanceByMonth() -> Bool {
        while period < 120_000, period - lastFound <= horizon {
            let (year, month) = period.quotientAndRemainder(dividingBy: 12)
            pattern.look(at: year)
            if pattern.current.days.isEmpty {
                skip(to: (year + 1) * 12)
                continue
            }
            period += interval
            let firstDay = PeriodWalk.firstDays[month] + (month > 1 ? pattern.length - 365 : 0)
            let endDay =
                month == 11
                ? pattern.length
                : PeriodWalk.firstDays[month + 1] + (month > 0 ? pattern.length - 365 : 0)
            let low = Int(pattern.current.firstIndex[firstDay])
            let high = Int(pattern.current.firstIndex[endDay])
            if low < high, take(low..<high, of: pattern.current.days, base: pattern.start) {
                return true
            }
        }
        return false
    }

    /// The day of the year with which each month begins, in a year of 365 days.
    private static let firstDays = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

    private mutating func advanceByWeek() -> Bool {
        while period <= Day.last.number, period - lastFound <= horizon {
            let week = period
            let range = Day.first.number...Day.last.number
            var found = weekOffsets
            for offset in weekOffsets {
                let day = week + Int(offset)
                if !range.contains(day) || !pattern.contains(day) {
                    found.removeAll { $0 == offset }
                }
            }
            period += step
            if found.isEmpty {
                let next = max(week + 7, Day.first.number)
                guard let day = pattern.first(from: next, upTo: 9999) else { return false }
                // The week that has the day: weeks lie seven days apart.
                skip(to: week + (day - week) / 7 * 7)
            } else if take(0..<found.count, of: found, base: week) {
                return true
            }
        }
        return false
    }

    private mutating func take(_ range: Range<Int>, of list: [Int16], base: Int) -> Bool {
        guard !range.isEmpty else { return false }
        index = 0
        if positions.isEmpty {
            end = range.count * times.count
        } else {
            selection = selected(ofDays: range.count)
            end = selection.count
            if end == 0 { return false }
        }
        lastFound = period
        self.base = base
        days = list
        low = range.lowerBound
        return true
    }
}

extension PeriodWalk {
    private mutating func selected(ofDays count: Int) -> [Int] {
        if let known = selections[count] { return known }
        let found = BySetPosition.selected(positions, of: count * times.count)
        selections[count] = found
        return found
    }
}

/// BYSETPOS: 1 is the first of a period's occurrences, −1 the last.
enum BySetPosition {
    /// The indexes from 0 that the positions select of so many occurrences, rising.
    static func selected(_ positions: [Int], of count: Int) -> [Int] {
        let indexes = positions.compactMap { position -> Int? in
            let index = position > 0 ? position - 1 : count + position
            return index >= 0 && index < count ? index : nil
        }
        return Set(indexes).sorted()
    }
}

extension BySetPosition {
    /// The values that the positions select; all if there is no position.
    static func selected(_ positions: [Int], among values: [Int]) -> [Int] {
        positions.isEmpty ? values : selected(positions, of: values.count).map { values[$0] }
    }
}
