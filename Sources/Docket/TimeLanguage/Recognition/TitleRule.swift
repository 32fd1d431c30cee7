import CivilTime

/// A row of ``TitleRules``: a class of titles, and what decides for it.
///
/// A test reads the examples, and leaves the row out: it has to decide one of them.
struct TitleRule<Place>: Sendable {
    /// The class in words, which is also the name of the row.
    let of: String
    /// Titles of the class, and one like them that is not; what is taken is in brackets.
    let examples: [String]
    let language: Language
    let holds: @Sendable (Place) -> Bool

    init(
        _ of: String,
        _ examples: String...,
        in language: Language = .english,
        if holds: @escaping @Sendable (Place) -> Bool
    ) {
        (self.of, self.examples, self.language, self.holds) = (of, examples, language, holds)
    }
}

extension TitleRule<PhraseInTitle> {
    /// A row for phrases of one kind.
    init(
        _ kind: PhraseInTitle.Kind,
        _ of: String,
        _ examples: String...,
        in language: Language = .english,
        if holds: @escaping @Sendable (PhraseInTitle) -> Bool
    ) {
        (self.of, self.examples, self.language) = (of, examples, language)
        self.holds = { $0.kind == kind && holds($0) }
    }
}

extension TitleRules {
    typealias Row = TitleRule<PhraseInTitle>
    typealias PlaceRow = TitleRule<PlaceInTitle>

    /// Whether one of some rows holds.
    func holds<Place>(_ rows: [TitleRule<Place>], _ place: Place) -> Bool {
        rows.contains { $0.of != omitted && $0.holds(place) }
    }
}
