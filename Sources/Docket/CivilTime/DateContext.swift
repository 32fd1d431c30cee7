public import FoundationEssentials

/// The input for reading and writing dates; it is always passed, never looked up.
public struct DateContext: Sendable {
    public var now: Date
    public var zone: ZoneRules
    /// The day with which a week begins, for `next week` and `end of week`.
    public var weekStart: Weekday
    /// The language of written dates, and the order of their numbers.
    public var settings: TimeSettings

    public init(
        now: Date,
        zone: ZoneRules,
        weekStart: Weekday = .monday,
        settings: TimeSettings = TimeSettings()
    ) {
        self.now = now
        self.zone = zone
        self.weekStart = weekStart
        self.settings = settings
    }

    /// Whether every date means the same in both.
    public func isSame(as other: DateContext) -> Bool {
        now == other.now && zone.isSame(as: other.zone) && weekStart == other.weekStart
            && settings == other.settings
    }

    /// What words mean that are said of what comes after a date: `until the 22nd`.
    public func later(from date: DueDate) -> DateContext {
        var later = self
        later.now = max(now, date.beginning(in: zone))
        return later
    }

    /// The local day at ``now``.
    public var today: Day { zone.day(of: now) }
}
