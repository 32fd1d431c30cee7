extension Canvas {
    /// Draws a line over a row, with an optional title near its beginning.
    public mutating func rule(
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
