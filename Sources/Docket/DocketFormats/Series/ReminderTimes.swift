public import CivilTime
public import FoundationEssentials
import ObjectGraph
import TimeLanguage

/// The reminders of a task as the store has them: texts with blanks between, each a moment
/// (`20261124T090000Z`) or a duration from the due date (`-PT30M`).
public enum ReminderTimes {
    public static func texts(_ stored: String?) -> [String] {
        stored?.split(separator: " ").map(String.init) ?? []
    }

    /// The reminder so many minutes before the due date, in the largest unit.
    public static func text(minutesBefore minutes: Int) -> String {
        let (sign, length) = (minutes > 0 ? "-" : "", abs(minutes))
        for (unit, size) in [("W", 10_080), ("D", 1440)] where length > 0 && length % size == 0 {
            return "\(sign)P\(length / size)\(unit)"
        }
        return length > 0 && length % 60 == 0
            ? "\(sign)PT\(length / 60)H" : "\(sign)PT\(length)M"
    }

    /// The text for the store; `nil` for none.
    public static func stored(_ texts: [String]) -> String? {
        texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    /// Whether a text is a moment or a duration.
    public static func isOne(_ text: String) -> Bool {
        if text.utf8.contains(32) { return false }
        if case .other = ReminderTime(text[...]) { return false }
        return true
    }

    /// The moments at which stored reminders are due, in their order; those that need a due date are
    /// left out without one.
    public static func moments(_ stored: String?, due: DueDate?, in zone: ZoneRules) -> [Date] {
        let beginning = due?.beginning(in: zone)
        return texts(stored).compactMap { ReminderTime($0[...]).moment(due: beginning, in: zone) }
    }
}

/// One of a task's reminders.
public enum ReminderTime {
    case moment(Date)
    /// Days keep the time on the wall when the clocks change, seconds do not (RFC 5545, 3.3.6).
    case fromDue(days: Int, seconds: Int, String)
    case other(String)

    public init(_ text: Substring) {
        if let (days, seconds) = ReminderTime.duration(text) {
            self = .fromDue(days: days, seconds: seconds, String(text))
        } else if let date = ISODate.moment(text, zone: .utc) {
            self = .moment(date)
        } else {
            self = .other(String(text))
        }
    }

    public var text: String {
        switch self {
        case .moment(let date): ISODate.basicString(date)
        case .fromDue(_, _, let text), .other(let text): text
        }
    }

    public func shifted(by shift: TaskShift) -> ReminderTime {
        if case .moment(let date) = self { .moment(shift.moment(date)) } else { self }
    }

    public func moment(due: Date?, in zone: ZoneRules) -> Date? {
        switch self {
        case .moment(let date): return date
        case .fromDue(let days, let seconds, _):
            guard var date = due else { return nil }
            if days != 0 {
                let (day, second) = zone.local(date)
                date = zone.moment(day.adding(days: days), second: second)
            }
            return date.addingTimeInterval(Double(seconds))
        case .other: return nil
        }
    }

    /// A duration of RFC 5545 (section 3.3.6): `-PT30M`, `P1DT2H`, `-P1W`.
    private static func duration(_ text: Substring) -> (days: Int, seconds: Int)? {
        var rest = text
        let sign = rest.hasPrefix("-") ? -1 : 1
        if rest.hasPrefix("-") || rest.hasPrefix("+") { rest = rest.dropFirst() }
        guard rest.hasPrefix("P") else { return nil }
        rest = rest.dropFirst()
        var (days, seconds, number) = (0, 0, 0)
        for character in rest {
            switch character {
            case "0"..."9":
                number = min(number * 10 + (character.wholeNumberValue ?? 0), 1_000_000)
                continue
            case "T": continue
            case "W": days += number * 7
            case "D": days += number
            case "H": seconds += number * 3600
            case "M": seconds += number * 60
            case "S": seconds += number
            default: return nil
            }
            number = 0
        }
        return (sign * days, sign * seconds)
    }
}
