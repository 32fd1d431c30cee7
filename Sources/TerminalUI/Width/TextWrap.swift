extension DisplayWidth {
    /// Breaks a text into rows of at most `columns`, as ranges of UTF-8 offsets.
    ///
    /// The ranges cover the text without gaps, except that a line end (`\n`) belongs to no row.
    /// A row breaks after blanks, before or after a wide character, and inside a word only when
    /// the word alone does not fit. Blanks at a break stay at the row's end and may reach beyond
    /// `columns`: they are not seen. Each line has at least one row, an empty text one empty row.
    /// - Complexity: O(n).
    package static func wrap(_ text: String, columns: Int) -> [Range<Int>] {
        var text = text
        return text.withUTF8 { wrap(bytes: $0, columns: max(1, columns)) }
    }

    /// The rows of a wrapped text, without the blanks at their ends.
    package static func wrapped(_ text: String, columns: Int) -> [Substring] {
        wrap(text, columns: columns).map { range in
            let utf8 = text.utf8
            let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
            var end = utf8.index(utf8.startIndex, offsetBy: range.upperBound)
            while end > start, utf8[utf8.index(before: end)] == 0x20 {
                end = utf8.index(before: end)
            }
            return text[start..<end]
        }
    }

    static func wrap(bytes: UnsafeBufferPointer<UInt8>, columns: Int) -> [Range<Int>] {
        var rows: [Range<Int>] = []
        var start = 0
        while true {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            wrapLine(bytes, start..<end, columns: columns, into: &rows)
            if end == bytes.count { return rows }
            start = end + 1
        }
    }

    private static func wrapLine(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ line: Range<Int>,
        columns: Int,
        into rows: inout [Range<Int>]
    ) {
        var scanner = CellScanner(UnsafeBufferPointer(rebasing: bytes[line]))
        var rowStart = 0
        var column = 0
        var breakOffset = 0  // after the last place where the row may break
        var breakColumn = 0
        var previousWide = false
        while true {
            let offset = scanner.offset
            guard let cell = scanner.next() else { break }
            let blank = cell.base == 0x20
            if !blank, offset > rowStart, cell.width == 2 || previousWide {
                breakOffset = offset
                breakColumn = column
            }
            if !blank, column + Int(cell.width) > columns, offset > rowStart {
                if breakOffset <= rowStart {
                    breakOffset = offset
                    breakColumn = column
                }
                rows.append(line.lowerBound + rowStart..<line.lowerBound + breakOffset)
                rowStart = breakOffset
                column -= breakColumn
            }
            column += Int(cell.width)
            previousWide = cell.width == 2
            if blank {
                breakOffset = scanner.offset
                breakColumn = column
            }
        }
        rows.append(line.lowerBound + rowStart..<line.upperBound)
    }
}
