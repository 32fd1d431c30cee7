enum TextEscaping {
    static func escaped(_ text: String) -> String {
        if !text.utf8.contains(where: { isSpecial($0) }) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "|", "=", ",", "\\":
                result += "\\"
                result.unicodeScalars.append(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                result += scalar.value < 16 ? "\\x0" : "\\x"
                result += String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7f || "|=,\\".utf8.contains(byte)
    }

    /// - Throws: ``FormatProblem`` for an escape that does not exist.
    static func unescaped(_ text: Substring) throws -> String {
        if !text.utf8.contains(UInt8(ascii: "\\")) { return String(text) }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "n"?: result.append("\n")
            case "r"?: result.append("\r")
            case "t"?: result.append("\t")
            case "x"?:
                let digits = String(rest.prefix(2))
                guard digits.utf8.count == 2, let code = UInt8(digits, radix: 16), code < 0x80
                else { throw FormatProblem("\\x has no two hexadecimal digits below 80") }
                result.append(Unicode.Scalar(code))
                rest = rest.dropFirst(2)
            case let other?: result.append(other)
            case nil: throw FormatProblem("it ends with a backslash")
            }
        }
        return String(result)
    }

    /// Splits where a separator is not escaped; the parts are still escaped.
    static func split(_ text: Substring, at separator: UInt8, limit: Int = .max) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var place = start
        let bytes = text.utf8
        while place < bytes.endIndex, parts.count < limit - 1 {
            let byte = bytes[place]
            bytes.formIndex(after: &place)
            if byte == UInt8(ascii: "\\"), place < bytes.endIndex {
                // What follows is escaped; a character of several bytes holds no separator.
                bytes.formIndex(after: &place)
            } else if byte == separator {
                parts.append(text[start..<bytes.index(before: place)])
                start = place
            }
        }
        parts.append(text[start...])
        return parts
    }
}
