import CivilTime

/// A phrase in a title, with what is around it.
struct PhraseInTitle {
    let rules: TitleRules
    let phrase: Grammar.Piece
    let lead: TitleRules.Lead
    /// The index of the first token, that of the lead.
    let start: Int

    var reading: Reading { phrase.reading }
    /// The index of the token after it.
    var end: Int { phrase.end }
    var grammar: Grammar { rules.grammar }
    var tokens: Tokens { rules.tokens }
    /// The word or number before it.
    var before: Token? { rules.token(start - 1) }
    /// What is behind it.
    var next: Token? { rules.token(end) }
    /// The first token of the phrase itself.
    var first: Token { tokens[lead.end] }

    /// A word behind it, with a space between.
    var nextWord: Token? {
        guard let next, next.kind == .word, next.hasSpace else { return nil }
        return next
    }
}

/// A reason why a phrase is not read, for a class of titles.
struct TitleRule: Sendable {
    /// The class, in a few words; also the name.
    let of: String
    /// A title that is read otherwise without the rule; a test tries that.
    let example: String
    let language: Language
    let holds: @Sendable (PhraseInTitle) -> Bool

    init(
        _ of: String,
        _ example: String,
        _ language: Language = .english,
        _ holds: @escaping @Sendable (PhraseInTitle) -> Bool
    ) {
        (self.of, self.example, self.language, self.holds) = (of, example, language, holds)
    }
}

extension TitleRules {
    /// Whether one of some rules holds.
    func holds(_ rules: [TitleRule], _ phrase: PhraseInTitle) -> Bool {
        rules.contains { $0.of != omitted && $0.holds(phrase) }
    }
}
