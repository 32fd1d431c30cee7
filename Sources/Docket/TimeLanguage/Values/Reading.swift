import CivilTime

/// A stretch of whole days: a day, a week, a month, a quarter, a year.
struct Period: Hashable {
    var first: Day
    var unit: TimeUnit
    /// Whether a day that was counted in weeks means its week where a weekday is said too.
    var isOfWeek = false

    init(_ day: Day) { self.init(first: day, unit: .day) }

    init(first: Day, unit: TimeUnit, isOfWeek: Bool = false) {
        (self.first, self.unit, self.isOfWeek) = (first, unit, isOfWeek)
    }

    func last(_ weekStart: Weekday) -> Day {
        switch unit {
        case .week: first.adding(days: 6)
        case .weekend: first.adding(days: 1)
        case .month: first.lastOfMonth
        case .quarter: first.adding(months: 2).lastOfMonth
        case .year: first.adding(months: 11).lastOfMonth
        default: first
        }
    }
}

/// What the words of a phrase say, before it is known which day that is.
///
/// Words that belong together fill different slots: `Fri`, `Jul 18` and `7 pm` have one meaning
/// because a day can be all of that.
struct Reading: Hashable {
    /// Seconds since 1970.
    var moment: Int?
    var period: Period?
    var weekday: Weekday?
    var turn: Turn?
    @SmallNumber var year: Int?
    @SmallNumber var month: Int?
    @SmallNumber var day: Int?
    /// Minutes east of UTC.
    @SmallNumber var zone: Int?
    /// Whether month and day may be the other way round.
    var isOrderOpen = false
    var clock: Clock?
    var part: DayPart?
    /// Why the day or time does not exist, as part of a sentence.
    var problem: String?
    var traits: Traits = []

    /// What kind of words it is made of; what counts in a title depends on them.
    struct Traits: OptionSet, Hashable {
        let rawValue: UInt32

        static let relativeDay = Traits(rawValue: 1)
        static let weekday = Traits(rawValue: 1 << 1)
        static let turned = Traits(rawValue: 1 << 2)
        static let month = Traits(rawValue: 1 << 3)
        static let monthDay = Traits(rawValue: 1 << 4)
        static let ordinal = Traits(rawValue: 1 << 5)
        /// `11/22`, `7-6`: two numbers.
        static let twoNumbers = Traits(rawValue: 1 << 6)
        /// Two numbers with a point: `22.11`.
        static let point = Traits(rawValue: 1 << 7)
        static let fullDate = Traits(rawValue: 1 << 8)
        static let holiday = Traits(rawValue: 1 << 9)
        static let amount = Traits(rawValue: 1 << 10)
        static let clock = Traits(rawValue: 1 << 11)
        static let bareClock = Traits(rawValue: 1 << 12)
        static let part = Traits(rawValue: 1 << 13)
        static let period = Traits(rawValue: 1 << 14)
        static let named = Traits(rawValue: 1 << 15)
        static let edge = Traits(rawValue: 1 << 16)
        static let nth = Traits(rawValue: 1 << 17)
        static let digits = Traits(rawValue: 1 << 18)
        /// `3 days` alone: a date only in a field.
        static let bareAmount = Traits(rawValue: 1 << 19)
        static let year = Traits(rawValue: 1 << 20)
        static let now = Traits(rawValue: 1 << 21)
        /// The day is said as a past one.
        static let isPast = Traits(rawValue: 1 << 22)
        static let zone = Traits(rawValue: 1 << 23)
        /// `1030` or `3 15`, which may be any number.
        static let bareNumber = Traits(rawValue: 1 << 25)
        /// `1930`: after a day a time, else any number.
        static let fourDigits = Traits(rawValue: 1 << 26)
        /// A day in a notation of countries that count hours to 24: `28.11.`, `2026-11-28`.
        static let countsTo24 = Traits(rawValue: 1 << 27)
        /// `in december`.
        static let within = Traits(rawValue: 1 << 28)
        /// Counted in years: too coarse for a time of day.
        static let years = Traits(rawValue: 1 << 24)
    }

    init() {}

    /// What is said by some words, with the slots that they fill.
    init(
        _ traits: Traits,
        _ period: Period? = nil,
        month: Int? = nil,
        day: Int? = nil,
        weekday: Weekday? = nil,
        part: DayPart? = nil
    ) {
        (self.traits, self.period, self.weekday, self.part) = (traits, period, weekday, part)
        (self.month, self.day) = (month, day)
    }

    var hasDay: Bool {
        period != nil || weekday != nil || day != nil || month != nil || year != nil
    }
    var hasTime: Bool { clock != nil || part != nil }
    var isDay: Bool { hasDay && !hasTime && moment == nil }

    /// Both together; `nil` if they say something different about the same.
    func joined(with other: Reading) -> Reading? {
        guard moment == nil, other.moment == nil else { return nil }
        // Most pairs fail here, before anything is copied.
        if clock != nil, other.clock != nil { return nil }
        if period != nil, other.period != nil { return nil }
        let traits = traits.union(other.traits)
        if traits.contains(.years), traits.contains(.clock) { return nil }
        var sum = self
        sum.traits = traits
        sum.problem = problem ?? other.problem
        guard Reading.fill(&sum.weekday, other.weekday), Reading.fill(&sum.turn, other.turn),
            Reading.fill(&sum._year.stored, other._year.stored),
            Reading.fill(&sum._month.stored, other._month.stored),
            Reading.fill(&sum._day.stored, other._day.stored),
            Reading.fill(&sum.clock, other.clock), Reading.fill(&sum.part, other.part),
            Reading.fill(&sum._zone.stored, other._zone.stored),
            Reading.fill(&sum.period, other.period)
        else { return nil }
        sum.isOrderOpen = isOrderOpen || other.isOrderOpen
        guard let period = sum.period else {
            return sum.zone == nil || sum.clock != nil ? sum : nil
        }
        // A period leaves open what is smaller than it.
        if sum.zone != nil, sum.clock == nil { return nil }
        if sum.turn != nil { return nil }
        switch period.unit {
        case .day, .workday:
            return sum.month == nil && sum.day == nil && sum.year == nil ? sum : nil
        case .week:
            return sum.month == nil && sum.day == nil && sum.year == nil ? sum : nil
        case .month:
            if sum.weekday != nil, sum.day == nil { return nil }
            return sum.month == nil && sum.year == nil ? sum : nil
        case .year:
            if sum.weekday != nil, sum.day == nil { return nil }
            return sum.year == nil && (sum.day == nil || sum.month != nil) ? sum : nil
        default:
            return sum.weekday == nil && sum.month == nil && sum.day == nil && sum.year == nil
                ? sum : nil
        }
    }

    private static func fill<Value>(_ slot: inout Value?, _ value: Value?) -> Bool {
        guard let value else { return true }
        guard slot == nil else { return false }
        slot = value
        return true
    }
}
