extension DisplayWidth {
    /// Breaks a text into rows of at most `columns`, as ranges of UTF-8 offsets.
    ///
    /// The ranges cover the text without gaps, except that a line end (`\n`) is in no row. A row
    /// breaks after blanks, before or after a wide character, and inside a word only if the word
    /// alone does not fit. Blanks at a break stay at the end of the row and may exceed `columns`,
    /// because they are invisible. Each line has at least one row, an empty text has one empty row.
    ///
    /// - Complexity: O(n).
    public static func wrap(_ text: String, columns: Int) -> [Range<Int>] {
        var text = text
        let whole = text
        return text.withUTF8 { wrap(bytes: $0, of: whole, columns: max(1, columns)) }
    }

    /// The rows of a wrapped text, without the blanks at their ends.
    public static func wrapped(_ text: String, columns: Int) -> [Substring] {
        wrap(text, columns: columns).map { range in
            let utf8 = text.utf8
            let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
            let end = utf8.index(utf8.startIndex, offsetBy: range.upperBound)
            return text[start..<endOfVisible(text[start..<end])]
        }
    }

    /// The end of a row without the blanks at its end, and without the invisible characters after
    /// them.
    private static func endOfVisible(_ row: Substring) -> String.Index {
        let scalars = row.unicodeScalars
        var end = scalars.endIndex
        var place = end
        while place > scalars.startIndex {
            place = scalars.index(before: place)
            let scalar = scalars[place]
            if scalar == " " || scalar == "\t" {
                end = place
            } else if ofScalar(scalar.value) != 0 {
                break
            }
        }
        return end
    }

    private static func wrap(
        bytes: UnsafeBufferPointer<UInt8>,
        of text: String,
        columns: Int
    ) -> [Range<Int>] {
        var rows: [Range<Int>] = []
        var start = 0
        while true {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            wrapLine(bytes, start..<end, of: text, columns: columns, into: &rows)
            if end == bytes.count { return rows }
            start = end + 1
        }
    }

    private static func wrapLine(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ line: Range<Int>,
        of text: String,
        columns: Int,
        into rows: inout [Range<Int>]
    ) {
        let bytes = UnsafeBufferPointer(rebasing: bytes[..<line.upperBound])
        var scanner = CellScanner(bytes, from: line.lowerBound)
        var rowStart = line.lowerBound
        var column = 0
        var lastBreak = rowStart  // the last place where the row may break
        var previousWide = false
        while true {
            let offset = scanner.offset
            guard let cell = scanner.next() else { break }
            let isBlank = cell.base == 0x20 && scanner.offset == offset + 1
            if !isBlank, cell.width == 2 || previousWide { lastBreak = offset }
            if !isBlank, column + Int(cell.width) > columns, offset > rowStart {
                let wanted = lastBreak > rowStart ? lastBreak : offset
                let end = boundary(near: wanted, after: rowStart, bytes, of: text)
                rows.append(rowStart..<end)
                rowStart = end
                scanner = CellScanner(bytes, from: end)
                column = 0
                lastBreak = end
                previousWide = false
                continue
            }
            column += Int(cell.width)
            previousWide = cell.width == 2
            if isBlank { lastBreak = scanner.offset }
        }
        // The last row would be empty: the character is wider than the row.
        if rowStart < line.upperBound || line.isEmpty { rows.append(rowStart..<line.upperBound) }
    }

    /// The character boundary at or before an offset, or the next one if there is none in the row.
    ///
    /// Cells are smaller than characters: a flag has two, and so may a Hangul syllable.
    private static func boundary(
        near offset: Int,
        after start: Int,
        _ bytes: UnsafeBufferPointer<UInt8>,
        of text: String
    ) -> Int {
        if bytes[offset] < 0x80, bytes[offset - 1] < 0x80 { return offset }
        var place = offset
        while place > start {
            if String.Index(TextEditing.index(place, in: text), within: text) != nil {
                return place
            }
            place -= 1
        }
        return min(TextEditing.aligned(start + 1, in: text), bytes.count)
    }
}
