extension FormatLexer {
    func byte(_ distance: Int = 0) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    func isDigit(at offset: Int) -> Bool {
        offset < bytes.count && 0x30...0x39 ~= bytes[offset]
    }

    /// Whether the previous byte ends an operand; a point then belongs to a key path.
    func followsOperand() -> Bool {
        guard offset > 0 else { return false }
        let before = bytes[offset - 1]
        return before == UInt8(ascii: ")") || before == UInt8(ascii: "]")
            || before == UInt8(ascii: "}") || isNamePart(at: offset - 1) && !isDigit(at: offset - 1)
    }

    /// Letters, digits and underscores; everything beyond ASCII that is not white space.
    func isNamePart(at offset: Int) -> Bool {
        guard offset < bytes.count else { return false }
        switch bytes[offset] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            return true
        case 0x80...: return wideSpaceLength(at: offset) == 0
        default: return false
        }
    }

    mutating func takeName() -> String {
        let start = offset
        while isNamePart(at: offset) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    mutating func skipWhiteSpace() {
        while let byte = byte() {
            switch byte {
            case 0x20, 0x09...0x0d: offset += 1
            case 0x80...:
                let length = wideSpaceLength(at: offset)
                if length == 0 { return }
                offset += length
            default: return
            }
        }
    }

    /// The length of a white space character beyond ASCII, else 0.
    private func wideSpaceLength(at offset: Int) -> Int {
        func byte(_ distance: Int) -> UInt8 {
            offset + distance < bytes.count ? bytes[offset + distance] : 0
        }
        switch (byte(0), byte(1), byte(2)) {
        case (0xc2, 0x85, _), (0xc2, 0xa0, _): return 2  // next line, no-break space
        case (0xe1, 0x9a, 0x80): return 3  // ogham space
        case (0xe2, 0x80, 0x80...0x8a), (0xe2, 0x80, 0xa8), (0xe2, 0x80, 0xa9),
            (0xe2, 0x80, 0xaf), (0xe2, 0x81, 0x9f):
            return 3  // spaces of fixed width, line and paragraph separators
        case (0xe3, 0x80, 0x80): return 3  // ideographic space
        case (0xef, 0xbb, 0xbf): return 3  // byte order mark
        default: return 0
        }
    }
}
