public import CivilTime

/// A repetition as RFC 5545 defines it (section 3.3.10, `RECUR`).
///
/// A rule has all its parts checked, its lists sorted and without duplicates; so two rules are equal
/// if they say the same in any order.
public struct RecurrenceRule: Hashable, Sendable {
    public enum Frequency: Int, CaseIterable, Comparable, Sendable {
        case yearly, monthly, weekly, daily, hourly, minutely, secondly

        public static func < (left: Frequency, right: Frequency) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// A day of the week: each, or the one with a number in its month or year.
    public struct Weekdays: Hashable, Comparable, Sendable {
        /// 1 is the first, −1 the last; `nil` means each.
        public let ordinal: Int?
        public let weekday: Weekday

        public init(_ weekday: Weekday, ordinal: Int? = nil) {
            self.weekday = weekday
            self.ordinal = ordinal
        }

        public static func < (left: Weekdays, right: Weekdays) -> Bool {
            let (first, second) = (left.ordinal ?? 0, right.ordinal ?? 0)
            return first == second
                ? left.weekday.rawValue < right.weekday.rawValue : precedes(first, second)
        }
    }

    /// The last time that an occurrence may have.
    public enum Limit: Hashable, Sendable {
        /// The whole day counts.
        case day(Day)
        case local(LocalTime)
        case utc(LocalTime)
    }

    public enum End: Hashable, Sendable {
        case never
        /// So many occurrences, the first one counted.
        case count(Int)
        case until(Limit)
    }

    /// The parts before they are checked.
    public struct Parts: Hashable, Sendable {
        public var frequency: Frequency
        public var interval = 1
        public var end = End.never
        public var months: [Int] = []
        public var weekNumbers: [Int] = []
        public var yearDays: [Int] = []
        public var monthDays: [Int] = []
        public var weekdays: [Weekdays] = []
        public var hours: [Int] = []
        public var minutes: [Int] = []
        public var seconds: [Int] = []
        public var positions: [Int] = []
        public var weekStart = Weekday.monday

        public init(_ frequency: Frequency) { self.frequency = frequency }
    }

    /// The parts, checked and in order: positive numbers rise, then negative numbers rise.
    public let parts: Parts

    public static let maximalInterval = 1_000_000
    public static let maximalCount = 1_000_000_000

    /// Checks the parts.
    ///
    /// - Throws: ``RecurrenceError`` if a number is out of its range, or if RFC 5545 forbids a part
    ///   beside another.
    public init(_ parts: Parts) throws(RecurrenceError) {
        try parts.check()
        var parts = parts
        parts.months = RecurrenceRule.ordered(parts.months)
        parts.weekNumbers = RecurrenceRule.ordered(parts.weekNumbers)
        parts.yearDays = RecurrenceRule.ordered(parts.yearDays)
        parts.monthDays = RecurrenceRule.ordered(parts.monthDays)
        parts.weekdays = Set(parts.weekdays).sorted()
        parts.hours = RecurrenceRule.ordered(parts.hours)
        parts.minutes = RecurrenceRule.ordered(parts.minutes)
        parts.seconds = RecurrenceRule.ordered(parts.seconds)
        parts.positions = RecurrenceRule.ordered(parts.positions)
        self.parts = parts
    }

    private static func ordered(_ numbers: [Int]) -> [Int] {
        numbers.count < 2 ? numbers : Set(numbers).sorted(by: precedes)
    }

    /// The rule with another end.
    ///
    /// - Throws: ``RecurrenceError`` for a count out of range.
    public func ending(_ end: End) throws(RecurrenceError) -> RecurrenceRule {
        var parts = parts
        parts.end = end
        return try RecurrenceRule(parts)
    }
}

/// The order of numbers in a rule: 0, then 1, 2, 3, then −3, −2, −1.
private func precedes(_ left: Int, _ right: Int) -> Bool {
    (left < 0) == (right < 0) ? left < right : right < 0
}

/// Why a text is not a rule or a set, as one sentence.
public struct RecurrenceError: Error, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

extension RecurrenceRule.Parts {
    fileprivate func check() throws(RecurrenceError) {
        guard (1...RecurrenceRule.maximalInterval).contains(interval) else {
            throw RecurrenceError(
                "INTERVAL=\(interval) is not possible: an interval goes from 1 to "
                    + "\(RecurrenceRule.maximalInterval)."
            )
        }
        if case .count(let count) = end, !(1...RecurrenceRule.maximalCount).contains(count) {
            throw RecurrenceError(
                "COUNT=\(count) is not possible: a count goes from 1 to "
                    + "\(RecurrenceRule.maximalCount)."
            )
        }
        try check("BYMONTH", months, 1...12)
        try check("BYWEEKNO", weekNumbers, 1...53, isSigned: true)
        try check("BYYEARDAY", yearDays, 1...366, isSigned: true)
        try check("BYMONTHDAY", monthDays, 1...31, isSigned: true)
        try check("BYDAY", weekdays.compactMap(\.ordinal), 1...53, isSigned: true)
        try check("BYHOUR", hours, 0...23)
        try check("BYMINUTE", minutes, 0...59)
        try check("BYSECOND", seconds, 0...60)
        try check("BYSETPOS", positions, 1...366, isSigned: true)
        try checkTogether()
    }

    private func check(
        _ name: String,
        _ numbers: [Int],
        _ range: ClosedRange<Int>,
        isSigned: Bool = false
    ) throws(RecurrenceError) {
        for number in numbers where !range.contains(isSigned ? abs(number) : number) {
            let (first, last) = (range.lowerBound, range.upperBound)
            let negative = isSigned ? " or from -\(last) to -\(first)" : ""
            throw RecurrenceError(
                "\(number) in \(name) is not possible: its numbers go from \(first) to \(last)"
                    + "\(negative)."
            )
        }
    }

    private func checkTogether() throws(RecurrenceError) {
        let name = "FREQ=\(RecurrenceRule.word(frequency))"
        if !weekNumbers.isEmpty, frequency != .yearly {
            throw RecurrenceError("BYWEEKNO needs FREQ=YEARLY; it cannot stand beside \(name).")
        }
        if !yearDays.isEmpty, [.monthly, .weekly, .daily].contains(frequency) {
            throw RecurrenceError("BYYEARDAY needs FREQ=YEARLY; it cannot stand beside \(name).")
        }
        if !monthDays.isEmpty, frequency == .weekly {
            throw RecurrenceError("BYMONTHDAY cannot stand beside FREQ=WEEKLY; use FREQ=MONTHLY.")
        }
        if let day = weekdays.first(where: { $0.ordinal != nil }) {
            let text = RecurrenceRule.word(day)
            guard frequency <= .monthly else {
                throw RecurrenceError(
                    "\(text) in BYDAY needs FREQ=MONTHLY or FREQ=YEARLY; \(name) takes days "
                        + "without a number."
                )
            }
            guard weekNumbers.isEmpty else {
                throw RecurrenceError(
                    "\(text) in BYDAY cannot stand beside BYWEEKNO; use a day without a number."
                )
            }
        }
        let others = [months, weekNumbers, yearDays, monthDays, hours, minutes, seconds]
        if !positions.isEmpty, weekdays.isEmpty, others.allSatisfy(\.isEmpty) {
            throw RecurrenceError(
                "BYSETPOS selects from what another part gives; add one, such as BYDAY."
            )
        }
    }
}
