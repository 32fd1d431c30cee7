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
    ///
    /// - Throws: ``UnmappedCase`` for a convention that is not known here.
    package var value: GraphValue {
        get throws {
            switch self {
            case .null: return .null
            case .bool(let flag): return .bool(flag)
            case .int(let number): return .int(number)
            case .double(let number): return .double(number)
            case .string(let text): return .string(text)
            case .array(let elements): return .array(try elements.map { try $0.value })
            case .object(let entries):
                guard let key = entries.keys.first(where: { $0.hasPrefix("$") }) else {
                    return .dictionary(try entries.mapValues { try $0.value })
                }
                guard entries.count == 1, let inner = entries[key] else {
                    throw UnmappedCase("\(key) beside other keys")
                }
                return try JSON.value(key, inner)
            }
        }
    }

    private static func value(_ convention: String, _ inner: JSON) throws -> GraphValue {
        switch (convention, inner) {
        case ("$date", .string(let text)):
            let day = Date.ISO8601FormatStyle().year().month().day()
            return .date(try Date(text, strategy: day))
        case ("$set", .array(let elements)): return .set(Set(try elements.map { try $0.value }))
        case ("$float", .int(let number)), ("$double", .int(let number)):
            return .double(Double(number))
        case ("$float", .double), ("$double", .double), ("$char", .int), ("$bool", .bool),
            ("$entity", .string):
            return try inner.value
        default: throw UnmappedCase("\(convention) of \(inner)")
        }
    }

    /// Arrays as sets, at every depth.
    package var asSets: GraphValue {
        get throws {
            guard case .array(let elements) = self else { return try value }
            return .set(Set(try elements.map { try $0.asSets }))
        }
    }

    /// Fails for an object with keys that are not known here, which would be passed over.
    ///
    /// - Throws: ``UnmappedCase`` that names them.
    package func expectKeys(_ known: Set<String>) throws {
        guard case .object(let entries) = self else { throw UnmappedCase("not an object: \(self)") }
        let unknown = Set(entries.keys).subtracting(known)
        if !unknown.isEmpty { throw UnmappedCase("unknown keys \(unknown.sorted())") }
    }
}

/// A case, or a part of one, that its runner does not know: the test fails with it.
package struct UnmappedCase: Error, CustomStringConvertible {
    package let description: String

    package init(_ what: String) { description = "not mapped: \(what)" }
}
