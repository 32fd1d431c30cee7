import Markdown
import TerminalUI

// The rows of the reader are in parts: what is above the text, each section of the text, what is below.
// A part is laid out when it is first looked at, so a frame of a megabyte costs what its rows cost.

/// What the reader shows of an item, laid out for a width.
final class ReaderText {
    /// A row: in which part, and which of its rows.
    struct Place: Hashable, Comparable {
        var part = 0
        var row = 0

        static func < (one: Place, other: Place) -> Bool {
            (one.part, one.row) < (other.part, other.row)
        }
    }

    /// A row by what it shows, which stays when the text is laid out again.
    struct Anchor {
        fileprivate enum Part { case above, text, below }

        fileprivate var part: Part
        /// The line of the text; above and below it the row.
        fileprivate var line: Int
        /// Which of the line's rows it is.
        fileprivate var row = 0
    }

    let text: MarkdownSource
    let layout: MarkdownLayout
    private let above: [MarkdownRow]
    private let below: [MarkdownRow]
    private var sections: [[MarkdownRow]?]

    init(_ text: MarkdownSource, _ layout: MarkdownLayout, above: [RichLine], below: [RichLine]) {
        self.text = text
        self.layout = layout
        self.above = above.map { MarkdownRow(line: $0, source: 0) }
        self.below = below.map { MarkdownRow(line: $0, source: 0) }
        sections = Array(repeating: nil, count: text.count)
    }

    private init(_ other: ReaderText, above: [MarkdownRow], below: [MarkdownRow]) {
        text = other.text
        layout = other.layout
        sections = other.sections
        counted = other.counted
        self.above = above
        self.below = below
    }

    /// The same text with other lines above and below.
    func with(above: [RichLine], below: [RichLine]) -> ReaderText {
        ReaderText(
            self,
            above: above.map { MarkdownRow(line: $0, source: 0) },
            below: below.map { MarkdownRow(line: $0, source: 0) }
        )
    }

    // MARK: Rows

    private var lastPart: Int { text.count + 1 }

    private func rows(_ part: Int) -> [MarkdownRow] {
        if part == 0 { return above }
        if part == lastPart { return below }
        if let known = sections[part - 1] { return known }
        let rows = layout.rows(of: text.section(part - 1))
        sections[part - 1] = rows
        return rows
    }

    subscript(place: Place) -> MarkdownRow {
        let rows = rows(place.part)
        return rows.indices.contains(place.row)
            ? rows[place.row] : MarkdownRow(line: RichLine(), source: 0)
    }

    /// Whether the place is in the text itself.
    func isText(_ place: Place) -> Bool { place.part > 0 && place.part < lastPart }

    var first: Place { following(Place(part: 0, row: -1)) ?? Place() }

    var last: Place { preceding(Place(part: lastPart, row: .max)) ?? Place() }

    func following(_ place: Place) -> Place? {
        if place.row + 1 < rows(place.part).count {
            return Place(part: place.part, row: place.row + 1)
        }
        for part in stride(from: place.part + 1, through: lastPart, by: 1)
        where !rows(part).isEmpty {
            return Place(part: part)
        }
        return nil
    }

    func preceding(_ place: Place) -> Place? {
        if place.row > 0, !rows(place.part).isEmpty {
            return Place(part: place.part, row: min(place.row, rows(place.part).count) - 1)
        }
        for part in stride(from: place.part - 1, through: 0, by: -1) where !rows(part).isEmpty {
            return Place(part: part, row: rows(part).count - 1)
        }
        return nil
    }

    /// The place some rows away, or the last one in that direction.
    func moved(_ place: Place, by count: Int) -> Place {
        var place = place
        for _ in 0..<abs(count) {
            guard let next = count < 0 ? preceding(place) : following(place) else { break }
            place = next
        }
        return place
    }

    /// The next place in a direction whose row is wanted.
    func next(
        from place: Place,
        isBack: Bool = false,
        where isWanted: (Place) -> Bool
    ) -> Place? {
        var place = place
        while let next = isBack ? preceding(place) : following(place) {
            if isWanted(next) { return next }
            place = next
        }
        return nil
    }

