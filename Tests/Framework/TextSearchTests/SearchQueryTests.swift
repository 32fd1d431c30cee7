import ObjectModel
import SeededRandom
import Testing

@testable import TextSearch

@Suite("Search query")
struct SearchQueryTests {
    private func marked(_ query: String, _ text: String) -> [String] {
        SearchQuery(query).matches(in: [text]).flatMap(\.ranges).map { String(text[$0]) }
    }

    @Test func wordsAreFoldedAndSeparatedByWhiteSpace() {
        #expect(SearchQuery(" Ärger  BEIM\u{2003}ärger\n").words == ["arger", "beim"])
        #expect(SearchQuery("").isEmpty)
        #expect(SearchQuery("the there").words == ["the", "there"])
        #expect(SearchQuery("the there").deciding == [Array("there".utf8)])
    }

    @Test func placesAreThoseOfTheOriginalText() {
        #expect(
            marked("cafe", "A Café, a CAFE\u{301} and a cafeteria") == [
                "Café", "CAFE\u{301}", "cafe",
            ]
        )
        #expect(marked("s", "Straße") == ["S", "ß"])
        #expect(marked("ss", "Straße Messe") == ["ß", "ss"])
        #expect(marked("fin", "ﬁne ﬁ n") == ["ﬁn"])
        #expect(marked("in i", "İn") == ["İn"])
        #expect(marked("한", "x\u{1112}\u{1161}\u{11AB}y") == ["\u{1112}\u{1161}\u{11AB}"])
        #expect(marked("aa", "aaaaa") == ["aaaa"])
        #expect(marked("x", "abc") == [])
        #expect(marked("", "abc") == [])
    }

    @Test func matchesNameTheirFields() {
        let query = SearchQuery("ana garden", fields: SearchFields([0, 2]))
        let matches = query.matches(in: ["Garden of Ana", "ana", "notes", "garden"])
        #expect(matches.map(\.field) == [0])
        #expect(matches.first?.ranges.count == 2)
    }

    /// A place folds to text with the word in it, and no place is missed before the first.
    @Test(arguments: SeededRandom.seeds(6))
    func placesFoldToTheWord(seed: UInt64) {
        var random = RandomRows(seed: seed)
        for _ in 0..<2_000 {
            let text = random.field()
            let query = SearchQuery(random.word(upTo: 3))
            guard query.words.count == 1, let word = query.words.first else { continue }
            let matches = query.matches(in: [text])
            #expect(!matches.isEmpty == isFound(query, in: [text]), "\(text) seed \(seed)")
            var end = text.startIndex
            for range in matches.flatMap(\.ranges) {
                #expect(range.lowerBound >= end && !range.isEmpty, "seed \(seed)")
                end = range.upperBound
                let place = folded(text, range)
                #expect(contains(place, word), "\(text): \(place) for \(word), seed \(seed)")
            }
            if let first = matches.first?.ranges.first {
                let before = folded(text, text.startIndex..<first.lowerBound)
                #expect(!contains(before, word), "a place before the first, seed \(seed)")
            }
        }
    }

    private func folded(_ text: String, _ range: Range<String.Index>) -> [UInt8] {
        let part = String(text[range]).replacing("\u{1F}", with: " ").replacing("\u{1E}", with: " ")
        return TextFolding.foldedBytes(part, options: SearchQuery.options)
    }

    private func contains(_ text: [UInt8], _ word: String) -> Bool {
        text.indices.contains { text[$0...].starts(with: word.utf8) }
    }
}
