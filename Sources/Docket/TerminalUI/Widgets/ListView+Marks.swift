extension ListView {
    /// Marks or unmarks a row; the selected one without an argument.
    public mutating func toggleMark(_ row: Int? = nil) {
        guard let row = row ?? selection, row >= 0, row < count else { return }
        setMark(row, !marks.contains(row))
    }

    public mutating func clearMarks() {
        update(count: count)
    }
}
