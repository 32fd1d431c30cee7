/// The characters for lines, scrollbars and cut texts: Unicode, or only ASCII.
public struct Symbols: Hashable, Sendable {
    public var horizontal: Unicode.Scalar
    public var vertical: Unicode.Scalar
    /// Where a line of a tree leads to a row and goes on, and where it ends.
    public var branch: Unicode.Scalar
    public var lastBranch: Unicode.Scalar
    /// Shown where text was cut off.
    public var ellipsis: Unicode.Scalar
    public var thumb: Unicode.Scalar
    /// Shown for each character of a masked field.
    public var mask: Unicode.Scalar
    /// Shown before a marked row.
    public var mark: Unicode.Scalar
    /// Shown before the selected row of a menu.
    public var pointer: Unicode.Scalar
    /// Shown before messages, so that their kind does not depend on colour.
    public var success: Unicode.Scalar
    public var warning: Unicode.Scalar
    public var error: Unicode.Scalar
    public var info: Unicode.Scalar

    /// Whether they are all of ASCII, so that plots have to be, too.
    public var isASCII: Bool { ellipsis.isASCII && horizontal.isASCII }

    public static let unicode = Symbols(
        horizontal: "─",
        vertical: "│",
        branch: "├",
        lastBranch: "└",
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

    public static let ascii = Symbols(
        horizontal: "-",
        vertical: "|",
        branch: "|",
        lastBranch: "`",
        ellipsis: "~",
        thumb: "]",
        mask: "*",
        mark: "*",
        pointer: ">",
        success: "+",
        warning: "!",
        error: "x",
        info: "-"
    )
}
