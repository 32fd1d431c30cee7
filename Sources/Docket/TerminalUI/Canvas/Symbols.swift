/// The characters for lines, scrollbars and cut texts: Unicode, or only ASCII.
package struct Symbols: Hashable, Sendable {
    package var horizontal: Unicode.Scalar
    package var vertical: Unicode.Scalar
    /// Shown where text was cut off.
    package var ellipsis: Unicode.Scalar
    package var thumb: Unicode.Scalar
    /// Shown for each character of a masked field.
    package var mask: Unicode.Scalar
    /// Shown before a marked row.
    package var mark: Unicode.Scalar
    /// Shown before the selected row of a menu.
    package var pointer: Unicode.Scalar
    /// Shown before messages, so that their kind does not depend on colour.
    package var success: Unicode.Scalar
    package var warning: Unicode.Scalar
    package var error: Unicode.Scalar
    package var info: Unicode.Scalar

    package static let unicode = Symbols(
        horizontal: "─",
        vertical: "│",
        ellipsis: "…",
        thumb: "▐",
        mask: "•",
        mark: "▌",
        pointer: "›",
        success: "✓",
        warning: "!",
        error: "✗",
        info: "·"
    )

    package static let ascii = Symbols(
        horizontal: "-",
        vertical: "|",
        ellipsis: "~",
        thumb: "#",
        mask: "*",
        mark: "*",
        pointer: ">",
        success: "+",
        warning: "!",
        error: "x",
        info: "-"
    )
}
