extension FormatLexer {
    /// Text between quotes, with its escapes resolved.
    ///
    /// A backslash before any other character stays, so that patterns of LIKE and MATCHES need no
    /// second backslash: `'\*'`, `'\d+'`.
    mutating func quotedText(by quote: UInt8) throws(FormatFailure) -> String {
        let start = offset
        offset += 1
        var text: [UInt8] = []
        while let byte = byte() {
            offset += 1
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            if byte != UInt8(ascii: "\\") {
                text.append(byte)
            } else {
                try appendEscape(to: &text)
            }
        }
        throw FormatFailure(start, expected: "a closing quote for the text")
    }

    private mutating func appendEscape(to text: inout [UInt8]) throws(FormatFailure) {
        guard let letter = byte() else { return }
        offset += 1
        switch letter {
        case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "/"):
            text.append(letter)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "0"): text.append(0x00)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try escapedScalar()).utf8)
        default:
            text.append(UInt8(ascii: "\\"))
            text.append(letter)
        }
    }

    /// The scalar of `\uXXXX`; a character beyond 16 bits is written as a surrogate pair.
    private mutating func escapedScalar() throws(FormatFailure) -> Character {
        let start = offset - 2
        let first = try fourDigits()
        if let scalar = UnicodeScalar(first) { return Character(scalar) }
        if first < 0xdc00, byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") {
            offset += 2
            let second = try fourDigits()
            if 0xdc00...0xdfff ~= second,
                let scalar = UnicodeScalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
            {
                return Character(scalar)
            }
        }
        throw FormatFailure(start, expected: "a Unicode character, not half of a pair")
    }

    private mutating func fourDigits() throws(FormatFailure) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = byte().flatMap({ Self.digit($0, radix: 16) }) else {
                throw FormatFailure(offset, expected: "four hexadecimal digits after \\u")
            }
            number = number << 4 | UInt32(digit)
            offset += 1
        }
        return number
    }

    /// A decimal, floating point, hexadecimal (0x), octal (0o) or binary (0b) number.
    mutating func number() throws(FormatFailure) -> FormatNumber {
        if byte() == UInt8(ascii: "0"), let radix = radix(of: byte(1)),
            let second = byte(2), Self.digit(second, radix: radix) != nil
        {
            offset += 2
            return try whole(radix: radix)
        }
        let start = offset
        skipDigits()
        var isFraction = false
        if byte() == UInt8(ascii: "."), isDigit(at: offset + 1) || !isNamePart(at: offset + 1) {
            isFraction = true
            offset += 1
            skipDigits()
        }
        if let byte = byte(), byte | 0x20 == UInt8(ascii: "e") {
            let sign = self.byte(1).map { "+-".utf8.contains($0) } ?? false
            if isDigit(at: offset + (sign ? 2 : 1)) {
                isFraction = true
                offset += sign ? 2 : 1
                skipDigits()
            }
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isFraction {
            // Swift needs digits on both sides of the point, this grammar does not.
            guard let number = Double("0" + text.replacingPointWithoutDigits()) else {
                throw FormatFailure(start, expected: "a number")
            }
            return .fraction(number)
        }
        return UInt64(text).map(FormatNumber.whole) ?? .large(text)
    }

    private mutating func whole(radix: UInt8) throws(FormatFailure) -> FormatNumber {
        let start = offset
        var number: UInt64 = 0
        while let digit = byte().flatMap({ Self.digit($0, radix: radix) }) {
            let (shifted, overflow) = number.multipliedReportingOverflow(by: UInt64(radix))
            if overflow { throw FormatFailure(start, expected: "a number of at most 64 bits") }
            number = shifted | UInt64(digit)
            offset += 1
        }
        return .whole(number)
    }

    private func radix(of letter: UInt8?) -> UInt8? {
        switch letter.map({ $0 | 0x20 }) {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    private static func digit(_ byte: UInt8, radix: UInt8) -> UInt8? {
        let value: UInt8
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): value = byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): value = byte - UInt8(ascii: "A") + 10
        default: return nil
        }
        return value < radix ? value : nil
    }

    private mutating func skipDigits() {
        while isDigit(at: offset) { offset += 1 }
    }
}

extension String {
    /// `10.` becomes `10.0`, `1.e5` becomes `1.0e5`.
    fileprivate func replacingPointWithoutDigits() -> String {
        guard let point = firstIndex(of: ".") else { return self }
        let after = index(after: point)
        if after < endIndex, self[after].isNumber { return self }
        return self[...point] + "0" + self[after...]
    }
}
