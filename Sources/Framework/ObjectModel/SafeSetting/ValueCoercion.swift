import FoundationEssentials

/// Converts values from outside (JSON, text files) to the type of an attribute.
///
/// The rules are ours:
/// - text → number: the number that the text spells, without spaces around it; for an integer a
///   fraction is refused, not cut; number → text: as Swift writes it, a whole number without a
///   point;
/// - text → Boolean: true/false, yes/no, on/off, y/n, 1/0, in any case; number → Boolean: 0 is
///   false, any other true; Boolean → number 1 or 0, → text `true` or `false`;
/// - text ↔ date by ``dates``, number ↔ date as seconds since 1970;
/// - text → UUID and URI as spelled, data ↔ text as Base64;
/// - empty text is `nil`, except for text attributes;
/// - a field of one character takes the first one.
public struct ValueCoercion: Sendable {
    /// How dates are written.
    public var dates: DatePattern

    public init(dates: DatePattern = .iso8601) { self.dates = dates }

    /// The value converted to a type; `nil` if it cannot be converted.
    ///
    /// - Complexity: O(length of the value).
    public func value(_ value: GraphValue, as type: AttributeType) -> GraphValue? {
        if case .string(let text) = value, type != .string {
            let text = Self.trimmed(text)
            return text.isEmpty ? .null : self.value(text, as: type)
        }
        switch (type, value) {
        case (_, .null), (.undefined, _), (.transformable, _): return value
        case (.string, .string), (.date, .date), (.binary, .data), (.uuid, .uuid), (.uri, .url),
            (.boolean, .bool), (.objectID, .objectID), (.composite, .dictionary):
            return value
        case (.string, _): return text(of: value).map { .string($0) }
        case (.boolean, _): return value.doubleValue.map { .bool($0 != 0) }
        case (.date, _): return date(value)
        default: return number(value, type)
        }
    }

    private static func trimmed(_ text: String) -> String {
        let spaces: (Character) -> Bool = { $0.isWhitespace }
        return String(text.drop(while: spaces).reversed().drop(while: spaces).reversed())
    }

    private func value(_ text: String, as type: AttributeType) -> GraphValue? {
        switch type {
        case .integer16, .integer32, .integer64:
            if let number = Int64(text) { return self.value(.int(number), as: type) }
            return Decimal(text).flatMap { self.value(.decimal($0), as: type) }
        case .double, .float: return Double(text).map { .double($0) }
        case .decimal: return Decimal(text).map { .decimal($0) }
        case .boolean: return Self.booleans[text.lowercased()].map { .bool($0) }
        case .date: return dates.date(from: text).map { .date($0) }
        case .uuid: return UUID(uuidString: text).map { .uuid($0) }
        case .uri: return URL(string: text).map { .url($0) }
        case .binary: return Data(base64Encoded: text).map { .data($0) }
        default: return nil
        }
    }

    private static let booleans = [
        "true": true, "yes": true, "on": true, "y": true, "1": true,
        "false": false, "no": false, "off": false, "n": false, "0": false,
    ]

    private func text(of value: GraphValue) -> String? {
        switch value {
        case .bool(let flag): flag ? "true" : "false"
        case .int(let number): String(number)
        case .double(let number):
            Int64(exactly: number).map { String($0) } ?? String(number)
        case .decimal(let number): number.description
        case .date(let date): dates.text(of: date)
        case .data(let data): data.base64EncodedString()
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        default: nil
        }
    }

    private func date(_ value: GraphValue) -> GraphValue? {
        if case .bool = value { return nil }
        return value.doubleValue.map { .date(Date(timeIntervalSince1970: $0)) }
    }

    private func number(_ value: GraphValue, _ type: AttributeType) -> GraphValue? {
        var value = value
        if case .date(let date) = value { value = .double(date.timeIntervalSince1970) }
        switch type {
        case .integer16: return value.integerValue.flatMap { Int16(exactly: $0)?.value }
        case .integer32: return value.integerValue.flatMap { Int32(exactly: $0)?.value }
        case .integer64: return value.integerValue.map { .int($0) }
        case .double, .float: return value.doubleValue.map { .double($0) }
        case .decimal: return value.decimalValue.map { .decimal($0) }
        default: return nil
        }
    }
}

extension Decimal {
    /// A decimal number from all of a text.
    fileprivate init?(_ text: String) {
        let allowed = text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
        guard allowed, Double(text) != nil, let number = Decimal(string: text) else { return nil }
        self = number
    }
}
