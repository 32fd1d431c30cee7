public import FoundationEssentials

/// Dates for programs: ISO 8601, extended (`2026-11-22T09:00:00Z`) and basic
/// (`20261122T090000Z`).
///
/// Reading accepts a day alone, hours and minutes with or without seconds, a decimal fraction of a
/// second, `Z` or an offset (`+01:00`, `+0100`, `+01`); without either the time is local. A space
/// or a small `t` may replace `T`. Writing always uses UTC. A fraction is written only if it is not
/// zero, with the number of digits (3, 6 or 9) that gives the same value again.
public enum ISODate {
    /// The meaning of a text.
    public enum Reading: Hashable, Sendable {
        /// Not of this form at all.
        case none
        /// Of this form, but the day or time does not exist; the text is the reason, without a full
        /// stop.
        case impossible(String)
        case day(Day)
        /// A time; `offset` is `nil` if the text does not give the zone.
        case time(Day, second: Int, fraction: Double, offset: Int?)
    }

    public static func read(_ text: some StringProtocol) -> Reading {
        var text = String(text)
        return text.withUTF8 { read(bytes: UnsafeRawBufferPointer($0)) }
    }

    public static func read(bytes: UnsafeRawBufferPointer) -> Reading {
        var cursor = Cursor(bytes: bytes)
        guard let (year, month, day, isExtended) = cursor.day() else { return .none }
        let time: (hour: Int, minute: Int, second: Int, fraction: Double)?
        var offset: Int?
        if cursor.isAtEnd {
            time = nil
        } else {
            guard cursor.take(84) || cursor.take(116) || (isExtended && cursor.take(32)),
                let found = cursor.time()
            else { return .none }
            time = found
            guard let zone = cursor.zone(), cursor.isAtEnd else { return .none }
            offset = zone.offset
        }
        guard let value = Day(year: year, month: month, day: day) else {
            return .impossible(Day.whyImpossible(year: year, month: month, day: day))
        }
        guard let time else { return .day(value) }
        let isEndOfDay = time.hour == 24 && time.minute == 0 && time.second == 0
        guard time.hour < 24 || isEndOfDay, time.minute < 60, time.second <= 60 else {
            return .impossible("a clock goes from 0:00 to 23:59")
        }
        let second = time.hour * 3600 + time.minute * 60 + min(time.second, 59)
        return .time(value, second: second, fraction: time.fraction, offset: offset)
    }

    /// The moment of a text, with local times in `zone`.
    ///
    /// `nil` if ``read(_:)`` finds neither a day nor a time. A day alone means its first moment.
    public static func moment(_ text: some StringProtocol, zone: ZoneRules) -> Date? {
        moment(read(text), zone: zone)
    }

    public static func moment(_ reading: Reading, zone: ZoneRules) -> Date? {
        switch reading {
        case .none, .impossible:
            return nil
        case .day(let day):
            return zone.moment(day)
        case .time(let day, let second, let fraction, let offset):
            guard let offset else {
                let date = zone.moment(day, second: second)
                return fraction == 0 ? date : date.addingTimeInterval(fraction)
            }
            // Added to the reference date of 2001, so that a fraction keeps all its digits.
            let whole = day.number * 86_400 + second - offset - secondsTo2001
            return Date(timeIntervalSinceReferenceDate: Double(whole) + fraction)
        }
    }

    private static let secondsTo2001 = 978_307_200

    /// The first second of the year 1 and the last of 9999, from the reference date: the range of
    /// four-digit years.
    private static let earliest = -63_113_904_000.0
    private static let latest = 252_423_993_599.0

    // MARK: Writing

    /// `2026-11-22`.
    public static func string(_ day: Day) -> String { string { append(day, to: &$0) } }

    /// `2026-11-22T09:00:00Z`.
    public static func string(_ date: Date) -> String { string { append(date, to: &$0) } }

    /// `20261122T090000Z`.
    public static func basicString(_ date: Date) -> String { string { appendBasic(date, to: &$0) } }

    private static func string(_ append: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        append(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends `2026-11-22`; a year outside 0…9999 becomes the nearest one inside.
    public static func append(_ day: Day, to bytes: inout [UInt8]) {
        Line.write(to: &bytes) { $0.append(day, isExtended: true) }
    }

    /// Appends `2026-11-22T09:00:00Z`; a moment outside the years 1…9999 becomes the nearest one
    /// inside.
    public static func append(_ date: Date, to bytes: inout [UInt8]) {
        Line.write(to: &bytes) { append(date, to: &$0, isExtended: true) }
    }

    /// Appends `20261122T090000Z`, without a fraction of a second.
    public static func appendBasic(_ date: Date, to bytes: inout [UInt8]) {
        Line.write(to: &bytes) { append(date, to: &$0, isExtended: false) }
    }

    /// The bytes of one date, collected on the stack so that the array grows once.
    ///
    /// Safety: used within ``write(to:_:)``.
    private struct Line {
        let bytes: UnsafeMutableBufferPointer<UInt8>
        var count = 0

        static func write(to target: inout [UInt8], _ body: (inout Line) -> Void) {
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { buffer in
                var line = Line(bytes: buffer)
                body(&line)
                target.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<line.count]))
            }
        }

        mutating func append(_ byte: UInt8) {
            bytes[count] = byte
            count += 1
        }

