import CivilTime
import FoundationEssentials
import ObjectGraph

/// Reads the tasks of a Markdown document (`docs/manual/formats.md` has the fields).
///
/// Headings are lists, a line `- [ ]` is a task, one that is indented below it is a subtask. Other
/// lines that are indented below it are its notes. Everything else is kept with the next task.
struct MarkdownReader: RecordReader {
    private var window: ByteWindow
    private let syntax: MarkdownSyntax
    private var scanner = MarkdownLine.Scanner(isAtStart: true)
    /// The next line, and its number.
    private var at = 0
    private var line = 1
    /// The first byte that no item has yet.
    private var kept = 0
    /// The open item: its lines, its number and the column of its first sign.
    private var item: (lines: Range<Int>, line: Int, indent: Int)?
    private var context = OutlineContext(inner: MarkdownSyntax.tasks)
    private var identities = NameIdentities(format: ExchangeFormat.markdown.name)
    private var items = OutlineItems()
    private var isBegun = false
    private var isOver = false
    /// What follows the last item.
    private var tail = ""

    init(_ source: ByteSource, settings: ExchangeSettings) {
        window = ByteWindow(source)
        syntax = MarkdownSyntax(settings: settings)
    }

    mutating func next() -> ImportEvent? {
        if !isBegun {
            isBegun = true
            _ = window.has(8191)
            if let problem = ImportProblem(ifNotText: window.bytes.prefix(8192)) {
                isOver = true
                return .failure(problem)
            }
            if window.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
        }
        while !isOver {
            guard let event = readLine() else { continue }
            if let passed = items.take(event) { return passed }
        }
        defer { tail = "" }
        return items.end(.markdown, after: tail)
    }

    /// Reads one line.
    ///
    /// - Returns: the item that ends with it.
    private mutating func readLine() -> ImportEvent? {
        guard window.has(at) else { return window.isOverfull ? skip() : end() }
        let start = at
        let stop = window.lineEnd(from: at)
        if window.isOverfull { return skip() }
        let found = scanner.next(window.bytes[start..<stop], inner: item.map { $0.indent + 1 })
        let next = min(stop + 1, window.bytes.count)
        defer { line += 1 }
        switch found.kind {
        case .blank:
            at = next
            return nil
        case .item:
            let event = close()
            // Giving back what is read moves the line.
            let place = at
            at = place + next - start
            item = (place..<at, line, found.indent)
            return event
        default:
            if let open = item, found.indent > open.indent {
                item?.lines = open.lines.lowerBound..<next
                at = next
                return nil
            }
            let event = close()
            at += next - start
            return event
        }
    }

    /// Leaves out a line, or an item, that is longer than one may be.
    private mutating func skip() -> ImportEvent {
        let size = window.itemLimit >> 20
        repeat {
            at -= window.discard(before: at)
            at = window.lineEnd(from: at)
        } while window.isOverfull
        at = min(at + 1, window.bytes.count)
        at -= window.discard(before: at)
        (item, kept) = (nil, at)
        defer { line += 1 }
        return .failure(
            ImportProblem(line: line, message: "The line is longer than \(size) MB.")
        )
    }

    /// Reads the open item.
    private mutating func close() -> ImportEvent? {
        guard let open = item else { return nil }
        item = nil
        guard
            let before = String(
                validating: window.bytes[kept..<open.lines.lowerBound],
                as: UTF8.self
            ),
            let text = String(validating: window.bytes[open.lines], as: UTF8.self)
        else {
            isOver = true
            return .failure(.notUTF8(line: open.line))
        }
        kept = open.lines.upperBound
        let count = window.discard(before: kept)
        kept -= count
        at -= count
        if !before.isEmpty { syntax.pass(before, in: &context) }
        return syntax.read(text, before, open.line, &context, &identities)
    }

    private mutating func end() -> ImportEvent? {
        if item != nil { return close() }
        isOver = true
        let bytes = window.bytes[min(kept, window.bytes.count)...]
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return .failure(.notUTF8(line: line))
        }
        if items.isEmpty, !text.trimmingSpace.isEmpty {
            return .failure(
                ImportProblem(
                    line: 1,
                    message: "The file has no tasks; in Markdown they are lines like “- [ ] title”."
                )
            )
        }
        tail = text
        return nil
    }
}
