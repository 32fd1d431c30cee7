/// A bar that shows the visible part of the contents.
package enum Scrollbar {
    /// The rows of the bar for the thumb, or nil if everything is visible.
    ///
    /// The thumb is at an end only if the view is, and has at least one row.
    package static func thumb(total: Int, first: Int, visible: Int, rows: Int) -> Range<Int>? {
        guard rows > 0, visible > 0, total > visible else { return nil }
        let length = min(rows, max(1, rows * visible / total))
        let most = total - visible
        let place = min(max(0, first), most)
        let room = rows - length
        var start = (place * room + most / 2) / most
        if room >= 2 {
            if place > 0 { start = max(1, start) }
            if place < most { start = min(room - 1, start) }
        }
        return start..<start + length
    }

    /// Draws a bar of one column in the canvas's last column; nothing if everything is visible.
    package static func render(
        into canvas: inout Canvas,
        total: Int,
        first: Int,
        visible: Int,
        theme: Theme
    ) {
        guard
            let thumb = thumb(total: total, first: first, visible: visible, rows: canvas.rows),
            canvas.columns > 0
        else { return }
        let column = canvas.columns - 1
        for row in 0..<canvas.rows {
            let sign = thumb.contains(row) ? canvas.symbols.thumb : canvas.symbols.track
            canvas.fill(
                Rect(row: row, column: column, rows: 1, columns: 1),
                with: sign,
                style: theme[.scrollbar]
            )
        }
    }
}
