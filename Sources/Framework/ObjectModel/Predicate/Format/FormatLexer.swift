/// Cuts a format string into tokens, one at a time.
///
/// White space of any kind separates tokens and has no other meaning; there are no comments.
struct FormatLexer {
    let bytes: [UInt8]
    var offset = 0

    init(_ format: String) {
        bytes = Array(format.utf8)
    }

    mutating func next() throws(FormatFailure) -> FormatToken {
        skipWhiteSpace()
        let start = offset
        let kind = try nextKind()
        return FormatToken(kind: kind, start: start, end: offset)
    }

    private mutating func nextKind() throws(FormatFailure) -> FormatToken.Kind {
        guard let byte = byte() else { return .end }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return .text(try quotedText(by: byte))
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try number())
        case UInt8(ascii: "."):
            if isDigit(at: offset + 1), !followsOperand() { return .number(try number()) }
            return try symbol()
        case UInt8(ascii: "%"):
            return .placeholder(try placeholder())
        case UInt8(ascii: "$"):
            offset += 1
            return .variable(try name(of: "a variable after $"))
        case UInt8(ascii: "@"):
            offset += 1
            return .collectionOperator(try name(of: "a collection operator after @"))
        case UInt8(ascii: "#"):
            offset += 1
            // Quoted keys are an extension of ours: they allow every character in a key.
            if let quote = self.byte(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                return .escapedKey(try quotedText(by: quote))
            }
            return .escapedKey(try name(of: "a key after #"))
        default:
            if isNamePart(at: offset) { return wordOrSelector() }
            return try symbol()
        }
    }

    private mutating func wordOrSelector() -> FormatToken.Kind {
        var text = takeName()
        guard isSelectorColon() else { return .word(text) }
        while isSelectorColon() {
            offset += 1
            text += ":"
            let mark = offset
            let part = takeName()
            guard !part.isEmpty else { break }
            // The last colon may be missing before the arguments.
            if isSelectorColon() || byte() == UInt8(ascii: "(") {
                text += part
            } else {
                offset = mark
                break
            }
        }
        return .selector(text)
    }

    /// A colon that is not the start of `:=`.
    private func isSelectorColon() -> Bool {
        byte() == UInt8(ascii: ":") && byte(1) != UInt8(ascii: "=")
    }

    private mutating func name(of what: String) throws(FormatFailure) -> String {
        let text = takeName()
        if text.isEmpty { throw FormatFailure(offset, expected: what) }
        return text
    }

    private mutating func placeholder() throws(FormatFailure) -> FormatPlaceholder {
        let start = offset
        offset += 1
        while let byte = byte(), "hlqzjtL".utf8.contains(byte) { offset += 1 }
        guard let letter = byte() else {
            throw FormatFailure(start, expected: "a placeholder such as %@ or %K")
        }
        offset += 1
        switch letter {
        case UInt8(ascii: "@"): return .any
        case UInt8(ascii: "K"): return .key
        case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "i"), UInt8(ascii: "u"),
            UInt8(ascii: "U"), UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "o"),
            UInt8(ascii: "O"), UInt8(ascii: "c"), UInt8(ascii: "C"):
            return .whole
        case UInt8(ascii: "f"), UInt8(ascii: "F"), UInt8(ascii: "g"), UInt8(ascii: "G"),
            UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "a"), UInt8(ascii: "A"):
            return .floating
        case UInt8(ascii: "s"), UInt8(ascii: "S"): return .text
        default: throw FormatFailure(start, expected: "a placeholder such as %@ or %K")
        }
    }

    private mutating func symbol() throws(FormatFailure) -> FormatToken.Kind {
        if let second = byte(1), let first = byte(), let symbol = Self.pair(first, second) {
            offset += 2
            return .symbol(symbol)
        }
        if let first = byte(), let symbol = Self.single(first) {
            offset += 1
            return .symbol(symbol)
        }
        throw FormatFailure(offset, expected: "a predicate or an expression")
    }

    private static func pair(_ first: UInt8, _ second: UInt8) -> FormatSymbol? {
        switch (Character(UnicodeScalar(first)), Character(UnicodeScalar(second))) {
        case ("=", "="): .equal
        case ("!", "="), ("<", ">"): .notEqual
        case ("<", "="), ("=", "<"): .lessOrEqual
        case (">", "="), ("=", ">"): .greaterOrEqual
        case ("*", "*"): .power
        case ("&", "&"): .and
        case ("|", "|"): .or
        case (":", "="): .assign
        default: nil
        }
    }

    private static func single(_ byte: UInt8) -> FormatSymbol? {
        byte == UInt8(ascii: "=")
            ? .equal : FormatSymbol(rawValue: String(Character(UnicodeScalar(byte))))
    }
}
