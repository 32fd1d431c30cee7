/// Whether a terminal's background is light, according to the terminal.
///
/// The environment variable COLORFGBG is known at the start; the answer to OSC 11 comes later as
/// ``TerminalReport/background(_:)`` and is more reliable.
public enum TerminalBackground {
    /// Reads `foreground;background` or `foreground;other;background`, palette indexes both.
    public static func isLight(colorFGBG: String) -> Bool? {
        guard let last = colorFGBG.split(separator: ";").last, let index = Int(last) else {
            return nil
        }
        switch index {
        case 0...6, 8: return false
        case 7, 9...15: return true
        default: return nil
        }
    }
}
