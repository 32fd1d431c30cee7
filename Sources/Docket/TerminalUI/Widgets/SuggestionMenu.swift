/// What can take the place of the word at the cursor of an input line, as a menu below it.
///
/// The line keeps the keyboard: what is typed goes on there, and no row is selected until an arrow
/// selects one. Esc closes the menu alone, until another word is typed.
public struct SuggestionMenu: Sendable {
    public struct Row: Hashable, Sendable {
        public var text: String
        /// Shown dimmed behind it.
        public var detail: String

        public init(_ text: String, detail: String = "") {
            (self.text, self.detail) = (text, detail)
        }
    }

    /// The effect of a key.
    public enum Outcome: Hashable, Sendable {
        /// The row with this index takes the place of the word.
        case taken(Int)
        /// The selection changed, or the menu closed.
        case changed
        /// The key belongs to the line.
        case ignored
    }

    /// The most rows that it shows.
    public static let most = 6

    public private(set) var rows: [Row] = []
    public private(set) var selected: Int?
    /// Where the word begins that the rows complete, in bytes of the line.
    public private(set) var start = 0
    private var closedStart: Int?

    public init() {}

    public var isOpen: Bool { !rows.isEmpty && closedStart != start }

    /// Offers rows for a word; none closes the menu.
    public mutating func show(_ rows: [Row], from start: Int) {
        if rows.isEmpty || start != self.start { closedStart = nil }
        if rows != self.rows || start != self.start { selected = nil }
        (self.rows, self.start) = (Array(rows.prefix(Self.most)), start)
    }

    /// Closes the menu until another word is typed.
    public mutating func close() { (closedStart, selected) = (start, nil) }

    /// Moves by the arrows, closes by Esc; Enter takes the selected row, and so does Tab.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - takesFirst: whether Tab takes the first row if none is selected.
    /// - Returns: what the key has done.
    public mutating func handle(_ key: Key, takesFirst: Bool) -> Outcome {
        guard isOpen else { return .ignored }
        switch key {
        case .down, .ctrl("n"): selected = min((selected ?? -1) + 1, rows.count - 1)
        case .up, .ctrl("p"):
            guard let row = selected else { return .ignored }
            selected = row > 0 ? row - 1 : nil
        case .tab:
            guard let row = selected ?? (takesFirst ? 0 : nil) else { return .ignored }
            return .taken(row)
        case .enter:
            guard let selected else { return .ignored }
            return .taken(selected)
        case .escape: close()
        default: return .ignored
        }
        return .changed
    }

    /// The columns of the widest row.
    public var columns: Int {
        rows.map { DisplayWidth.of($0.text) + DisplayWidth.of($0.detail) + 4 }.max() ?? 0
    }

    /// Draws the rows from a column on, or further left where they would not fit.
    public func render(into canvas: inout Canvas, from column: Int, theme: Theme) {
        let width = min(columns, canvas.columns)
        let start = max(0, min(column, canvas.columns - width))
        for (index, row) in rows.prefix(canvas.rows).enumerated() {
            let area = Rect(row: index, column: start, rows: 1, columns: width)
            canvas.draw(in: area) { canvas in
                let sign = index == selected ? "\(canvas.symbols.pointer) " : "  "
                canvas.put(
                    [
                        TextRun(sign, theme[.input]),
                        TextRun(DisplayWidth.singleLine(row.text), theme[.input]),
                        TextRun(row.detail.isEmpty ? "" : "  \(row.detail)", theme[.dim]),
                    ],
                    at: Position(row: 0, column: 0),
                    width: canvas.columns,
                    fill: theme[.input]
                )
                if index == selected { canvas.select(canvas.bounds, with: theme[.selection]) }
            }
        }
    }
}
