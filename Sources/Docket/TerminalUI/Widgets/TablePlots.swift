/// Numbers with names, each as a bar beside its name; those that do not fit are counted in the last
/// row.
public struct RankPlot: Sendable {
    public struct Row: Hashable, Sendable {
        public var name: String
        public var number: Int
        /// The number as people read it.
        public var text: String

        public init(_ name: String, _ number: Int, _ text: String) {
            (self.name, self.number, self.text) = (name, number, text)
        }
    }

    public var rows: [Row]

    public init(_ rows: [Row]) { self.rows = rows }

    private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

    /// Draws the plot over the whole canvas.
    public func render(into canvas: inout Canvas, theme: Theme, style: Style) {
        guard canvas.rows > 0, canvas.columns > 0, !rows.isEmpty else { return }
        let fits = rows.count <= canvas.rows
        let shown = rows.prefix(fits ? rows.count : canvas.rows - 1)
        let names = shown.map { DisplayWidth.of($0.name) }.max() ?? 0
        let texts = shown.map { DisplayWidth.of($0.text) }.max() ?? 0
        let nameWidth = min(names, max(4, (canvas.columns - texts - 2) * 2 / 3))
        let room = max(0, canvas.columns - nameWidth - texts - 2)
        let top = max(1, rows.map(\.number).max() ?? 1)
        for (index, row) in shown.enumerated() {
            let place = Position(row: index, column: 0)
            canvas.put(row.name, at: place, width: nameWidth, style: theme[.text])
            let bar = bar(row.number, of: top, in: room, canvas.symbols.isASCII)
            canvas.put(bar, at: place.offset(columns: nameWidth + 1), style: style)
            canvas.put(
                row.text,
                at: place.offset(columns: nameWidth + 1 + bar.count + (bar.isEmpty ? 0 : 1)),
                style: theme[.dim]
            )
        }
        guard !fits else { return }
        canvas.put(
            "and \(rows.count - shown.count) more",
            at: Position(row: shown.count, column: 0),
            width: canvas.columns,
            style: theme[.dim]
        )
    }

    private func bar(_ number: Int, of top: Int, in columns: Int, _ isASCII: Bool) -> String {
        guard number > 0, columns > 0 else { return "" }
        if isASCII { return String(repeating: "#", count: max(1, number * columns / top)) }
        let eighths = max(1, number * columns * 8 / top)
        let rest = eighths % 8
        return String(repeating: "█", count: eighths / 8)
            + (rest == 0 ? "" : String(Self.eighths[rest - 1]))
    }
}

/// Numbers in a table, each as a shade; rows and columns that have no room are added up.
public struct HeatPlot: Sendable {
    public var numbers: [[Int]]
    public var rowNames: [String]
    public var columnNames: [String]

    public init(_ numbers: [[Int]], rows: [String], columns: [String]) {
        (self.numbers, rowNames, columnNames) = (numbers, rows, columns)
    }

    private static let shades: [Character] = ["·", "░", "▒", "▓", "█"]
    private static let plainShades: [Character] = [".", ":", "+", "*", "#"]

    /// Draws the plot over the whole canvas.
    public func render(into canvas: inout Canvas, theme: Theme, style: Style) {
        guard canvas.rows > 0, canvas.columns > 0, let count = numbers.first?.count, count > 0
        else { return }
        let hasHead = canvas.rows > 1 && canvas.rows >= min(numbers.count, 4)
        let lines = canvas.rows - (hasHead ? 1 : 0)
        let mergedRows = (numbers.count + lines - 1) / max(1, lines)
        let names = stride(from: 0, to: numbers.count, by: mergedRows).map { start in
            let last = min(start + mergedRows, numbers.count) - 1
            return start == last ? rowNames[start] : "\(rowNames[start])-\(rowNames[last])"
        }
        var lead = (names.map { DisplayWidth.of($0) }.max() ?? 0) + 1
        if lead + 6 > canvas.columns { lead = 0 }
        let room = canvas.columns - lead
        let merged = (count + room - 1) / room
        let width = max(1, min(3, room / ((count + merged - 1) / merged)))
        let sums = stride(from: 0, to: numbers.count, by: mergedRows).map { start in
            let rows = numbers[start..<min(start + mergedRows, numbers.count)]
            return stride(from: 0, to: count, by: merged).map { column in
                rows.reduce(0) { sum, row in
                    sum + row[column..<min(column + merged, count)].reduce(0, +)
                }
            }
        }
        let top = max(1, sums.joined().max() ?? 1)
        let shades = canvas.symbols.isASCII ? Self.plainShades : Self.shades
        for (row, sums) in sums.enumerated() {
            let line = row + (hasHead ? 1 : 0)
            canvas.put(
                names[row],
                at: Position(row: line, column: 0),
                width: lead,
                style: theme[.dim]
            )
            for (column, sum) in sums.enumerated() {
                let shade = sum == 0 ? 0 : max(1, (sum * 4 + top - 1) / top)
                canvas.put(
                    String(repeating: shades[shade], count: width),
                    at: Position(row: line, column: lead + column * width),
                    style: shade == 0 ? theme[.dim] : style
                )
            }
        }
        guard hasHead else { return }
        var free = 0
        for (index, name) in columnNames.enumerated() where index % merged == 0 && !name.isEmpty {
            let column = lead + index / merged * width
            guard column >= free, column + DisplayWidth.of(name) <= canvas.columns else { continue }
            canvas.put(name, at: Position(row: 0, column: column), style: theme[.dim])
            free = column + DisplayWidth.of(name) + 1
        }
    }
}
