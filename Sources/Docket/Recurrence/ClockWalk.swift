import CivilTime

/// The occurrences of a rule that repeats by days, hours, minutes or seconds.
///
/// Time is counted in units of the frequency since 1970. A rule without BYHOUR, BYMINUTE or BYSECOND
/// above its unit is one arithmetic progression. With them, the units of a day that the rule reaches
/// repeat after `interval / gcd(interval, units of a day)` days; this cycle is listed once. In both
/// cases days that the pattern does not allow are jumped over.
struct ClockWalk {
    private let interval: Int
    /// Seconds of a unit, and units of a day.
    private let seconds: Int
    private let unitsOfDay: Int
    private var pattern: DayPattern
    /// The seconds within a unit, rising.
    private let offsets: [Int]
    private let cycle: Cycle?

    /// The unit at hand as a day and its second, and what is left of it.
    private var day = 0
    private var second = 0
    private var index: Int

    /// The next unit, of a rule without a cycle.
    private var unit: Int
    /// The next place in the cycle: the first day of the round, and an index.
    private var round = 0
    private var entry = 0

    /// So many days without an occurrence mean that there is none: calendar and interval repeat.
    private let horizon: Int
    private var lastFound: Int

    struct Cycle {
        /// In days.
        let length: Int

        /// The greatest common divisor.
        static func divisor(_ left: Int, _ right: Int) -> Int {
            var (left, right) = (left, right)
            while right != 0 { (left, right) = (right, left % right) }
            return left
        }

        /// The least common multiple.
        static func multiple(_ left: Int, _ right: Int) -> Int {
            left / divisor(left, right) * right
        }

        /// Days from the begin of a round and seconds, rising.
        let entries: [(day: Int, second: Int)]
        /// For each entry, the index of the first one of a later day.
        let ends: [Int]

        init(length: Int, entries: [(day: Int, second: Int)]) {
            (self.length, self.entries) = (length, entries)
            var ends = Array(repeating: entries.count, count: entries.count)
            for index in entries.indices.dropLast().reversed() {
                let isLast = entries[index].day != entries[index + 1].day
                ends[index] = isLast ? index + 1 : ends[index + 1]
            }
            self.ends = ends
        }
    }

    /// - Parameters:
    ///   - rule: a rule by days, hours, minutes or seconds.
    ///   - start: the time from which the units are counted.
    ///   - offsets: the seconds of a unit that have an occurrence, rising.
    ///   - isAllowed: whether a unit that begins at a second of the day is allowed; `nil` if all
    ///     are.
    ///   - first: nothing before this time is wanted.
    init(
        _ rule: RecurrenceRule,
        start: LocalTime,
        offsets: [Int],
        isAllowed: ((Int) -> Bool)?,
        from first: LocalTime
    ) {
        let parts = rule.parts
        switch parts.frequency {
        case .hourly: seconds = 3600
        case .minutely: seconds = 60
        case .secondly: seconds = 1
        default: seconds = 86_400
        }
        interval = parts.interval
        unitsOfDay = 86_400 / seconds
        pattern = DayPattern(DayFilter(rule, start: start.day))
        self.offsets = offsets
        index = offsets.count
        unit = start.day.number * unitsOfDay + start.second / seconds
        lastFound = max(start.day.number, first.day.number)
        let divisor = Cycle.divisor(interval, unitsOfDay)
        let cycleDays = interval / divisor
        horizon = Cycle.multiple(cycleDays, 146_097)
        let wanted = first.day.number * unitsOfDay + first.second / seconds
        guard let isAllowed else {
            cycle = nil
            skip(toUnit: wanted)
            return
        }
        // Every unit that the rule reaches within a round, which begins with the start's day.
        var entries: [(day: Int, second: Int)] = []
        var reached = start.second / seconds % interval
        for _ in 0..<unitsOfDay / divisor {
            let (day, rest) = reached.quotientAndRemainder(dividingBy: unitsOfDay)
            if isAllowed(rest * seconds) { entries.append((day, rest * seconds)) }
            reached += interval
        }
        cycle = Cycle(length: cycleDays, entries: entries)
        round = start.day.number
        if wanted > unit { skip(toDay: first.day.number, in: cycle) }
    }

