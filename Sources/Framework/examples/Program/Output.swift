/// Where an example prints, line by line.
struct Output {
    private let write: (String) -> Void

    init(_ write: @escaping (String) -> Void) { self.write = write }

    func callAsFunction(_ line: String = "") { write(line) }

    /// Prints the heading of the following lines.
    func heading(_ text: String) {
        write("")
        write(text)
        write(String(repeating: "-", count: text.count))
    }

    /// Prints rows in columns, each as wide as its widest cell; numbers are right-aligned.
    func rows(_ rows: [[String]], indent: Int = 2) {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        for row in rows {
            var line = String(repeating: " ", count: indent)
            for (cell, width) in zip(row, widths) {
                let gap = String(repeating: " ", count: width - cell.count)
                let isNumber = cell.first?.isNumber == true && cell.last?.isNumber == true
                line += (isNumber ? gap + cell : cell + gap) + "  "
            }
            while line.last == " " { line.removeLast() }
            write(line)
        }
    }
}

/// A number with its noun: `1 team`, `3 teams`; `plural` for one that does not end with an s.
func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
}

extension BinaryFloatingPoint {
    /// With one digit after the point: `3.5`.
    var oneDigit: String {
        let tenths = Int((Double(self) * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }
}
