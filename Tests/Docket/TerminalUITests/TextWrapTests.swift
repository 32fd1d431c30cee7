import SeededRandom
import Testing

@testable import TerminalUI

@Suite struct TextWrapTests {
    @Test func wordsMoveToTheNextRow() {
        #expect(
            DisplayWidth.wrapped("the quick brown fox", columns: 10) == ["the quick", "brown fox"]
        )
        #expect(DisplayWidth.wrapped("exactly ten", columns: 7) == ["exactly", "ten"])
    }

    @Test func longWordsAreCut() {
        #expect(
            DisplayWidth.wrapped("a incomprehensible", columns: 6) == [
                "a", "incomp", "rehens", "ible",
            ]
        )
    }

    @Test func wideCharactersBreakAnywhere() {
        #expect(DisplayWidth.wrapped("日本語のテキスト", columns: 5) == ["日本", "語の", "テキ", "スト"])
        #expect(DisplayWidth.wrapped("日本", columns: 1) == ["日", "本"])
    }

    @Test func marksStayWithTheirBase() {
        #expect(DisplayWidth.wrapped("ae\u{301}i", columns: 2) == ["ae\u{301}", "i"])
    }

    @Test func linesAreKept() {
        #expect(DisplayWidth.wrapped("", columns: 5) == [""])
        #expect(DisplayWidth.wrapped("a\n\nb\n", columns: 5) == ["a", "", "b", ""])
    }

    @Test func blanksAtTheBreakHangOver() {
        #expect(DisplayWidth.wrap("ab   cd", columns: 3) == [0..<5, 5..<7])
    }

    @Test(arguments: SeededRandom.seeds(4)) func rowsCoverTheTextAndFit(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let text = DisplayWidth.sanitize(random.text(length: 40))
            let columns = Int.random(in: 1...12, using: &random)
            var place = 0
            for row in DisplayWidth.wrap(text, columns: columns) {
                #expect(row.lowerBound == place || row.lowerBound == place + 1, "seed \(seed)")
                place = row.upperBound
            }
            #expect(place == text.utf8.count, "seed \(seed)")
            for row in DisplayWidth.wrapped(text, columns: columns) {
                // A character that is wider than the row has it for itself.
                let width = DisplayWidth.of(row)
                #expect(
                    width <= max(2, columns) || row.count == 1,
                    "seed \(seed)"
                )
            }
        }
    }
}
