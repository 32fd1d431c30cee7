import ScreenReading
import SeededRandom
import Testing

@testable import TerminalUI

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("plain", 5), ("日本", 4), ("e\u{301}", 1), ("\u{301}", 1), ("한국", 4),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("❤\u{FE0F}", 1), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇯🇵", 2),
        ("a\u{200B}b", 2), ("a\tb", 3), ("a\nb", 3), ("a\u{7}b", 3), ("ｱ", 1), ("Ａ", 2),
        ("क्‍ष", 2), ("\u{AD}", 1), ("1\u{FE0F}\u{20E3}", 1), ("\u{10FFFE}", 1), ("\u{202E}a", 1),
        ("🏴\u{E0067}\u{E0062}\u{E007F}", 2), ("\u{378}", 1), ("\u{20000}", 2),
    ])
    func widthFollowsTheRules(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test func everyCellHasAtMostFourMarks() {
        let marks = String(repeating: "\u{301}", count: 9)
        let canvas = drawn("a\(marks)b", columns: 3)
        #expect(canvas.text(0).unicodeScalars.count == 1 + 4 + 2)
        #expect(DisplayWidth.of("a\(marks)b") == 2)
    }

    @Test(arguments: SeededRandom.seeds(4)) func widthOfPartsAddsUpAtCharacters(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let text = random.text(length: 12)
            let columns = DisplayWidth.of(text)
            let canvas = drawn(text, columns: 40)
            #expect(columns <= 24)
            let shown = canvas.styles(0).prefix { $0.attributes == .bold }.count
            #expect(shown == columns, "seed \(seed): \(text.unicodeScalars.map(\.value))")
        }
    }

    @Test(arguments: SeededRandom.seeds(4)) func truncationFitsAndEndsInAnEllipsis(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let text = random.text(length: 20)
            let room = Int.random(in: 0...25, using: &random)
            let cut = DisplayWidth.truncate(text, to: room)
            #expect(DisplayWidth.of(cut) <= room, "seed \(seed)")
            if DisplayWidth.of(text) > room, room > 0 {
                #expect(cut.hasSuffix("…"), "seed \(seed)")
                #expect(DisplayWidth.of(cut) >= room - 1, "seed \(seed)")
            } else if room > 0 {
                #expect(cut == text)
            }
            #expect(DisplayWidth.of(DisplayWidth.pad(text, to: room)) == room, "seed \(seed)")
        }
    }

    @Test func paddingPlacesTheText() {
        #expect(DisplayWidth.pad("ab", to: 5) == "ab   ")
        #expect(DisplayWidth.pad("ab", to: 5, alignment: .trailing) == "   ab")
        #expect(DisplayWidth.pad("ab", to: 5, alignment: .center) == " ab  ")
        #expect(DisplayWidth.pad("日本語", to: 4) == "日… ")
        #expect(DisplayWidth.pad("abcdef", to: 3, symbols: .ascii) == "ab~")
    }

    @Test func sanitizingDropsControlsAndMendsInvalidBytes() {
        #expect(
            DisplayWidth.sanitize("a\r\nb\rc\td\u{1B}[31m\u{7F}\u{85}\u{9B}e") == "a\nb\nc\td[31me"
        )
        #expect(DisplayWidth.sanitize([0x61, 0xFF, 0xC2, 0x62]) == "a\u{FFFD}\u{FFFD}b")
        #expect(DisplayWidth.singleLine("a\r\nb\tc") == "a b c")
    }

    /// Controls of direction, invisible formats and tags, as in a text that would show as another.
    @Test func noFormatCharacterIsDisplayed() {
        let bidi: [ClosedRange<UInt32>] = [
            0x202A...0x202E, 0x2066...0x2069, 0x200E...0x200F, 0x61C...0x61C, 0x206A...0x206F,
            0xFFF9...0xFFFB, 0xE0001...0xE0001, 0xE0020...0xE007F, 0x180E...0x180E,
            0x2060...0x2064, 0xFEFF...0xFEFF, 0x1D173...0x1D17A, 0x13430...0x1343F,
            0x200B...0x200B, 0x200D...0x200D,
        ]
        for value in bidi.flatMap({ $0 }) {
            guard let scalar = Unicode.Scalar(value),
                scalar.properties.generalCategory == .format
            else { continue }
            let text = "a\(scalar)b"
            #expect(DisplayWidth.displayed(text) == "ab", "U+\(String(value, radix: 16))")
            #expect(drawn(text, columns: 3).text(0) == "ab ", "U+\(String(value, radix: 16))")
        }
        #expect(DisplayWidth.displayed("a\u{2028}b\tc") == "a\u{FFFD}b\tc")
        // What letters need stays, and text is not touched.
        let persian = "می\u{200C}خواهم e\u{301} 日本"
        #expect(DisplayWidth.displayed(persian) == persian)
    }

    @Test func aFieldKeepsTheFormatCharactersOfItsText() {
        #expect(TextField("👨\u{200D}👩 \u{202E}x").text == "👨\u{200D}👩 \u{202E}x")
    }

    private func drawn(_ text: String, columns: Int) -> Canvas {
        var canvas = Canvas(rows: 1, columns: columns)
        canvas.put(text, at: Position(row: 0, column: 0), style: Style(attributes: .bold))
        canvas.checkInvariants()
        return canvas
    }
}
