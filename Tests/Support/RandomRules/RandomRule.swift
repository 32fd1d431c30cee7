import CivilTime
package import Recurrence
package import SeededRandom

/// Rules that RFC 5545 allows, of all kinds, with a start.
package struct RandomRule {
    package let rule: RecurrenceRule
    package let start: RecurrenceTime

    /// - Throws: ``RecurrenceError`` if a combination is not allowed; then try again.
    package init(_ random: inout SeededRandom) throws(RecurrenceError) {
        let frequency = random.pick(RecurrenceRule.Frequency.allCases)
        var parts = RecurrenceRule.Parts(frequency)
        if random.chance(2) { parts.interval = RandomRule.interval(frequency, &random) }
        let day = Day(number: random.below(80_000) - 25_000)
        let isDay = frequency <= .daily && random.chance(4)
        let second = random.chance(3) ? random.below(86_400) : random.below(1440) * 60
        var start = isDay ? RecurrenceTime.day(day) : .local(LocalTime(day, second: second))
        if random.chance(3) { parts.months = RandomRule.some(4, 1...12, &random) }
        switch frequency {
        case .yearly: RandomRule.fillYear(&parts, &random)
        case .monthly:
            if random.chance(2) { parts.monthDays = RandomRule.some(4, 1...31, &random, true) }
            if random.chance(2) { parts.weekdays = RandomRule.weekdays(5, &random) }
        case .weekly: if random.chance(2) { parts.weekdays = RandomRule.weekdays(nil, &random) }
        case .daily:
            if random.chance(3) { parts.monthDays = RandomRule.some(6, 1...31, &random, true) }
            if random.chance(3) { parts.weekdays = RandomRule.weekdays(nil, &random) }
        case .hourly, .minutely, .secondly:
            if random.chance(4) { parts.monthDays = RandomRule.some(9, 1...31, &random, true) }
            if random.chance(4) { parts.weekdays = RandomRule.weekdays(nil, &random) }
            if random.chance(8) { parts.yearDays = RandomRule.some(30, 1...366, &random, true) }
        }
        if !isDay {
            if random.chance(4) { parts.hours = RandomRule.some(4, 0...23, &random) }
            if random.chance(4) { parts.minutes = RandomRule.some(4, 0...59, &random) }
            if random.chance(6) { parts.seconds = RandomRule.some(3, 0...59, &random) }
        }
        if random.chance(4) {
            parts.positions = RandomRule.some(3, 1...RandomRule.size(parts), &random, true)
        }
        if random.chance(4) { parts.weekStart = random.pick(Weekday.allCases) }
        if frequency > .daily {
            // Rare times of a rule by hours or less would need a long way to the first one.
            var times = Occurrences(try RecurrenceRule(parts), start: start)
            if let first = times.next() { start = .local(first) }
        }
        switch random.below(4) {
        case 0: parts.end = .count(1 + random.below(20))
        case 1:
            let last = start.time.day.adding(days: random.below(4000))
            parts.end = .until(isDay ? .day(last) : .local(LocalTime(last, second: second)))
        default: break
        }
        self.start = start
        rule = try RecurrenceRule(parts)
    }

    /// The next rule that is allowed.
    package static func next(_ random: inout SeededRandom) -> RandomRule {
        while true {
            if let rule = try? RandomRule(&random) { return rule }
        }
    }

    /// Roughly how many occurrences a period has, for positions that are not all beyond it.
    private static func size(_ parts: RecurrenceRule.Parts) -> Int {
        let seconds = max(1, parts.seconds.count)
        let minutes = max(1, parts.minutes.count) * seconds
        switch parts.frequency {
        case .secondly: return 1
        case .minutely: return seconds
        case .hourly: return minutes
        case .daily: return max(1, parts.hours.count) * minutes
        case .weekly: return max(1, parts.weekdays.count, parts.hours.count)
        case .monthly: return parts.weekdays.isEmpty ? max(1, parts.monthDays.count) : 4
        case .yearly: return parts.weekdays.isEmpty ? max(1, parts.monthDays.count) : 9
        }
    }

    private static func interval(
        _ frequency: RecurrenceRule.Frequency,
        _ random: inout SeededRandom
    ) -> Int {
        switch frequency {
        case .yearly: 1 + random.below(5)
        case .monthly: 1 + random.below(14)
        case .weekly: 1 + random.below(8)
        case .daily: 1 + random.below(40)
        default: 1 + random.below(random.chance(2) ? 100 : 3000)
        }
    }

    private static func fillYear(_ parts: inout RecurrenceRule.Parts, _ random: inout SeededRandom)
    {
        if random.chance(3) { parts.monthDays = some(4, 1...31, &random, true) }
        if random.chance(5) { parts.yearDays = some(6, 1...366, &random, true) }
        if random.chance(3) {
            parts.weekNumbers = some(4, 1...53, &random, true)
            if random.chance(2) { parts.weekdays = weekdays(nil, &random) }
        } else if random.chance(2) {
            parts.weekdays = weekdays(parts.months.isEmpty ? 53 : 5, &random)
        }
    }

    private static func some(
        _ most: Int,
        _ range: ClosedRange<Int>,
        _ random: inout SeededRandom,
        _ isSigned: Bool = false
    ) -> [Int] {
        (0...random.below(most)).map { _ in
            let number = Int.random(in: range, using: &random)
            return isSigned && random.chance(3) ? -number : number
        }
    }

    private static func weekdays(
        _ most: Int?,
        _ random: inout SeededRandom
    ) -> [RecurrenceRule.Weekdays] {
        (0...random.below(3)).map { _ in
            let weekday = random.pick(Weekday.allCases)
            guard let most, random.chance(2) else { return .init(weekday) }
            let number = 1 + random.below(most)
            return .init(weekday, ordinal: random.chance(3) ? -number : number)
        }
    }
}
