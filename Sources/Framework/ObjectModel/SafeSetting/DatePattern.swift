public import FoundationEssentials

/// The format of dates: ISO 8601, or a pattern such as `dd.MM.yyyy HH:mm`.
///
/// The letters are Unicode's: `yyyy` or `yy` (20yy), `MM`, `dd`, `HH`, `mm`, `ss`, `SSS`, `Z`
/// (+0100, +01:00 or Z); text in `'quotes'` and every other character stands for itself. A part
/// that the pattern does not have gets its first value: midnight, 1 January. A date that does not
/// exist, such as 30 February, is refused.
public struct DatePattern: Hashable, Sendable {
    fileprivate enum Part: Hashable {
        case field(Field)
        case literal(Character)
    }

    fileprivate enum Field: Hashable {
        case year, shortYear, month, day, hour, minute, second, millisecond, zone
    }

    private let parts: [Part]
    private let zone: TimeZone

    /// ISO 8601 in UTC: 2026-11-21T18:05:00Z; reading takes a date alone, fractions and offsets too.
    public static let iso8601 = DatePattern(parts: [], zone: .gmt)

    /// - Parameters:
    ///   - pattern: see the type's description.
    ///   - zone: the time zone of dates that name none.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidFormat`` for a letter
    ///   without a meaning.
    public init(_ pattern: String, zone: TimeZone = .gmt) throws {
        self.init(parts: try Self.parse(pattern), zone: zone)
    }

    private init(parts: [Part], zone: TimeZone) {
        self.parts = parts
        self.zone = zone
    }

    private static func parse(_ pattern: String) throws -> [Part] {
        var parts: [Part] = []
        var rest = pattern[...]
        while let first = rest.first {
            if first == "'" {
                parts += quoted(&rest).map { .literal($0) }
            } else if first.isASCII, first.isLetter {
                let run = rest.prefix { $0 == first }
                guard let field = fields[String(run)] else {
                    throw ObjectGraphError(
                        .invalidFormat,
                        "The date pattern \"\(pattern)\" has the unknown part \"\(run)\".",
                        recovery: "Use \(fields.keys.sorted().joined(separator: ", "))."
                    )
                }
                parts.append(.field(field))
                rest = rest.dropFirst(run.count)
            } else {
                parts.append(.literal(rest.removeFirst()))
            }
        }
        return parts
    }

    /// Reads a quoted text; two quotes together are one quote character.
    private static func quoted(_ rest: inout Substring) -> String {
        rest.removeFirst()
        if rest.first == "'" { return String(rest.removeFirst()) }
        var text = ""
        while let next = rest.popFirst() {
            if next == "'" {
                if rest.first != "'" { break }
                rest.removeFirst()
            }
            text.append(next)
        }
        return text
    }

    private static let fields: [String: Field] = [
        "yyyy": .year, "yy": .shortYear, "MM": .month, "dd": .day, "HH": .hour, "mm": .minute,
        "ss": .second, "SSS": .millisecond, "Z": .zone,
    ]

    /// The date for a text; `nil` if it does not follow the pattern.
    public func date(from text: String) -> Date? {
        if parts.isEmpty { return Self.isoDate(text) }
        var rest = text[...]
        var found = DateParts()
        for part in parts {
            switch part {
            case .literal(let character):
                guard rest.popFirst() == character else { return nil }
            case .field(let field):
                guard let number = field.take(from: &rest) else { return nil }
                found.set(field, number)
            }
        }
        return rest.isEmpty ? found.date(zone) : nil
    }

    /// The text for a date.
    public func text(of date: Date) -> String {
        if parts.isEmpty { return date.formatted(.iso8601) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let fields = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second, .nanosecond],
            from: date
        )
        var text = ""
        for part in parts {
            switch part {
            case .literal(let character): text.append(character)
            case .field(.zone): text += Self.offset(zone.secondsFromGMT(for: date))
            case .field(let field): text += field.text(fields)
            }
        }
        return text
    }

    private static func offset(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        return (seconds < 0 ? "-" : "+") + padded(minutes / 60, 2) + padded(minutes % 60, 2)
    }

    private static func isoDate(_ text: String) -> Date? {
        let styles: [Date.ISO8601FormatStyle] = [
            .iso8601, .iso8601.year().month().day(),
            Date.ISO8601FormatStyle(includingFractionalSeconds: true),
        ]
        for style in styles {
            if let date = try? style.parse(text), style.format(date).count <= text.count + 6 {
                return date
            }
        }
        return nil
    }
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// The numbers that were read from a text with a pattern.
private struct DateParts {
    private var components = DateComponents(year: 2001, month: 1, day: 1, hour: 0, minute: 0)
    private var offset: Int?

    mutating func set(_ field: DatePattern.Field, _ number: Int) {
        switch field {
        case .year: components.year = number
        case .shortYear: components.year = 2000 + number
        case .month: components.month = number
        case .day: components.day = number
        case .hour: components.hour = number
        case .minute: components.minute = number
        case .second: components.second = number
        case .millisecond: components.nanosecond = number * 1_000_000
        case .zone: offset = number
        }
    }

    func date(_ zone: TimeZone) -> Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = offset.flatMap { TimeZone(secondsFromGMT: $0) } ?? zone
        guard let date = calendar.date(from: components) else { return nil }
        let again = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: date
        )
        let isReal =
            again.year == components.year && again.month == components.month
            && again.day == components.day && again.hour == components.hour
            && again.minute == components.minute && again.second == components.second ?? 0
        return isReal ? date : nil
    }
}

extension DatePattern.Field {
    fileprivate func take(from text: inout Substring) -> Int? {
        if self == .zone { return Self.takeZone(from: &text) }
        let digits = text.prefix(width)
        guard digits.count == width, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        text = text.dropFirst(width)
        return Int(digits)
    }

    private static func takeZone(from text: inout Substring) -> Int? {
        guard let sign = text.popFirst() else { return nil }
        if sign == "Z" { return 0 }
        guard sign == "+" || sign == "-" else { return nil }
        guard let hours = DatePattern.Field.hour.take(from: &text) else { return nil }
        if text.first == ":" { text.removeFirst() }
        guard let minutes = DatePattern.Field.minute.take(from: &text) else { return nil }
        return (sign == "-" ? -60 : 60) * (hours * 60 + minutes)
    }

    private var width: Int {
        switch self {
        case .year: 4
        case .millisecond: 3
        default: 2
        }
    }

    fileprivate func text(_ components: DateComponents) -> String {
        let number: Int? =
            switch self {
            case .year: components.year
            case .shortYear: components.year.map { $0 % 100 }
            case .month: components.month
            case .day: components.day
            case .hour: components.hour
            case .minute: components.minute
            case .second: components.second
            case .millisecond: components.nanosecond.map { $0 / 1_000_000 }
            case .zone: nil
            }
        return padded(number ?? 0, width)
    }
}
