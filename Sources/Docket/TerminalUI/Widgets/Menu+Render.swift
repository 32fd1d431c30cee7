extension Menu {
    /// Fits the menu to a number of rows; the query takes the first.
    public mutating func layout(rows: Int) {
        list.layout(rows: max(1, rows - 1))
    }

    /// Draws the query in the first row and the items below, with the matches highlighted.
    ///
    /// A single row shows only the query. If the selected item is disabled, its row shows the
    /// reason instead of the detail.
    public func render(into canvas: inout Canvas, theme: Theme) {
        guard canvas.rows > 0, canvas.columns > 0 else { return }
        let columns = canvas.columns
        let rows = Rect(row: 1, column: 0, rows: canvas.rows - 1, columns: columns)
        canvas.draw(in: rows) { canvas in
            list.render(into: &canvas, theme: theme, isFocused: true) { row, canvas in
                self.draw(row, into: &canvas, theme: theme)
            }
            Scrollbar.render(
                into: &canvas,
                total: list.count,
                first: list.first,
                visible: canvas.rows,
                theme: theme
            )
        }
        let selected = canvas.cursor
        canvas.draw(in: Rect(row: 0, column: 0, rows: 1, columns: columns)) { canvas in
            query.render(into: &canvas, theme: theme, isFocused: true)
        }
        // On the query, where text is typed, until the arrows move the selection.
        if isMoving, let selected { canvas.cursor = selected }
    }

    private func draw(_ row: ListRow, into canvas: inout Canvas, theme: Theme) {
        let entry = entries[row.index]
        let item = items[entry.item]
        let style = theme[item.disabledReason == nil ? .text : .disabled]
        let sign = row.isSelected ? "\(canvas.symbols.pointer) " : "  "
        var runs = [TextRun(sign, theme[.text])]
        if let sample = item.sample { runs += [sample, TextRun("  ", theme[.text])] }
        runs += titleRuns(item.title, matched: entry.matched, style: style, theme: theme)
        let detail = item.detail.isEmpty ? item.disabledReason ?? "" : item.detail
        if !detail.isEmpty { runs.append(TextRun("  \(detail)", theme[.dim])) }
        let hintColumns = item.hint.isEmpty ? 0 : DisplayWidth.of(item.hint) + 1
        let left = max(0, canvas.columns - hintColumns)
        canvas.put(runs, at: Position(row: 0, column: 0), width: left, fill: theme[.text])
        guard hintColumns > 0, left > 8 else { return }
        canvas.put(" ", at: Position(row: 0, column: left), style: theme[.text])
        canvas.put(item.hint, at: Position(row: 0, column: left + 1), style: theme[.hintKey])
    }

    /// The title in pieces: matched text and the text between.
    private func titleRuns(
        _ title: String,
        matched: [Int],
        style: Style,
        theme: Theme
    ) -> [TextRun] {
        guard !matched.isEmpty else { return [TextRun(title, style)] }
        let found = Set(matched)
        let highlight = style.overlaid(by: theme[.match])
        var runs: [TextRun] = []
        var start = title.startIndex
        var isMatch = false
        for (place, index) in title.indices.enumerated() where found.contains(place) != isMatch {
            if start < index {
                runs.append(TextRun(title[start..<index], isMatch ? highlight : style))
            }
            start = index
            isMatch.toggle()
        }
        runs.append(TextRun(title[start...], isMatch ? highlight : style))
        return runs
    }
}
