extension ListView {
    /// Marks or unmarks a row; the selected one without an argument.
    package mutating func toggleMark(_ row: Int? = nil) {
        guard let row = row ?? selection, row >= 0, row < count else { return }
        setMark(row, !marks.contains(row))
    }

    /// Marks all rows between two, both included.
    package mutating func mark(from one: Int, through other: Int) {
        let low = max(0, min(one, other))
        let high = min(count - 1, max(one, other))
        guard low <= high else { return }
        for row in low...high { setMark(row, true) }
    }

    package mutating func clearMarks() {
        update(count: count)
    }

    /// The rows for a command: the marked ones in order, else the selected one.
    package var targets: [Int] {
        marks.isEmpty ? selection.map { [$0] } ?? [] : marks.sorted()
    }
}
