import ScreenReading
import SeededRandom
import Testing

@testable import TerminalUI

@Suite struct CanvasTests {
    private let bold = Style(attributes: .bold)

    @Test func cellHasNoPadding() {
        #expect(MemoryLayout<Cell>.size == 32)
        #expect(MemoryLayout<Cell>.stride == 32)
    }

    @Test func textIsPaddedToItsWidth() {
        var canvas = Canvas(rows: 1, columns: 8)
        let used = canvas.put("ab", at: Position(row: 0, column: 1), width: 4, style: bold)
        #expect(used == 2)
        #expect(canvas.text(0) == " ab     ")
        #expect(canvas.attributes(0) == ".BBBB...")
    }

    @Test func longTextEndsInAnEllipsis() {
        var canvas = Canvas(rows: 1, columns: 8)
        canvas.put("abcdefgh", at: Position(row: 0, column: 0), width: 5)
        #expect(canvas.text(0) == "abcd…   ")
        canvas.put("日本語", at: Position(row: 0, column: 0), width: 5)
        #expect(canvas.text(0) == "日本…   ")
        canvas.fill(canvas.bounds)
        canvas.put("日本語", at: Position(row: 0, column: 0), width: 4)
        #expect(canvas.lines == ["日…"])
        canvas.checkInvariants()
    }

    @Test func aPictureIsBlankAndHiddenByWhatIsDrawnOverIt() {
        var canvas = Canvas(rows: 4, columns: 8)
        let picture = Picture(
            id: 7,
            size: Size(rows: 2, columns: 3),
            content: .png([], rowPixels: 20)
        )
        for row in 0..<2 { canvas.put(picture, row: row, at: Position(row: row + 1, column: 2)) }
        let rows = (0..<2).map {
            PictureRow(id: 7, row: $0, position: Position(row: $0 + 1, column: 2))
        }
        #expect(canvas.pictureRows == rows && canvas.lines == ["", "", "", ""])
        canvas.put("x", at: Position(row: 2, column: 4))
        #expect(canvas.pictureRows == [rows[0]] && canvas.lines[2] == "    x")
        // What the edge would cut is not shown.
        canvas.put(picture, row: 0, at: Position(row: 3, column: 6))
        #expect(canvas.pictureRows == [rows[0]])
        canvas.checkInvariants()
    }

    @Test func halvesOfCellsHaveTwoColors() {
        var canvas = Canvas(rows: 1, columns: 3)
        let colors: [Color] = [.indexed(1), .indexed(2), .indexed(3), .indexed(4)]
        let picture = Picture(id: 1, size: Size(rows: 1, columns: 2), content: .halves(colors))
        canvas.put(picture, row: 0, at: Position(row: 0, column: 1))
        #expect(canvas.text(0) == " ▀▀")
        let style = canvas.cells(0)[2].style
        #expect(style.foreground == .indexed(3) && style.background == .indexed(4))
        #expect(canvas.pictureRows.isEmpty)
    }

    @Test func asciiSymbolsAreUsed() {
        var canvas = Canvas(rows: 3, columns: 8, symbols: .ascii)
        let row = Rect(row: 1, column: 0, rows: 1, columns: 8)
        canvas.rule(row, style: .plain, title: "abcdef")
        #expect(canvas.lines == ["", "- abc~ -", ""])
    }

    @Test func runsShareOneLine() {
        var canvas = Canvas(rows: 1, columns: 8)
        canvas.put(
            [TextRun("ab", bold), TextRun("cdefghij", Style(attributes: .dim))],
            at: Position(row: 0, column: 0),
            width: 6,
            fill: .plain
        )
        #expect(canvas.text(0) == "abcde…  ")
        #expect(canvas.attributes(0) == "BBDDDD..")
    }

    @Test func halvesOfOverwrittenWideCellsAreBlank() {
        var canvas = Canvas(rows: 1, columns: 8)
        canvas.put("日本語字", at: Position(row: 0, column: 0))
        canvas.put("xxx", at: Position(row: 0, column: 3))
        #expect(canvas.text(0) == "日 xxx字")
        canvas.checkInvariants()
        canvas.put("日本語字", at: Position(row: 0, column: 0))
        canvas.fill(Rect(row: 0, column: 1, rows: 1, columns: 2))
        #expect(canvas.text(0) == "    語字")
        canvas.checkInvariants()
    }

