// diff3: the lines of the base that both sides have kept divide the texts into parts. A part that
// only one side has changed is that side's. Of a part that both have changed, the lines that both
// have at its start and end are shared; what remains is
//   - both insertions, the losing side's first, if the base has nothing there and they share no line;
//   - else the winner's.
// A line that both have inserted, in different places, would be there twice: then the whole texts are
// in conflict. So a text that comes back over another remote does not grow.

/// The merge of two changes of a text by line.
struct TextMerge {
    /// The text in which the winner's lines count where both have changed the same.
    private(set) var text = ""
    /// The text in which the other side's lines count there; `nil` if there is no such place.
    private(set) var losing: String?

    private typealias Lines = ArraySlice<Substring>

    /// Beyond so many differing lines a text is compared only at its start and end.
    private static let limit = 2_000

    init(base: String, winner: String, other: String) {
        let old = TextMerge.lines(base)
        let (first, second) = (TextMerge.lines(winner), TextMerge.lines(other))
        let toFirst = TextMerge.places(of: old, in: first)
        let toSecond = TextMerge.places(of: old, in: second)
        var merged: [Substring] = []
        var lost: [Substring] = []
        var isConflict = false
        var (place, left, right) = (0, 0, 0)
        for index in 0...old.count {
            let (nextLeft, nextRight): (Int, Int)
            if index == old.count {
                (nextLeft, nextRight) = (first.count, second.count)
            } else if let inFirst = toFirst[index], let inSecond = toSecond[index] {
                (nextLeft, nextRight) = (inFirst, inSecond)
            } else {
                continue
            }
            let part = TextMerge.part(
                old[place..<index],
                first[left..<nextLeft],
                second[right..<nextRight]
            )
            merged += part.merged
            lost += part.lost ?? part.merged
            isConflict = isConflict || part.lost != nil
            if index < old.count {
                merged.append(first[nextLeft])
                lost.append(second[nextRight])
            }
            (place, left, right) = (index + 1, nextLeft + 1, nextRight + 1)
        }
        let new = Set(first).union(second).subtracting(old).filter { !$0.isEmpty }
        func count(_ lines: [Substring]) -> [Substring: Int] {
            lines.reduce(into: [:]) { if new.contains($1) { $0[$1, default: 0] += 1 } }
        }
        let most = count(first).merging(count(second), uniquingKeysWith: max)
        if count(merged).contains(where: { $1 > most[$0] ?? 0 }) {
            (text, losing) = (winner, other)
            return
        }
        text = merged.joined(separator: "\n")
        if isConflict { losing = lost.joined(separator: "\n") }
    }

    /// Whether a text has all lines of an older one, in their order.
    static func keepsLines(of old: String, _ new: String) -> Bool {
        places(of: lines(old), in: lines(new)).allSatisfy { $0 != nil }
    }

    /// The lines; none of an empty text.
    private static func lines(_ text: String) -> [Substring] {
        text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// For each line of the base its place in a text; `nil` if it is not there any more.
    private static func places(of old: [Substring], in new: [Substring]) -> [Int?] {
        var result = [Int?](repeating: nil, count: old.count)
        let start = zip(old, new).agreeing()
        let rest = min(old.count, new.count) - start
        let end = zip(old.reversed(), new.reversed()).agreeing(rest)
        for index in 0..<start { result[index] = index }
        for index in 0..<end { result[old.count - 1 - index] = new.count - 1 - index }
        let (oldPart, newPart) = (old[start..<old.count - end], new[start..<new.count - end])
        if max(oldPart.count, newPart.count) > limit { return result }
        let difference = Array(newPart).difference(from: Array(oldPart))
        let removed = Set(difference.removals.map(TextMerge.offset))
        let inserted = Set(difference.insertions.map(TextMerge.offset))
        let kept = (0..<newPart.count).filter { !inserted.contains($0) }
        let stays = (0..<oldPart.count).filter { !removed.contains($0) }
        for (old, new) in zip(stays, kept) { result[start + old] = start + new }
        return result
    }

    private static func offset(_ change: CollectionDifference<Substring>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }

    /// Merges what is between two lines that all three have.
    private static func part(
        _ old: Lines,
        _ winner: Lines,
        _ other: Lines
    ) -> (merged: Lines, lost: Lines?) {
        if winner.elementsEqual(other) || other.elementsEqual(old) { return (winner, nil) }
        if winner.elementsEqual(old) { return (other, nil) }
        let start = zip(winner, other).agreeing()
        let rest = min(winner.count, other.count) - start
        let end = zip(winner.reversed(), other.reversed()).agreeing(rest)
        let first = winner.dropFirst(start).dropLast(end)
        let second = other.dropFirst(start).dropLast(end)
        if old.isEmpty, Set(first).isDisjoint(with: second) {
            let both = winner.prefix(start) + second + first + winner.suffix(end)
            return (both, nil)
        }
        return (winner, other)
    }
}

extension Sequence where Element == (Substring, Substring) {
    /// How many of the first pairs, at most so many, are pairs of equal lines.
    fileprivate func agreeing(_ limit: Int = .max) -> Int {
        var count = 0
        for (left, right) in self {
            if count == limit || left != right { break }
            count += 1
        }
        return count
    }
}
