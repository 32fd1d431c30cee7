extension Color {
    /// The nearest colour of a terminal with this number of colours.
    ///
    /// With fewer than 8 colours this is the standard colour: meaning must not need colour.
    public func degraded(to colors: Int) -> Color {
        if isStandard || colors > 256 && parts != nil { return self }
        if colors < 8 { return .standard }
        if let index {
            if Int(index) < colors { return self }
            if index < 16 { return .indexed(index & 7) }
            return Color.basic(nearest: Color.cube(index), bright: colors >= 16)
        }
        guard let parts else { return self }
        if colors >= 256 { return Color.palette(nearest: parts) }
        return Color.basic(nearest: parts, bright: colors >= 16)
    }

    private static let steps: [Int] = [0, 95, 135, 175, 215, 255]

    /// The usual value of a palette colour from 16 on.
    static func cube(_ index: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
        if index >= 232 {
            let grey = 8 + 10 * (index - 232)
            return (grey, grey, grey)
        }
        let place = Int(index) - 16
        let part = { (step: Int) in UInt8(truncatingIfNeeded: steps[step]) }
        return (part(place / 36), part(place / 6 % 6), part(place % 6))
    }

    private static func palette(nearest parts: (red: UInt8, green: UInt8, blue: UInt8)) -> Color {
        var best = 16
        var least = Int.max
        for index in 16...255 {
            let distance = distance(parts, cube(UInt8(index)))
            if distance < least {
                least = distance
                best = index
            }
        }
        return .indexed(UInt8(best))
    }

    private static func basic(
        nearest parts: (red: UInt8, green: UInt8, blue: UInt8),
        bright: Bool
    ) -> Color {
        let strongest = max(parts.red, parts.green, parts.blue)
        if strongest < 48 { return .indexed(0) }
        let limit = max(48, strongest / 2)
        var index: UInt8 = 0
        if parts.red > limit { index |= 1 }
        if parts.green > limit { index |= 2 }
        if parts.blue > limit { index |= 4 }
        if index == 7, strongest < 128, bright { return .indexed(8) }
        return .indexed(bright && strongest > 208 ? index | 8 : index)
    }

    private static func distance(
        _ one: (red: UInt8, green: UInt8, blue: UInt8),
        _ other: (red: UInt8, green: UInt8, blue: UInt8)
    ) -> Int {
        let red = Int(one.red) - Int(other.red)
        let green = Int(one.green) - Int(other.green)
        let blue = Int(one.blue) - Int(other.blue)
        return 2 * red * red + 4 * green * green + 3 * blue * blue
    }
}

extension Color {
    /// The terminal's number for the nearest colour that it has; nil is its default colour.
    ///
    /// Up to 256 colours this is the palette's index. Beyond, the first eight numbers are the basic
    /// colours and the others red, green and blue in one number, as terminfo's direct colours are.
    public func number(colors: Int) -> Int? {
        let color = degraded(to: colors)
        if let parts = color.parts {
            let number = Int(parts.red) << 16 | Int(parts.green) << 8 | Int(parts.blue)
            return max(8, number)
        }
        guard let index = color.index else { return nil }
        guard colors > 256, index >= 8 else { return Int(index) }
        if index < 16 { return Int(index & 7) }
        let parts = Color.cube(index)
        return Color.rgb(parts.red, parts.green, parts.blue).number(colors: colors)
    }
}