    @Test func regionClipsAndHasItsOwnCoordinates() {
        var canvas = Canvas(rows: 3, columns: 10)
        canvas.fill(canvas.bounds, with: ".", style: .plain)
        canvas.draw(in: Rect(row: 1, column: 2, rows: 1, columns: 4)) { pane in
            #expect(pane.size == Size(rows: 1, columns: 4))
            pane.put("日本語", at: Position(row: 0, column: -1))
            pane.put("outside", at: Position(row: 1, column: 0))
            pane.put("outside", at: Position(row: -1, column: 0))
            pane.cursor = Position(row: 0, column: 3)
        }
        #expect(canvas.lines[0] == "..........")
        #expect(canvas.lines[1] == ".. 本…....")
        #expect(canvas.lines[2] == "..........")
        #expect(canvas.cursor == Position(row: 1, column: 5))
        canvas.checkInvariants()
    }

    @Test func cursorOutsideItsRegionIsHidden() {
        var canvas = Canvas(rows: 3, columns: 10)
        canvas.draw(in: Rect(row: 1, column: 2, rows: 1, columns: 4)) { pane in
            pane.cursor = Position(row: 0, column: 4)
        }
        #expect(canvas.cursor == nil)
    }

    @Test func wideCharactersAreNotCutAtARegionsEdge() {
        var canvas = Canvas(rows: 1, columns: 6)
        canvas.put("日本語", at: Position(row: 0, column: 0))
        canvas.draw(in: Rect(row: 0, column: 1, rows: 1, columns: 3)) { pane in
            pane.put("字字", at: Position(row: 0, column: 0))
        }
        #expect(canvas.lines == [" 字…語"])
        canvas.checkInvariants()
    }

    @Test func overlayKeepsColorsThatItDoesNotName() {
        let red = Style(foreground: .indexed(1))
        var canvas = Canvas(rows: 1, columns: 2)
        canvas.put("ab", at: Position(row: 0, column: 0), style: red)
        canvas.overlay(
            Rect(row: 0, column: 0, rows: 1, columns: 1),
            with: Style(attributes: .reverse)
        )
        #expect(canvas.styles(0)[0] == Style(foreground: .indexed(1), attributes: .reverse))
        #expect(canvas.styles(0)[1] == red)
    }

    @Test func updateNamesTheRowsThatChanged() {
        var one = Canvas(rows: 4, columns: 5)
        one.put("same", at: Position(row: 0, column: 0))
        var other = one
        #expect(ScreenUpdate(from: one, to: other).changedRows == [])
        other.put("x", at: Position(row: 2, column: 4))
        other.overlay(Rect(row: 3, column: 0, rows: 1, columns: 1), with: bold)
        let update = ScreenUpdate(from: one, to: other)
        #expect(update.changedRows == [2, 3])
        #expect(!update.isComplete)
        #expect(ScreenUpdate(from: nil, to: other).isComplete)
        #expect(ScreenUpdate(from: Canvas(rows: 4, columns: 6), to: other).changedRows.count == 4)
    }

    @Test(arguments: SeededRandom.seeds(4)) func randomDrawingKeepsTheInvariants(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<60 {
            let size = Size(
                rows: Int.random(in: 0...4, using: &random),
                columns: Int.random(in: 0...9, using: &random)
            )
            var canvas = Canvas(size: size)
            for _ in 0..<30 {
                let rect = random.rect()
                let place = Position(
                    row: Int.random(in: -2...5, using: &random),
                    column: Int.random(in: -4...10, using: &random)
                )
                let width =
                    Bool.random(using: &random) ? Int.random(in: -1...12, using: &random) : nil
                let text = random.text(length: Int.random(in: 0...9, using: &random))
                canvas.draw(in: rect) { pane in
                    pane.put(text, at: place, width: width)
                    if width == 3 { pane.fill(rect) }
                    if width == 4 { pane.rule(rect, style: .plain, title: text) }
                    pane.cursor = place
                }
                canvas.checkInvariants()
            }
        }
    }
}

extension SeededRandom {
    fileprivate mutating func rect() -> Rect {
        Rect(
            row: Int.random(in: -2...4, using: &self),
            column: Int.random(in: -3...9, using: &self),
            rows: Int.random(in: 0...5, using: &self),
            columns: Int.random(in: 0...9, using: &self)
        )
    }
}
