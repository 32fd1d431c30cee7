/// The lines of a text, in parts: each is made when it is on the screen, so that a frame of a long
/// one costs no more than that of a short one.
struct DetailLines {
    private var parts: [(end: Int, line: (Int) -> RichLine)] = []
    var count: Int { parts.last?.end ?? 0 }

    mutating func add(_ lines: [RichLine]) {
        add(lines.count) { lines[$0] }
    }

    /// Adds lines that are made of their number.
    mutating func add(_ number: Int, _ line: @escaping (Int) -> RichLine) {
        let start = count
        parts.append((start + number, { line($0 - start) }))
    }

    subscript(row: Int) -> RichLine {
        row < 0 ? RichLine() : parts.first { row < $0.end }?.line(row) ?? RichLine()
    }
}
