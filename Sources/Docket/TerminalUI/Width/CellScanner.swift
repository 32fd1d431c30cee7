/// Reads UTF-8 and returns its cells, by the rules of `CellText`.
///
/// It works on scalars, not on `Character`s: this is exact, ten times faster, and does not change
/// with the Unicode version of the Swift runtime. The bytes of a cell begin at the end of the cell
/// before, so that offsets in the text and columns correspond.
struct CellScanner {
    // Safety: whoever makes a scanner keeps the bytes while it scans.
    let bytes: UnsafeBufferPointer<UInt8>
    /// The end of the last cell's bytes.
    private(set) var offset: Int

    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The next cell, or nil at the end of the text.
    /// - Complexity: O(1), or the length of the cluster.
    @inline(__always)
    mutating func next() -> CellText? {
        guard offset < bytes.count else { return nil }
        let byte = bytes[offset]
        if byte < 0x7F, byte >= 0x20, offset + 1 == bytes.count || bytes[offset + 1] < 0x80 {
            offset += 1
            return CellText(base: UInt32(byte), width: 1)
        }
        return nextCluster()
    }

    private mutating func nextCluster() -> CellText? {
        while offset < bytes.count {
            let value = takeScalar()
            let kind = ScalarClass.of(value)
            switch kind {
            case .dropped: continue
            case .unprintable:
                return (0x9...0xD).contains(value) ? .blank : .replacement
            case .mark:
                var cell = CellText(base: 0x25CC, width: 1)
                cell.add(mark: value)
                absorb(into: &cell, base: 0x25CC, emoji: false)
                return cell
            case .narrow, .wide, .narrowEmoji, .wideEmoji:
                var cell = CellText(base: value, width: kind.columns)
                absorb(into: &cell, base: value, emoji: kind.isEmoji)
                return cell
            }
        }
        return nil
    }

    /// Adds the marks and the invisible scalars after a base.
    private mutating func absorb(into cell: inout CellText, base: UInt32, emoji: Bool) {
        var afterJoiner = false
        while offset < bytes.count {
            let before = offset
            let value = takeScalar()
            let kind = ScalarClass.of(value)
            switch kind {
            case .dropped:
                afterJoiner = value == 0x200D
                continue
            case .mark where !isVowelOrFinalJamo(value) || isHangul(base):
                cell.add(mark: value)
            case .wide where emoji && (0x1F3FB...0x1F3FF).contains(value):
                break
            case .narrowEmoji where emoji && afterJoiner, .wideEmoji where emoji && afterJoiner:
                break
            default:
                offset = before
                return
            }
            afterJoiner = false
        }
    }

    private func isVowelOrFinalJamo(_ value: UInt32) -> Bool {
        (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
    }

    private func isHangul(_ base: UInt32) -> Bool {
        (0x1100...0x115F).contains(base) || (0xA960...0xA97F).contains(base)
            || (0xAC00...0xD7A3).contains(base)
    }

    /// Decodes one scalar; an invalid byte counts as one U+FFFD.
    private mutating func takeScalar() -> UInt32 {
        let lead = bytes[offset]
        if lead < 0x80 {
            offset += 1
            return UInt32(lead)
        }
        let (length, first) = UTF8Lead.decode(lead)
        guard length > 1, offset + length <= bytes.count else { return takeMalformed() }
        var value = first
        for place in 1..<length {
            let byte = bytes[offset + place]
            guard byte & 0xC0 == 0x80 else { return takeMalformed() }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard UTF8Lead.isValid(value, length: length) else { return takeMalformed() }
        offset += length
        return value
    }

    private mutating func takeMalformed() -> UInt32 {
        offset += 1
        return 0xFFFD
    }
}

/// The first byte of a UTF-8 sequence.
enum UTF8Lead {
    /// The sequence's length and the lead's bits; length 0 if no sequence starts with this byte.
    @inline(__always)
    static func decode(_ byte: UInt8) -> (length: Int, bits: UInt32) {
        switch byte {
        case 0x00...0x7F: (1, UInt32(byte))
        case 0xC2...0xDF: (2, UInt32(byte & 0x1F))
        case 0xE0...0xEF: (3, UInt32(byte & 0x0F))
        case 0xF0...0xF4: (4, UInt32(byte & 0x07))
        default: (0, 0)
        }
    }

    /// Whether a decoded value is a scalar in its shortest form.
    @inline(__always)
    static func isValid(_ value: UInt32, length: Int) -> Bool {
        switch length {
        case 1: value < 0x80
        case 2: value >= 0x80
        case 3: value >= 0x800 && !(0xD800...0xDFFF).contains(value)
        default: value >= 0x10000 && value <= 0x10FFFF
        }
    }
}
