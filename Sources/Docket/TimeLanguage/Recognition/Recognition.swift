public import CivilTime

/// What the words of a text mean.
public struct Recognition: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        case due
        case start
        /// A stretch of time: both start and end.
        case range
        case estimate
        case repetition
        /// How long before the due date to remind.
        case reminder
        /// A date that does not exist, or one that is understood only in part; it stays text.
        case problem
    }

    /// A part of the text, in bytes of UTF-8; it begins and ends between characters.
    public struct Span: Hashable, Sendable {
        public var kind: Kind
        public var range: Range<Int>

        public init(kind: Kind, range: Range<Int>) {
            self.kind = kind
            self.range = range
        }
    }

    /// Ascending, not overlapping.
    public var spans: [Span] = []
    public var due: DueDate?
    public var start: DueDate?
    /// The end of a range, which is also its due date.
    public var end: DueDate?
    /// Minutes.
    public var estimate: Int?
    /// Minutes before the due date.
    public var reminder: Int?
    public var repetition: Repetition?
    /// Sentences about what is not understood, impossible or ambiguous.
    public var problems: [String] = []

    public init() {}
}

/// Why a text is not a date.
public enum FieldProblem: Error, Hashable, Sendable {
    /// The day or time does not exist: the words, and the reason as part of a sentence.
    case impossible(String, String)
    /// It is not a date.
    case unknown
}
