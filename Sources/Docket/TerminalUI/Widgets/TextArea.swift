/// A text of many lines, wrapped to its width and edited by characters.
///
/// Definitions: a *line* ends with a line end of the text; a *row* is the part of a line that fits
/// the width. Call ``layout(_:)`` before each frame; it wraps again only if the width has changed.
/// Invariants: there is at least one line; the cursor is on a character boundary of its line.
public struct TextArea: TextInput, Sendable {
    struct Line: Sendable {
        var text: String
        /// Where the second and later rows start; empty for most lines.
        var breaks: [Int] = []
    }

    /// A row: the line and which row of it.
    struct Row: Equatable, Comparable, Sendable {
        var line: Int
        var row: Int

        static func < (one: Row, other: Row) -> Bool {
            (one.line, one.row) < (other.line, other.row)
        }
    }

    /// The cursor's line and its offset in it, in UTF-8 bytes.
    public struct Cursor: Hashable, Sendable {
        public var line: Int
        public var offset: Int

        public init(line: Int, offset: Int) {
            self.line = line
            self.offset = offset
        }
    }

    var lines: [Line]
    public internal(set) var cursor = Cursor(line: 0, offset: 0)
    /// The column that moving up and down returns to.
    var aim: Int?
    /// The first row on the screen.
    var top = Row(line: 0, row: 0)
    var viewport = Size(rows: 1, columns: 80)

    /// A text with the cursor at its start.
    public init(_ text: String = "") {
        lines = []
        lines = wrapped(text)
    }

    /// The text with `\n` between lines; setting it puts the cursor at its start.
    public var text: String {
        get { lines.map(\.text).joined(separator: "\n") }
        set {
            lines = wrapped(newValue)
            cursor = Cursor(line: 0, offset: 0)
            top = Row(line: 0, row: 0)
            aim = nil
        }
    }

    /// The cursor's line; setting it puts the cursor at its end.
    public var line: String {
        get { lines[cursor.line].text }
        set {
            let text = DisplayWidth.singleLine(newValue)
            lines[cursor.line] = wrappedLine(text)
            cursor.offset = text.utf8.count
            aim = nil
        }
    }

    public var isEmpty: Bool { lines.count == 1 && lines[0].text.isEmpty }

    /// Moves the cursor to the nearest character boundary at or after a place.
    public mutating func moveCursor(to place: Cursor) {
        let line = min(max(0, place.line), lines.count - 1)
        cursor = Cursor(line: line, offset: TextEditing.aligned(place.offset, in: lines[line].text))
        aim = nil
    }

    /// Inserts text at the cursor.
    /// - Complexity: O(length of the text and of the cursor's line).
    public mutating func insert(_ more: String) {
        let pieces = DisplayWidth.sanitize(more).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        aim = nil
        var line = lines[cursor.line].text
        if pieces.count == 1 {
            cursor.offset = TextEditing.insert(String(pieces[0]), at: cursor.offset, in: &line)
            lines[cursor.line] = wrappedLine(line)
            return
        }
        let place = TextEditing.index(cursor.offset, in: line)
        var texts = pieces.map(String.init)
        let tail = String(line[place...])
        let last = texts.count - 1
        let offset = texts[last].utf8.count
        texts[0] = line[..<place] + texts[0]
        texts[last] += tail
        cursor.offset = TextEditing.aligned(offset, in: texts[last])
        lines.replaceSubrange(cursor.line...cursor.line, with: texts.map(wrappedLine))
        cursor.line += last
    }

    /// Removes the text between two places, the first not after the second.
    mutating func remove(from start: Cursor, to end: Cursor) {
        aim = nil
        var text = lines[start.line].text
        let tail = lines[end.line].text
        text.removeSubrange(TextEditing.index(start.offset, in: text)...)
        text += tail[TextEditing.index(end.offset, in: tail)...]
        lines.replaceSubrange(start.line...end.line, with: [wrappedLine(text)])
        cursor = Cursor(line: start.line, offset: TextEditing.aligned(start.offset, in: text))
    }

    private func wrapped(_ text: String) -> [Line] {
        DisplayWidth.sanitize(text).split(separator: "\n", omittingEmptySubsequences: false)
            .map { wrappedLine(String($0)) }
    }

    func wrappedLine(_ text: String) -> Line {
        // No scalar is wider than its number of bytes, so such a line has one row.
        if text.utf8.count <= viewport.columns { return Line(text: text) }
        let rows = DisplayWidth.wrap(text, columns: viewport.columns)
        return Line(text: text, breaks: rows.dropFirst().map(\.lowerBound))
    }
}
