import CTerminal
import TerminalUI

/// ncurses' numbers for pairs of colours, created at their first use.
///
/// Results are checked: a pair that cannot be created becomes the terminal's default pair, because
/// an unchecked failure shows black on black.
struct ColorPairs {
    private struct Ink: Hashable {
        let foreground: Color
        let background: Color
    }

    /// The number of colours; 0 without colour.
    let colors: Int
    private let hasStandard: Bool
    private let limit: Int
    private var numbers: [Ink: Int32] = [:]

    /// Starts colours, if the terminal has them and the user wants them.
    init(isMonochrome: Bool) {
        guard !isMonochrome, has_colors(), start_color() == OK else {
            colors = 0
            hasStandard = true
            limit = 0
            return
        }
        hasStandard = use_default_colors() == OK
        colors = Int(cterminal_colors())
        limit = Int(cterminal_color_pairs()) - 1
    }

    /// The pair of two colours.
    mutating func number(foreground: Color, background: Color) -> Int32 {
        if colors == 0 || foreground.isStandard && background.isStandard { return 0 }
        let ink = Ink(foreground: foreground, background: background)
        if let number = numbers[ink] { return number }
        var number: Int32 = 0
        if numbers.count < limit {
            let ink = value(foreground, otherwise: 7)
            let paper = value(background, otherwise: 0)
            number = max(0, alloc_pair(ink, paper))
        }
        numbers[ink] = number
        return number
    }

    private func value(_ color: Color, otherwise: Int32) -> Int32 {
        color.number(colors: colors).map(Int32.init) ?? (hasStandard ? -1 : otherwise)
    }
}
