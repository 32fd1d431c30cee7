/// The effect of a scalar on a cell, by the committed table.
enum ScalarClass: UInt8 {
    case mark = 0
    case narrow = 1
    case wide = 2
    case unprintable = 3
    case dropped = 4
    case narrowEmoji = 5
    case wideEmoji = 6

    /// The class of a scalar value.
    /// - Complexity: O(1), two loads below U+20000.
    @inline(__always)
    static func of(_ value: UInt32) -> ScalarClass {
        if value < 0x7F { return value >= 0x20 ? .narrow : .unprintable }
        if value >= WidthTable.limit { return ofHighPlanes(value) }
        let index = WidthTable.index.utf8Start + 2 * Int(value >> WidthTable.blockShift)
        let block = hexadecimal(index[0]) << 4 | hexadecimal(index[1])
        let place = block << Int(WidthTable.blockShift) | Int(value & WidthTable.blockMask)
        let digit = UInt8(truncatingIfNeeded: hexadecimal(WidthTable.classes.utf8Start[place]))
        return ScalarClass(rawValue: digit) ?? .unprintable
    }

    @inline(__always)
    private static func hexadecimal(_ digit: UInt8) -> Int {
        Int(digit) - (digit < 0x3A ? 0x30 : 0x37)
    }

    /// Planes 2 and 3 are ideographs; 14 has tags and variation selectors; 15 and 16 are private.
    private static func ofHighPlanes(_ value: UInt32) -> ScalarClass {
        switch value {
        case 0x20000...0x2FFFD, 0x30000...0x3FFFD: .wide
        case 0xE0001, 0xE0020...0xE007F: .dropped
        case 0xE0100...0xE01EF: .mark
        case 0xF0000...0xFFFFD, 0x100000...0x10FFFD: .narrow
        default: .unprintable
        }
    }

    var isEmoji: Bool { self == .narrowEmoji || self == .wideEmoji }

    /// Columns of a spacing scalar; 0 of the others.
    var columns: UInt8 {
        switch self {
        case .narrow, .narrowEmoji: 1
        case .wide, .wideEmoji: 2
        case .mark, .unprintable, .dropped: 0
        }
    }
}
