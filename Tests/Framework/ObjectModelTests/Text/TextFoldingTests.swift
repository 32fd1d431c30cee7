import Foundation
import SeededRandom
import Testing

@testable import ObjectModel

@Suite("Text folding")
struct TextFoldingTests {
    static let all: [FetchComparison.Options] = [
        .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
        .normalized,
    ]

    private func fold(_ text: String, _ options: FetchComparison.Options) -> [Unicode.Scalar] {
        Array(TextFolding.fold(text, options: options).unicodeScalars)
    }

    @Test(arguments: [
        // text, [c], [d], [cd]
        ("Straße", "strasse", "Straße", "strasse"),
        ("ﬁn", "fin", "ﬁn", "fin"),
        ("İ", "i\u{307}", "I", "i"),
        ("Å", "a\u{30A}", "A", "a"),
        ("A\u{30A}", "a\u{30A}", "A", "a"),
        ("ŁÓDŹ", "ło\u{301}dz\u{301}", "ŁODZ", "łodz"),
        ("Ørsted Æ Đ", "ørsted æ đ", "Ørsted Æ Đ", "ørsted æ đ"),
        ("\u{301}a\u{301}", "\u{301}a\u{301}", "\u{301}a", "\u{301}a"),
        ("Σίσυφος", "σι\u{301}συφοσ", "Σισυφος", "σισυφοσ"),
        ("ᾼ", "αι", "Α", "α"),
        ("Ё й", "е\u{308} и\u{306}", "Е и", "е и"),
        ("が", "か\u{3099}", "か\u{3099}", "か\u{3099}"),
        ("\u{1112}\u{1161}\u{11AB}", "한", "한", "한"),
        ("", "", "", ""),
    ])
    func foldingIgnoresWhatTheOptionsName(
        text: String,
        noCase: String,
        noMarks: String,
        neither: String
    ) {
        #expect(fold(text, .caseInsensitive) == Array(noCase.unicodeScalars))
        #expect(fold(text, .diacriticInsensitive) == Array(noMarks.unicodeScalars))
        let both: FetchComparison.Options = [.caseInsensitive, .diacriticInsensitive]
        #expect(fold(text, both) == Array(neither.unicodeScalars))
    }

    @Test func foldingWithoutOptionsChangesNothing() {
        #expect(fold("É e\u{301}", []) == Array("É e\u{301}".unicodeScalars))
        #expect(fold("É", .localeSensitive) == Array("É".unicodeScalars))
    }

    /// The library's own decomposition and case mapping, from other data than the table's; it knows
    /// later versions of Unicode than the table, so only letters that both know are compared.
    @Test func foldingAgreesWithTheLibraryOnEveryLetter() {
        for value in UInt32(0x20)...0x1_FFFF {
            guard let scalar = Unicode.Scalar(value), !(0xAC00...0xD7A3).contains(value),
                let age = scalar.properties.age, age.major < 14
            else { continue }
            let text = "x" + String(scalar)
            let decomposed = Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)
            #expect(fold(text, .normalized) == decomposed)
            let mapped = scalar.properties.uppercaseMapping.unicodeScalars
            let known = mapped.allSatisfy { ($0.properties.age?.major ?? 99) < 14 }
            // A dotless i is the only letter that its capital does not fold back to.
            if known, scalar.properties.isLowercase || scalar.properties.isUppercase, value != 0x131
            {
                let upper = fold(text.uppercased(), .caseInsensitive)
                #expect(
                    upper == fold(text.lowercased(), .caseInsensitive),
                    "U+\(String(value, radix: 16))"
                )
            }
        }
    }

    /// Foundation ignores the diacritics of Latin letters by the same rule.
    @Test func foldingAgreesWithFoundationOnLatinTexts() {
        var generator = SeededRandom(seed: 11)
        for _ in 0..<2_000 {
            var text = "x".unicodeScalars
            for _ in 0..<6 {
                let block: ClosedRange<UInt32> =
                    Bool.random(using: &generator) ? 0x41...0x17E : 0x300...0x33F
                if let scalar = Unicode.Scalar(UInt32.random(in: block, using: &generator)) {
                    text.append(scalar)
                }
            }
            let string = String(text)
            let both = string.folding(
                options: [.caseInsensitive, .diacriticInsensitive],
                locale: nil
            )
            #expect(
                fold(string, [.caseInsensitive, .diacriticInsensitive])
                    == Array(both.unicodeScalars),
                "\(string.unicodeScalars.map(\.value)) seed 11"
            )
        }
    }

    @Test(arguments: SeededRandom.seeds(4))
    func foldingKeepsItsLaws(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        for _ in 0..<3_000 {
            let text = generator.text()
            let other = generator.text()
            for options in Self.all {
                let folded = TextFolding.fold(text, options: options)
                let note = Comment(
                    rawValue:
                        "\(text.unicodeScalars.map { String($0.value, radix: 16) }), "
                        + "options \(options.rawValue), seed \(seed)"
                )
                #expect(fold(folded, options) == Array(folded.unicodeScalars), note)
                #expect(
                    fold(text.decomposedStringWithCanonicalMapping, options)
                        == Array(folded.unicodeScalars),
                    note
                )
                #expect(
                    fold(text.precomposedStringWithCanonicalMapping, options)
                        == Array(folded.unicodeScalars),
                    note
                )
                let joined = text + "x" + other
                #expect(
                    fold(joined, options)
                        == Array(folded.unicodeScalars) + fold("x" + other, options),
                    note
                )
            }
            #expect(
                (fold(text, .normalized) == fold(other, .normalized)) == (text == other),
                "seed \(seed)"
            )
            let both: FetchComparison.Options = [.caseInsensitive, .diacriticInsensitive]
            #expect(
                fold(TextFolding.fold(text, options: .diacriticInsensitive), both)
                    == fold(text, both),
                "seed \(seed)"
            )
        }
    }

    @Test func longRunOfMarksIsSorted() {
        let marks = (0..<2_000).map { $0 % 2 == 0 ? "\u{301}" : "\u{323}" }.joined()
        let sorted =
            String(repeating: "\u{323}", count: 1_000)
            + String(repeating: "\u{301}", count: 1_000)
        #expect(fold("a" + marks, .normalized) == Array(("a" + sorted).unicodeScalars))
    }
}
