import TerminalUI
import Testing

@testable import DocketApp

@Suite struct MarkdownTests {
    private func lines(_ text: String, columns: Int = 40) -> [RichLine] {
        MarkdownRenderer(columns: columns, signs: .unicode, symbols: .unicode).lines(text)
    }

    private func text(_ source: String, columns: Int = 40) -> [String] {
        lines(source, columns: columns).map(\.text)
    }

    /// The runs of the first line as `text/role`, attributes as letters.
    private func runs(_ text: String) -> [String] {
        lines(text).first?.runs.map { run in
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
    }

    @Test func emphasisBecomesAttributes() {
        #expect(runs("a **new** one") == ["a /text", "new/text/b", " one/text"])
        #expect(runs("*ask* _Ana_") == ["ask/text/i", " /text", "Ana/text/i"])
        #expect(runs("~~gone~~") == ["gone/text/s"])
        #expect(runs("**a *b* c**") == ["a /text/b", "b/text/bi", " c/text/b"])
    }

    /// Each of these takes hours if every sign looks through the rest of the line.
    @Test(arguments: [
        "[", "[a](", "*", "*a ", "**a ", "_a ", "~~a ", "`a` `", "*x y_ ", "[[a", "h",
    ])
    func lineOfVeryManySignsIsShown(_ sign: String) {
        let count = 400_000 / sign.count
        let line = String(repeating: sign, count: count) + "end*"
        #expect(lines(line).isEmpty == false)
    }

    @Test func signsWithoutPartnersAreText() {
        #expect(text("2 * 3 * 4 and a_b_c and 5 ~ 6") == ["2 * 3 * 4 and a_b_c and 5 ~ 6"])
        #expect(text("**open") == ["**open"])
        #expect(text("\\*plain\\*") == ["*plain*"])
        #expect(text("`open and [bracket") == ["`open and [bracket"])
    }

    @Test func listsAndBoxesGetSigns() {
        #expect(
            text("- one\n* two\n- [ ] three\n- [x] four\n1. five")
                == ["• one", "• two", "☐ three", "☑ four", "1. five"]
        )
    }

    @Test func listTextHangsBelowItself() {
        #expect(text("- one two three", columns: 9) == ["• one two", "  three"])
    }

    @Test func codeKeepsItsSigns() {
        #expect(runs("say `a * b`") == ["say /text", "a * b/code"])
        #expect(text("```\n# no heading\n```\nend") == ["  # no heading", "end"])
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
    }

    @Test func rulesAndQuotesAreDrawn() {
        #expect(text("---", columns: 5) == ["─────"])
        #expect(text("> said") == ["▏ said"])
    }

    @Test func wideCharactersWrapInTheirColumns() {
        for line in lines("会議の議事録を書く", columns: 7) {
            #expect(DisplayWidth.of(line.text) <= 7)
        }
    }

    @Test func noTextIsLostWhateverTheWidth() {
        let source = "alpha **beta gamma** delta `epsilon` [zeta](eta) theta"
        let wide = text(source, columns: 200).joined().filter { $0 != " " }
        for columns in 1...30 {
            #expect(text(source, columns: columns).joined().filter { $0 != " " } == wide)
        }
    }

    @Test func controlCharactersNeverReachTheScreen() {
        let shown = text("bell\u{7} esc\u{1B}[2J").joined()
        #expect(!shown.unicodeScalars.contains { $0.value < 32 })
    }
}
