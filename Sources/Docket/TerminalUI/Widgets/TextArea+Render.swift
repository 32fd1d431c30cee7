extension TextArea {
    /// Draws the visible rows, a scrollbar if there are more, and the cursor.
    ///
    /// The scrollbar's column is always reserved, so that the text is not wrapped again when the
    /// bar appears: lay out with ``textSize(in:)``.
    public func render(into canvas: inout Canvas, theme: Theme, isFocused: Bool) {
        guard canvas.rows > 0, canvas.columns > 0 else { return }
        var shown = self
        let area = TextArea.textSize(in: canvas.size)
        shown.layout(area)
        shown.draw(into: &canvas, columns: area.columns, theme: theme, isFocused: isFocused)
    }

    /// The size for the text in an area: all columns except the scrollbar's.
    public static func textSize(in size: Size) -> Size {
        Size(rows: size.rows, columns: size.columns > 2 ? size.columns - 1 : size.columns)
    }

    private func draw(into canvas: inout Canvas, columns: Int, theme: Theme, isFocused: Bool) {
        var row = top
        for line in 0..<canvas.rows {
            canvas.draw(in: Rect(row: line, column: 0, rows: 1, columns: columns)) { canvas in
                // Blanks beyond the end of the row are cut off without a sign.
                canvas.symbols.ellipsis = " "
                canvas.put(
                    slice(range(of: row), of: row.line),
                    at: Position(row: 0, column: 0),
                    width: columns,
                    style: theme[.text]
                )
            }
            if isFocused, row == self.row(of: cursor) {
                canvas.cursor = Position(row: line, column: min(column(of: cursor), columns - 1))
            }
            let next = moved(row, by: 1)
            if next == row { break }
            row = next
        }
        guard canvas.columns > 2 else { return }
        let before = lines[..<top.line].reduce(top.row) { $0 + $1.breaks.count + 1 }
        let total = lines[top.line...].reduce(before - top.row) { $0 + $1.breaks.count + 1 }
        Scrollbar.render(
            into: &canvas,
            total: total,
            first: before,
            visible: canvas.rows,
            theme: theme
        )
    }
}
