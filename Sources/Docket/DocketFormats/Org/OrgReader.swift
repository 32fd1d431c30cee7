import CivilTime
import FoundationEssentials
import ObjectGraph

/// Reads an org document, a heading as one item or one list (`docs/manual/formats.md` has the
/// fields).
///
/// 1. A heading with a word for a state is a task; tasks below are its subtasks.
/// 2. A heading without one is a list, if a task is below it; below a task it is only kept.
/// 3. A heading without any words is a list without a name.
/// 4. Every other heading is a note: all text below it, headings too, is its body.
///
/// To tell 2 from 4 the reader looks ahead for the next task. Let `lowest` be the lowest level of the
/// headings behind one up to that task: the task is below it if `lowest` is greater than its own
/// level.
struct OrgReader: RecordReader {
    private struct Heading {
        var start: Int
        var level: Int
        var line: Int
        /// Whether it is a task, or a note of Docket.
        var isItem: Bool
        var lowest = 0
    }

    private var input: OutlineInput<OrgSyntax>
    /// The headings from the present one on; those before `head` are done.
    private var headings: [Heading] = []
    private var head = 0
    /// The first item among them.
    private var item: Int?
    /// Where looking ahead goes on, and whether it is at the end.
    private var scanned: Int
    private var line = 1
    private var isAtEnd = false
    private var keywords = OrgEntry.Keywords()

    init(_ source: ByteSource, settings: ExchangeSettings) {
        input = OutlineInput(source, OrgSyntax(settings: settings))
        scanned = input.start
    }

    mutating func next() -> ImportEvent? {
        if let problem = input.check() { return problem }
        while !input.isOver {
            lookAhead()
            if input.window.isOverfull, head == headings.count || !isHeadingTooLong {
                return skip()
            }
            if head == headings.count {
                let none = "The file has no headings, which are tasks and notes in org."
                return input.end(line: line, none: none)
            }
            let heading = headings[head]
            let isList = item.map { $0 > head && heading.lowest > heading.level } ?? false
            if !heading.isItem, isList || isNameless(heading) {
                head += 1
            } else if let event = read(heading) {
                return event
            }
        }
        return input.last()
    }

    // MARK: Looking ahead

    /// Finds the headings up to the one behind the next item.
    private mutating func lookAhead() {
        if let found = item, found < head { item = headings[head...].firstIndex(where: \.isItem) }
        while !isAtEnd, (item ?? headings.count) >= headings.count - 1 {
            if head > 1000, head * 2 > headings.count {
                headings.removeFirst(head)
                item = item.map { $0 - head }
                head = 0
            }
            guard input.window.has(scanned) else {
                if input.window.isOverfull { return }
                isAtEnd = true
                break
            }
            let end = input.window.lineEnd(from: scanned)
            if input.window.isOverfull { return }
            take(input.window.bytes[scanned..<end])
            scanned = end + 1
            line += 1
        }
        guard let item, head < headings.count, headings[head].lowest == 0 else { return }
        var lowest = headings[item].level
        for place in stride(from: item, through: head, by: -1) {
            headings[place].lowest = lowest
            lowest = min(lowest, headings[place].level)
        }
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        switch bytes.first(where: { $0 != 32 && $0 != 9 }) {
        case UInt8(ascii: "*"):
            guard let level = OrgEntry.level(bytes) else { return }
            let word = bytes.dropFirst(level).drop { $0 == 32 }.prefix { $0 != 32 && $0 != 13 }
            let text = String(decoding: word, as: UTF8.self)
            let isItem = keywords.open.contains(text) || keywords.done.contains(text)
            if isItem, item == nil { item = headings.count }
            headings.append(
                Heading(start: scanned, level: level, line: line, isItem: isItem)
            )
        case UInt8(ascii: "#"):
            // Only what is before all headings is of the whole document.
            if headings.isEmpty { keywords.take(String(decoding: bytes, as: UTF8.self)) }
        case UInt8(ascii: ":"):
            guard let last = headings.indices.last, !headings[last].isItem,
                String(decoding: bytes, as: UTF8.self).trimmingSpace == ":KIND: note"
            else { return }
            headings[last].isItem = true
            if item == nil { item = last }
        default: break
        }
    }

    /// Whether the line that is too long begins an entry of its own.
    private var isHeadingTooLong: Bool {
        OrgEntry.level(input.window.bytes[scanned...].prefix(1 << 16)) != nil
    }

    /// Leaves out an entry that is longer than one may be.
    private mutating func skip() -> ImportEvent {
        let start = head < headings.count ? headings[head].line : line
        line += 1
        (headings, head, item) = ([], 0, nil)
        return input.skip("entry", line: start, to: &scanned)
    }

    private func isNameless(_ heading: Heading) -> Bool {
        let line = input.window.bytes[heading.start...].prefix { $0 != 10 && $0 != 13 }
        return OrgEntry.title(ofHeading: line, keywords).isEmpty
    }

    private mutating func read(_ heading: Heading) -> ImportEvent? {
        var next = head + 1
        // A note has everything below it.
        while !heading.isItem, next < headings.count, headings[next].level > heading.level {
            next += 1
        }
        head = next
        let limit = next < headings.count ? headings[next].start : scanned
        let place = heading.start..<end(of: heading.start..<min(limit, input.window.bytes.count))
        let keywords = keywords
        let (event, count) = input.read(place, line: heading.line) {
            (text) throws(OutlineRefusal) in try OrgEntry(text, keywords)
        }
        scanned -= count
        if count > 0 {
            for place in headings.indices { headings[place].start -= count }
        }
        return event
    }

    /// The end of an entry; blank lines behind it belong to what follows.
    private func end(of place: Range<Int>) -> Int {
        let bytes = input.window.bytes[place]
        let last = bytes.lastIndex { $0 != 10 && $0 != 13 && $0 != 32 } ?? place.lowerBound
        return bytes[last...].firstIndex(of: 10).map { $0 + 1 } ?? place.upperBound
    }
}
