import TerminalUI

/// Wraps runs at blanks to a width; a word that is wider is cut.
enum RichWrap {
    static func wrap(_ runs: [RichLine.Run], columns: Int) -> [RichLine] {
        let text = runs.map(\.text).joined()
        guard !text.isEmpty else { return [] }
        let rows = DisplayWidth.wrap(text, columns: max(1, columns))
        if rows.count <= 1 { return [RichLine(runs: runs)] }
        return rows.map { RichLine(runs: trimmed(slice(runs, $0))) }
    }

    /// The part of the runs that covers a range of UTF-8 offsets of their joined text.
    static func slice(_ runs: [RichLine.Run], _ range: Range<Int>) -> [RichLine.Run] {
        var start = 0
        var result: [RichLine.Run] = []
        for run in runs {
            let end = start + run.text.utf8.count
            let low = max(start, range.lowerBound)
            let high = min(end, range.upperBound)
            if low < high {
                let utf8 = run.text.utf8
                let from = utf8.index(utf8.startIndex, offsetBy: low - start)
                let to = utf8.index(from, offsetBy: high - low)
                var part = run
                part.text = String(run.text[from..<to])
                result.append(part)
            }
            start = end
        }
        return result
    }

    private static func trimmed(_ runs: [RichLine.Run]) -> [RichLine.Run] {
        var runs = runs
        while let last = runs.last, last.text.last == " " {
            var text = last.text
            while text.last == " " { text.removeLast() }
            runs[runs.count - 1].text = text
            if !text.isEmpty { break }
            runs.removeLast()
        }
        return runs
    }
}
