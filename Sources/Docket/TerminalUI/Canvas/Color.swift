/// A cell's colour: the terminal's default, one of its palette, or red, green and blue.
public struct Color: Hashable, Sendable {
    /// One word, so that cells compare as bytes: the kind in the highest byte (0 default, 1
    /// palette, 2 RGB), then the index or red, green and blue.
    let word: UInt32

    /// The terminal's default foreground or background.
    public static let standard = Color(word: 0)

    /// A colour of the terminal's palette; 0–7 basic, 8–15 bright, 16–255 cube and greys.
    public static func indexed(_ index: UInt8) -> Color {
        Color(word: 0x0100_0000 | UInt32(index))
    }

    /// A colour from red, green and blue.
    public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
        Color(word: 0x0200_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    public var isStandard: Bool { word == 0 }

    /// The palette's index, for an indexed colour.
    public var index: UInt8? { word >> 24 == 1 ? UInt8(truncatingIfNeeded: word) : nil }

    /// Red, green and blue, for an RGB colour.
    public var parts: (red: UInt8, green: UInt8, blue: UInt8)? {
        guard word >> 24 == 2 else { return nil }
        return (
            UInt8(truncatingIfNeeded: word >> 16), UInt8(truncatingIfNeeded: word >> 8),
            UInt8(truncatingIfNeeded: word)
        )
    }
}
