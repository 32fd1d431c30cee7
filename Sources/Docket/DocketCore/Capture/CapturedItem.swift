public import CivilTime
public import TimeLanguage

/// The content of one line of quick capture.
public struct CapturedItem: Hashable, Sendable {
    /// The meaning of a part of the text, for highlighting.
    public enum TokenKind: Hashable, Sendable {
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
    public struct Token: Hashable, Sendable {
        public var kind: TokenKind
        public var range: Range<Int>

        public init(kind: TokenKind, range: Range<Int>) {
            self.kind = kind
            self.range = range
        }
    }

    /// The text that was read.
    ///
    /// Control characters are removed, line ends are `\n`, invalid UTF-8 is replaced. Ranges refer
    /// to this text.
    public var text = ""
    public var title = ""
    /// Everything after the title's line, unchanged.
    public var notes: String?
    /// The list's name and those above it, outermost first; empty without a list.
    public var list: [String] = []
    /// In the order written, each once.
    public var tags: [String] = []
    /// 0 none, 1 low, 2 medium, 3 high.
    public var priority = 0
    public var due: DueDate?
    public var start: DueDate?
    public var location: String?
    /// The numbers of the tasks for which it waits, and of those that wait for it; each once.
    public var waits: [Int64] = []
    public var blocks: [Int64] = []
    /// The words of the repetition, in lower case: `every month`.
    public var recurrence: String?
    /// The rule that they mean.
    public var repetition: Repetition?
    /// The end of a stretch of time (`fri 14-16`); ``due`` is the same.
    public var end: DueDate?
    /// Minutes.
    public var estimate: Int?
    /// Minutes before the due date.
    public var reminder: Int?
    /// In the order of the text.
    public var tokens: [Token] = []
    /// Sentences about parts that stay in the title although they look like something else; each once,
    /// the first ``mostRemarks``.
    public var remarks: [String] = []

    public static let mostRemarks = 20

    public init() {}
}
