import ObjectModel
import SeededRandom

@testable import TextSearch

/// Random rows that a printed seed repeats.
struct RandomRows {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func below(_ bound: Int) -> Int { random.below(bound) }

    private static let letters = [
        "a", "A", "b", "n", "á", "a\u{301}", "ß", "s", "S", "İ", "が", "か\u{3099}", "ж", "Ё", "한",
        "\u{1112}\u{1161}\u{11AB}", "ﬁ", "\u{301}", "\u{1F}", "\u{1E}", "😀", "1", ".",
    ]

    mutating func word(upTo length: Int) -> String {
        (0...below(length)).map { _ in
            // Few letters are frequent, so that words meet.
            Self.letters[below(3) == 0 ? below(Self.letters.count) : below(8)]
        }
        .joined()
    }

    mutating func field() -> String {
        (0..<below(5)).map { _ in word(upTo: 5) }
            .joined(separator: below(4) == 0 ? "\u{A0}\n" : " ")
    }

    mutating func fields() -> [String] { (0..<below(5)).map { _ in field() } }

    mutating func query() -> SearchQuery {
        let text = (0..<below(4)).map { _ in word(upTo: 3) }.joined(separator: "  ")
        return SearchQuery(text, fields: below(2) == 0 ? .all : SearchFields([below(4), below(4)]))
    }
}

/// The definition of the search: each word in at least one field, by folded text alone.
func isFound(_ query: SearchQuery, in fields: [String]) -> Bool {
    let both: FetchComparison.Options = [.caseInsensitive, .diacriticInsensitive]
    let folded = fields.map { field in
        let clean = field.replacing("\u{1F}", with: " ").replacing("\u{1E}", with: " ")
        return Array(TextFolding.fold(clean, options: both).unicodeScalars)
    }
    return query.words.allSatisfy { word in
        let word = Array(word.unicodeScalars)
        return folded.enumerated().contains { number, field in
            query.fields.contains(SearchFields([number]))
                && field.indices.contains { field[$0...].starts(with: word) }
        }
    }
}
