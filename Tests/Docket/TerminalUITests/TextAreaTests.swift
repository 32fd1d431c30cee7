import ScreenReading
import SeededRandom
import Testing

@testable import TerminalUI

@Suite struct TextAreaTests {
    private func area(_ text: String, rows: Int = 4, columns: Int = 10) -> TextArea {
        var area = TextArea(text)
        area.layout(Size(rows: rows, columns: columns))
        return area
    }

    private func type(_ keys: String, into area: inout TextArea) throws {
        for key in try Key.sequence(keys) { _ = area.handle(key) }
    }

    @Test(arguments: [
        ("", "a enter b", "a\nb"), ("ab\ncd", "down home backspace", "abcd"),
        ("ab\ncd", "end delete", "abcd"), ("ab\ncd", "ctrl+end ctrl+u backspace X", "abX"),
        ("ab\ncd", "end ctrl+k", "abcd"), ("ab\ncd", "right right right X", "ab\nXcd"),
        ("ab\ncd", "down left X", "abX\ncd"), ("one two\nx", "ctrl+right ctrl+w", " two\nx"),
    ])
    func keysEditAcrossLines(text: String, keys: String, result: String) throws {
        var area = area(text)
        try type(keys, into: &area)
        #expect(area.text == result)
    }

    @Test(arguments: [
        ("- one", "ctrl+end enter t", "- one\n- t"),
        ("  * one", "ctrl+end enter t", "  * one\n  * t"),
        ("9. one", "ctrl+end enter t", "9. one\n10. t"),
        ("2) one", "ctrl+end enter t", "2) one\n3) t"),
        ("- [x] one", "ctrl+end enter t", "- [x] one\n- [ ] t"),
        ("> one", "ctrl+end enter t", "> one\n> t"),
        ("- one two", "end ctrl+left enter", "- one \n- two"),
        ("- one\n- ", "ctrl+end enter t", "- one\nt"),
        ("- one\n  - [ ] ", "ctrl+end enter", "- one\n- [ ] "),
        ("- one\n  - [ ] ", "ctrl+end enter enter", "- one\n"),
        ("- one", "home enter", "\n- one"),
        ("-one", "end enter t", "-one\nt"),
        ("1.5 km", "end enter t", "1.5 km\nt"),
        ("--- ", "end enter t", "--- \nt"),
    ])
    func enterContinuesAListAndEndsItInAnEmptyItem(
        text: String,
        keys: String,
        result: String
    ) throws {
        var area = area(text, columns: 40)
        try type(keys, into: &area)
        #expect(area.text == result)
    }

    @Test func itemsAreMovedToTheRightAndBack() throws {
        var area = area("1. é one", columns: 40)
        area.moveCursor(to: TextArea.Cursor(line: 0, offset: 5))
        let isMoved = area.indent(by: 1)
        #expect(isMoved && area.text == "   1. é one" && area.cursor.offset == 8)
        let isBack = area.indent(by: -1)
        #expect(isBack && area.text == "1. é one" && area.cursor.offset == 5)
        let isFurther = area.indent(by: -1)
        area.text = "plain"
        let isPlain = area.indent(by: 1)
        #expect(!isFurther && !isPlain && area.text == "plain")
    }

    @Test func anotherTextPutsTheCursorBehindWhatDiffers() {
        var area = area("one\ntwo\nthree", columns: 40)
        area.replace(with: "one\ntwo and é\nthree")
        #expect(area.cursor == TextArea.Cursor(line: 1, offset: 10))
        area.replace(with: "one\nthree")
        #expect(area.text == "one\nthree" && area.cursor.line == 1)
    }

    @Test func pasteOfManyLinesGoesBetween() {
        var area = area("start end")
        area.moveCursor(to: TextArea.Cursor(line: 0, offset: 6))
        #expect(area.handle(.paste("one\r\ntwo\u{7}\n")) == .changed)
        #expect(area.text == "start one\ntwo\nend")
        #expect(area.cursor == TextArea.Cursor(line: 2, offset: 0))
    }

    @Test func rowsWrapAndUpAndDownKeepTheColumn() throws {
        var area = area("aaaa bbbb cccc dddd\nx\neeee ffff")
        #expect(area.lines[0].breaks == [10])
        try type("end", into: &area)
        #expect(area.row(of: area.cursor) == TextArea.Row(line: 0, row: 1))
        try type("down", into: &area)
        #expect(area.cursor == TextArea.Cursor(line: 1, offset: 1))
        try type("down", into: &area)
        #expect(area.cursor == TextArea.Cursor(line: 2, offset: 9))
        try type("up up up", into: &area)
        #expect(area.row(of: area.cursor) == TextArea.Row(line: 0, row: 0))
    }

