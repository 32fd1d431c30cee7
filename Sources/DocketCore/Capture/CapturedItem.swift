/// What one line of quick capture says.
package struct CapturedItem: Hashable, Sendable {
    /// What a stretch of the text is, for highlighting.
    package enum TokenKind: Hashable, Sendable {
        case list
        case tag
        case location
        case priority
        case due
        case start
        case recurrence
        /// The backslash that makes the word behind it plain.
        case escape
        /// Reads like a date, but no such day or time exists; it stays in the title.
        case impossibleDate
    }

    /// A stretch of ``CapturedItem/text``, in bytes of UTF-8; it begins and ends between
    /// characters.
    package struct Token: Hashable, Sendable {
        package var kind: TokenKind
        package var range: Range<Int>

        package init(kind: TokenKind, range: Range<Int>) {
            self.kind = kind
            self.range = range
        }
    }

    /// The text as it was read.
    ///
    /// Control characters are dropped, line ends made `\n`, invalid UTF-8 replaced. Ranges refer
    /// to this text.
    package var text = ""
    package var title = ""
    /// Everything behind the title's line, as written.
    package var notes: String?
    /// The list's name and those above it, outermost first; empty when none is named.
    package var list: [String] = []
    /// In the order written, each once.
    package var tags: [String] = []
    /// 0 none, 1 low, 2 medium, 3 high.
    package var priority = 0
    package var due: DueDate?
    package var start: DueDate?
    package var location: String?
    /// The words that say how it repeats, in lower case: `every month`.
    package var recurrence: String?
    /// In the order of the text.
    package var tokens: [Token] = []
    /// Sentences about what was left in the title although it looks like something else.
    package var remarks: [String] = []

    package init() {}
}
