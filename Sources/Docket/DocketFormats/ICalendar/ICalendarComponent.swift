/// A component of iCalendar with the bytes it was written in: `BEGIN:VTODO` … `END:VTODO`.
///
/// Its parts are its own lines and the components inside; together they are all of its bytes.
struct ICalendarComponent {
    struct Part {
        /// With folds and line ends.
        let raw: Range<Int>
        /// The line; of a component inside, its first.
        let line: ICalendarLine
        /// The lines of a component inside, without those deeper; `nil` for a line.
        var inside: [ICalendarLine]?
    }

    let bytes: [UInt8]
    /// The first is BEGIN, the last END.
    private(set) var parts: [Part] = []

    /// - Parameter bytes: a component whose BEGIN and END lines match.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var (at, depth, start) = (0, 0, 0)
        var inside: [ICalendarLine] = []
        while let (raw, text) = ICalendarComponent.line(of: bytes, at: &at) {
            let line = ICalendarLine(text)
            switch line.name {
            case "BEGIN":
                depth += 1
                if depth == 2 { (start, inside) = (raw.lowerBound, []) }
            case "END":
                depth -= 1
                if depth == 1 {
                    let range = start..<raw.upperBound
                    parts.append(Part(raw: range, line: inside[0], inside: inside))
                    continue
                }
            default: break
            }
            if depth == 2 { inside.append(line) }
            if depth < 2 { parts.append(Part(raw: raw, line: line)) }
        }
    }

    /// `VTODO`.
    var name: String { parts.first?.line.word.uppercased() ?? "" }

    /// What ends its lines.
    var lineEnd: [UInt8] {
        guard let first = parts.first?.raw, first.count > 1, bytes[first.upperBound - 2] == 13
        else { return [10] }
        return [13, 10]
    }

    /// Its own lines between BEGIN and END.
    var lines: some Sequence<ICalendarLine> {
        parts.dropFirst().dropLast().lazy.filter { $0.inside == nil }.map(\.line)
    }

    /// The next line with its folds, and the same without them.
    static func line(
        of bytes: [UInt8],
        at offset: inout Int
    ) -> (raw: Range<Int>, text: ArraySlice<UInt8>)? {
        let start = offset
        guard start < bytes.count else { return nil }
        var isFolded = false
        var end = start
        while true {
            while end < bytes.count, bytes[end] != 10 { end += 1 }
            let next = end + 1
            guard next < bytes.count, bytes[next] == 32 || bytes[next] == 9 else { break }
            isFolded = true
            end = next
        }
        offset = min(end + 1, bytes.count)
        while end > start, bytes[end - 1] == 13 { end -= 1 }
        let line = bytes[start..<end]
        return (start..<offset, isFolded ? ICalendarText.unfolded(line)[...] : line)
    }
}
