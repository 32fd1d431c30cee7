import CivilTime
import FoundationEssentials
import ObjectGraph

/// Reads an org document, a heading as one item or one list (`docs/manual/formats.md` has the
/// fields).
///
/// 1. A heading with a word for a state is a task; tasks below are its subtasks.
/// 2. A heading without one is a list, if a task is below it; below a task it is only kept.
/// 3. Every other heading is a note: all text below it, headings too, is its body.
///
/// To tell 2 from 3 the reader looks ahead for the next task. Let `lowest` be the lowest level of the
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

    private var window: ByteWindow
    private let settings: ExchangeSettings
    private let syntax: OrgSyntax
    /// The headings from the present one on; those before `head` are done.
    private var headings: [Heading] = []
    private var head = 0
    /// The first item among them.
    private var item: Int?
    /// Where looking ahead goes on, and whether it is at the end.
    private var scanned = 0
    private var line = 1
    private var isAtEnd = false
    /// The first byte that no item has yet.
    private var kept = 0
    private var keywords = OrgEntry.Keywords()
    private var context = OutlineContext(inner: 1)
    private var identities = NameIdentities(format: ExchangeFormat.org.name)
    private var items = OutlineItems()
    private var problem: ImportProblem?
    private var isBegun = false

    init(_ source: ByteSource, settings: ExchangeSettings) {
        window = ByteWindow(source)
        self.settings = settings
        syntax = OrgSyntax(settings: settings)
    }

    mutating func next() -> ImportEvent? {
        if !isBegun {
            isBegun = true
            _ = window.has(8191)
            problem = ImportProblem(ifNotText: window.bytes.prefix(8192))
            if let problem { return .failure(problem) }
            if window.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanned = 3 }
        }
        while problem == nil {
            lookAhead()
            if window.isOverfull { return skip() }
            if head == headings.count { return end() }
            let heading = headings[head]
            if !heading.isItem, let item, item > head, heading.lowest > heading.level {
                head += 1
                continue
            }
            if let event = read(heading), let passed = items.take(event) { return passed }
        }
        return items.end(.org, after: "")
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
            guard window.has(scanned) else {
                if window.isOverfull { return }
                isAtEnd = true
                break
            }
            let end = window.lineEnd(from: scanned)
            if window.isOverfull { return }
            take(window.bytes[scanned..<end])
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

    /// Leaves out an entry that is longer than one may be.
    private mutating func skip() -> ImportEvent {
        let size = window.itemLimit >> 20
        let line = head < headings.count ? headings[head].line : line
        while true {
            let end = window.lineEnd(from: scanned)
            let isOverfull = window.isOverfull
            scanned = isOverfull ? end : min(end + 1, window.bytes.count)
            scanned -= window.discard(before: scanned)
            if !isOverfull { break }
        }
        self.line += 1
        (headings, head, item, kept) = ([], 0, nil, scanned)
        return .failure(ImportProblem(line: line, message: "The entry is longer than \(size) MB."))
    }

    // MARK: Items

    private mutating func read(_ heading: Heading) -> ImportEvent? {
        var next = head + 1
        // A note has everything below it.
        while !heading.isItem, next < headings.count, headings[next].level > heading.level {
            next += 1
        }
        head = next
        var end = next < headings.count ? headings[next].start : min(scanned, window.bytes.count)
        let limit = end
        // Blank lines belong to what follows.
        while end > heading.start, [10, 13, 32].contains(window.bytes[end - 1]) { end -= 1 }
        while end < limit, window.bytes[end] != 10 { end += 1 }
        if end < limit { end += 1 }
        guard let before = String(validating: window.bytes[kept..<heading.start], as: UTF8.self),
            let text = String(validating: window.bytes[heading.start..<end], as: UTF8.self)
        else {
            problem = .notUTF8(line: heading.line)
            return .failure(.notUTF8(line: heading.line))
        }
        kept = end
        if !before.isEmpty { syntax.pass(before, in: &context) }
        giveBack()
        return syntax.read(text, before, heading.line, keywords, &context, &identities)
    }

    /// Gives back what is read.
    private mutating func giveBack() {
        let count = window.discard(before: kept)
        guard count > 0 else { return }
        kept -= count
        scanned -= count
        for place in headings.indices { headings[place].start -= count }
    }

    private mutating func end() -> ImportEvent? {
        let bytes = window.bytes[min(kept, window.bytes.count)...]
        kept = window.bytes.count
        guard let text = String(validating: bytes, as: UTF8.self) else {
            problem = .notUTF8(line: line)
            return .failure(.notUTF8(line: line))
        }
        if items.isEmpty, !text.trimmingSpace.isEmpty {
            _ = items.take(.failure(ImportProblem(line: 1, message: "")))
            return .failure(
                ImportProblem(
                    line: 1,
                    message: "The file has no headings, which are tasks and notes in org."
                )
            )
        }
        return items.end(.org, after: text)
    }
}
