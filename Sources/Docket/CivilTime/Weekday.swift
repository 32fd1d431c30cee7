/// A day of the week, numbered as ISO 8601 does: Monday is 1.
public enum Weekday: Int, CaseIterable, Hashable, Sendable {
    case monday = 1
    case tuesday
    case wednesday
    case thursday
    case friday
    case saturday
    case sunday

    /// Three letters, `Mon`; in German two.
    public var shortName: String {
        let isGerman = Language.current == .german
        let (names, length) = isGerman ? ("MoDiMiDoFrSaSo", 2) : ("MonTueWedThuFriSatSun", 3)
        return String(names.dropFirst((rawValue - 1) * length).prefix(length))
    }

    /// The day of an English name or its usual abbreviation; `name` is in lower case.
    public init?(name: String) {
        switch name {
        case "mon", "monday": self = .monday
        case "tue", "tues", "tuesday": self = .tuesday
        case "wed", "weds", "wednesday": self = .wednesday
        case "thu", "thur", "thurs", "thursday": self = .thursday
        case "fri", "friday": self = .friday
        case "sat", "saturday": self = .saturday
        case "sun", "sunday": self = .sunday
        default: return nil
        }
    }

    /// The number of days from this weekday to the next `other`: 0 for the same, at most 6.
    public func days(until other: Weekday) -> Int {
        (other.rawValue - rawValue + 7) % 7
    }
}
