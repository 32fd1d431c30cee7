import TerminalUI
import TextSearch

extension ItemRow {
    /// Shows where a search has found its words: in the title, and in the first other text.
    ///
    /// - Parameters:
    ///   - query: the words.
    ///   - texts: the searched texts, the title first.
    ///   - names: the names of the texts.
    mutating func show(_ query: SearchQuery, in texts: [String], named names: [String]) {
        for match in query.matches(in: texts) {
            let text = texts[match.field]
            let ranges = match.ranges.map { range in
                text.utf8.distance(
                    from: text.startIndex,
                    to: range.lowerBound
                )..<text.utf8.distance(from: text.startIndex, to: range.upperBound)
            }
            if match.field == 0 {
                if text == title { titleMatches = ranges }
            } else if finding == nil, let first = ranges.first {
                finding = Excerpt.finding(names[match.field], text, ranges, around: first)
            }
        }
    }
}

/// A short piece of a long text around a match.
enum Excerpt {
    private static let before = 20
    private static let length = 80

    static func finding(
        _ field: String,
        _ text: String,
        _ ranges: [Range<Int>],
        around first: Range<Int>
    ) -> ItemRow.Finding {
        let bytes = Array(text.utf8)
        var start = max(0, first.lowerBound - before)
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        // Within one line, and from the beginning of a word.
        if let line = bytes[start..<first.lowerBound].lastIndex(of: 10) { start = line + 1 }
        if start > 0, bytes[start - 1] != 10,
            let blank = bytes[start..<first.lowerBound].firstIndex(of: 32)
        {
            start = blank + 1
        }
        var end = min(bytes.count, max(first.upperBound, start + length))
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        if let line = bytes[first.upperBound..<end].firstIndex(of: 10) { end = line }
        let lead = start > 0 && bytes[start - 1] != 10 ? "…" : ""
        let shift = lead.utf8.count - start
        let inside = ranges.filter { $0.lowerBound >= start && $0.upperBound <= end }
        let piece = lead + String(decoding: bytes[start..<end], as: UTF8.self)
        return ItemRow.Finding(
            field: field,
            excerpt: DisplayWidth.singleLine(piece),
            matches: inside.map { $0.lowerBound + shift..<$0.upperBound + shift }
        )
    }
}
