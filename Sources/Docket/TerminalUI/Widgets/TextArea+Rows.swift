extension TextArea {
    /// Fits the text to a size and scrolls just enough to show the cursor.
    /// - Complexity: O(text) when the width changed, else O(rows on the screen).
    public mutating func layout(_ size: Size) {
        let size = Size(rows: max(1, size.rows), columns: max(1, size.columns))
        if size.columns != viewport.columns {
            // The text in the screen's first row stays there when the rows are wrapped again.
            let anchor = range(of: clamped(top)).lowerBound
            viewport = size
            for line in lines.indices { lines[line] = wrappedLine(lines[line].text) }
            let line = min(top.line, lines.count - 1)
            top = row(of: Cursor(line: line, offset: anchor))
        }
        viewport = size
        top = clamped(top)
        // No empty rows at the end that text above could fill.
        top = min(top, lowest)
        let current = row(of: cursor)
        if current < top {
            top = current
        } else {
            top = max(top, moved(current, by: 1 - size.rows))
        }
    }

    /// The first row of the last window.
    private var lowest: Row {
        let last = Row(line: lines.count - 1, row: lines[lines.count - 1].breaks.count)
        return moved(last, by: 1 - viewport.rows)
    }

    /// Scrolls the view; the cursor follows if it would leave the screen.
    public mutating func scroll(by rows: Int) {
        top = min(moved(clamped(top), by: rows), lowest)
        let bottom = moved(top, by: viewport.rows - 1)
        let current = row(of: cursor)
        if current < top {
            place(on: top)
        } else if current > bottom {
            place(on: bottom)
        }
    }

    private func clamped(_ row: Row) -> Row {
        let line = min(row.line, lines.count - 1)
        return Row(line: line, row: min(row.row, lines[line].breaks.count))
    }

    /// The row of a place; the start of a row belongs to that row.
    func row(of place: Cursor) -> Row {
        let breaks = lines[place.line].breaks
        var low = 0
        var high = breaks.count
        while low < high {
            let middle = (low + high) / 2
            if breaks[middle] <= place.offset { low = middle + 1 } else { high = middle }
        }
        return Row(line: place.line, row: low)
    }

    /// The part of its line that is in a row.
    func range(of row: Row) -> Range<Int> {
        let line = lines[row.line]
        let start = row.row == 0 ? 0 : line.breaks[row.row - 1]
        let end = row.row < line.breaks.count ? line.breaks[row.row] : line.text.utf8.count
        return start..<end
    }

    /// The row some rows forward or back, or the last or first one.
    func moved(_ row: Row, by count: Int) -> Row {
        var row = row
        var left = abs(count)
        while left > 0 {
            if count > 0 {
                let rest = lines[row.line].breaks.count - row.row
                if rest >= left {
                    row.row += left
                    return row
                }
                guard row.line + 1 < lines.count else {
                    row.row += rest
                    return row
                }
                left -= rest + 1
                row = Row(line: row.line + 1, row: 0)
            } else {
                if row.row >= left {
                    row.row -= left
                    return row
                }
                guard row.line > 0 else { return Row(line: 0, row: 0) }
                left -= row.row + 1
                row = Row(line: row.line - 1, row: lines[row.line - 1].breaks.count)
            }
        }
        return row
    }

    /// The column of a place in its row.
    func column(of place: Cursor) -> Int {
        let start = range(of: row(of: place)).lowerBound
        return DisplayWidth.of(slice(start..<place.offset, of: place.line))
    }

    func slice(_ range: Range<Int>, of line: Int) -> Substring {
        let text = lines[line].text
        return text[
            TextEditing.index(
                range.lowerBound,
                in: text
            )..<TextEditing.index(range.upperBound, in: text)
        ]
    }

    /// Moves the cursor to a row, near the remembered column.
    mutating func place(on row: Row) {
        let wanted = aim ?? column(of: cursor)
        let range = range(of: row)
        var part = slice(range, of: row.line)
        let offset = part.withUTF8 { DisplayWidth.offset(in: $0, column: wanted).offset }
        let text = lines[row.line].text
        var place = TextEditing.aligned(range.lowerBound + offset, in: text)
        // The end of a row that continues is the start of the next row: stay before it.
        if place >= range.upperBound, row.row < lines[row.line].breaks.count {
            place = max(range.lowerBound, TextEditing.before(range.upperBound, in: text))
        }
        cursor = Cursor(line: row.line, offset: place)
        aim = wanted
    }
}
