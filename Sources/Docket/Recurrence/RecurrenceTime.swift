public import CivilTime

/// A day or a time of RFC 5545: `19970902`, `19970902T090000`, `19970902T090000Z`.
public enum RecurrenceTime: Hashable, Sendable, CustomStringConvertible {
    /// A whole day.
    case day(Day)
    /// What the clock shows, in whatever zone it hangs.
    case local(LocalTime)
    case utc(LocalTime)

    /// Day and second; a whole day begins at midnight.
    public var time: LocalTime {
        switch self {
        case .day(let day): LocalTime(day)
        case .local(let time), .utc(let time): time
        }
    }

    public var isDay: Bool { if case .day = self { true } else { false } }

    public var isUTC: Bool { if case .utc = self { true } else { false } }

    /// Whether both are days, both local or both in UTC.
    func isOfKind(_ other: RecurrenceTime) -> Bool {
        isDay == other.isDay && isUTC == other.isUTC
    }

    /// Another time of the same kind.
    public func replacing(_ time: LocalTime) -> RecurrenceTime {
        switch self {
        case .day: .day(time.day)
        case .local: .local(time)
        case .utc: .utc(time)
        }
    }

    /// Reads the form of RFC 5545, and that of ISO 8601 with `-` and `:`.
    ///
    /// - Parameters:
    ///   - text: the time.
    ///   - name: what it is for, in the message.
    ///   - example: what the message shows; in rules the short form of RFC 5545.
    /// - Throws: ``RecurrenceError``.
    public init(
        _ text: some StringProtocol,
        in name: String,
        like example: String = "20261224 or 20261224T090000"
    ) throws(RecurrenceError) {
        switch ISODate.read(text.trimmed) {
        case .day(let day): self = .day(day)
        case .time(let day, let second, _, nil): self = .local(LocalTime(day, second: second))
        case .time(let day, let second, _, 0): self = .utc(LocalTime(day, second: second))
        case .time:
            throw RecurrenceError(
                "\"\(text.shortened)\" in \(name) has an offset; write a local time, or UTC with Z."
            )
        case .impossible(let reason):
            throw RecurrenceError("\"\(text.shortened)\" in \(name) does not exist: \(reason).")
        case .none:
            throw RecurrenceError(
                "\"\(text.shortened)\" in \(name) is not a date; write it like \(example)."
            )
        }
    }

    public var description: String {
        let (year, month, day) = time.day.parts
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = "\(number)"
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let date = padded(year, 4) + padded(month, 2) + padded(day, 2)
        if isDay { return date }
        let second = time.second
        let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }
        if case .utc = self { return "\(date)T\(clock.joined())Z" }
        return "\(date)T\(clock.joined())"
    }
}