    @Test func viewFollowsTheCursorAndNoFurther() throws {
        var area = area((0..<20).map(String.init).joined(separator: "\n"))
        for _ in 0..<5 {
            try type("down", into: &area)
            area.layout(Size(rows: 4, columns: 10))
        }
        #expect(area.top.line == 2)
        try type("up", into: &area)
        area.layout(Size(rows: 4, columns: 10))
        #expect(area.top.line == 2)
        try type("pagedown pagedown", into: &area)
        area.layout(Size(rows: 4, columns: 10))
        #expect(area.cursor.line == 10)
    }

    @Test func resizeKeepsTheFirstRowsText() throws {
        let text = (0..<30).map { "line \($0) with some more words" }.joined(separator: "\n")
        var area = area(text, rows: 5, columns: 40)
        area.moveCursor(to: TextArea.Cursor(line: 15, offset: 0))
        area.layout(Size(rows: 5, columns: 40))
        let first = area.top.line
        area.layout(Size(rows: 12, columns: 9))
        #expect(area.top.line >= first)
        #expect(area.row(of: area.cursor) >= area.top)
        area.layout(Size(rows: 5, columns: 40))
        #expect(area.row(of: area.cursor) >= area.top)
    }

    @Test func cursorFollowsWhereScrollingLeavesItBehind() {
        var area = area((0..<20).map(String.init).joined(separator: "\n"))
        area.scroll(by: 3)
        #expect(area.top.line == 3)
        #expect(area.cursor.line == 3)
        area.scroll(by: -1)
        #expect(area.top.line == 2)
        #expect(area.cursor.line == 3)
    }

    @Test func renderingShowsRowsCursorAndScrollbar() {
        var area = area("one two three\n日本語のテキスト\nend")
        var canvas = Canvas(rows: 4, columns: 9)
        area.layout(TextArea.textSize(in: canvas.size))
        area.render(into: &canvas, theme: .mono, isFocused: true)
        #expect(canvas.lines == ["one two ▐", "three   ▐", "日本語の▐", "テキスト"])
        #expect(canvas.cursor == Position(row: 0, column: 0))
    }

    @Test func largeTextIsWhole() throws {
        let text = String(repeating: "some words in a line of text\n", count: 40_000)
        var area = area("")
        _ = area.handle(.paste(text))
        area.layout(Size(rows: 24, columns: 80))
        #expect(area.lines.count == 40_001)
        try type("x ctrl+home y", into: &area)
        #expect(area.text == "y\(text)x")
    }

    @Test(arguments: SeededRandom.seeds(4)) func randomEditingMatchesPlainStrings(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let keys = try Key.sequence(
            "left right up down home end backspace delete ctrl+w ctrl+k enter pageup pagedown alt+f "
                + "ctrl+home ctrl+end alt+b ctrl+u"
        )
        for _ in 0..<40 {
            var area = TextArea(random.text(length: 30))
            for _ in 0..<50 {
                if Bool.random(using: &random) {
                    let before = area.text
                    let start = area.offsetOfCursor
                    let more = random.text(length: Int.random(in: 0...6, using: &random))
                    area.insert(more)
                    var expected = before
                    let place = expected.utf8.index(expected.startIndex, offsetBy: start)
                    expected.insert(contentsOf: DisplayWidth.sanitize(more), at: place)
                    #expect(area.text == expected, "seed \(seed)")
                } else {
                    _ = area.handle(keys[Int.random(in: 0..<keys.count, using: &random)])
                }
                let line = area.lines[area.cursor.line].text
                let index = TextEditing.index(area.cursor.offset, in: line)
                #expect(String.Index(index, within: line) != nil, "seed \(seed)")
                let size = Size(
                    rows: Int.random(in: 0...5, using: &random),
                    columns: Int.random(in: 0...12, using: &random)
                )
                area.layout(TextArea.textSize(in: size))
                var canvas = Canvas(size: size)
                area.render(into: &canvas, theme: .mono, isFocused: true)
                canvas.checkInvariants()
                #expect((canvas.cursor != nil) == !Rect(size).isEmpty, "seed \(seed)")
            }
        }
    }
}

extension TextArea {
    fileprivate var offsetOfCursor: Int {
        lines[..<cursor.line].reduce(cursor.offset) { $0 + $1.text.utf8.count + 1 }
    }
}
