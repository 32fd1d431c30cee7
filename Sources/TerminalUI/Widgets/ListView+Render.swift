/// A row during drawing.
package struct ListRow: Hashable, Sendable {
    package let index: Int
    package let isSelected: Bool
    package let isMarked: Bool
    /// Whether the list has the focus.
    package let isFocused: Bool
}

extension ListView {
    /// Draws the visible rows, the scrollbar if there are more, and with the focus the cursor on
    /// the selected row.
    ///
    /// `draw` draws one row into a canvas of one row; the selection's style is put on top of it.
    /// - Complexity: O(rows on the screen), however many there are.
    package func render(
        into canvas: inout Canvas,
        theme: Theme,
        isFocused: Bool,
        draw: (ListRow, inout Canvas) -> Void
    ) {
        guard canvas.rows > 0, canvas.columns > 0 else { return }
        var shown = self
        shown.layout(rows: canvas.rows)
        let hasBar = count > canvas.rows && canvas.columns > 2
        let columns = canvas.columns - (hasBar ? 1 : 0)
        for (line, index) in shown.visible.enumerated() {
            let area = Rect(row: line, column: 0, rows: 1, columns: columns)
            let row = ListRow(
                index: index,
                isSelected: index == selection,
                isMarked: marks.contains(index),
                isFocused: isFocused
            )
            canvas.draw(in: area) { draw(row, &$0) }
            guard row.isSelected else { continue }
            canvas.overlay(area, with: theme[isFocused ? .selection : .selectionInactive])
            if isFocused { canvas.cursor = area.origin }
        }
        guard hasBar else { return }
        Scrollbar.render(
            into: &canvas,
            total: count,
            first: shown.first,
            visible: canvas.rows,
            theme: theme
        )
    }
}
