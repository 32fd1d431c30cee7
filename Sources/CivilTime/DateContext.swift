package import FoundationEssentials

/// The input for reading and writing dates; it is always passed, never looked up.
package struct DateContext: Sendable {
    package var now: Date
    package var zone: ZoneRules
    /// The day with which a week begins, for `next week` and `end of week`.
    package var weekStart: Weekday

    package init(now: Date, zone: ZoneRules, weekStart: Weekday = .monday) {
        self.now = now
        self.zone = zone
        self.weekStart = weekStart
    }

    /// The local day at ``now``.
    package var today: Day { zone.day(of: now) }
}
