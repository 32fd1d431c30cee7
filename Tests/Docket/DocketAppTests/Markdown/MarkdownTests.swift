import Markdown
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

@Suite struct MarkdownTests {
    private func rows(_ source: String, columns: Int = 40, isASCII: Bool = false) -> [MarkdownRow] {
        let layout = MarkdownLayout(
            columns: columns,
            signs: isASCII ? .ascii : .unicode,
            symbols: isASCII ? .ascii : .unicode
        )
        let text = MarkdownSource(source)
        return (0..<text.count).flatMap { layout.rows(of: text.section($0)) }
    }

    private func text(_ source: String, columns: Int = 40) -> [String] {
        rows(source, columns: columns).map(\.line.text)
    }

    /// The runs of the first line as `text/role`, attributes as letters.
    private func runs(_ text: String) -> [String] {
        rows(text).first?.line.runs.map { run in
            var letters = ""
            if run.attributes.contains(.bold) { letters += "b" }
            if run.attributes.contains(.italic) { letters += "i" }
            if run.attributes.contains(.strike) { letters += "s" }
            return "\(run.text)/\(run.role)" + (letters.isEmpty ? "" : "/\(letters)")
        } ?? []
    }

    @Test func headingsLoseTheirSigns() {
        #expect(runs("# Soil") == ["Soil/heading"])
        #expect(runs("### Soil ##") == ["Soil/title"])
        #expect(text("#tag is not a heading") == ["#tag is not a heading"])
        #expect(rows("# A\ntext").map(\.isHeading) == [true, false])
    }

    @Test func emphasisBecomesAttributes() {
        #expect(runs("a **new** one") == ["a /text", "new/text/b", " one/text"])
        #expect(runs("*ask* _Ana_") == ["ask/text/i", " /text", "Ana/text/i"])
        #expect(runs("~~gone~~") == ["gone/text/s"])
        #expect(runs("**a *b* c**") == ["a /text/b", "b/text/bi", " c/text/b"])
    }

    @Test func textWithoutSignsStaysAsItIs() {
        #expect(text("2 * 3 * 4 and a_b_c and 5 ~ 6") == ["2 * 3 * 4 and a_b_c and 5 ~ 6"])
        #expect(text("**open") == ["**open"])
        #expect(text("\\*plain\\*") == ["*plain*"])
        #expect(text("one\ntwo\n\nthree\n") == ["one", "two", "", "three"])
    }

