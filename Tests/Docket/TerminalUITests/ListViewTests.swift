import ScreenReading
import SeededRandom
import Testing

@testable import TerminalUI

@Suite struct ListViewTests {
    private func list(_ count: Int, rows: Int, select: Int = 0) -> ListView {
        var list = ListView(count: count)
        list.layout(rows: rows)
        list.select(select)
        return list
    }

    @Test func selectionScrollsWithAMargin() {
        var list = list(100, rows: 10)
        for _ in 0..<9 { _ = list.handle(.down) }
        #expect(list.selection == 9)
        #expect(list.first == 2)
        _ = list.handle(.up)
        #expect(list.first == 2)
        _ = list.handle(.end)
        #expect(list.selection == 99)
        #expect(list.first == 90)
        _ = list.handle(.home)
        #expect(list.visible == 0..<10)
    }

    @Test func pagesOverlapAndReachTheEnds() {
        var list = list(25, rows: 10)
        _ = list.handle(.pageDown)
        #expect(list.first == 9)
        _ = list.handle(.pageDown)
        #expect(list.first == 15)
        _ = list.handle(.pageDown)
        #expect(list.selection == 24)
        _ = list.handle(.pageUp)
        _ = list.handle(.pageUp)
        _ = list.handle(.pageUp)
        #expect(list.selection == 0)
    }

    @Test func resizeKeepsTheSelectionOnTheScreen() {
        var list = list(100, rows: 20, select: 50)
        let offset = 50 - list.first
        list.layout(rows: 5)
        #expect(list.visible.contains(50))
        list.layout(rows: 20)
        #expect(list.visible.contains(50))
        #expect(list.selection == 50)
        #expect(offset < 20)
    }

    @Test func insertionAboveDoesNotMoveTheSelectionOnTheScreen() {
        var list = list(100, rows: 10, select: 50)
        let line = 50 - list.first
        list.update(count: 103, selection: 53)
        #expect(list.selection == 53)
        #expect(53 - list.first == line)
    }

    @Test func shrinkingKeepsTheNearestRow() {
        var list = list(100, rows: 10, select: 50)
        list.update(count: 20)
        #expect(list.selection == 19)
        #expect(list.visible == 10..<20)
        list.update(count: 0)
        #expect(list.selection == nil)
        #expect(list.visible.isEmpty)
        list.update(count: 3)
        #expect(list.selection == 0)
    }

    @Test func wheelScrollsAndTakesTheSelectionAlongOnlyAtTheEdge() {
        var list = list(100, rows: 10, select: 5)
        list.scroll(by: 3)
        #expect(list.first == 3)
        #expect(list.selection == 5)
        list.scroll(by: 3)
        #expect(list.selection == 8)
        list.scroll(by: -100)
        #expect(list.first == 0)
        #expect(list.selection == 7)
    }

    @Test func clickSelectsTheRowUnderIt() {
        var list = list(4, rows: 10)
        let area = Rect(row: 2, column: 5, rows: 10, columns: 20)
        let time = ContinuousClock.now
        func press(_ row: Int, _ column: Int) -> MouseEvent {
            MouseEvent(.press, button: .left, at: Position(row: row, column: column), time: time)
        }
        #expect(list.handle(press(4, 6), in: area) == .clicked(2))
        #expect(list.selection == 2)
        #expect(list.handle(press(9, 6), in: area) == .ignored)
        #expect(list.handle(press(4, 4), in: area) == .ignored)
    }

    @Test func secondPressAtOnePlaceIsADoubleClickAndAThirdOneIsNot() {
        var list = list(4, rows: 10)
        let area = Rect(row: 0, column: 0, rows: 10, columns: 20)
        let start = ContinuousClock.now
        func press(_ row: Int, _ column: Int, at milliseconds: Int) -> ListOutcome {
            list.handle(
                MouseEvent(
                    .press,
                    button: .left,
                    at: Position(row: row, column: column),
                    time: start + .milliseconds(milliseconds)
                ),
                in: area
            )
        }
        #expect(press(2, 6, at: 0) == .clicked(2))
        #expect(press(2, 6, at: 399) == .doubleClicked(2))
        #expect(press(2, 6, at: 500) == .clicked(2))
        #expect(press(2, 6, at: 900) == .clicked(2), "too late")
        #expect(press(2, 7, at: 950) == .clicked(2), "another place")
        list.update(count: 20)
        list.scroll(to: 5)
        list.layout(rows: 4)
        #expect(press(2, 7, at: 1000) != .doubleClicked(2), "another row")
    }

    @Test func headingsAreSkippedInTheDirectionOfTheMotionOrBack() {
        let headings: Set = [0, 3, 4, 9]
        func selected(from row: Int, down: Bool) -> Int? {
            var list = list(10, rows: 4, select: row)
            list.skip(down: down, where: headings.contains)
            return list.selection
        }
        #expect(selected(from: 3, down: true) == 5 && selected(from: 4, down: false) == 2)
        #expect(selected(from: 0, down: false) == 1 && selected(from: 9, down: true) == 8)
        #expect(selected(from: 6, down: true) == 6)
        var shown = list(10, rows: 4, select: 6)
        shown.select(0)
        shown.skip(down: false, where: headings.contains)
        #expect(shown.first == 0)
        shown.skip(down: true) { _ in true }
        #expect(shown.selection == 1)
    }

    @Test func onlyVisibleRowsAreDrawn() {
        var list = list(1_000_000, rows: 5, select: 500_000)
        list.layout(rows: 5)
        var canvas = Canvas(rows: 5, columns: 12)
        var drawn: [Int] = []
        list.render(into: &canvas, theme: .mono, isFocused: true) { row, canvas in
            drawn.append(row.index)
            canvas.put("\(row.index)", at: Position(row: 0, column: 0), width: canvas.columns)
        }
        #expect(drawn == Array(499_998...500_002) || drawn.count == 5)
        #expect(drawn.contains(500_000))
        let line = 500_000 - drawn[0]
        #expect(canvas.cursor == Position(row: line, column: 0))
        #expect(canvas.attributes(line) == "RRRRRRRRRRRR")
    }

    @Test func thumbShowsThePart() {
        #expect(Scrollbar.thumb(total: 10, first: 0, visible: 10, rows: 10) == nil)
        #expect(Scrollbar.thumb(total: 100, first: 0, visible: 10, rows: 10) == 0..<1)
        #expect(Scrollbar.thumb(total: 100, first: 90, visible: 10, rows: 10) == 9..<10)
        #expect(Scrollbar.thumb(total: 100, first: 1, visible: 10, rows: 10) == 1..<2)
        #expect(Scrollbar.thumb(total: 100, first: 89, visible: 10, rows: 10) == 8..<9)
        #expect(Scrollbar.thumb(total: 2, first: 1, visible: 1, rows: 1) == 0..<1)
    }

    @Test(arguments: SeededRandom.seeds(4)) func randomUseKeepsTheInvariants(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var list = ListView()
        for _ in 0..<3000 {
            let number = Int.random(in: -3...60, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: list.update(count: number)
            case 1: list.update(count: max(0, number) + 5, selection: number)
            case 2: list.layout(rows: number / 4)
            case 3: list.scroll(by: number - 30)
            case 4: list.move(by: number - 30)
            case 5: list.page(number % 3)
            default: list.select(number)
            }
            #expect((list.selection == nil) == (list.count == 0), "seed \(seed)")
            if let selection = list.selection {
                #expect(list.visible.contains(selection), "seed \(seed)")
            }
            #expect(list.first == 0 || list.first + list.visibleRows <= list.count, "seed \(seed)")
        }
    }
}
