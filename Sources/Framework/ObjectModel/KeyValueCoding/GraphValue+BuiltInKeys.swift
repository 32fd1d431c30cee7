import FoundationEssentials

extension GraphValue {
    /// The keys of Foundation that a plain value answers to, such as `length`; `nil` for other
    /// keys.
    package func builtInValue(forKey key: String) -> GraphValue? {
        switch key {
        case "self": return self
        case "description": return .string(plainDescription)
        default: break
        }
        switch self {
        case .string(let text): return GraphValue.key(key, of: text)
        case .bool, .int, .double, .decimal: return numberKey(key)
        case .date(let date): return GraphValue.key(key, of: date)
        case .data(let data): return key == "length" ? .int(Int64(data.count)) : nil
        case .uuid(let uuid): return key == "UUIDString" ? .string(uuid.uuidString) : nil
        case .url(let url): return GraphValue.key(key, of: url)
        case .objectID(let id):
            switch key {
            case "objectID": return self
            case "entity": return .string(id.entityName)
            case "URIRepresentation": return .string(id.uri)
            default: return nil
            }
        default: return nil
        }
    }

    private static func key(_ key: String, of text: String) -> GraphValue? {
        switch key {
        case "length": .int(Int64(text.utf16.count))
        case "uppercaseString": .string(text.uppercased())
        case "lowercaseString": .string(text.lowercased())
        case "capitalizedString": .string(text.capitalized)
        case "intValue": .int(Int64(Int32(clamping: leadingInteger(text))))
        case "integerValue", "longLongValue": .int(leadingInteger(text))
        case "floatValue": .double(Double(Float(leadingNumber(text))))
        case "doubleValue": .double(leadingNumber(text))
        case "boolValue": .bool(leadingFlag(text))
        default: nil
        }
    }

    private func numberKey(_ key: String) -> GraphValue? {
        switch key {
        case "intValue", "integerValue", "longLongValue", "longValue", "shortValue":
            .int(truncatedInteger)
        case "floatValue": .double(Double(Float(doubleValue ?? 0)))
        case "doubleValue": .double(doubleValue ?? 0)
        case "boolValue": .bool(doubleValue != 0)
        case "decimalValue": decimalValue.map { .decimal($0) }
        case "stringValue": .string(plainDescription)
        default: nil
        }
    }

    private static func key(_ key: String, of date: Date) -> GraphValue? {
        switch key {
        case "timeIntervalSinceReferenceDate": .double(date.timeIntervalSinceReferenceDate)
        case "timeIntervalSince1970": .double(date.timeIntervalSince1970)
        case "timeIntervalSinceNow": .double(date.timeIntervalSinceNow)
        default: nil
        }
    }

    private static func key(_ key: String, of url: URL) -> GraphValue? {
        switch key {
        case "absoluteString": .string(url.absoluteString)
        case "host": url.host().map { .string($0) } ?? .null
        case "path": .string(url.path())
        case "scheme": url.scheme.map { .string($0) } ?? .null
        case "lastPathComponent": .string(url.lastPathComponent)
        case "pathExtension": .string(url.pathExtension)
        default: nil
        }
    }

    /// The number without its fraction, held within 64 bits.
    package var truncatedInteger: Int64 {
        if case .int(let number) = self { return number }
        guard let number = doubleValue, !number.isNaN else { return 0 }
        if let exact = integerValue { return exact }
        return number >= 0x1p63
            ? .max : number <= -0x1p63 ? .min : Int64(number.rounded(.towardZero))
    }

    /// The value as text: numbers without a needless fraction, dates in ISO 8601.
    package var plainDescription: String {
        switch self {
        case .null: return "nil"
        case .bool(let flag): return flag ? "1" : "0"
        case .int(let number): return String(number)
        case .double(let number):
            if let whole = Int64(exactly: number) { return String(whole) }
            return number.description
        case .decimal(let number): return number.description
        case .string(let text): return text
        case .date(let date): return date.formatted(.iso8601)
        case .data(let data): return "\(data.count) bytes"
        case .uuid(let uuid): return uuid.uuidString
        case .url(let url): return url.absoluteString
        case .objectID(let id): return id.uri
        case .object(let object): return object.managedObjectID?.uri ?? "\(object)"
        case .array(let values):
            return "(" + values.map(\.plainDescription).joined(separator: ", ") + ")"
        case .set(let values):
            return "{(" + values.map(\.plainDescription).sorted().joined(separator: ", ") + ")}"
        case .dictionary(let values):
            let entries = values.map { "\($0.key) = \($0.value.plainDescription)" }.sorted()
            return "{" + entries.joined(separator: "; ") + "}"
        case .opaque(let object): return "\(object)"
        }
    }
}

extension GraphValue {
    /// The whole number at the start of a text, 0 if there is none.
    private static func leadingInteger(_ text: String) -> Int64 {
        var digits = text.utf8.drop { $0 == 0x20 || 0x09...0x0d ~= $0 }
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        var number: Int64 = 0
        for byte in digits {
            guard 0x30...0x39 ~= byte else { break }
            let (shifted, over) = number.multipliedReportingOverflow(by: 10)
            let (sum, overSum) = shifted.subtractingReportingOverflow(Int64(byte - 0x30))
            if over || overSum { return isNegative ? .min : .max }
            number = sum
        }
        if isNegative { return number }
        return number == .min ? .max : -number
    }

    /// The number at the start of a text, 0 if there is none.
    private static func leadingNumber(_ text: String) -> Double {
        let bytes = Array(text.utf8.drop { $0 == 0x20 || 0x09...0x0d ~= $0 })
        var end = 0
        func skipDigits() -> Int {
            let start = end
            while end < bytes.count, 0x30...0x39 ~= bytes[end] { end += 1 }
            return end - start
        }
        if end < bytes.count, "+-".utf8.contains(bytes[end]) { end += 1 }
        var digits = skipDigits()
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            end += 1
            digits += skipDigits()
        }
        if digits == 0 { return 0 }
        var best = end
        if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
            end += 1
            if end < bytes.count, "+-".utf8.contains(bytes[end]) { end += 1 }
            if skipDigits() > 0 { best = end }
        }
        var number = String(decoding: bytes[..<best], as: UTF8.self)
        if number.hasSuffix(".") { number += "0" }
        return Double(number) ?? Double(number.replacing(".", with: "0.", maxReplacements: 1)) ?? 0
    }

    /// Whether a text begins like "yes", "true" or a number other than zero.
    private static func leadingFlag(_ text: String) -> Bool {
        guard
            let first = text.trimmingPrefix(while: {
                $0 == " " || $0 == "+" || $0 == "-" || $0 == "0"
            })
            .first
        else { return false }
        return "YyTt123456789".contains(first)
    }
}
