/// A row during drawing.
public struct ListRow: Hashable, Sendable {
    public let index: Int
    public let isSelected: Bool
    /// Whether the list has the focus.
    public let isFocused: Bool
}

extension ListView {
    /// Draws the visible rows, one bar over the selected one and, with the focus, the cursor there.
    ///
    /// `draw` draws one row into a canvas of one row; its last column is left to a scroll position.
    /// - Complexity: O(rows on the screen), however many there are.
    public func render(
        into canvas: inout Canvas,
        theme: Theme,
        isFocused: Bool,
        draw: (ListRow, inout Canvas) -> Void
    ) {
        guard canvas.rows > 0, canvas.columns > 0 else { return }
        var shown = self
        shown.layout(rows: canvas.rows)
        let edge = canvas.columns > 2 ? 1 : 0
        for (line, index) in shown.visible.enumerated() {
            let area = Rect(row: line, column: 0, rows: 1, columns: canvas.columns)
            let row = ListRow(
                index: index,
                isSelected: index == selection,
                isFocused: isFocused
            )
            canvas.draw(in: area.inset(right: edge)) { draw(row, &$0) }
            guard row.isSelected else { continue }
            canvas.select(area, with: theme[isFocused ? .selection : .selectionInactive])
            if isFocused { canvas.cursor = area.origin }
        }
    }
}
