public import CivilTime
public import FoundationEssentials

/// What a clock and a calendar on the wall show: a day and the seconds after its midnight.
///
/// A repetition is calculated in local times, so that 9:00 stays 9:00 when the clocks change.
public struct LocalTime: Hashable, Comparable, Sendable {
    public let day: Day
    /// 0…86,399.
    public let second: Int

    public init(_ day: Day, second: Int = 0) {
        self.day = day
        self.second = second
    }

    public static func < (left: LocalTime, right: LocalTime) -> Bool {
        left.day == right.day ? left.second < right.second : left.day < right.day
    }

    /// The moment in a zone; a time that the zone skips in spring is moved forward.
    public func moment(in zone: ZoneRules) -> Date { zone.moment(day, second: second) }
}
