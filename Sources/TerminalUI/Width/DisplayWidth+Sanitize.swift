extension DisplayWidth {
    /// Text from bytes of any origin: U+FFFD for what is no UTF-8, and no control characters.
    ///
    /// Line ends become `\n` (`\r\n` and `\r` too); tabs stay; other C0 and C1 controls and DEL are
    /// dropped.
    /// - Complexity: O(n), one pass and one allocation for the bytes.
    package static func sanitize(_ bytes: [UInt8]) -> String {
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
    package static func sanitize(_ text: String) -> String {
        sanitize(Array(text.utf8))
    }

    /// Text for a field of one line: sanitized, with line ends and tabs as blanks.
    package static func singleLine(_ text: String) -> String {
        String(sanitize(text).map { $0 == "\n" || $0 == "\t" ? " " : $0 })
    }
}
