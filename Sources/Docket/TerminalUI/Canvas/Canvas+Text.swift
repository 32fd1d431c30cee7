/// A part of a line in one style.
public struct TextRun: Hashable, Sendable {
    public var text: Substring
    public var style: Style

    public init(_ text: Substring, _ style: Style) {
        self.text = text
        self.style = style
    }

    public init(_ text: String, _ style: Style) {
        self.init(text[...], style)
    }
}

extension Canvas {
    /// Draws a text in one line.
    ///
    /// With a `width`, the text is cut with an ellipsis or filled with blanks to exactly that
    /// number of columns; without, it continues to the region's right edge. Wide characters are
    /// never cut in two.
    /// - Returns: the columns that the text took, blanks not counted.
    /// - Complexity: O(columns drawn), however long the text is.
    @discardableResult
    public mutating func put(
        _ text: String,
        at position: Position,
        width: Int? = nil,
        style: Style = .plain
    ) -> Int {
        put(TextRun(text, style), at: position, width: width)
    }

    /// Draws a part of a text in one line; see ``put(_:at:width:style:)-(String,_,_,_)``.
    @discardableResult
    public mutating func put(
        _ text: Substring,
        at position: Position,
        width: Int? = nil,
        style: Style = .plain
    ) -> Int {
        put(TextRun(text, style), at: position, width: width)
    }

    private mutating func put(_ run: TextRun, at position: Position, width: Int?) -> Int {
        var pen = Pen(position, width: width, in: region)
        draw(run, with: &pen)
        finish(pen, fill: width == nil ? nil : run.style)
        return pen.column - pen.start
    }

    /// Draws parts in several styles one after the other, as one line.
    ///
    /// `fill` is the style of the blanks up to `width`, when that is given.
    /// - Returns: the columns that the text took, blanks not counted.
    @discardableResult
    public mutating func put(
        _ runs: [TextRun],
        at position: Position,
        width: Int? = nil,
        fill: Style = .plain
    ) -> Int {
        var pen = Pen(position, width: width, in: region)
        for run in runs where !pen.cut { draw(run, with: &pen) }
        finish(pen, fill: width == nil ? nil : fill)
        return pen.column - pen.start
    }

    /// A line during drawing, in the coordinates of the whole canvas.
    private struct Pen {
        let row: Int
        let start: Int
        let end: Int
        var column: Int
        /// The start of the last cell that was drawn, for the ellipsis.
        var lastCell: Int?
        var lastStyle = Style.plain
        var cut = false

        init(_ position: Position, width: Int?, in region: Rect) {
            let first = position.column + region.column
            row = position.row + region.row
            start = first
            column = first
            end = max(first, width.map { first + min($0, 1 << 20) } ?? region.endColumn)
        }
    }

    private mutating func draw(_ run: TextRun, with pen: inout Pen) {
        guard pen.row >= clip.row, pen.row < clip.endRow else { return }
        // Text to the right of the clip is not read: only whether there is more matters.
        let end = min(pen.end, clip.endColumn)
        var text = run.text
        text.withUTF8 { bytes in
            var scanner = CellScanner(bytes)
            while let cell = scanner.next() {
                let next = pen.column + Int(cell.width)
                if next > end {
                    pen.cut = true
                    return
                }
                write(cell, row: pen.row, column: pen.column, style: run.style)
                pen.lastCell = pen.column
                pen.lastStyle = run.style
                pen.column = next
            }
        }
    }

    /// Writes one cell, clipped at the left; the caller checks the right edge.
    @inline(__always)
    private mutating func write(_ text: CellText, row: Int, column: Int, style: Style) {
        let next = column + Int(text.width)
        guard next > clip.column else { return }
        if column < clip.column {
            // Only the right half of a wide character is inside, at the left edge.
            blankCutEdges(row: row, from: clip.column, to: next)
            cells[row * whole.columns + clip.column] = Cell(style: style)
            return
        }
        blankCutEdges(row: row, from: column, to: next)
        let place = row * whole.columns + column
        cells[place] = Cell(text, style: style)
        if text.width == 2 { cells[place + 1] = Cell(.rightHalf, style: style) }
    }

    /// Draws the ellipsis of a text that was cut, or the blanks after one that was not.
    private mutating func finish(_ pen: Pen, fill: Style?) {
        guard pen.row >= clip.row, pen.row < clip.endRow else { return }
        if pen.cut {
            markCut(pen, end: min(pen.end, clip.endColumn))
        } else if let fill, pen.column < pen.end {
            self.fill(
                Rect(
                    row: pen.row - region.row,
                    column: pen.column - region.column,
                    rows: 1,
                    columns: pen.end - pen.column
                ),
                style: fill
            )
        }
    }

    private mutating func markCut(_ pen: Pen, end: Int) {
        guard end > max(pen.start, clip.column) else { return }
        var ellipsis = CellText.blank
        ellipsis.base = symbols.ellipsis.value
        // A wide character that did not fit left a free column; otherwise the last cell is
        // replaced.
        let place = pen.column < end ? pen.column : pen.lastCell ?? pen.column
        guard place < end else { return }
        write(ellipsis, row: pen.row, column: place, style: pen.lastStyle)
        for column in max(place + 1, clip.column)..<max(end, place + 1, clip.column) {
            write(.blank, row: pen.row, column: column, style: pen.lastStyle)
        }
    }
}
