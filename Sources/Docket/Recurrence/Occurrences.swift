public import CivilTime

/// The times at which a rule happens, rising, one at a time.
///
/// It ends with the rule, or with the year 9999. The start is the first occurrence only if the rule
/// allows it.
///
/// - Complexity: well below a microsecond an occurrence, however rare: what lies between is jumped
///   over. A rule that never happens ends within milliseconds.
public struct Occurrences: Sequence, IteratorProtocol {
    private var periods: PeriodWalk?
    private var clock: ClockWalk?
    private let start: LocalTime
    private let first: LocalTime
    private let limit: LocalTime?
    private var left: Int
    /// Whether what is before `first` was passed.
    private var isAtFirst = false

    /// - Parameters:
    ///   - rule: the rule.
    ///   - start: the time from which it counts, RFC 5545's DTSTART. With a whole day the parts
    ///     BYHOUR, BYMINUTE and BYSECOND are ignored, as RFC 5545 says.
    ///   - first: earlier occurrences are left out; a count still counts them.
    ///   - zone: the zone of a local start, for an end in UTC; without it that end is compared as if
    ///     it were a local time.
    public init(
        _ rule: RecurrenceRule,
        start: RecurrenceTime,
        from first: LocalTime? = nil,
        zone: ZoneRules? = nil
    ) {
        let parts = rule.parts
        self.start = start.time
        self.first = Swift.max(first ?? start.time, start.time)
        var begin = self.first
        switch parts.end {
        case .never: (limit, left) = (nil, .max)
        case .until(let until): (limit, left) = (until.time(for: start, zone: zone), .max)
        case .count(let count):
            (limit, left) = (nil, count)
            // Those before have to be counted.
            begin = start.time
        }
        let times = TimesOfDay(parts, start: start)
        if parts.frequency < .daily {
            periods = PeriodWalk(rule, start: start.time.day, times: times.ofDay, from: begin.day)
        } else {
            clock = ClockWalk(
                rule,
                start: start.time,
                offsets: BySetPosition.selected(parts.positions, among: times.ofUnit),
                isAllowed: times.isAllowed,
                from: begin
            )
        }
    }

    public mutating func next() -> LocalTime? {
        if !isAtFirst { reachFirst() }
        return step()
    }

    /// Leaves out the occurrences before a time, without making them.
    ///
    /// - Parameters:
    ///   - bound: the time.
    ///   - most: how many are left out at most.
    /// - Returns: how many were left out.
    /// - Complexity: O(days), for rules by weeks and longer O(periods): a few milliseconds for the
    ///   minutes of two thousand years.
    public mutating func skip(before bound: LocalTime, atMost most: Int = .max) -> Int {
        if !isAtFirst { reachFirst() }
        return pass(before: bound, atMost: most)
    }

    private mutating func reachFirst() {
        isAtFirst = true
        if first > start { _ = pass(before: first, atMost: .max) }
    }

    private mutating func pass(before bound: LocalTime, atMost most: Int) -> Int {
        var count = 0
        while count < most {
            var ahead = self
            guard let time = ahead.step(), time < bound else { break }
            self = ahead
            count += 1
            // The walk gives times before the start too, on its day.
            if time.day <= start.day { continue }
            let end = Swift.min(bound.day, limit?.day ?? bound.day).number
            let room = Swift.min(most - count, left)
            let passed =
                periods?.pass(toDay: end, atMost: room) ?? clock?.pass(toDay: end, atMost: room)
                ?? 0
            if left != .max { left -= passed }
            count += passed
        }
        return count
    }

    /// The next occurrence from the start on.
    private mutating func step() -> LocalTime? {
        while left > 0, let time = periods != nil ? periods?.next() : clock?.next() {
            if time < start { continue }
            if let limit, time > limit { break }
            if left != .max { left -= 1 }
            return time
        }
        left = 0
        return nil
    }
}

extension RecurrenceRule.Limit {
    /// The last local time that is allowed after a start.
    fileprivate func time(for start: RecurrenceTime, zone: ZoneRules?) -> LocalTime {
        switch self {
        case .day(let day): return LocalTime(day, second: 86_399)
        case .local(let time): return time
        case .utc(let time):
            guard case .local = start, let zone else { return time }
            let local = zone.local(time.moment(in: .utc))
            return LocalTime(local.day, second: local.second)
        }
    }
}

/// The times of a day, or of an hour or minute, that BYHOUR, BYMINUTE and BYSECOND give; what they
/// leave open is taken from the start.
private struct TimesOfDay {
    /// The seconds of a day, rising.
    let ofDay: [Int]
    /// The seconds of a unit of the frequency, rising.
    let ofUnit: [Int]
    /// Whether a unit that begins at a second of the day is allowed; `nil` if all are.
    let isAllowed: ((Int) -> Bool)?

    init(_ parts: RecurrenceRule.Parts, start: RecurrenceTime) {
        let second = start.time.second
        let frequency = parts.frequency
        guard !start.isDay || frequency > .daily else {
            (ofDay, ofUnit, isAllowed) = ([0], [0], nil)
            return
        }
        let hours = parts.hours
        let minutes = parts.minutes
        // A leap second is the one before it.
        let seconds = Set(parts.seconds.map { min($0, 59) }).sorted()
        let ofMinute = seconds.isEmpty ? [second % 60] : seconds
        let ofHour = TimesOfDay.product(
            minutes.isEmpty ? [second / 60 % 60] : minutes,
            of: 60,
            ofMinute
        )
        switch frequency {
        case .secondly: (ofDay, ofUnit) = ([], [0])
        case .minutely: (ofDay, ofUnit) = ([], ofMinute)
        case .hourly: (ofDay, ofUnit) = ([], ofHour)
        default:
            ofDay = TimesOfDay.product(hours.isEmpty ? [second / 3600] : hours, of: 3600, ofHour)
            ofUnit = ofDay
        }
        let filters = [
            frequency >= .hourly ? hours : [], frequency >= .minutely ? minutes : [],
            frequency == .secondly ? seconds : [],
        ]
        guard filters.contains(where: { !$0.isEmpty }) else {
            isAllowed = nil
            return
        }
        let masks = filters.map { $0.reduce(UInt64(0)) { $0 | 1 << UInt64($1) } }
            .map { $0 == 0 ? .max : $0 }
        let (hourMask, minuteMask, secondMask) = (masks[0], masks[1], masks[2])
        isAllowed = { second in
            hourMask & 1 << UInt64(second / 3600) != 0
                && minuteMask & 1 << UInt64(second / 60 % 60) != 0
                && secondMask & 1 << UInt64(second % 60) != 0
        }
    }

    private static func product(_ units: [Int], of seconds: Int, _ parts: [Int]) -> [Int] {
        units.flatMap { unit in parts.map { unit * seconds + $0 } }
    }
}
