import ScreenReading
import Testing

@testable import TerminalUI

@Suite struct BoxWidgetTests {
    private let items = [
        MenuItem("Add task", hint: "a"),
        MenuItem("Mark as done", detail: "selected", hint: "space"),
        MenuItem("Undo", disabledReason: "nothing to undo"), MenuItem("Move to list…"),
    ]

    private func menu(_ query: String) -> Menu {
        var menu = Menu(items: items)
        for character in query { _ = menu.handle(.key(Key(character))) }
        return menu
    }

    @Test func aWordEarlierInATitleGoesBeforeALaterOne() {
        let titles = ["Choose the list of the statistics", "Go to the statistics"]
        var menu = Menu(items: titles.map { MenuItem($0) })
        for letter in "stat" { _ = menu.handle(.key(Key(letter))) }
        #expect(menu.entries.map(\.item) == [1, 0])
    }

    @Test func typingNarrowsAndRanksByWordStarts() {
        #expect(menu("").entries.map(\.item) == [0, 1, 2, 3])
        #expect(menu("mo").entries.first?.item == 3)
        #expect(menu("done").entries.map(\.item) == [1])
        #expect(menu("mtl").entries.map(\.item) == [3])
        #expect(menu("xyz").entries.isEmpty)
        // Letters that are spread over the words mean something else.
        #expect(menu("mvlst").entries.map(\.item) == [3])
        #expect(menu("rkt").entries.isEmpty && menu("mkdn").entries.map(\.item) == [1])
        #expect(menu("DONE").entries.first?.matched == [8, 9, 10, 11])
    }

    @Test func enterChoosesAndEscapeCancels() {
        var menu = menu("")
        #expect(menu.handle(.key(.down)) == .changed)
        #expect(menu.handle(.key(.enter)) == .chosen(1))
        #expect(menu.handle(.key(.down)) == .changed)
        #expect(menu.handle(.key(.enter)) == .disabled(2))
        #expect(menu.handle(.key(.escape)) == .cancelled)
        #expect(menu.handle(.key(Key("d"))) == .changed)
        #expect(menu.query.text == "d")
        #expect(self.menu("xyz").selected == nil)
        var empty = self.menu("xyz")
        #expect(empty.handle(.key(.enter)) == .ignored)
    }

    @Test func menuShowsMatchHintAndReason() {
        var canvas = Canvas(rows: 5, columns: 30)
        var menu = menu("")
        _ = menu.handle(.key(.down))
        menu.render(into: &canvas, theme: .mono)
        #expect(canvas.lines[1] == "  Add task                  a")
        #expect(canvas.lines[2] == "› Mark as done  select… space")
        #expect(canvas.lines[3] == "  Undo  nothing to undo")
        #expect(canvas.cursor == Position(row: 2, column: 0))
        #expect(canvas.attributes(2).allSatisfy { $0 == "R" })
    }

    @Test func updateKeepsTheSelectedItem() {
        var menu = menu("")
        _ = menu.handle(.key(.down))
        menu.update(items: items + [MenuItem("More")])
        #expect(menu.selected == 1)
    }

    @Test func messageGoesWhenItsTimeIsOver() {
        let now = ContinuousClock.now
        var bar = MessageBar()
        #expect(bar.deadline == nil)
        bar.show("Completed 1 task\n", .success, at: now, for: .seconds(2))
        #expect(bar.deadline == now + .seconds(2))
        let early = bar.expire(at: now + .seconds(1))
        #expect(!early)
        var canvas = Canvas(rows: 1, columns: 30)
        bar.render(into: &canvas, theme: .mono)
        #expect(canvas.lines == ["✓ Completed 1 task"])
        let late = bar.expire(at: now + .seconds(2))
        #expect(late)
        #expect(bar.text == nil)
    }

    @Test func dialogIsBetweenTwoLinesInTheMiddle() {
        var canvas = Canvas(rows: 7, columns: 24)
        canvas.fill(canvas.bounds, with: ".", style: .plain)
        let dialog = Dialog(title: "Title", footer: "esc cancels")
        dialog.render(into: &canvas, theme: .mono, content: Size(rows: 1, columns: 9)) { inside in
            #expect(inside.size == Size(rows: 1, columns: 13))
            inside.put("text", at: Position(row: 0, column: 0))
        }
        #expect(canvas.lines[1] == String(repeating: ".", count: 24))
        #expect(canvas.lines[2] == "   ─ Title ─────────")
        #expect(canvas.lines[3] == "     text")
        #expect(canvas.lines[4] == "   ─── esc cancels ─")
    }

    /// Every widget draws into every small size without trapping and within its bounds.
    @Test(arguments: 0...4, 0...4) func smallSizesAreDrawn(rows: Int, columns: Int) {
        let size = Size(rows: rows, columns: columns)
        for symbols in [Symbols.unicode, .ascii] {
            for theme in [Theme.dark, .light, .sixteen, .mono] {
                var canvas = Canvas(size: size, symbols: symbols)
                canvas.rule(canvas.bounds, style: .plain, title: "日本")
                TextField("日本語 text").render(into: &canvas, theme: theme, isFocused: true)
                TextField("secret", isMasked: true).render(
                    into: &canvas,
                    theme: theme,
                    isFocused: true
                )
                TextField(placeholder: "日本").render(into: &canvas, theme: theme, isFocused: false)
                TextArea("日本語 text\nmore\n\nlines").render(
                    into: &canvas,
                    theme: theme,
                    isFocused: true
                )
                menu("").render(into: &canvas, theme: theme)
                for count in [0, 1, 9] {
                    ListView(count: count).render(into: &canvas, theme: theme, isFocused: true) {
                        $1.put("日\($0.index)本", at: Position(row: 0, column: 0), width: $1.columns)
                    }
                }
                Scrollbar.render(into: &canvas, total: 9, first: 3, visible: 2, theme: theme)
                var bar = MessageBar()
                bar.show("日本語", .error, at: .now)
                bar.render(into: &canvas, theme: theme)
                Dialog(title: "日本", footer: "日本").render(
                    into: &canvas,
                    theme: theme,
                    content: Size(rows: 2, columns: 2)
                ) { $0.put("日本", at: Position(row: 0, column: 0)) }
                canvas.checkInvariants()
                #expect(canvas.size == size)
            }
        }
    }
}
