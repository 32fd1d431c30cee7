import Glibc

extension Color {
    /// The ratio of the luminances of two colours, 1 to 21, as WCAG 2 defines it; `nil` for colours
    /// that each terminal chooses itself: the standard one and the first sixteen.
    public func contrast(with other: Color) -> Double? {
        guard let one = luminance, let two = other.luminance else { return nil }
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    private var luminance: Double? {
        let color: (red: UInt8, green: UInt8, blue: UInt8)
        if let parts {
            color = parts
        } else if let index, index >= 16 {
            color = Color.cube(index)
        } else {
            return nil
        }
        func linear(_ part: UInt8) -> Double {
            let share = Double(part) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(color.red) + 0.7152 * linear(color.green)
            + 0.0722 * linear(color.blue)
    }
}
