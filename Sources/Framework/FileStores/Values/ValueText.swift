import FoundationEssentials
import Glibc
import ObjectModel

/// The values of attributes as text, as the XML store and the text store write them.
///
/// Every value comes back exactly: numbers are written with as many digits as they need.
enum ValueText {
    /// - Throws: `ObjectGraphError` if the attribute's transformer refuses the value, or if the
    ///   attribute does not take it.
    static func text(_ value: GraphValue, of attribute: AttributeDescription) throws -> String {
        if attribute.type == .transformable {
            return try TransformedData.data(value, of: attribute).base64EncodedString()
        }
        switch value {
        case .bool(let flag): return flag ? "1" : "0"
        case .int(let number): return "\(number)"
        case .double(let number): return "\(number)"
        case .decimal(let number): return number.description
        case .string(let text): return text
        case .date(let date): return seconds(date.timeIntervalSinceReferenceDate)
        case .data(let data): return data.base64EncodedString()
        case .uuid(let uuid): return uuid.uuidString
        case .url(let url): return url.absoluteString
        case .objectID(let id): return id.uri
        default: throw TransformedData.refusal(value, attribute)
        }
    }

    /// Seconds with 20 decimals, as Core Data writes dates, where they hold the whole number.
    private static func seconds(_ number: Double) -> String {
        var bytes = [CChar](repeating: 0, count: 400)
        let count = withVaList([number]) { vsnprintf(&bytes, bytes.count, "%.20f", $0) }
        let text = String(
            decoding: bytes.prefix(Int(max(0, count))).map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
        return Double(text) == number ? text : "\(number)"
    }

    /// - Parameters:
    ///   - text: UTF-8.
    ///   - attribute: whose type it should have.
    /// - Returns: `nil` if the text is not a value of the attribute's type.
    static func value(
        _ text: UnsafeRawBufferPointer,
        of attribute: AttributeDescription
    ) -> GraphValue? {
        simpleValue(text, attribute.type)
            ?? value(String(decoding: text, as: UTF8.self), of: attribute)
    }

    /// A value that depends on nothing but the attribute's type, and is read without making a string
    /// first.
    ///
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - type: the attribute's.
    /// - Returns: `nil` for a type or a form of which this is not so.
    static func simpleValue(_ text: UnsafeRawBufferPointer, _ type: AttributeType) -> GraphValue? {
        switch type {
        case .string: .string(String(decoding: text, as: UTF8.self))
        case .integer64: NumberText.integer(text).map { .int($0) }
        case .double, .float: NumberText.double(text).map { .double($0) }
        case .date:
            NumberText.double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        default: nil
        }
    }

    /// - Returns: `nil` if the text is not a value of the attribute's type.
    static func value(_ text: String, of attribute: AttributeDescription) -> GraphValue? {
        switch attribute.type {
        case .string: return .string(text)
        case .integer16, .integer32, .integer64, .undefined:
            guard let number = Int64(trimmed(text)), attribute.accepts(.int(number)) else {
                return nil
            }
            return .int(number)
        case .boolean:
            switch trimmed(text) {
            case "1", "true", "YES": return .bool(true)
            case "0", "false", "NO": return .bool(false)
            default: return nil
            }
        case .double, .float: return Double(trimmed(text)).map { .double($0) }
        case .date:
            return Double(trimmed(text)).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case .decimal: return decimal(trimmed(text)).map { .decimal($0) }
        case .uuid: return UUID(uuidString: trimmed(text)).map { .uuid($0) }
        case .uri: return URL(string: text).map { .url($0) }
        case .objectID: return GraphValue(storedID: text)
        case .binary: return data(text).map { .data($0) }
        case .transformable:
            return data(text).flatMap { TransformedData.value($0, of: attribute) }
        case .composite: return nil
        }
    }

    /// Base64, in which white space does not count.
    static func data(_ text: String) -> Data? {
        Data(base64Encoded: text)
            ?? Data(base64Encoded: String(text.filter { !$0.isWhitespace }))
    }

    private static func decimal(_ text: String) -> Decimal? {
        // The parser of decimals stops at the first character that it does not know.
        let digits = "0123456789+-.eE"
        guard !text.isEmpty, text.allSatisfy({ digits.contains($0) }) else { return nil }
        return Decimal(string: text)
    }

    private static func trimmed(_ text: String) -> String {
        guard let first = text.utf8.first, let last = text.utf8.last, first <= 0x20 || last <= 0x20
        else { return text }
        return String(
            text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        )
    }
}

/// The bytes of transformable attributes.
enum TransformedData {
    static func data(_ value: GraphValue, of attribute: AttributeDescription) throws -> Data {
        try ValueTransformers.data(for: value, transformer: attribute.valueTransformerName)
    }

    /// - Returns: a sealed value if the transformer wants it or cannot read the data; `nil` if the
    ///   default transformer cannot, because its data would be written again in another form.
    static func value(_ data: Data, of attribute: AttributeDescription) -> GraphValue? {
        let name = attribute.valueTransformerName
        let value = ValueTransformers.value(for: data, transformer: name)
        let isRead = ValueTransformers.named(name)?.showsUnreadableData != true
        return isRead ? value : try? ValueTransformers.named(name)?.value(for: data)
    }

    static func refusal(
        _ value: GraphValue,
        _ attribute: AttributeDescription
    ) -> ObjectGraphError {
        ObjectGraphError(
            .wrongValueKind,
            "\(attribute.entity?.name ?? "").\(attribute.name) cannot be written with"
                + " \(value.kindWithArticle).",
            recovery: "Set a value of the attribute's type.",
            key: attribute.name
        )
    }
}