        mutating func appendTwo(_ value: Int) {
            append(48 + UInt8(truncatingIfNeeded: value / 10))
            append(48 + UInt8(truncatingIfNeeded: value % 10))
        }

        mutating func append(_ day: Day, isExtended: Bool) {
            let (year, month, dayOfMonth) = day.parts
            let held = max(0, min(9999, year))
            appendTwo(held / 100)
            appendTwo(held % 100)
            if isExtended { append(45) }
            appendTwo(month)
            if isExtended { append(45) }
            appendTwo(dayOfMonth)
        }
    }

    private static func append(_ date: Date, to line: inout Line, isExtended: Bool) {
        let reference = max(earliest, min(latest, date.timeIntervalSinceReferenceDate))
        var whole = reference.rounded(.down)
        var digits = 0
        var width = 0
        let fraction = reference - whole
        if fraction != 0, isExtended {
            (digits, width) = decimals(of: fraction, after: whole)
            if width == 0 { whole += 1 }
        }
        let seconds = Int(whole) + secondsTo2001
        let dayNumber = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let second = seconds - dayNumber * 86_400
        line.append(Day(number: dayNumber), isExtended: isExtended)
        line.append(84)
        line.appendTwo(second / 3600)
        if isExtended { line.append(58) }
        line.appendTwo(second / 60 % 60)
        if isExtended { line.append(58) }
        line.appendTwo(second % 60)
        if width > 0 {
            line.append(46)
            var divisor = width == 3 ? 100 : width == 6 ? 100_000 : 100_000_000
            while divisor > 0 {
                line.append(48 + UInt8(digits / divisor % 10))
                divisor /= 10
            }
        }
        line.append(90)
    }

    /// The smallest of 3, 6 or 9 digits that gives `whole + fraction` again; width 0 if the
    /// fraction rounds up to a whole second.
    private static func decimals(of fraction: Double, after whole: Double) -> (Int, width: Int) {
        for (width, scale) in [(3, 1e3), (6, 1e6), (9, 1e9)] {
            let digits = (fraction * scale).rounded()
            guard digits < scale else { continue }
            if width == 9 || whole + digits / scale == whole + fraction {
                return (Int(digits), digits == 0 ? 9 : width)
            }
        }
        return (0, 0)
    }

    // MARK: Reading

    private struct Cursor {
        // Safety: used within the function that gets the bytes.
        let bytes: UnsafeRawBufferPointer
        var at = 0

        init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        var isAtEnd: Bool { at == bytes.count }

        mutating func take(_ byte: UInt8) -> Bool {
            guard at < bytes.count, bytes[at] == byte else { return false }
            at += 1
            return true
        }

        /// Exactly `count` digits.
        mutating func digits(_ count: Int) -> Int? {
            guard at + count <= bytes.count else { return nil }
            var value = 0
            for index in at..<at + count {
                let digit = Int(bytes[index]) - 48
                guard digit >= 0, digit <= 9 else { return nil }
                value = value * 10 + digit
            }
            at += count
            return value
        }

        mutating func day() -> (year: Int, month: Int, day: Int, isExtended: Bool)? {
            guard let year = digits(4) else { return nil }
            let isExtended = take(45)
            guard let month = digits(2), !isExtended || take(45), let day = digits(2) else {
                return nil
            }
            return (year, month, day, isExtended)
        }

        mutating func time() -> (hour: Int, minute: Int, second: Int, fraction: Double)? {
            guard let hour = digits(2) else { return nil }
            let isExtended = take(58)
            guard let minute = digits(2) else { return nil }
            var second = 0
            var fraction = 0.0
            if isExtended ? take(58) : at < bytes.count && bytes[at] >= 48 && bytes[at] <= 57 {
                guard let value = digits(2) else { return nil }
                second = value
                if take(46) || take(44) {
                    var digits = 0.0
                    var scale = 1.0
                    let start = at
                    while at < bytes.count, bytes[at] >= 48, bytes[at] <= 57 {
                        if at - start < 12 {
                            digits = digits * 10 + Double(bytes[at] - 48)
                            scale *= 10
                        }
                        at += 1
                    }
                    guard at > start else { return nil }
                    fraction = digits / scale
                }
            }
            return (hour, minute, second, fraction)
        }

        /// The outer `nil` means an invalid zone, the inner one no zone.
        mutating func zone() -> (offset: Int?, Void)? {
            if isAtEnd { return (nil, ()) }
            if take(90) || take(122) { return (0, ()) }
            let isWest = take(45)
            guard isWest || take(43), let hours = digits(2) else { return nil }
            var seconds = hours * 3600
            if take(58) || !isAtEnd {
                guard let minutes = digits(2), minutes < 60 else { return nil }
                seconds += minutes * 60
            }
            return hours <= 24 ? (isWest ? -seconds : seconds, ()) : nil
        }
    }
}

extension Day {
    /// Why a day does not exist, as part of a sentence.
    public static func whyImpossible(year: Int?, month: Int, day: Int) -> String {
        guard (1...12).contains(month) else { return "months go from 1 to 12" }
        if let year, !(1...9999).contains(year) { return "years go from 1 to 9999" }
        let name = Day.name(ofMonth: month)
        if month == 2 {
            guard let year else { return "February has 28 or 29 days" }
            return "February \(year) has \(Day.length(ofMonth: 2, year: year)) days"
        }
        return "\(name) has \(Day.length(ofMonth: month, year: 2000)) days"
    }
}
