package import TerminalUI

/// What a canvas shows, as texts: all of it, not the region in which something is drawn.
extension Canvas {
    /// A blank canvas.
    package init(rows: Int, columns: Int, symbols: Symbols = .unicode) {
        self.init(size: Size(rows: rows, columns: columns), symbols: symbols)
    }

    /// The cells of a row.
    package func cells(_ row: Int) -> [Cell] {
        guard row >= 0, row < rows else { return [] }
        return withRow(row) { Array($0) }
    }

    /// The cell at a place, or `nil` outside.
    package subscript(_ position: Position) -> Cell? {
        guard bounds.contains(position) else { return nil }
        return cells(position.row)[position.column]
    }

    /// What a row shows, blanks at its end included.
    package func text(_ row: Int) -> String { cells(row).map(\.text).joined() }

    /// All rows, without the blanks at their ends.
    package var lines: [String] {
        (0..<rows).map { row in
            var line = text(row)[...]
            while line.last == " " { line.removeLast() }
            return String(line)
        }
    }

    /// One letter for each column of a row: the difference from plain text.
    ///
    /// `.` plain; `B` bold, `D` dim, `I` italic, `U` underline, `R` reverse, `S` strike, the first
    /// of reverse, bold, dim, underline, italic, strike that holds; `c` only coloured.
    package func attributes(_ row: Int) -> String {
        let letters: [(Attributes, Character)] = [
            (.reverse, "R"), (.bold, "B"), (.dim, "D"), (.underline, "U"), (.italic, "I"),
            (.strike, "S"),
        ]
        return String(
            styles(row).map { style -> Character in
                for (attribute, letter) in letters where style.attributes.contains(attribute) {
                    return letter
                }
                let plain = style.foreground.isStandard && style.background.isStandard
                return plain ? "." : "c"
            }
        )
    }

    /// The styles of a row's columns.
    package func styles(_ row: Int) -> [Style] { cells(row).map(\.style) }

    /// Traps when a wide cell lacks its right half or the other way round.
    package func checkInvariants() {
        for row in 0..<rows {
            var expectsHalf = false
            for cell in cells(row) {
                precondition((cell.width == 0) == expectsHalf, "wide cell cut in row \(row)")
                expectsHalf = cell.width == 2
            }
            precondition(!expectsHalf, "wide cell cut at the end of row \(row)")
        }
    }
}
