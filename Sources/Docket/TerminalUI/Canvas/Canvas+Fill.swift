extension Canvas {
    /// Blanks a rectangle in a style.
    public mutating func fill(_ rect: Rect, style: Style = .plain) {
        let target = absolute(rect)
        guard !target.isEmpty else { return }
        let blank = Cell(style: style)
        for row in target.row..<target.endRow {
            blankCutEdges(row: row, from: target.column, to: target.endColumn)
            let start = row * whole.columns
            cells.withUnsafeMutableBufferPointer { cells in
                for place in start + target.column..<start + target.endColumn {
                    cells[place] = blank
                }
            }
        }
    }

    /// Fills a rectangle with a character of one column.
    public mutating func fill(_ rect: Rect, with sign: Unicode.Scalar, style: Style) {
        let target = absolute(rect)
        guard !target.isEmpty else { return }
        let single = ScalarClass.of(sign.value).columns == 1
        let cell = Cell(CellText(base: single ? sign.value : 0xFFFD, width: 1), style: style)
        for row in target.row..<target.endRow {
            blankCutEdges(row: row, from: target.column, to: target.endColumn)
            for column in target.column..<target.endColumn {
                cells[row * whole.columns + column] = cell
            }
        }
    }

    /// Changes the style of a rectangle's cells and keeps their text.
    public mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
        let target = absolute(rect)
        guard !target.isEmpty else { return }
        for row in target.row..<target.endRow {
            for column in target.column..<target.endColumn {
                let place = row * whole.columns + column
                cells[place].style = change(cells[place].style)
            }
        }
    }

    /// Overlays a style on a rectangle; see ``Style/overlaid(by:)``.
    public mutating func overlay(_ rect: Rect, with style: Style) {
        restyle(rect) { $0.overlaid(by: style) }
    }

    /// Lays a bar over a rectangle, without spans of other backgrounds; see ``Style/under(bar:)``.
    public mutating func select(_ rect: Rect, with bar: Style) {
        restyle(rect) { $0.under(bar: bar) }
    }

    /// A rectangle of the region in the coordinates of the whole canvas, clipped.
    func absolute(_ rect: Rect) -> Rect {
        clip.intersection(
            Rect(
                row: rect.row + region.row,
                column: rect.column + region.column,
                rows: rect.rows,
                columns: rect.columns
            )
        )
    }

    /// Blanks the halves of wide cells that writing `[start, end)` of a row cuts off.
    mutating func blankCutEdges(row: Int, from start: Int, to end: Int) {
        guard start < end else { return }
        let line = row * whole.columns
        if start > 0, cells[line + start].width == 0 { cells[line + start - 1].blank() }
        if end < whole.columns, cells[line + end].width == 0 { cells[line + end].blank() }
    }
}