    @Test func listsAndBoxesGetSigns() {
        #expect(
            text("- one\n- two\n\n* [ ] three\n* [x] four\n\n5. five\n6. six")
                == ["• one", "• two", "", "☐ three", "☑ four", "", "5. five", "6. six"]
        )
        #expect(text("- a\n  - [ ] b\n    c\n  1) d") == ["• a", "  ☐ b", "    c", "  1) d"])
        #expect(rows("- [x] a").first?.line.runs.map(\.role) == [.done, .done])
        #expect(text("- - a\n- ") == ["• • a", "• "])
    }

    @Test func listTextHangsBelowItself() {
        #expect(text("- one two three", columns: 9) == ["• one two", "  three"])
        let wrapped = rows("- [ ] one two three", columns: 9)
        #expect(wrapped.count == 2 && wrapped.allSatisfy { $0.task?.place == 3 })
    }

    @Test func codeKeepsItsSignsAndNamesItsLanguage() {
        #expect(runs("say `a * b`") == ["say /text", "a * b/code"])
        #expect(text("```\n# no heading\n\n```\nend") == ["  # no heading", "  ", "end"])
        #expect(text("```swift\nlet x\n```") == ["swift", "  let x"])
        #expect(text("```\nunclosed") == ["  unclosed"])
    }

    @Test func linksShowWhereTheyLead() {
        #expect(
            runs("see [the page](http://x.org)") == [
                "see /text", "the page/link", " (http://x.org)/dim",
            ]
        )
        #expect(runs("see [[Bank letters]].") == ["see /text", "Bank letters/link", "./text"])
        #expect(
            runs("at https://x.org/a, yes") == [
                "at /text", "https://x.org/a/link", ", yes/text",
            ]
        )
        #expect(rows("[[a]]").first?.line.runs.first?.target == .title("a"))
        #expect(rows("<http://a.org>").first?.line.runs.first?.target == .address("http://a.org"))
    }

    @Test func rulesQuotesAndFootnotesAreDrawn() {
        #expect(text("a\n\n---", columns: 5) == ["a", "", "─────"])
        #expect(text("> said\n>\n> > twice") == ["▏ said", "▏ ", "▏ ▏ twice"])
        #expect(text("a[^x]\n\n[^x]: note") == ["a[1]", "", "[1] note"])
    }

    @Test func aTableIsLaidOut() {
        let table = "| Leg | Price |\n|:--|--:|\n| Tokyo – Kyoto | ¥13,970 |\n| 東京 | 1 |"
        #expect(
            text(table) == [
                "┌───────────────┬─────────┐",
                "│ Leg           │   Price │",
                "├───────────────┼─────────┤",
                "│ Tokyo – Kyoto │ ¥13,970 │",
                "│ 東京          │       1 │",
                "└───────────────┴─────────┘",
            ]
        )
        #expect(
            text(table, columns: 20) == [
                "┌─────────┬────────┐",
                "│ Leg     │  Price │",
                "├─────────┼────────┤",
                "│ Tokyo – │ ¥13,97 │",
                "│ Kyoto   │      0 │",
                "│ 東京    │      1 │",
                "└─────────┴────────┘",
            ]
        )
        #expect(text(table, columns: 10).first == "Leg: Tokyo")
        let ascii = rows(table, isASCII: true).map(\.line.text)
        #expect(ascii.first == "+---------------+---------+")
    }

    @Test func rowsKnowTheirLines() {
        let source =
            "# A\n\ntext that is wrapped\nmore\n\n```\nx\ny\n```\n\n| a |\n|---|\n| b |\n| c |\n"
        let lines = rows(source, columns: 12).filter { !$0.line.text.isEmpty }.map(\.source)
        #expect(lines == [0, 2, 2, 3, 6, 7, 10, 10, 10, 12, 13, 13])
    }

    @Test func controlCharactersNeverReachTheScreen() {
        let source =
            "bell\u{7} esc\u{1B}[2J `\u{1B}]0;x\u{7}` [a](http://\u{1B}b)\n\n    \u{9B}1m\n\n| \u{1B}c |\n|---|\n"
        for row in rows(source) {
            #expect(
                !row.line.text.unicodeScalars.contains {
                    $0.value < 32 || (0x7F...0x9F).contains($0.value)
                }
            )
        }
    }

    // MARK: Properties

    private static let pieces = [
        "word ", "文字", "e\u{301}", "👍🏽 ", "**b** ", "*i", "`c`", "~~s~~ ", "[[Title]] ", "[a](b)",
        "http://x.org ", "\n", "\n\n", "- ", "  - [ ] ", "1. ", "> ", "# ", "```\n", "| a | 東 |\n",
        "|---|:-:|\n", "[^1]", "\n[^1]: f ", "<b>", "&amp;", "\t", "\u{1B}[1m", "---\n", "\\",
        "    ",
        "- [x] ", "averyveryverylongwordwithoutanyblank", "\u{200D}",
        String(decoding: [0xEF, 0xB7, 0x90] as [UInt8], as: UTF8.self), "\r\n", "[", "]",
    ]

    private static func source(_ random: inout SeededRandom) -> String {
        (0..<Int.random(in: 1...60, using: &random))
            .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    @Test func noRowIsWiderThanTheColumns() {
        for seed in 1...400 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let source = Self.source(&random)
            for columns in [2, 3, 5, 8, 10, 13, 20, 40, 80, 300] {
                for row in rows(source, columns: columns) {
                    let width = DisplayWidth.of(row.line.text)
                    #expect(width <= columns, "seed \(seed), \(columns) columns: \(row.line.text)")
                    let parts = row.line.runs.reduce(0) { $0 + DisplayWidth.of($1.text) }
                    #expect(parts <= columns, "seed \(seed): runs are wider than the row")
                    #expect(
                        !row.line.text.unicodeScalars.contains { $0.value < 32 },
                        "seed \(seed)"
                    )
                }
            }
        }
    }

    @Test func noTextIsLostWhateverTheWidth() {
        let source = "alpha **beta gamma** delta `epsilon` [zeta](eta) [[theta]] theta"
        let wide = text(source, columns: 200).joined().filter { $0 != " " }
        for columns in 1...30 {
            #expect(text(source, columns: columns).joined().filter { $0 != " " } == wide)
        }
    }

    @Test func boxesOfAnyTextAreBoxes() {
        for seed in 1...400 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let source = Self.source(&random)
            let bytes = Array(source.utf8)
            for task in Set(rows(source, columns: 30).compactMap(\.task)) {
                #expect(bytes[task.place - 1] == UInt8(ascii: "["), "seed \(seed)")
                #expect(bytes[task.place + 1] == UInt8(ascii: "]"), "seed \(seed)")
            }
        }
    }
}
