import FoundationEssentials
import ObjectModel

extension SwiftCode {
    /// A value as the literal that makes it.
    ///
    /// - Throws: `ObjectGraphError` for what has no literal: objects and their IDs.
    static func value(_ value: GraphValue) throws -> SwiftCode {
        switch value {
        case .null: return .atom(".null")
        case .bool(let flag): return .atom(".bool(\(flag))")
        case .int(let number): return .atom(".int(\(grouped(String(number))))")
        case .double(let number): return .atom(".double(\(literal(number)))")
        case .decimal(let number):
            return .atom("Decimal(string: \"\(number)\").map { .decimal($0) } ?? .null")
        case .string(let text): return .call(".string", .string(text))
        case .date(let date):
            let seconds = literal(date.timeIntervalSinceReferenceDate)
            return .call(
                ".date",
                .call("Date", [("timeIntervalSinceReferenceDate: ", .atom(seconds))])
            )
        case .data(let data):
            return .call(".data", .call("Data", .list(data.map { .atom(String($0)) })))
        case .uuid(let uuid):
            let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
            let tuple = SwiftCode.call("", bytes.map { ("", .atom(String($0))) })
            return .call(".uuid", .call("UUID", [("uuid: ", tuple)]))
        case .url(let url):
            let text = SwiftCode.string(url.absoluteString).line
            return .atom("URL(string: \(text)).map { .url($0) } ?? .null")
        case .array(let values): return .call(".array", .list(try values.map(SwiftCode.value)))
        case .set(let values):
            let elements = try values.map(SwiftCode.value).sorted { $0.line < $1.line }
            return .call(".set", .list(elements))
        case .dictionary(let entries):
            let sorted = entries.sorted { $0.key < $1.key }
            return .call(
                ".dictionary",
                .dictionary(try sorted.map { (.string($0.key), try SwiftCode.value($0.value)) })
            )
        case .objectID, .object, .opaque:
            throw ObjectGraphError(
                .unsupported,
                "\(value.kindAtStart) cannot be written as code.",
                recovery: "Use a variable in the predicate."
            )
        }
    }

    private static func literal(_ number: Double) -> String {
        if number.isNaN { return ".nan" }
        if number.isInfinite { return number > 0 ? ".infinity" : "-.infinity" }
        let text = String(number)
        guard !text.contains("e"), let dot = text.firstIndex(of: ".") else { return text }
        return grouped(String(text[..<dot])) + text[dot...]
    }

    /// Digits in groups of three, as the style asks for numbers of seven digits and more.
    private static func grouped(_ text: String) -> String {
        let digits = text.drop { $0 == "-" }
        guard digits.count >= 7 else { return text }
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result += "_" }
            result.append(digit)
        }
        return (text.hasPrefix("-") ? "-" : "") + result
    }

    /// A list of named arguments in the manner of calls that leave defaults out.
    static func strings(_ texts: [String]) -> SwiftCode { .list(texts.map { .string($0) }) }

    /// User info, by key.
    static func entries(_ entries: [String: String]) -> SwiftCode {
        .dictionary(entries.sorted { $0.key < $1.key }.map { (.string($0.key), .string($0.value)) })
    }
}
