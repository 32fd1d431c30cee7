import TimeLanguage

/// The marks of a title's line that would hang in the air without the words that were taken out.
///
/// - `Call Ana (tomorrow)`: brackets around nothing;
/// - `Call Ana - tomorrow`, `Call Ana, tomorrow.`: a separator before the end;
/// - `tomorrow - call Ana`, `Tomorrow: call Ana`: a separator at the beginning;
/// - `Call Ana, tomorrow, about the car`: one of two separators.
///
/// A word behind a backslash keeps its marks.
struct RemainingTitle {
    let bytes: [UInt8]
    /// What was taken out, and the words behind a backslash; both ascending.
    let taken: [Range<Int>]
    let escaped: [Range<Int>]

    /// The marks, as ascending ranges.
    ///
    /// - Complexity: O(length of the line).
    func hangingMarks() -> [Range<Int>] {
        var marks: [Range<Int>] = []
        let groups = groups(&marks)
        var floor = 0
        for (index, group) in groups.enumerated() {
            let limit = index + 1 < groups.count ? groups[index + 1].lowerBound : bytes.count
            add(around: group, within: floor..<limit, to: &marks)
            floor = group.upperBound
        }
        return marks.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Parts with nothing but white space and separators between are one: `tomorrow, #phone`.
    private func groups(_ marks: inout [Range<Int>]) -> [Range<Int>] {
        var groups: [Range<Int>] = []
        for part in taken {
            guard let last = groups.last else {
                groups.append(part)
                continue
            }
            var at = last.upperBound
            var between: [Range<Int>] = []
            while let mark = separator(from: at, to: part.lowerBound) {
                between.append(mark)
                at = mark.upperBound
            }
            guard skipped(at, to: part.lowerBound) >= part.lowerBound else {
                groups.append(part)
                continue
            }
            marks += between
            groups[groups.count - 1] = last.lowerBound..<max(last.upperBound, part.upperBound)
        }
        return groups
    }

    private func add(around group: Range<Int>, within: Range<Int>, to marks: inout [Range<Int>]) {
        var (start, end) = (group.lowerBound, group.upperBound)
        while let before = last(before: start, from: within.lowerBound),
            let closing = RemainingTitle.brackets[bytes[before]], !isEscaped(before)
        {
            let after = skipped(end, to: within.upperBound)
            guard after < within.upperBound, bytes[after] == closing else { break }
            marks += [before..<before + 1, after..<after + 1]
            (start, end) = (before, after + 1)
        }
        let isFirst = last(before: start, from: 0) == nil
        let isLast = bytes[end...].allSatisfy { $0 == 32 || PhraseWords.isClosing($0) }
        if isFirst {
            while let mark = separator(from: end, to: within.upperBound) {
                marks.append(mark)
                end = mark.upperBound
            }
        } else if isLast {
            while let mark = separator(before: start, from: within.lowerBound) {
                marks.append(mark)
                start = mark.lowerBound
            }
        } else if let left = separator(before: start, from: within.lowerBound),
            let right = separator(from: end, to: within.upperBound), bytes[left] == bytes[right]
        {
            marks.append(left)
        }
    }

    private static let brackets: [UInt8: UInt8] = [40: 41, 91: 93, 123: 125]

    /// The index of the first byte that is no white space.
    private func skipped(_ index: Int, to limit: Int) -> Int {
        var at = index
        while at < limit, case let width = WhiteSpace.width(bytes, at), width > 0 { at += width }
        return at
    }

    /// The index of the last byte before a place that is no space.
    private func last(before index: Int, from floor: Int) -> Int? {
        var at = index
        while at > floor, bytes[at - 1] == 32 { at -= 1 }
        return at > floor ? at - 1 : nil
    }

    private func isEscaped(_ index: Int) -> Bool {
        // The last one that begins before it.
        var low = 0
        var high = escaped.count
        while low < high {
            let middle = (low + high) / 2
            if escaped[middle].lowerBound <= index { low = middle + 1 } else { high = middle }
        }
        return low > 0 && escaped[low - 1].contains(index)
    }

    // MARK: Separators

    /// The separator with which a text goes on: `,`, `:` and `;`, and a dash with a space behind it.
    private func separator(from index: Int, to limit: Int) -> Range<Int>? {
        let at = skipped(index, to: limit)
        guard at < limit, let mark = mark(at), mark.upperBound <= limit, !isEscaped(at) else {
            return nil
        }
        let isClosed = mark.upperBound == bytes.count || bytes[mark.upperBound] == 32
        return isClosed || mark.upperBound == limit ? mark : nil
    }

    /// The separator with which a text ends: `,`, `:` and `;` behind a word, or a dash that stands
    /// alone.
    private func separator(before index: Int, from floor: Int) -> Range<Int>? {
        guard let last = last(before: index, from: floor), !isEscaped(last) else { return nil }
        for start in [last, last - 2] where start >= floor {
            guard let mark = mark(start), mark.upperBound == last + 1 else { continue }
            let isAlone = start == floor || bytes[start - 1] == 32
            if isAlone { return mark }
            // `Back up D: tomorrow` is about a drive.
            let isDrive =
                bytes[start] == 58 && (start < floor + 2 || bytes[start - 2] == 32)
            return RemainingTitle.commas.contains(bytes[start]) && !isDrive ? mark : nil
        }
        return nil
    }

    private static let commas: [UInt8] = [44, 58, 59]

    /// `,` `:` `;` `-` `/` `|` `–` `—` at a place.
    private func mark(_ index: Int) -> Range<Int>? {
        switch bytes[index] {
        case 44, 58, 59, 45, 47, 124: return index..<index + 1
        case 0xE2 where index + 2 < bytes.count && bytes[index + 1] == 0x80:
            return bytes[index + 2] == 0x93 || bytes[index + 2] == 0x94 ? index..<index + 3 : nil
        default: return nil
        }
    }
}
