/// An expression in Swift that knows how to break itself into lines.
indirect enum SwiftCode {
    /// Text that is never broken.
    case atom(String)
    /// A string literal, given by its content; broken into parts that are added up.
    case literal(String)
    /// `head(argument, label: argument)`; the empty head gives a tuple.
    case call(String, [(label: String, value: SwiftCode)])
    /// `[element, element]`.
    case list([SwiftCode])
    /// `[key: value]`, in the order given.
    case dictionary([(key: SwiftCode, value: SwiftCode)])

    static func call(_ head: String, _ arguments: SwiftCode...) -> SwiftCode {
        .call(head, arguments.map { ("", $0) })
    }

    static func string(_ text: String) -> SwiftCode { .literal(text) }

    private static func quoted(_ text: Substring) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars { literal += escaped(scalar) }
        return literal + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default:
            scalar.value < 0x20 || scalar.value == 0x7f
                ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
    }

    /// Parts of a text whose literals fit into `room` characters, broken after spaces if any.
    private static func parts(_ text: String, room: Int) -> [String] {
        var parts: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
            var end = rest.startIndex
            var lastSpace: String.Index?
            var length = 2
            while end < rest.endIndex {
                let character = rest[end]
                length += character.unicodeScalars.reduce(0) { $0 + escaped($1).count }
                if length > room, end > rest.startIndex { break }
                end = rest.index(after: end)
                if character == " " { lastSpace = end }
            }
            if end < rest.endIndex, let lastSpace { end = lastSpace }
            parts.append(quoted(rest[..<end]))
            rest = rest[end...]
        }
        return parts
    }

    static let width = 100

    /// The code on one line.
    var line: String {
        switch self {
        case .atom(let text): text
        case .literal(let text): SwiftCode.quoted(text[...])
        case .call(let head, let arguments):
            head + "(" + arguments.map { $0.label + $0.value.line }.joined(separator: ", ") + ")"
        case .list(let elements): "[" + elements.map(\.line).joined(separator: ", ") + "]"
        case .dictionary(let entries):
            entries.isEmpty
                ? "[:]"
                : "[" + entries.map { "\($0.key.line): \($0.value.line)" }.joined(separator: ", ")
                    + "]"
        }
    }

    /// The code, broken where it does not fit behind `prefix` characters (indentation included)
    /// and before `suffix` ones.
    ///
    /// - Complexity: O(length · depth).
    func text(indent: Int, prefix: Int, suffix: Int = 0) -> String {
        let whole = line
        if prefix + whole.count + suffix <= SwiftCode.width { return whole }
        let inner = indent + 4
        let space = String(repeating: " ", count: inner)
        func broken(
            _ open: String,
            _ parts: [(String, SwiftCode)],
            _ close: String,
            _ last: String
        ) -> String {
            guard !parts.isEmpty else { return open + close }
            var text = open + "\n"
            for (index, (label, part)) in parts.enumerated() {
                text += space + label
                var prefix = inner + label.count
                if !label.isEmpty, part.mustStartLine(after: prefix) {
                    text.removeLast()
                    text += "\n" + space + "    "
                    prefix = inner + 4
                }
                text += part.text(indent: inner, prefix: prefix, suffix: 1)
                text += index + 1 < parts.count ? ",\n" : last + "\n"
            }
            return text + String(repeating: " ", count: indent) + close
        }
        switch self {
        case .atom: return whole
        case .literal(let text):
            return SwiftCode.parts(text, room: SwiftCode.width - inner - 3)
                .joined(separator: "\n" + space + "+ ")
        case .call(let head, let arguments):
            // A list alone opens and closes with its call.
            for (label, value) in arguments where arguments.count == 1 && value.isList {
                let start = "\(head)(\(label)"
                let place = prefix + start.count
                return start + value.text(indent: indent, prefix: place, suffix: suffix + 1) + ")"
            }
            return broken(head + "(", arguments.map { ($0.label, $0.value) }, ")", "")
        case .list(let elements):
            return broken("[", elements.map { ("", $0) }, "]", elements.count > 1 ? "," : "")
        case .dictionary(let entries):
            let parts = entries.map { ($0.key.line + ": ", $0.value) }
            return broken("[", parts, "]", entries.count > 1 ? "," : "")
        }
    }

    private var isList: Bool {
        switch self {
        case .list: true
        case .atom, .literal, .call, .dictionary: false
        }
    }

    /// Whether this is something without a place to break, too long to stand behind so many
    /// characters.
    func mustStartLine(after prefix: Int) -> Bool {
        switch self {
        case .atom, .literal: prefix + line.count + 1 > SwiftCode.width
        case .call, .list, .dictionary: false
        }
    }
}
