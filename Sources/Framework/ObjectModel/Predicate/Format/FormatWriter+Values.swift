import FoundationEssentials

extension FormatWriter {
    /// A constant: by its literal, or as a cast of one.
    mutating func write(_ value: GraphValue) {
        if hidesValues, !value.isNull { return append("?") }
        switch value {
        case .null: append("nil")
        case .bool(let flag): append(flag ? "TRUE" : "FALSE")
        case .int(let number): append(String(number))
        case .double(let number): write(number)
        case .decimal(let number): write(cast: number.description, .decimal)
        case .string(let text): write(quoted: text)
        case .date(let date):
            append("CAST(")
            write(date.timeIntervalSinceReferenceDate)
            append(", \"\(CastType.date.rawValue)\")")
        case .data(let data): write(cast: data.base64EncodedString(), .data)
        case .uuid(let uuid): write(cast: uuid.uuidString, .uuid)
        case .url(let url): write(cast: url.absoluteString, .url)
        case .objectID(let id): write(cast: id.uri, .objectID)
        case .object(let object):
            if let id = object.managedObjectID {
                write(cast: id.uri, .objectID)
            } else {
                append("<\(type(of: object))>")
            }
        case .array(let values): write(members: values.map(FormatWriter.text))
        case .set(let values):
            append("CAST(")
            // In a fixed order, so that equal predicates print alike.
            write(members: values.map(FormatWriter.text).sorted())
            append(", \"\(CastType.set.rawValue)\")")
        case .dictionary(let values):
            append("CAST(")
            write(
                members: values.sorted { $0.key < $1.key }.flatMap {
                    [FormatWriter.text(.string($0.key)), FormatWriter.text($0.value)]
                }
            )
            append(", \"\(CastType.dictionary.rawValue)\")")
        case .opaque(let object): append("<\(type(of: object))>")
        }
    }

    private static func text(_ value: GraphValue) -> String {
        var writer = FormatWriter()
        writer.write(value)
        return writer.text
    }

    private mutating func write(members: [String]) {
        append("{" + members.joined(separator: ", ") + "}")
    }

    private mutating func write(_ number: Double) {
        if number.isFinite {
            append(number.description)
        } else {
            write(cast: number.description, .number)
        }
    }

    private mutating func write(cast text: String, _ type: CastType) {
        append("CAST(")
        write(quoted: text)
        append(", \"\(type.rawValue)\")")
    }

    /// Text in double quotes, with escapes where needed.
    mutating func write(quoted text: String) {
        append("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\n": append("\\n")
            case "\r": append("\\r")
            case "\t": append("\\t")
            case "\0"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default: append(String(scalar))
            }
        }
        append("\"")
    }
}
