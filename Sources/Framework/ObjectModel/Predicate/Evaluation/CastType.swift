import FoundationEssentials

/// The types that CAST converts to, under Foundation's names (with or without NS).
package enum CastType: String, CaseIterable, Sendable {
    case number = "NSNumber"
    case decimal = "NSDecimalNumber"
    case string = "NSString"
    case date = "NSDate"
    case data = "NSData"
    case uuid = "NSUUID"
    case url = "NSURL"
    case set = "NSSet"
    case array = "NSArray"
    case dictionary = "NSDictionary"
    case objectID = "NSManagedObjectID"

    package init?(name: String) {
        guard let type = CastType(rawValue: name) ?? CastType(rawValue: "NS" + name) else {
            return nil
        }
        self = type
    }

    /// The value converted; `nil` if that is impossible.
    ///
    /// Numbers and dates convert by seconds since 2001-01-01, text to dates by ISO 8601, text to
    /// data by base 64, arrays of keys and values in turn to dictionaries.
    package func cast(_ value: GraphValue) -> GraphValue? {
        switch self {
        case .number: CastType.number(value)
        case .decimal:
            if case .string(let text) = value {
                Decimal(string: text).map { .decimal($0) }
            } else {
                value.decimalValue.map { .decimal($0) }
            }
        case .string: .string(value.plainDescription)
        case .date: CastType.date(value)
        case .data:
            switch value {
            case .data: value
            case .string(let text): Data(base64Encoded: text).map { .data($0) }
            default: nil
            }
        case .uuid:
            switch value {
            case .uuid: value
            case .string(let text): UUID(uuidString: text).map { .uuid($0) }
            default: nil
            }
        case .url:
            switch value {
            case .url: value
            case .string(let text): URL(string: text).map { .url($0) }
            default: nil
            }
        case .set: value.elements.map { .set(Set($0)) }
        case .array:
            if case .array = value { value } else { value.elements.map { .array($0) } }
        case .dictionary: CastType.dictionary(value)
        case .objectID:
            switch value {
            case .objectID: value
            case .object(let object): object.managedObjectID.map { .objectID($0) }
            case .string(let text): IDSpace.id(uri: text).map { .objectID($0) }
            default: nil
            }
        }
    }

    private static func number(_ value: GraphValue) -> GraphValue? {
        switch value {
        case .date(let date): return .double(date.timeIntervalSinceReferenceDate)
        case .string(let text):
            if let whole = Int64(text) { return .int(whole) }
            switch text {
            case "inf": return .double(.infinity)
            case "-inf": return .double(-.infinity)
            case "nan": return .double(.nan)
            default: return Double(text).map { .double($0) }
            }
        default: return value.isNumber ? value : nil
        }
    }

    private static func date(_ value: GraphValue) -> GraphValue? {
        switch value {
        case .date: return value
        case .string(let text):
            if let date = try? Date(text, strategy: .iso8601) { return .date(date) }
            let day = Date.ISO8601FormatStyle().year().month().day()
            return (try? Date(text, strategy: day)).map { .date($0) }
        default:
            return value.doubleValue.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        }
    }

    private static func dictionary(_ value: GraphValue) -> GraphValue? {
        if case .dictionary = value { return value }
        guard case .array(let parts) = value, parts.count.isMultiple(of: 2) else { return nil }
        var entries: [String: GraphValue] = [:]
        for index in stride(from: 0, to: parts.count, by: 2) {
            guard case .string(let key) = parts[index] else { return nil }
            entries[key] = parts[index + 1]
        }
        return .dictionary(entries)
    }
}
