import TerminalUI

/// Colours as people write them.
enum ColorName {
    static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    ]

    static func color(_ text: String) -> Color? {
        if let index = names.firstIndex(of: text.lowercased()) { return .indexed(UInt8(index)) }
        if let index = UInt8(text) { return .indexed(index) }
        guard text.first == "#", text.utf8.count == 7,
            let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        return .rgb(
            UInt8(number >> 16 & 255),
            UInt8(number >> 8 & 255),
            UInt8(number & 255)
        )
    }

    /// A colour as the settings write it.
    static func text(_ color: Color) -> String {
        guard let parts = color.parts else {
            let index = Int(color.index ?? 0)
            return index < names.count ? names[index] : "\(index)"
        }
        return "#" + [parts.red, parts.green, parts.blue].map(hex).joined()
    }

    /// Two hexadecimal digits.
    static func hex(_ value: UInt8) -> String {
        let digits = String(value, radix: 16)
        return digits.count == 1 ? "0\(digits)" : digits
    }
}
