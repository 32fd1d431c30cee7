import SeededRandom
import Testing

@testable import ObjectModel

@Suite("Order of texts")
struct TextOrderTests {
    typealias Comparison = FetchSortDescriptor.Comparison

    static let comparisons: [Comparison] = [
        .binary, .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard,
    ]

    private func sorted(_ texts: [String], _ comparison: Comparison) -> [String] {
        texts.sorted { TextFolding.order($0, $1, by: comparison) == .before }
    }

    @Test func localizedOrderLooksAtLettersThenAccentsThenCase() {
        let expected = ["", "a1", "cote", "Cote", "coté", "côte", "Côte", "Coto", "d", "ø"]
        #expect(sorted(expected.reversed(), .localized) == expected)
        #expect(TextFolding.order("Côte", "côte", by: .localizedCaseInsensitive) == .same)
        #expect(TextFolding.order("Cote", "côte", by: .localizedCaseInsensitive) == .before)
        #expect(TextFolding.order("Straße", "STRASSE", by: .caseInsensitive) == .same)
        #expect(TextFolding.order("É", "e\u{301}", by: .caseInsensitive) == .same)
    }

    @Test func standardOrderReadsDigitsAsNumbers() {
        let expected = [
            "a", "a 2", "a2", "a2b", "a10", "A10", "a10b", "a011", "a100", "ab",
            "b99999999999999999999998", "b99999999999999999999999",
        ]
        #expect(sorted(expected.reversed(), .localizedStandard) == expected)
        #expect(sorted(["a2", "a10"], .localized) == ["a10", "a2"])
        #expect(TextFolding.order("a01", "a1", by: .localizedStandard) == .before)
        #expect(TextFolding.order("a01b", "a1a", by: .localizedStandard) == .after)
    }

    @Test func binaryOrderIsByScalar() {
        #expect(
            sorted(["b", "B", "é", "e\u{301}", "😀", "\u{FFFD}"], .binary)
                == ["B", "b", "e\u{301}", "é", "\u{FFFD}", "😀"]
        )
        #expect(TextFolding.order("é", "e\u{301}", by: .binary) == .after)
    }

    @Test(arguments: SeededRandom.seeds(3))
    func orderIsTotal(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        let pieces = [
            "a", "A", "á", "a\u{301}", "b", "0", "1", "01", "10", "ß", "ss", "\u{327}", " ", ":",
        ]
        let texts = (0..<60).map { _ in
            Bool.random(using: &generator)
                ? generator.text(upTo: 4)
                : (0..<3).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        }
        for comparison in Self.comparisons {
            for a in texts {
                for b in texts {
                    let order = TextFolding.order(a, b, by: comparison)
                    #expect(TextFolding.order(b, a, by: comparison) == order.reversed)
                    switch comparison {
                    case .binary:
                        #expect((order == .same) == (Array(a.utf8) == Array(b.utf8)))
                    case .localized, .localizedStandard:
                        #expect((order == .same) == (a == b), "\(a) \(b) seed \(seed)")
                    case .caseInsensitive, .localizedCaseInsensitive:
                        let same =
                            TextFolding.fold(a, options: .caseInsensitive)
                            == TextFolding.fold(b, options: .caseInsensitive)
                        #expect((order == .same) == same, "\(a) \(b) seed \(seed)")
                    }
                    if order == .after { continue }
                    for c in texts where TextFolding.order(b, c, by: comparison) != .after {
                        #expect(
                            TextFolding.order(a, c, by: comparison) != .after,
                            "\(comparison): \(a), \(b), \(c), seed \(seed)"
                        )
                    }
                }
            }
        }
    }
}
