import TerminalUI

extension Canvas {
    /// Draws the label of a field at the left of its row.
    mutating func putLabel(_ label: String, row: Int, columns: Int, _ isFocused: Bool, _ look: Look)
    {
        put(
            label,
            at: Position(row: row, column: 0),
            width: max(0, columns - 1),
            style: look[isFocused ? .title : .dim]
        )
    }

    /// Draws the rows of a form, which are scrolled, above those that stay at its foot.
    mutating func drawScrolled(
        by scroll: Int,
        above foot: Int,
        _ body: (inout Canvas) -> Void
    ) {
        let shifted = Rect(row: -scroll, column: 0, rows: rows + scroll, columns: columns)
        draw(in: bounds.inset(bottom: foot)) { canvas in canvas.draw(in: shifted, body) }
    }
}
