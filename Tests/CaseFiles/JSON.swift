import FoundationEssentials
package import ObjectModel

/// A JSON value that keeps Booleans, whole numbers and fractions apart.
package enum JSON: Decodable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .int(number)
        } else if let number = try? container.decode(Double.self) {
            self = .double(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let elements = try? container.decode([JSON].self) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    package subscript(key: String) -> JSON? {
        if case .object(let entries) = self { entries[key] } else { nil }
    }

    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var number: Int? {
        if case .int(let number) = self { Int(number) } else { nil }
    }

    package var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    package var entries: [String: JSON] {
        if case .object(let entries) = self { entries } else { [:] }
    }

    /// The value that the conventions of the cases mean.
    package var value: Value {
        switch self {
        case .null: return .null
        case .bool(let flag): return .bool(flag)
        case .int(let number): return .int(number)
        case .double(let number): return .double(number)
        case .string(let text): return .string(text)
        case .array(let elements): return .array(elements.map(\.value))
        case .object(let entries):
            guard entries.count == 1, let (key, inner) = entries.first, key.hasPrefix("$") else {
                return .dictionary(entries.mapValues(\.value))
            }
            switch key {
            case "$date":
                let day = Date.ISO8601FormatStyle().year().month().day()
                return .date((try? Date(inner.text ?? "", strategy: day)) ?? .distantPast)
            case "$set": return .set(Set(inner.elements.map(\.value)))
            default: return inner.value
            }
        }
    }

    /// Arrays as sets, at every depth.
    package var asSets: Value {
        if case .array(let elements) = self { .set(Set(elements.map(\.asSets))) } else { value }
    }
}
