/// Numbers in the order of time as bars or as a line, with the greatest one and labels at the
/// edges.
///
/// Lines are drawn by dots of Braille, bars by eighths of a cell; with ASCII symbols by signs. Bars
/// that have no column of their own are added up.
public struct TimePlot: Sendable {
    public enum Form: Sendable {
        case bars
        case line
    }

    /// A text below a value.
    public struct Label: Hashable, Sendable {
        /// The index of the value.
        public var place: Int
        public var text: String

        public init(_ place: Int, _ text: String) {
            (self.place, self.text) = (place, text)
        }
    }

    public var form: Form
    public var values: [Int]
    /// What is expected to follow the values; a dotted line.
    public var outlook: [Int] = []
    public var labels: [Label] = []

    public init(_ form: Form, _ values: [Int], outlook: [Int] = [], labels: [Label] = []) {
        (self.form, self.values, self.outlook, self.labels) = (form, values, outlook, labels)
    }

    /// Draws the plot over the whole canvas.
    public func render(into canvas: inout Canvas, theme: Theme, style: Style) {
        let count = values.count + outlook.count
        guard count > 0, canvas.rows > 0, canvas.columns > 0 else { return }
        let labelRows = canvas.rows >= 3 && !labels.isEmpty ? 1 : 0
        // The sums decide the greatest number, and its width how many columns there are.
        var lead = 0
        var columns = Columns(values, canvas.columns)
        for _ in 0..<2 {
            lead = "\(columns.top)".utf8.count + 1
            if lead + 8 > canvas.columns { lead = 0 }
            columns = Columns(values, canvas.columns - lead)
        }
        let top = form == .bars ? columns.top : max(1, (values + outlook).max() ?? 1)
        let area = Rect(
            row: 0,
            column: lead,
            rows: canvas.rows - labelRows,
            columns: canvas.columns - lead
        )
        if lead > 0 {
            let text = "\(top)"
            let start = max(0, lead - 1 - text.utf8.count)
            canvas.put(text, at: Position(row: 0, column: start), style: theme[.dim])
            if area.rows > 1 {
                let origin = Position(row: area.rows - 1, column: max(0, lead - 2))
                canvas.put("0", at: origin, style: theme[.dim])
            }
        }
        canvas.draw(in: area) { canvas in
            form == .bars
                ? drawBars(columns, into: &canvas, style)
                : drawLine(top, into: &canvas, style, theme[.dim])
        }
        guard labelRows > 0 else { return }
        let labels = Rect(row: area.rows, column: lead, rows: 1, columns: area.columns)
        canvas.draw(in: labels) { canvas in drawLabels(columns, into: &canvas, theme[.dim]) }
    }

    // MARK: Bars

    /// The columns of bars: several for each value, or several values for each.
    private struct Columns {
        let sums: [Int]
        let top: Int
        /// The columns of a bar with the gap behind it.
        let width: Int
        /// The values of a bar.
        let merged: Int

        init(_ values: [Int], _ columns: Int) {
            let columns = max(1, columns)
            let merged = max(1, (values.count + columns - 1) / columns)
            sums = stride(from: 0, to: values.count, by: merged).map { start in
                values[start..<min(start + merged, values.count)].reduce(0, +)
            }
            top = max(1, sums.max() ?? 1)
            width = max(1, min(4, columns / max(1, sums.count)))
            self.merged = merged
        }
    }

    private static let eighths: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    private func drawBars(_ columns: Columns, into canvas: inout Canvas, _ style: Style) {
        let isASCII = canvas.symbols.isASCII
        let steps = isASCII ? 1 : 8
        let bar = max(1, columns.width - (columns.width > 1 ? 1 : 0))
        for (index, sum) in columns.sums.enumerated() where sum > 0 {
            // What is not nothing is seen.
            let height = max(1, sum * canvas.rows * steps / columns.top)
            for row in 0..<canvas.rows {
                let level = min(steps, height - (canvas.rows - 1 - row) * steps)
                guard level > 0 else { continue }
                let sign = isASCII ? "#" : Self.eighths[level - 1]
                canvas.put(
                    String(repeating: sign, count: bar),
                    at: Position(row: row, column: index * columns.width),
                    style: style
                )
            }
        }
    }

    // MARK: A line

    private func drawLine(
        _ top: Int,
        into canvas: inout Canvas,
        _ style: Style,
        _ dim: Style
    ) {
        let isASCII = canvas.symbols.isASCII
        let dots = Size(
            rows: canvas.rows * (isASCII ? 1 : 4),
            columns: canvas.columns * (isASCII ? 1 : 2)
        )
        var line = DotGrid(canvas.size, isASCII: isASCII)
        var outlook = line
        let all = values + self.outlook
        func place(_ index: Int) -> (x: Int, y: Int) {
            let x = all.count > 1 ? index * (dots.columns - 1) / (all.count - 1) : 0
            return (x, (dots.rows - 1) * (top - min(all[index], top)) / top)
        }
        for index in all.indices {
            let (from, to) = (place(max(0, index - 1)), place(index))
            let isOutlook = index >= values.count
            let steps = max(abs(to.x - from.x), abs(to.y - from.y), 1)
            for step in 0...steps {
                let x = from.x + (to.x - from.x) * step / steps
                let y = from.y + (to.y - from.y) * step / steps
                if !isOutlook { line.set(x, y) } else if (x + y) % 3 == 0 { outlook.set(x, y) }
            }
        }
        outlook.draw(into: &canvas, ".", dim)
        line.draw(into: &canvas, "*", style)
    }

    // MARK: Labels

    private func drawLabels(_ columns: Columns, into canvas: inout Canvas, _ style: Style) {
        let count = values.count + outlook.count
        var free = 0
        for label in labels {
            let column =
                form == .bars
                ? label.place / columns.merged * columns.width
                : label.place * (canvas.columns - 1) / max(1, count - 1)
            let width = DisplayWidth.of(label.text)
            guard column >= free, column + width <= canvas.columns else { continue }
            canvas.put(label.text, at: Position(row: 0, column: column), style: style)
            free = column + width + 1
        }
    }
}

/// Dots in cells: two columns of four in each cell of Braille, or one in ASCII.
private struct DotGrid {
    private let size: Size
    private let isASCII: Bool
    private var cells: [UInt8]

    init(_ size: Size, isASCII: Bool) {
        (self.size, self.isASCII) = (size, isASCII)
        cells = Array(repeating: 0, count: size.rows * size.columns)
    }

    /// The bits of Unicode's block of Braille, by row and column of a cell.
    private static let bits: [[UInt8]] = [
        [0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80],
    ]

    mutating func set(_ x: Int, _ y: Int) {
        let (row, column) = isASCII ? (y, x) : (y / 4, x / 2)
        guard (0..<size.rows).contains(row), (0..<size.columns).contains(column) else { return }
        cells[row * size.columns + column] |= isASCII ? 1 : Self.bits[y % 4][x % 2]
    }

    func draw(into canvas: inout Canvas, _ sign: Character, _ style: Style) {
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                let bits = cells[row * size.columns + column]
                guard bits != 0 else { continue }
                let braille = Unicode.Scalar(0x2800 + UInt32(bits)).map(Character.init) ?? sign
                canvas.put(
                    String(isASCII ? sign : braille),
                    at: Position(row: row, column: column),
                    style: style
                )
            }
        }
    }
}
