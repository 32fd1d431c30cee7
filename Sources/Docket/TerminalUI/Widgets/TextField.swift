/// A text of one line for editing.
///
/// Call ``layout(columns:)`` before each frame so that the scrolling is kept; rendering alone also
/// shows the cursor.
public struct TextField: TextInput, Sendable {
    /// The text; setting it moves the cursor to its end.
    public var text: String {
        get { content }
        set {
            isPrefilled = false
            content = DisplayWidth.singleLine(newValue)
            cursor = content.utf8.count
            scroll = 0
        }
    }

    /// Shown dimmed while the text is empty.
    public var placeholder: String
    /// Whether each character shows as a mask character, for secrets.
    public var isMasked: Bool
    /// Whether the text is an offer: the first typed character replaces it, a motion keeps it.
    public private(set) var isPrefilled = false
    private var content: String
    /// The cursor, in UTF-8 bytes from the start.
    public private(set) var cursor: Int
    /// The first byte that shows.
    private var scroll = 0

    public init(_ text: String = "", placeholder: String = "", isMasked: Bool = false) {
        content = DisplayWidth.singleLine(text)
        cursor = content.utf8.count
        self.placeholder = placeholder
        self.isMasked = isMasked
    }

    public var isEmpty: Bool { content.isEmpty }

    /// Offers the present text; see ``isPrefilled``.
    public mutating func offer() { isPrefilled = !content.isEmpty }

    /// Takes the present text as typed.
    public mutating func keep() { isPrefilled = false }

    /// Inserts text at the cursor, as one line.
    public mutating func insert(_ more: String) {
        if isPrefilled { text = "" }
        cursor = TextEditing.insert(DisplayWidth.singleLine(more), at: cursor, in: &content)
    }

    /// Puts a text in the place of a part, given in bytes; the cursor is behind it.
    public mutating func replace(_ range: Range<Int>, with text: String) {
        let line = DisplayWidth.singleLine(text)
        let bytes = Array(content.utf8)
        guard range.upperBound <= bytes.count else { return }
        let (before, after) = (bytes[..<range.lowerBound], bytes[range.upperBound...])
        isPrefilled = false
        content = String(decoding: before, as: UTF8.self) + line
        cursor = content.utf8.count
        content += String(decoding: after, as: UTF8.self)
    }

    /// Edits by a key: characters, motions by character and word, Home and End, and removals.
    public mutating func handle(_ key: Key) -> EditOutcome {
        if let character = key.typed {
            insert(String(character))
            return .changed
        }
        if let motion = TextEditing.motion(for: key) {
            isPrefilled = false
            cursor = TextEditing.target(motion, from: cursor, in: content)
            return .moved
        }
        guard let removal = TextEditing.removal(for: key) else { return .ignored }
        if isPrefilled {
            text = ""
            return .changed
        }
        let target = TextEditing.target(removal, from: cursor, in: content)
        guard target != cursor else { return .moved }
        let range = min(cursor, target)..<max(cursor, target)
        cursor = TextEditing.remove(range, in: &content)
        return .changed
    }

    /// Scrolls just enough to show the cursor in this number of columns.
    /// - Complexity: O(columns) if the cursor moved a little, O(n) if it jumped.
    public mutating func layout(columns: Int) {
        let room = max(1, columns)
        scroll = TextEditing.aligned(min(scroll, cursor), in: content)
        // The cursor needs a cell of its own, so one column less is left for the text before it.
        if width(scroll..<cursor) < room {
            fill(room)
            return
        }
        var start = cursor
        while start > 0 {
            let earlier = TextEditing.before(start, in: content)
            if width(earlier..<cursor) >= room { break }
            start = earlier
        }
        scroll = start
    }

    /// Shows more of the beginning if there is space after the end.
    private mutating func fill(_ room: Int) {
        while scroll > 0 {
            let earlier = TextEditing.before(scroll, in: content)
            // A text of this number of bytes is usually not that narrow; marks on one character may
            // be.
            guard content.utf8.count - earlier <= 64 * room,
                width(earlier..<content.utf8.count) < room
            else { return }
            scroll = earlier
        }
    }

    private func width(_ range: Range<Int>) -> Int {
        let part = slice(range)
        return isMasked ? part.count : DisplayWidth.of(part)
    }

    private func slice(_ range: Range<Int>) -> Substring {
        content[
            TextEditing.index(
                range.lowerBound,
                in: content
            )..<TextEditing.index(range.upperBound, in: content)
        ]
    }

    /// Draws the field in the canvas's first row and, with the focus, sets the cursor there.
    ///
    /// Without the focus a text is read, not edited: it shows from its beginning.
    public func render(into canvas: inout Canvas, theme: Theme, isFocused: Bool) {
        guard canvas.rows > 0, canvas.columns > 0 else { return }
        var shown = self
        if isFocused {
            shown.layout(columns: canvas.columns)
        } else {
            shown.scroll = 0
        }
        shown.draw(into: &canvas, theme: theme, isFocused: isFocused)
    }

    private func draw(into canvas: inout Canvas, theme: Theme, isFocused: Bool) {
        let style = theme[isFocused ? .inputFocused : .input]
        let line = Rect(row: 0, column: 0, rows: 1, columns: canvas.columns)
        let origin = Position(row: 0, column: 0)
        canvas.fill(line, style: style)
        if content.isEmpty {
            canvas.put(
                placeholder,
                at: origin,
                width: canvas.columns,
                style: style.overlaid(by: theme[.placeholder])
            )
        } else if isMasked {
            let signs = String(
                repeating: Character(canvas.symbols.mask),
                count: min(slice(scroll..<content.utf8.count).count, canvas.columns)
            )
            canvas.put(signs, at: origin, style: style)
        } else {
            drawText(into: &canvas, style: style)
            if isFocused, isPrefilled {
                let columns = min(canvas.columns, width(scroll..<content.utf8.count))
                canvas.overlay(
                    Rect(row: 0, column: 0, rows: 1, columns: columns),
                    with: Style(attributes: .reverse)
                )
            }
        }
        guard isFocused else { return }
        canvas.cursor = Position(row: 0, column: min(width(scroll..<cursor), canvas.columns - 1))
    }

    /// The text from the scroll position; an ellipsis shows that there is more after it.
    private func drawText(into canvas: inout Canvas, style: Style) {
        let rest = slice(scroll..<content.utf8.count)
        canvas.put(rest, at: Position(row: 0, column: 0), width: canvas.columns, style: style)
    }
}
