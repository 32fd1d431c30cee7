package import TerminalUI

/// The look of the program: the styles of a theme, and the characters.
package struct Look: Sendable {
    package var theme: Theme
    package var signs: Signs
    package var symbols: Symbols

    /// Whether words are used in place of characters that are not ASCII.
    package let isASCII: Bool

    package init(theme: Theme, isASCII: Bool, signs changes: [SignName: String] = [:]) {
        self.theme = theme
        self.isASCII = isASCII
        signs = isASCII ? .ascii : .unicode
        symbols = isASCII ? .ascii : .unicode
        for (name, sign) in changes { name.set(sign, in: &signs) }
    }

    subscript(_ role: Role) -> Style { theme[role] }
}
