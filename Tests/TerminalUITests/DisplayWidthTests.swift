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

    private func drawn(_ text: String, columns: Int) -> Canvas {
        var canvas = Canvas(rows: 1, columns: columns)
        canvas.put(text, at: Position(row: 0, column: 0), style: Style(attributes: .bold))
        canvas.checkInvariants()
        return canvas
    }
}
