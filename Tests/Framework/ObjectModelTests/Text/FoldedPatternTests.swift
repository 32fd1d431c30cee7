import SeededRandom
import Testing

@testable import ObjectModel

@Suite("Folded patterns")
struct FoldedPatternTests {
    private static let both: FetchComparison.Options = [.caseInsensitive, .diacriticInsensitive]

    private func like(
        _ pattern: String,
        _ text: String,
        _ options: FetchComparison.Options = []
    )
        -> Bool
    {
        FoldedPattern(pattern, options: options).isLike(text)
    }

    @Test func needleIsFoundWithoutWhatTheOptionsIgnore() {
        let pattern = FoldedPattern("RÉSUME", options: Self.both)
        #expect(pattern.isContained(in: "my résumé"))
        #expect(pattern.isPrefix(of: "re\u{301}sumé of mine"))
        #expect(pattern.isSuffix(of: "my Resume"))
        #expect(pattern.isEqual(to: "resume"))
        #expect(!pattern.isContained(in: "my résum"))
        #expect(!FoldedPattern("résume", options: .caseInsensitive).isContained(in: "RÉSUMÉ"))
        #expect(FoldedPattern("résume", options: .diacriticInsensitive).isContained(in: "resumé"))
        #expect(!FoldedPattern("résume", options: .diacriticInsensitive).isContained(in: "RESUMÉ"))
        #expect(FoldedPattern("ss", options: .caseInsensitive).isContained(in: "Straße"))
    }

    @Test(arguments: [[], .caseInsensitive, .diacriticInsensitive, both, .normalized])
    func emptyNeedleIsPartOfNothing(options: FetchComparison.Options) {
        let pattern = FoldedPattern("", options: options)
        for text in ["", "a"] {
            #expect(!pattern.isContained(in: text))
            #expect(!pattern.isPrefix(of: text))
            #expect(!pattern.isSuffix(of: text))
        }
        #expect(pattern.isEqual(to: ""))
        #expect(pattern.isLike(""))
        #expect(!pattern.isLike("a"))
    }

    @Test func letterIsNotFoundInAnAccentedLetter() {
        for accented in ["é", "e\u{301}"] {
            let pattern = FoldedPattern("e", options: .caseInsensitive)
            #expect(!pattern.isContained(in: accented))
            #expect(!pattern.isPrefix(of: accented + "x"))
            #expect(!pattern.isSuffix(of: "x" + accented))
            #expect(!FoldedPattern("\u{301}", options: .normalized).isContained(in: accented))
            #expect(pattern.isContained(in: accented + "E"))
        }
    }

    @Test func exactNeedleComparesBytes() {
        #expect(!FoldedPattern("é", options: []).isContained(in: "e\u{301}"))
        #expect(FoldedPattern("é", options: []).isContained(in: "né"))
        #expect(FoldedPattern("é", options: .normalized).isContained(in: "ne\u{301}"))
    }

    @Test func longTextIsSearchedToItsEnd() {
        let long = String(repeating: "lorem Ipsum ", count: 5_000) + "Änd"
        #expect(FoldedPattern("m and", options: Self.both).isContained(in: long))
        #expect(FoldedPattern("AND", options: Self.both).isSuffix(of: long))
        #expect(FoldedPattern("lorem*an?", options: Self.both).isLike(long))
    }

    @Test func signsOfAPatternStandForCharacters() {
        #expect(like("a?c", "abc"))
        #expect(like("a?c", "aéc"))
        #expect(like("a?c", "ae\u{301}c"))
        #expect(!like("a?c", "ac"))
        #expect(like("*", ""))
        #expect(like("**", "xyz"))
        #expect(like("a*", "a"))
        #expect(like("*.txt", "a.txt"))
        #expect(!like("*.txt", "a.txt2"))
        #expect(!like("b", "abc"))
        #expect(like("a\\*c", "a*c"))
        #expect(!like("a\\*c", "abc"))
        #expect(like("\\?", "?"))
        #expect(!like("\\?", "x"))
        #expect(like("a\\", "a\\"))
        #expect(like("STRASSE*", "straße 1", .caseInsensitive))
        #expect(like("*Ü?er*", "unter uber", Self.both))
        #expect(!like("*u?er*", "unter über", .caseInsensitive))
    }

    /// Trying every place for every star would take longer than the universe lasts.
    @Test(.timeLimit(.minutes(10))) func manyStarsEnd() {
        let text = String(repeating: "a", count: 5_000)
        let pattern = String(repeating: "a*", count: 40) + "b"
        #expect(!like(pattern, text))
    }

    /// The textbook definition, on scalars of a text without marks.
    private func naive(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
        guard let sign = pattern.first else { return text.isEmpty }
        switch sign {
        case "*":
            return (text.startIndex...text.endIndex).contains {
                naive(pattern.dropFirst(), text[$0...])
            }
        case "?": return !text.isEmpty && naive(pattern.dropFirst(), text.dropFirst())
        default: return text.first == sign && naive(pattern.dropFirst(), text.dropFirst())
        }
    }

    @Test(arguments: SeededRandom.seeds(3))
    func likeAgreesWithTheDefinition(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<4_000 {
            let pattern = (0..<Int.random(in: 0...6, using: &generator))
                .map { _ in ["a", "b", "é", "*", "?"].randomElement(using: &generator) ?? "a" }
                .joined()
            let text = (0..<Int.random(in: 0...8, using: &generator))
                .map { _ in ["a", "b", "é"].randomElement(using: &generator) ?? "a" }.joined()
            let expected = naive(Array(pattern)[...], Array(text)[...])
            for options in [[], .caseInsensitive, .normalized] as [FetchComparison.Options] {
                #expect(like(pattern, text, options) == expected, "\(pattern) \(text) seed \(seed)")
            }
        }
    }

    @Test(arguments: SeededRandom.seeds(3))
    func relationsAgreeWithFoldedCharacters(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<3_000 {
            let needle = generator.word(upTo: 3)
            let text = generator.word(upTo: 6)
            for options in TextFoldingTests.all {
                let pattern = FoldedPattern(needle, options: options)
                let folded = Array(TextFolding.fold(text, options: options))
                let wanted = Array(TextFolding.fold(needle, options: options))
                let note = Comment(
                    rawValue: "\(needle) in \(text), \(options.rawValue), seed \(seed)"
                )
                let places = folded.indices.filter { folded[$0...].starts(with: wanted) }
                #expect(pattern.isContained(in: text) == (!wanted.isEmpty && !places.isEmpty), note)
                #expect(
                    pattern.isPrefix(of: text)
                        == (!wanted.isEmpty && folded.starts(with: wanted)),
                    note
                )
                #expect(
                    pattern.isSuffix(of: text)
                        == (!wanted.isEmpty && folded.reversed().starts(with: wanted.reversed())),
                    note
                )
                #expect(pattern.isEqual(to: text) == (folded == wanted), note)
            }
        }
    }
}
