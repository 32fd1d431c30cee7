import TerminalUI

/// Wraps runs at blanks to a width; a word that is wider is cut.
enum RichWrap {
    static func wrap(_ runs: [RichLine.Run], columns: Int) -> [RichLine] {
        let text = runs.map(\.text).joined()
        guard !text.isEmpty else { return [] }
        let rows = DisplayWidth.wrap(text, columns: max(1, columns))
        if rows.count <= 1 { return [RichLine(runs: trimmed(runs))] }
        var start = 0
        var first = 0
        return rows.map { range in
            // The rows are in the order of the text, so no run is looked at after its end.
            while first < runs.count, start + runs[first].text.utf8.count <= range.lowerBound {
                start += runs[first].text.utf8.count
                first += 1
            }
            return RichLine(runs: trimmed(slice(runs[first...], range, start)))
        }
    }

    /// The part of the runs that covers a range of UTF-8 offsets of their joined text.
    ///
    /// - Parameters:
    ///   - runs: the runs; those behind the range are not looked at.
    ///   - range: the offsets.
    ///   - start: the offset of the first run.
    /// - Returns: the runs of the range, cut where it begins and ends.
    private static func slice(
        _ runs: ArraySlice<RichLine.Run>,
        _ range: Range<Int>,
        _ start: Int
    ) -> [RichLine.Run] {
        var start = start
        var result: [RichLine.Run] = []
        for run in runs {
            if start >= range.upperBound { break }
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

    /// The runs without what nobody sees at their end: blanks, also with something invisible behind
    /// them.
    private static func trimmed(_ runs: [RichLine.Run]) -> [RichLine.Run] {
        func isBlank(_ character: Character?) -> Bool {
            guard let character else { return false }
            return character.unicodeScalars.first == " "
                || DisplayWidth.of(String(character)) == 0
        }
        var runs = runs
        while let last = runs.last, isBlank(last.text.last) {
            var text = last.text
            while isBlank(text.last) { text.removeLast() }
            runs[runs.count - 1].text = text
            if !text.isEmpty { break }
            runs.removeLast()
        }
        return runs
    }
}
