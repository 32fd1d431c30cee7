/// A part of the screen above the other views, between two lines; the upper one has its title.
public struct Dialog: Sendable {
    public var title: String
    /// Hints in the lower edge.
    public var footer: String

    public init(title: String, footer: String = "") {
        self.title = title
        self.footer = footer
    }

    /// The place of the box: in the middle, made smaller to fit.
    ///
    /// `content` is the wanted size of the inside; the box is wide enough for title and footer.
    public func area(content: Size, in bounds: Rect) -> Rect {
        let wanted = max(content.columns, DisplayWidth.of(title) + 2, DisplayWidth.of(footer) + 2)
        return bounds.centered(Size(rows: content.rows + 2, columns: wanted + 4))
    }

    /// The inside: without the lines and, if there is space, two columns on each side.
    public func inside(_ area: Rect) -> Rect {
        guard area.rows > 2, area.columns > 2 else { return area }
        return area.inset(1).inset(left: area.columns > 6 ? 1 : 0, right: area.columns > 6 ? 1 : 0)
    }

    /// Draws the box, and the inside by `draw` in the inside's own coordinates.
    ///
    /// With fewer than three rows or columns there are no lines, only the inside.
    public func render(
        into canvas: inout Canvas,
        theme: Theme,
        content: Size,
        draw: (inout Canvas) -> Void
    ) {
        let area = area(content: content, in: canvas.bounds)
        // Whole rows, so that no halves of other views stand beside it.
        let rows = Rect(row: area.row, column: 0, rows: area.rows, columns: canvas.columns)
        canvas.fill(rows, style: theme[.text])
        if area.rows > 2, area.columns > 2 {
            canvas.rule(
                Rect(row: area.row, column: area.column, rows: 1, columns: area.columns),
                style: theme[.border],
                title: title,
                titleStyle: theme[.title]
            )
            canvas.rule(
                Rect(row: area.endRow - 1, column: area.column, rows: 1, columns: area.columns),
                style: theme[.border]
            )
            renderFooter(into: &canvas, area: area, theme: theme)
        }
        canvas.draw(in: inside(area), draw)
    }

    private func renderFooter(into canvas: inout Canvas, area: Rect, theme: Theme) {
        guard !footer.isEmpty, area.columns >= 5 else { return }
        let shown = DisplayWidth.truncate(footer, to: area.columns - 4, symbols: canvas.symbols)
        let columns = DisplayWidth.of(shown) + 2
        canvas.put(
            " \(shown) ",
            at: Position(row: area.endRow - 1, column: area.endColumn - 1 - columns),
            style: theme[.hintText]
        )
    }
}
