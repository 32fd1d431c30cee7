import ScreenReading
import SeededRandom
import Testing

@testable import TerminalUI

@Suite struct TextFieldTests {
    private func field(_ text: String, _ keys: String) throws -> TextField {
        var field = TextField(text)
        for key in try Key.sequence(keys) { _ = field.handle(key) }
        return field
    }

    @Test(arguments: [
        ("", "a b space c", "ab c"), ("abc", "left left X", "aXbc"), ("abc", "home delete", "bc"),
        ("abc", "backspace backspace", "a"), ("one two three", "ctrl+w", "one two "),
        ("one two three", "alt+b alt+b alt+d", "one  three"), ("one two", "ctrl+u", ""),
        ("one two", "home alt+f ctrl+k", "one"), ("ab", "ctrl+a x ctrl+e y", "xaby"),
        ("cafe\u{301}", "backspace", "caf"), ("👨‍👩‍👧‍👦x", "left backspace", "x"), ("日本", "left x", "日x本"),
    ])
    func keysEditByCharacter(text: String, keys: String, result: String) throws {
        #expect(try field(text, keys).text == result)
    }

    @Test func markJoinsTheCharacterBefore() throws {
        var field = TextField("e")
        _ = field.handle(Key("\u{301}"))
        #expect(field.text.count == 1)
        _ = field.handle(.backspace)
        #expect(field.text.isEmpty)
    }

    @Test func outcomeTellsWhatHappened() throws {
        var field = TextField("a")
        #expect(field.handle(Key("b")) == .changed)
        #expect(field.handle(.left) == .moved)
        #expect(field.handle(.enter) == .ignored)
        #expect(field.handle(.tab) == .ignored)
        #expect(field.handle(Key(.function(1))) == .ignored)
        #expect(TextField("").outcome(of: .backspace) == .moved)
        #expect(field.handle(.paste("x\ny\u{7}")) == .changed)
        #expect(field.text == "ax yb")
    }

    @Test func cursorStaysVisibleWhileScrolling() throws {
        var field = TextField("0123456789")
        for _ in 0..<12 {
            field.layout(columns: 5)
            var canvas = Canvas(rows: 1, columns: 5)
            field.render(into: &canvas, theme: .mono, isFocused: true)
            let cursor = try #require(canvas.cursor)
            let shown = TextEditing.character(at: field.cursor, in: field.text)
            #expect(canvas[cursor]?.text == shown.map(String.init) ?? " " || cursor.column == 4)
            _ = field.handle(.left)
        }
        #expect(field.cursor == 0)
    }

    @Test func longTextScrollsWithoutAnEllipsisOverTheCursor() {
        var field = TextField("abcdefghij")
        field.layout(columns: 5)
        var canvas = Canvas(rows: 1, columns: 5)
        field.render(into: &canvas, theme: .mono, isFocused: true)
        #expect(canvas.lines == ["ghij"])
        #expect(canvas.cursor == Position(row: 0, column: 4))
    }

    @Test func withoutTheFocusALongTextShowsItsBeginning() {
        var field = TextField("abcdefghij")
        field.layout(columns: 5)
        var canvas = Canvas(rows: 1, columns: 5)
        field.render(into: &canvas, theme: .mono, isFocused: false)
        #expect(canvas.lines == ["abcd…"])
        #expect(canvas.cursor == nil)
    }

    @Test func placeholderAndMaskShow() {
        var canvas = Canvas(rows: 1, columns: 8)
        TextField(placeholder: "search").render(into: &canvas, theme: .mono, isFocused: true)
        #expect(canvas.lines == ["search"])
        #expect(canvas.cursor == Position(row: 0, column: 0))
        TextField("日本x", isMasked: true).render(into: &canvas, theme: .mono, isFocused: true)
        #expect(canvas.lines == ["•••"])
        #expect(canvas.cursor == Position(row: 0, column: 3))
    }

    @Test(arguments: SeededRandom.seeds(4)) func randomEditingKeepsTheCursorOnACharacter(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let keys = try Key.sequence(
            "left right home end backspace delete ctrl+w ctrl+k alt+b alt+f ctrl+left alt+d"
        )
        for _ in 0..<60 {
            var field = TextField(random.text(length: 10))
            for _ in 0..<60 {
                if Bool.random(using: &random) {
                    field.insert(random.text(length: Int.random(in: 0...3, using: &random)))
                } else {
                    _ = field.handle(keys[Int.random(in: 0..<keys.count, using: &random)])
                }
                let text = field.text
                let index = TextEditing.index(field.cursor, in: text)
                #expect(String.Index(index, within: text) != nil, "seed \(seed)")
                let columns = Int.random(in: 0...9, using: &random)
                field.layout(columns: columns)
                var canvas = Canvas(rows: 1, columns: columns)
                field.render(into: &canvas, theme: .mono, isFocused: true)
                canvas.checkInvariants()
                #expect((canvas.cursor != nil) == (columns > 0), "seed \(seed)")
            }
        }
    }
}

extension TextField {
    /// What a key does to a copy.
    fileprivate func outcome(of key: Key) -> EditOutcome {
        var copy = self
        return copy.handle(key)
    }
}
