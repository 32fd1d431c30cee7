/// Something in a search that is not understood; the rest of the search goes on without it.
package struct QueryProblem: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// What is written so far can still become right: a quote without its end, a field without
        /// a value.
        case incomplete
        case wrong
        /// There is more of it than one search may have.
        case tooMuch
    }

    package let kind: Kind
    /// The part that is not understood, in bytes of the search.
    package let range: Range<Int>
    /// What is wrong and what to do, one sentence.
    package let sentence: String

    package init(_ kind: Kind, _ range: Range<Int>, _ sentence: String) {
        self.kind = kind
        self.range = range
        self.sentence = sentence
    }
}

/// The result of reading a search: what is understood of it, and what is not.
package struct ParsedQuery: Sendable {
    package var expression: QueryExpression
    /// In the order of the text.
    package var problems: [QueryProblem]
    /// The parts of the text, for colours and completion.
    package var tokens: [QueryToken]

    package init(
        expression: QueryExpression,
        problems: [QueryProblem] = [],
        tokens: [QueryToken] = []
    ) {
        self.expression = expression
        self.problems = problems
        self.tokens = tokens
    }
}
