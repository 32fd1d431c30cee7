extension Canvas {
    /// The text of a row of the whole canvas, with the blanks at its end.
    package func text(_ row: Int) -> String {
        guard row >= 0, row < whole.rows else { return "" }
        return cells[row * whole.columns..<(row + 1) * whole.columns].map(\.text).joined()
    }

    /// All rows, without the blanks at their ends, for snapshots.
    package var lines: [String] {
        (0..<whole.rows).map { row in
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
        guard row >= 0, row < whole.rows else { return "" }
        let letters: [(Attributes, Character)] = [
            (.reverse, "R"), (.bold, "B"), (.dim, "D"), (.underline, "U"), (.italic, "I"),
            (.strike, "S"),
        ]
        let line = cells[row * whole.columns..<(row + 1) * whole.columns]
        return String(
            line.map { cell -> Character in
                let style = cell.style
                for (attribute, letter) in letters where style.attributes.contains(attribute) {
                    return letter
                }
                let plain = style.foreground.isStandard && style.background.isStandard
                return plain ? "." : "c"
            }
        )
    }

    /// The styles of a row's columns.
    package func styles(_ row: Int) -> [Style] {
        guard row >= 0, row < whole.rows else { return [] }
        return cells[row * whole.columns..<(row + 1) * whole.columns].map(\.style)
    }

    /// Traps in debug builds if a wide cell has no right half, or a right half no wide cell.
    package func checkInvariants() {
        #if DEBUG
        for row in 0..<whole.rows {
            var expectsHalf = false
            for cell in cells[row * whole.columns..<(row + 1) * whole.columns] {
                precondition((cell.width == 0) == expectsHalf, "wide cell cut in row \(row)")
                expectsHalf = cell.width == 2
            }
            precondition(!expectsHalf, "wide cell cut at the end of row \(row)")
        }
        #endif
    }
}
