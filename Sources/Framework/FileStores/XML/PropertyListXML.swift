import FoundationEssentials
import ObjectModel
import XMLReading

/// Property lists as XML, inside a document or as one.
///
/// Written by hand because a text with characters that XML cannot hold, and the fraction of a date,
/// have to come back; such a `string` or `date` has an attribute of ours, which others ignore.
enum PropertyListXML {
    /// - Throws: `ObjectGraphError` for a value that a property list cannot hold.
    static func write(_ value: GraphValue, to writer: inout XMLWriter, indent: String) throws {
        switch value {
        case .dictionary(let values): try write(values, to: &writer, indent: indent)
        case .array(let values): try write(values, to: &writer, indent: indent)
        case .set(let values): try write(Array(values), to: &writer, indent: indent)
        default:
            writer.add(indent)
            try write(scalar: value, to: &writer)
            writer.add(markup: "\n")
        }
    }

    private static func write(
        _ values: [String: GraphValue],
        to writer: inout XMLWriter,
        indent: String
    ) throws {
        writer.add("\(indent)<dict>\n")
        for key in values.keys.sorted() {
            guard let value = values[key] else { continue }
            writer.add("\(indent)\t")
            write(key, as: "key", to: &writer)
            writer.add(markup: "\n")
            try write(value, to: &writer, indent: indent + "\t")
        }
        writer.add("\(indent)</dict>\n")
    }

    private static func write(
        _ values: [GraphValue],
        to writer: inout XMLWriter,
        indent: String
    ) throws {
        writer.add("\(indent)<array>\n")
        for value in values { try write(value, to: &writer, indent: indent + "\t") }
        writer.add("\(indent)</array>\n")
    }

    private static func write(scalar value: GraphValue, to writer: inout XMLWriter) throws {
        switch value {
        case .bool(let flag): writer.add(flag ? "<true/>" : "<false/>")
        case .int(let number): writer.add("<integer>\(number)</integer>")
        case .double(let number): writer.add("<real>\(number)</real>")
        case .decimal(let number): writer.add("<real>\(number.description)</real>")
        case .string(let text): write(text, as: "string", to: &writer)
        case .uuid(let uuid): write(uuid.uuidString, as: "string", to: &writer)
        case .url(let url): write(url.absoluteString, as: "string", to: &writer)
        case .data(let data): writer.add("<data>\(data.base64EncodedString())</data>")
        case .date(let date):
            let seconds = date.timeIntervalSinceReferenceDate
            // Years that the form of a date cannot hold are written as seconds alone.
            let isPlain = seconds == seconds.rounded() && abs(seconds) < 60_000_000_000
            let shown = abs(seconds) < 60_000_000_000 ? date : Date(timeIntervalSince1970: 0)
            writer.add(isPlain ? "<date>" : "<date seconds=\"\(seconds)\">")
            writer.add(shown.formatted(.iso8601))
            writer.add(markup: "</date>")
        case .null, .objectID, .object, .opaque, .array, .set, .dictionary:
            throw ObjectGraphError(
                .wrongValueKind,
                "The metadata of a store cannot hold \(value.kindWithArticle).",
                recovery: "Use strings, numbers, dates, data, and lists of them."
            )
        }
    }

    private static func write(_ text: String, as name: String, to writer: inout XMLWriter) {
        if XMLWriter.canHold(text) {
            writer.add("<\(name)>")
            writer.add(text: text)
        } else {
            writer.add("<\(name) encoding=\"base64\">")
            writer.add(Data(text.utf8).base64EncodedString())
        }
        writer.add("</\(name)>")
    }
}

/// Builds a property list's value from the events inside its `plist` element.
struct PropertyListBuilder {
    private struct Level {
        var isDictionary: Bool
        var values: [String: GraphValue] = [:]
        var list: [GraphValue] = []
        var key: String?
    }

    /// The value; `nil` until it is complete.
    private(set) var result: GraphValue?
    private var levels: [Level] = []
    private var text: [UInt8] = []
    private var isEncoded = false
    private var seconds: Double?

    mutating func start(_ name: XMLName, _ attributes: XMLAttributes) throws {
        text = []
        isEncoded = attributes["encoding"].map { $0 == "base64" } ?? false
        seconds = attributes["seconds"].flatMap { Double($0.string) }
        if name == "dict" {
            levels.append(Level(isDictionary: true))
        } else if name == "array" {
            levels.append(Level(isDictionary: false))
        }
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer) { text.append(contentsOf: bytes) }

    mutating func end(_ name: XMLName) throws {
        switch name {
        case "dict", "array":
            guard let level = levels.popLast() else { return }
            try put(level.isDictionary ? .dictionary(level.values) : .array(level.list))
        case "key":
            guard let last = levels.indices.last else { throw refusal("a key is outside a dict") }
            levels[last].key = try string()
        default: try put(try scalar(name))
        }
        text = []
    }

    private mutating func put(_ value: GraphValue) throws {
        guard let last = levels.indices.last else {
            result = value
            return
        }
        if !levels[last].isDictionary {
            levels[last].list.append(value)
        } else if let key = levels[last].key {
            levels[last].values[key] = value
            levels[last].key = nil
        } else {
            throw refusal("a value has no key")
        }
    }

    private func scalar(_ name: XMLName) throws -> GraphValue {
        let value: GraphValue?
        switch name {
        case "true": value = .bool(true)
        case "false": value = .bool(false)
        case "integer": value = Int64(plain).map { .int($0) }
        case "real": value = Double(plain).map { .double($0) }
        case "string": value = .string(try string())
        case "data": value = ValueText.data(plain).map { .data($0) }
        case "date":
            if let seconds {
                value = .date(Date(timeIntervalSinceReferenceDate: seconds))
            } else {
                value = (try? Date(plain, strategy: .iso8601)).map { .date($0) }
            }
        default: throw refusal("\"\(name)\" is not an element of a property list")
        }
        guard let value else { throw refusal("\"\(name)\" has an invalid value") }
        return value
    }

    private var plain: String { String(decoding: text, as: UTF8.self) }

    private func string() throws -> String {
        guard isEncoded else { return plain }
        guard let data = ValueText.data(plain) else { throw refusal("a text is not base64") }
        return String(decoding: data, as: UTF8.self)
    }

    private func refusal(_ what: String) -> FormatProblem {
        FormatProblem("its property list is damaged: \(what)")
    }
}

extension PropertyListXML {
    /// A whole document.
    static func data(_ values: [String: GraphValue]) throws -> Data {
        var writer = XMLWriter()
        writer.add(
            markup: """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
                "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">

                """
        )
        try write(.dictionary(values), to: &writer, indent: "")
        writer.add(markup: "</plist>\n")
        return writer.data
    }

    /// The dictionary of a whole document.
    ///
    /// - Throws: ``FormatProblem`` or `XMLFailure`.
    static func values(_ data: Data) throws -> [String: GraphValue] {
        let reading = PropertyListReading()
        try XMLReader.read(data, reading)
        guard case .dictionary(let values)? = reading.builder.result else {
            throw FormatProblem("it is not a property list with a dictionary")
        }
        return values
    }
}

private final class PropertyListReading: XMLHandler {
    private(set) var builder = PropertyListBuilder()
    private var isInside = false

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws {
        if isInside {
            try builder.start(name, attributes)
        } else if name == "plist" {
            isInside = true
        } else {
            throw FormatProblem("it is not a property list")
        }
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws { builder.add(bytes) }

    func end(_ name: XMLName) throws { if !(name == "plist") { try builder.end(name) } }
}
