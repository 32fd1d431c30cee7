package import TerminalUI

/// The look of the program: the styles of a theme, and the characters.
package struct Look: Sendable {
    package var theme: Theme
    package var signs: Signs
    package var symbols: Symbols

    package init(theme: Theme, isASCII: Bool) {
        self.theme = theme
        signs = isASCII ? .ascii : .unicode
        symbols = isASCII ? .ascii : .unicode
    }

    package var isASCII: Bool { signs == .ascii }

    subscript(_ role: Role) -> Style { theme[role] }
}
