/// An expression in Swift that knows how to break itself into lines.
indirect enum SwiftCode {
    /// Text that is never broken.
    case atom(String)
    /// `head(argument, label: argument)`; the empty head gives a tuple.
    case call(String, [(label: String, value: SwiftCode)])
    /// `[element, element]`.
    case list([SwiftCode])
    /// `[key: value]`, in the order given.
    case dictionary([(key: SwiftCode, value: SwiftCode)])

    static func call(_ head: String, _ arguments: SwiftCode...) -> SwiftCode {
        .call(head, arguments.map { ("", $0) })
    }

    /// A string literal.
    static func string(_ text: String) -> SwiftCode {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            default:
                if scalar.value < 0x20 || scalar.value == 0x7f {
                    literal += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    literal.unicodeScalars.append(scalar)
                }
            }
        }
        return .atom(literal + "\"")
    }

    static let width = 100

    /// The code on one line.
    var line: String {
        switch self {
        case .atom(let text): text
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
        )
            -> String
        {
            guard !parts.isEmpty else { return open + close }
            var text = open + "\n"
            for (index, (label, part)) in parts.enumerated() {
                text += space + label
                text += part.text(indent: inner, prefix: inner + label.count, suffix: 1)
                text += index + 1 < parts.count ? ",\n" : last + "\n"
            }
            return text + String(repeating: " ", count: indent) + close
        }
        switch self {
        case .atom: return whole
        case .call(let head, let arguments):
            return broken(head + "(", arguments.map { ($0.label, $0.value) }, ")", "")
        case .list(let elements):
            return broken("[", elements.map { ("", $0) }, "]", ",")
        case .dictionary(let entries):
            return broken("[", entries.map { ($0.key.line + ": ", $0.value) }, "]", ",")
        }
    }
}
