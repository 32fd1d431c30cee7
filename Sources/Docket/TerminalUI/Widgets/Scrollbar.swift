/// A thin thumb at the right edge that shows the visible part of the contents.
public enum Scrollbar {
    /// The rows of the bar for the thumb, or nil if everything is visible.
    ///
    /// The thumb is at an end only if the view is, and has at least one row.
    public static func thumb(total: Int, first: Int, visible: Int, rows: Int) -> Range<Int>? {
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

    /// Draws the thumb in the canvas's last column; nothing if everything is visible.
    public static func render(
        into canvas: inout Canvas,
        total: Int,
        first: Int,
        visible: Int,
        theme: Theme
    ) {
        guard
            let thumb = thumb(total: total, first: first, visible: visible, rows: canvas.rows),
            canvas.columns > 2
        else { return }
        let place = Rect(
            row: thumb.lowerBound,
            column: canvas.columns - 1,
            rows: thumb.count,
            columns: 1
        )
        canvas.fill(place, with: canvas.symbols.thumb, style: theme[.scrollbar])
    }
}
