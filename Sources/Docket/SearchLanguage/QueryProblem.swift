/// Something in a search that is not understood; the rest of the search goes on without it.
public struct QueryProblem: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// What is written so far can still become right: a quote without its end, a field without
        /// a value.
        case incomplete
        case wrong
        /// There is more of it than one search may have.
        case tooMuch
    }

    public let kind: Kind
    /// The part that is not understood, in bytes of the search.
    public let range: Range<Int>
    /// What is wrong and what to do, one sentence.
    public let sentence: String

    public init(_ kind: Kind, _ range: Range<Int>, _ sentence: String) {
        self.kind = kind
        self.range = range
        self.sentence = sentence
    }
}

/// The result of reading a search: what is understood of it, and what is not.
public struct ParsedQuery: Sendable {
    public var expression: QueryExpression
    /// In the order of the text.
    public var problems: [QueryProblem]
    /// The parts of the text, for colours and completion.
    public var tokens: [QueryToken]

    public init(
        expression: QueryExpression,
        problems: [QueryProblem] = [],
        tokens: [QueryToken] = []
    ) {
        self.expression = expression
        self.problems = problems
        self.tokens = tokens
    }
}
