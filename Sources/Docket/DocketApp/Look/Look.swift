public import TerminalUI

/// The look of the program: the styles of a theme, and the characters.
public struct Look: Sendable {
    public var theme: Theme
    public var signs: Signs
    public var symbols: Symbols

    /// Whether words are used in place of characters that are not ASCII.
    public let isASCII: Bool

    public init(theme: Theme, isASCII: Bool, signs changes: [SignName: String] = [:]) {
        self.theme = theme
        self.isASCII = isASCII
        signs = isASCII ? .ascii : .unicode
        symbols = isASCII ? .ascii : .unicode
        for (name, sign) in changes { name.set(sign, in: &signs) }
    }

    subscript(_ role: Role) -> Style { theme[role] }
}