    /// How many rows there are, and how many before a place; lines in place of the rows of what is not
    /// laid out yet.
    func extent(_ place: Place) -> (total: Int, before: Int) {
        var (total, before) = (0, 0)
        for part in 0...lastPart {
            let isKnown = part == 0 || part == lastPart || sections[part - 1] != nil
            let count =
                isKnown
                ? rows(part).count : text.line(ofSection: part) - text.line(ofSection: part - 1)
            total += count
            if part < place.part { before += count }
        }
        return (total, before + place.row)
    }

    // MARK: Boxes

    /// How many boxes there are and how many of them are ticked; `nil` while a part of the text is not
    /// laid out.
    var boxes: (done: Int, all: Int)? {
        if let counted { return counted }
        var found: Set<MarkdownTask> = []
        for number in sections.indices {
            guard sections[number] != nil || text.count == 1 else { return nil }
            for row in rows(number + 1) { if let task = row.task { found.insert(task) } }
        }
        let boxes = (found.count { $0.isDone }, found.count)
        counted = boxes
        return boxes
    }

    private var counted: (done: Int, all: Int)?

    // MARK: Anchors

    func anchor(_ place: Place) -> Anchor {
        if place.part == 0 { return Anchor(part: .above, line: place.row) }
        if place.part == lastPart { return Anchor(part: .below, line: place.row) }
        let rows = rows(place.part)
        let line = self[place].source
        let start = rows.prefix(place.row).lastIndex { $0.source != line }.map { $0 + 1 } ?? 0
        return Anchor(part: .text, line: line, row: place.row - start)
    }

    /// Where a line of a former text is now: below a change the nearest one with the same words to
    /// where it would be if the text had changed in one place.
    private func line(_ line: Int, of former: MarkdownSource) -> Int {
        if former.text == text.text { return line }
        func lines(_ text: String) -> [Substring.UTF8View] {
            text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        }
        let (old, new) = (lines(former.text), lines(text.text))
        guard old.indices.contains(line) else { return min(line, new.count - 1) }
        // Nothing has changed above it.
        if zip(old, new).prefix(line).allSatisfy({ $0.elementsEqual($1) }) {
            return min(line, new.count - 1)
        }
        let place = min(max(0, line + new.count - old.count), new.count - 1)
        for distance in 0..<Self.farthest {
            for other in [place - distance, place + distance]
            where new.indices.contains(other) && new[other].elementsEqual(old[line]) {
                return other
            }
        }
        return place
    }

    private static let farthest = 100

    /// Where the row of an anchor is now.
    ///
    /// - Parameters:
    ///   - anchor: a row of a former layout.
    ///   - former: the text then, if it was another one.
    /// - Returns: the place; the nearest one before it if the row is gone.
    func place(of anchor: Anchor, in former: MarkdownSource?) -> Place {
        switch anchor.part {
        case .above: return above.isEmpty ? first : Place(row: min(anchor.line, above.count - 1))
        case .below:
            return below.isEmpty
                ? last : Place(part: lastPart, row: min(anchor.line, below.count - 1))
        case .text: break
        }
        let line = former.map { self.line(anchor.line, of: $0) } ?? min(anchor.line, text.lines - 1)
        let section = (0..<text.count).last { text.line(ofSection: $0) <= line } ?? 0
        let rows = rows(section + 1)
        guard let row = rows.lastIndex(where: { $0.source <= line }) else {
            return following(Place(part: section + 1, row: -1)) ?? first
        }
        let start = rows[..<row].lastIndex { $0.source != rows[row].source }.map { $0 + 1 } ?? 0
        return Place(part: section + 1, row: min(row, start + anchor.row))
    }
}

/// A link in a row.
struct ReaderLink {
    let target: RichLine.Target
    /// The columns of the row that it covers.
    let columns: Range<Int>
}

extension RichLine {
    /// The links of the row, from left to right.
    var links: [ReaderLink] {
        var links: [ReaderLink] = []
        var column = 0
        for run in runs {
            let end = column + DisplayWidth.of(run.text)
            if let target = run.target {
                if let last = links.last, last.target == target, last.columns.upperBound == column {
                    links[links.count - 1] = ReaderLink(
                        target: target,
                        columns: last.columns.lowerBound..<end
                    )
                } else {
                    links.append(ReaderLink(target: target, columns: column..<end))
                }
            }
            column = end
        }
        return links
    }
}
