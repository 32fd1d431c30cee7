extension DisplayWidth {
    /// Text from bytes of any origin: U+FFFD for invalid UTF-8, and no control characters.
    ///
    /// Line ends become `\n` (`\r\n` and `\r` too); tabs stay; other C0 and C1 controls and DEL are
    /// dropped.
    /// - Complexity: O(n), one pass and one allocation for the bytes.
    public static func sanitize(_ bytes: [UInt8]) -> String {
        var clean: [UInt8] = []
        clean.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case 0x20...0x7E, 0x80...0xC1, 0xC3...0xFF, 0x09, 0x0A:
                clean.append(byte)
            case 0x0D:
                clean.append(0x0A)
                if place + 1 < bytes.count, bytes[place + 1] == 0x0A { place += 1 }
            case 0xC2 where place + 1 < bytes.count && (0x80...0x9F).contains(bytes[place + 1]):
                place += 1
            case 0xC2:
                clean.append(byte)
            default: break
            }
            place += 1
        }
        return String(decoding: clean, as: UTF8.self)
    }

    /// Text without control characters; see ``sanitize(_:)-([UInt8])``.
    public static func sanitize(_ text: String) -> String {
        sanitize(Array(text.utf8))
    }

    /// Text for a field of one line: sanitized, with line ends and tabs as blanks.
    public static func singleLine(_ text: String) -> String {
        var text = text
        let isPlain = text.withUTF8 { $0.allSatisfy { (0x20...0x7E).contains($0) } }
        if isPlain { return text }
        let bytes = sanitize(text).utf8.map { $0 == 0x0A || $0 == 0x09 ? 0x20 : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Text in the form of a canvas, for output without a canvas: without format characters.
    ///
    /// Format characters change the direction of the following text, or are invisible, so that a
    /// text could look like another one. Characters that a canvas drops are dropped here too, by
    /// the same table, except the variation selectors of emoji; U+2028 and U+2029 become U+FFFD.
    /// For control characters see ``sanitize(_:)-(String)``.
    ///
    /// - Complexity: O(n); a text without such characters is scanned once and not copied.
    public static func displayed(_ text: String) -> String {
        var text = text
        if text.withUTF8(isDisplayed) { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0xFE0E, 0xFE0F: shown.append(scalar)
            case 0x2028, 0x2029: shown.append("\u{FFFD}")
            case let value where ScalarClass.of(value) == .dropped: break
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// Whether ``displayed(_:)`` would not change the UTF-8.
    public static func isDisplayed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let memory = UnsafeRawBufferPointer(bytes)
        var place = 0
        while place < bytes.count {
            // ASCII is passed eight bytes at a time.
            let isLong = place + 8 <= bytes.count
            let word = isLong ? memory.loadUnaligned(fromByteOffset: place, as: UInt64.self) : .max
            let first = bytes[place]
            if first < 0x80 {
                place += word & 0x8080_8080_8080_8080 == 0 ? 8 : 1
                continue
            }
            let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            guard place + length <= bytes.count else { return false }
            var value = UInt32(first) & (0x7F >> UInt32(length))
            for byte in bytes[place + 1..<place + length] {
                value = value << 6 | UInt32(byte & 0x3F)
            }
            let isChanged =
                value == 0x2028 || value == 0x2029 || ScalarClass.of(value) == .dropped
            if isChanged { return false }
            place += length
        }
        return true
    }
}
