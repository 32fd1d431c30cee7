package import CivilTime
package import TimeLanguage

/// The content of one line of quick capture.
package struct CapturedItem: Hashable, Sendable {
    /// The meaning of a part of the text, for highlighting.
    package enum TokenKind: Hashable, Sendable {
        case list
        case tag
        case location
        case priority
        case due
        case start
        case recurrence
        case estimate
        case reminder
        case waits
        case blocks
        /// The backslash that makes the following word plain text.
        case escape
        /// It looks like a date, but the day or time does not exist, or only a part of it is
        /// understood; it stays in the title.
        case impossibleDate
    }

    /// A part of ``CapturedItem/text``, in bytes of UTF-8; it begins and ends between characters.
    package struct Token: Hashable, Sendable {
        package var kind: TokenKind
        package var range: Range<Int>

        package init(kind: TokenKind, range: Range<Int>) {
            self.kind = kind
            self.range = range
        }
    }

    /// The text that was read.
    ///
    /// Control characters are removed, line ends are `\n`, invalid UTF-8 is replaced. Ranges refer
    /// to this text.
    package var text = ""
    package var title = ""
    /// Everything after the title's line, unchanged.
    package var notes: String?
    /// The list's name and those above it, outermost first; empty without a list.
    package var list: [String] = []
    /// In the order written, each once.
    package var tags: [String] = []
    /// 0 none, 1 low, 2 medium, 3 high.
    package var priority = 0
    package var due: DueDate?
    package var start: DueDate?
    package var location: String?
    /// The numbers of the tasks for which it waits, and of those that wait for it; each once.
    package var waits: [Int64] = []
    package var blocks: [Int64] = []
    /// The words of the repetition, in lower case: `every month`.
    package var recurrence: String?
    /// The rule that they mean.
    package var repetition: Repetition?
    /// The end of a stretch of time (`fri 14-16`); ``due`` is the same.
    package var end: DueDate?
    /// Minutes.
    package var estimate: Int?
    /// Minutes before the due date.
    package var reminder: Int?
    /// In the order of the text.
    package var tokens: [Token] = []
    /// Sentences about parts that stay in the title although they look like something else; each once,
    /// the first ``mostRemarks``.
    package var remarks: [String] = []

    package static let mostRemarks = 20

    package init() {}
}
