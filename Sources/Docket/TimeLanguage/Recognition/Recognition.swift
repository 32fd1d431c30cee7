package import CivilTime

/// What the words of a text mean.
package struct Recognition: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
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
    package struct Span: Hashable, Sendable {
        package var kind: Kind
        package var range: Range<Int>

        package init(kind: Kind, range: Range<Int>) {
            self.kind = kind
            self.range = range
        }
    }

    /// Ascending, not overlapping.
    package var spans: [Span] = []
    package var due: DueDate?
    package var start: DueDate?
    /// The end of a range, which is also its due date.
    package var end: DueDate?
    /// Minutes.
    package var estimate: Int?
    /// Minutes before the due date.
    package var reminder: Int?
    package var repetition: Repetition?
    /// Sentences about what is not understood, impossible or ambiguous.
    package var problems: [String] = []

    package init() {}
}

/// Why a text is not a date.
package enum FieldProblem: Error, Hashable, Sendable {
    /// The day or time does not exist: the words, and the reason as part of a sentence.
    case impossible(String, String)
    /// It is not a date.
    case unknown
}
