extension Canvas {
    /// Draws a frame with an optional title in its upper edge; the inside does not change.
    ///
    /// With fewer than two rows or two columns nothing is drawn.
    package mutating func frame(
        _ rect: Rect,
        style: Style = .plain,
        title: String = "",
        titleStyle: Style? = nil
    ) {
        guard rect.rows >= 2, rect.columns >= 2 else { return }
        let right = rect.endColumn - 1
        let bottom = rect.endRow - 1
        let between = rect.columns - 2
        let inside = rect.rows - 2
        let corners = [
            (symbols.topLeft, rect.row, rect.column), (symbols.topRight, rect.row, right),
            (symbols.bottomLeft, bottom, rect.column), (symbols.bottomRight, bottom, right),
        ]
        for row in [rect.row, bottom] {
            fill(
                Rect(row: row, column: rect.column + 1, rows: 1, columns: between),
                with: symbols.horizontal,
                style: style
            )
        }
        for column in [rect.column, right] {
            fill(
                Rect(row: rect.row + 1, column: column, rows: inside, columns: 1),
                with: symbols.vertical,
                style: style
            )
        }
        for (sign, row, column) in corners {
            fill(Rect(row: row, column: column, rows: 1, columns: 1), with: sign, style: style)
        }
        guard !title.isEmpty, between >= 3 else { return }
        let shown = DisplayWidth.truncate(title, to: between - 2, symbols: symbols)
        put(
            " \(shown) ",
            at: Position(row: rect.row, column: rect.column + 1),
            style: titleStyle ?? style
        )
    }

    /// Draws a line over a row, with an optional title near its beginning.
    package mutating func rule(
        _ rect: Rect,
        style: Style,
        title: String = "",
        titleStyle: Style? = nil
    ) {
        fill(rect, with: symbols.horizontal, style: style)
        guard !title.isEmpty, rect.columns >= 5 else { return }
        let shown = DisplayWidth.truncate(title, to: rect.columns - 4, symbols: symbols)
        put(
            " \(shown) ",
            at: Position(row: rect.row, column: rect.column + 1),
            style: titleStyle ?? style
        )
    }
}
