import TerminalUI

/// A sentence in the middle of an empty pane.
struct EmptyView {
    let text: String
    let look: Look

    func render(into canvas: inout Canvas) {
        let lines = DisplayWidth.wrapped(text, columns: max(1, canvas.columns - 2))
        var row = max(0, (canvas.rows - lines.count) / 2)
        for line in lines where row < canvas.rows {
            let column = max(0, (canvas.columns - DisplayWidth.of(line)) / 2)
            canvas.put(line, at: Position(row: row, column: column), style: look[.dim])
            row += 1
        }
        // A screen reader finds the sentence by the cursor.
        canvas.cursor = Position(row: max(0, row - 1), column: 0)
    }
}

/// The heading of a group of items.
struct GroupHeadingView {
    let name: String
    let count: Int
    let look: Look

    func render(into canvas: inout Canvas) {
        let used = canvas.put(
            [TextRun(" \(name) ", look[.heading]), TextRun("\(count) ", look[.dim])],
            at: Position(row: 0, column: 0)
        )
        canvas.fill(
            Rect(row: 0, column: used, rows: 1, columns: max(0, canvas.columns - used)),
            with: canvas.symbols.horizontal,
            style: look[.border]
        )
    }
}

/// The keys that can follow those pressed so far, and their effects.
struct WhichKey {
    let title: String
    let rows: [(key: String, effect: String)]
    let look: Look

    func render(into canvas: inout Canvas) {
        let keyWidth = rows.map { DisplayWidth.of($0.0) }.max() ?? 1
        let width = (rows.map { DisplayWidth.of($0.1) }.max() ?? 1) + keyWidth + 2
        let size = Size(rows: min(rows.count, max(1, canvas.rows - 3)) + 2, columns: width + 4)
        let area = Rect(
            row: max(0, canvas.rows - size.rows - 1),
            column: max(0, canvas.columns - size.columns - 1),
            rows: min(size.rows, canvas.rows),
            columns: min(size.columns, canvas.columns)
        )
        canvas.fill(area, style: look[.text])
        for row in [area.row, area.endRow - 1] {
            canvas.rule(
                Rect(row: row, column: area.column, rows: 1, columns: area.columns),
                style: look[.border],
                title: row == area.row ? title : "",
                titleStyle: look[.title]
            )
        }
        canvas.draw(in: area.inset(1).inset(left: 1, right: 1)) { canvas in
            canvas.cursor = Position(row: 0, column: 0)
            for (index, row) in rows.enumerated() where index < canvas.rows {
                canvas.put(row.0, at: Position(row: index, column: 0), style: look[.hintKey])
                canvas.put(
                    row.1,
                    at: Position(row: index, column: keyWidth + 2),
                    style: look[.text]
                )
            }
        }
    }
}
