public import FoundationEssentials

/// A due or start date: a whole day, or a moment.
///
/// A whole day belongs to no time zone: rent is due on the 22nd wherever the user is. It is stored
/// as 12:00 UTC of that day, with a flag. At noon, a reader that ignores the flag still gets the
/// right day in every zone from UTC−12 to UTC+11, so range predicates on the stored date work there
/// too. Code that uses the flag is right everywhere.
public struct DueDate: Hashable, Sendable {
    /// The stored date: the moment, or 12:00 UTC of the day.
    public let date: Date
    /// Whether only the day counts.
    public let isDateOnly: Bool

    /// From a store.
    ///
    /// For a whole day the time of `date` is set to noon.
    public init(date: Date, isDateOnly: Bool) {
        self.isDateOnly = isDateOnly
        self.date = isDateOnly ? DueDate.noon(ZoneRules.utc.day(of: date)) : date
    }

    public init(day: Day) {
        date = DueDate.noon(day)
        isDateOnly = true
    }

    public init(moment: Date) {
        date = moment
        isDateOnly = false
    }

    /// The day of the date in `zone`.
    public func day(in zone: ZoneRules) -> Day {
        isDateOnly ? ZoneRules.utc.day(of: date) : zone.day(of: date)
    }

    /// The moment after which the item is late: the end of a whole day, or the moment itself.
    public func deadline(in zone: ZoneRules) -> Date {
        isDateOnly ? zone.moment(day(in: zone).adding(days: 1)) : date
    }

    /// The moment at which it begins: the start of a whole day, or the moment itself.
    public func beginning(in zone: ZoneRules) -> Date {
        isDateOnly ? zone.moment(day(in: zone)) : date
    }

    /// Whether it is over before something starts: on an earlier day, or at an earlier moment.
    public func isOver(before start: DueDate, in zone: ZoneRules) -> Bool {
        if isDateOnly || start.isDateOnly { return day(in: zone) < start.day(in: zone) }
        return date < start.date
    }

    /// Whether it has passed: the whole day is over, or the moment was before now.
    public func isOverdue(in context: DateContext) -> Bool {
        isDateOnly ? deadline(in: context.zone) <= context.now : date < context.now
    }

    /// The day of a stored date that may be a whole day: exactly 12:00 UTC is that day in every
    /// zone, any other moment the local day.
    public static func day(of date: Date, in zone: ZoneRules) -> Day {
        let day = ZoneRules.utc.day(of: date)
        return noon(day) == date ? day : zone.day(of: date)
    }

    /// A day as a stored date: 12:00 UTC.
    public static func noon(_ day: Day) -> Date {
        Date(timeIntervalSince1970: Double(day.number * 86_400 + 43_200))
    }
}
