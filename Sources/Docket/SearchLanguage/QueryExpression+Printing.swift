extension QueryExpression: CustomStringConvertible {
    /// The search as a text in the usual form, from which the parser makes an equal tree.
    public var description: String {
        switch self {
        case .everything: ""
        case .text(let text): text.printed
        case .term(let term): term.description
        case .not(let inner): "-\(inner.operand)"
        case .and(let parts):
            parts.map { part in
                if case .or = part { "(\(part))" } else { part.description }
            }.joined(separator: " ")
        case .or(let parts): parts.map(\.description).joined(separator: " or ")
        }
    }

    /// As the operand of a sign.
    private var operand: String {
        switch self {
        case .and, .or: "(\(self))"
        case .text(let text) where !QueryLexer.canFollowSign(text.text.utf8.first): text.quoted
        default: description
        }
    }
}

extension QueryText {
    /// The text, in quotes where it would be read as something else without them.
    var printed: String {
        let bytes = Array(text.utf8)
        let isKeyword = QueryKeyword(text) != nil
        let isPlain =
            !bytes.isEmpty && !isKeyword && bytes[0] != UInt8(ascii: "-")
            && !bytes.contains { Self.special.contains($0) } && !hasWhiteSpace
        return isPlain ? text : quoted
    }

    /// The value of a term, in quotes where necessary.
    public var printedValue: String {
        let bytes = Array(text.utf8)
        let isPlain =
            !bytes.isEmpty && !Self.comparing.contains(bytes[0]) && !hasWhiteSpace
            && !bytes.contains { Self.specialInValue.contains($0) }
        return isPlain ? text : quoted
    }

    private var hasWhiteSpace: Bool { text.unicodeScalars.contains { $0.properties.isWhitespace } }

    fileprivate var quoted: String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    private static let special = Set("\"()<>=~!:".utf8)
    private static let specialInValue = Set("\"(),".utf8)
    private static let comparing = Set("<>=~!".utf8)
}

extension QueryTerm: CustomStringConvertible {
    public var description: String {
        "\(field):\(comparison.rawValue)" + values.map(\.printedValue).joined(separator: ",")
    }
}