    mutating func next() -> LocalTime? {
        if index == offsets.count {
            guard !offsets.isEmpty, cycle == nil ? advance() : advanceInCycle() else { return nil }
            index = 0
        }
        let offset = offsets[index]
        index += 1
        return LocalTime(Day(number: day), second: second + offset)
    }

    /// Passes times before a day, in whole days as far as possible.
    ///
    /// - Parameters:
    ///   - bound: the number of the day.
    ///   - most: how many times may be passed.
    /// - Returns: how many were passed.
    /// - Complexity: O(days).
    mutating func pass(toDay bound: Int, atMost most: Int) -> Int {
        if offsets.isEmpty { return 0 }
        var count = 0
        if index < offsets.count {
            guard day < bound, offsets.count - index <= most else { return 0 }
            count = offsets.count - index
            index = offsets.count
        }
        while let number = nextDay(), number < bound, number - lastFound <= horizon {
            guard pattern.contains(number) else {
                guard let allowed = pattern.first(from: number + 1, upTo: 9999) else { break }
                if cycle == nil {
                    skip(toUnit: allowed * unitsOfDay)
                } else {
                    skip(toDay: allowed, in: cycle)
                }
                continue
            }
            let units = cycle.map { $0.ends[entry] - entry } ?? unitsLeft(ofDay: number)
            guard units * offsets.count <= most - count else { break }
            count += units * offsets.count
            lastFound = number
            if cycle == nil { unit += units * interval } else { entry += units }
        }
        return count
    }

    /// The day of the next unit; `nil` if there is none.
    private mutating func nextDay() -> Int? {
        guard let cycle else { return ClockWalk.divide(unit, unitsOfDay).0 }
        if cycle.entries.isEmpty { return nil }
        if entry >= cycle.entries.count {
            entry = 0
            round += cycle.length
        }
        return round + cycle.entries[entry].day
    }

    private func unitsLeft(ofDay number: Int) -> Int {
        ((number + 1) * unitsOfDay - unit - 1) / interval + 1
    }

    private mutating func skip(toUnit other: Int) {
        guard other > unit else { return }
        unit += (other - unit + interval - 1) / interval * interval
    }

    private mutating func advance() -> Bool {
        while true {
            let (number, rest) = ClockWalk.divide(unit, unitsOfDay)
            guard number <= Day.last.number, number - lastFound <= horizon else { return false }
            if pattern.contains(number) {
                (day, second) = (number, rest * seconds)
                lastFound = number
                unit += interval
                return true
            }
            guard let allowed = pattern.first(from: number + 1, upTo: 9999) else { return false }
            skip(toUnit: allowed * unitsOfDay)
        }
    }

    private mutating func skip(toDay other: Int, in cycle: Cycle?) {
        guard let cycle else { return }
        let (rounds, day) = ClockWalk.divide(other - round, cycle.length)
        round += rounds * cycle.length
        var (low, high) = (0, cycle.entries.count)
        while low < high {
            let middle = (low + high) / 2
            if cycle.entries[middle].day < day { low = middle + 1 } else { high = middle }
        }
        entry = low
    }

    private mutating func advanceInCycle() -> Bool {
        guard let cycle, !cycle.entries.isEmpty else { return false }
        while true {
            if entry >= cycle.entries.count {
                entry = 0
                round += cycle.length
            }
            let number = round + cycle.entries[entry].day
            guard number <= Day.last.number, number - lastFound <= horizon else { return false }
            if pattern.contains(number) {
                (day, second) = (number, cycle.entries[entry].second)
                lastFound = number
                entry += 1
                return true
            }
            guard let allowed = pattern.first(from: number + 1, upTo: 9999) else { return false }
            skip(toDay: allowed, in: cycle)
        }
    }

    /// Division that rounds down.
    private static func divide(_ value: Int, _ divisor: Int) -> (Int, Int) {
        let quotient = value >= 0 ? value / divisor : (value - divisor + 1) / divisor
        return (quotient, value - quotient * divisor)
    }
}
