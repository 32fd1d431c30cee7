import CivilTime
import FoundationEssentials
import ObjectGraph

/// Reads the tasks of a Markdown document (`docs/manual/formats.md` has the fields).
///
/// Headings are lists, a line `- [ ]` is a task, one that is indented below it is a subtask. Other
/// lines that are indented below it are its notes. Everything else is kept with the next task.
struct MarkdownReader: RecordReader {
    private var input: OutlineInput<MarkdownSyntax>
    private var scanner: MarkdownLine.Scanner
    /// The next line, and its number.
    private var at: Int
    private var line = 1
    /// The open item: its lines, its number and the column of its first sign.
    private var item: (lines: Range<Int>, line: Int, indent: Int)?

    init(_ source: ByteSource, settings: ExchangeSettings) {
        input = OutlineInput(source, MarkdownSyntax(settings: settings))
        at = input.start
        _ = input.window.has(at + 65_535)
        scanner = MarkdownLine.Scanner(atStartOf: input.window.bytes[at...])
    }

    mutating func next() -> ImportEvent? {
        if let problem = input.check() { return problem }
        while !input.isOver {
            if let event = readLine() { return event }
        }
        return input.last()
    }

    /// Reads one line.
    ///
    /// - Returns: what is known then.
    private mutating func readLine() -> ImportEvent? {
        guard input.window.has(at) else {
            if input.window.isOverfull { return skip() }
            if item != nil { return close() }
            let none = "The file has no tasks; in Markdown they are lines like “- [ ] title”."
            return input.end(line: line, none: none)
        }
        let stop = input.window.lineEnd(from: at)
        if input.window.isOverfull {
            // The line is too long, not the item above.
            let start = item?.lines.lowerBound ?? at
            return start < at && at - start < input.window.itemLimit / 2 ? close() : skip()
        }
        let found = scanner.next(input.window.bytes[at..<stop], inner: item.map { $0.indent + 1 })
        let length = min(stop + 1, input.window.bytes.count) - at
        defer { line += 1 }
        if found.kind == .blank {
            at += length
            return nil
        }
        if case .item = found.kind {
            // It moves the line.
            let event = close()
            item = (at..<at + length, line, found.indent)
            at += length
            return event
        }
        if let open = item, found.indent > open.indent {
            at += length
            item?.lines = open.lines.lowerBound..<at
            return nil
        }
        let event = close()
        at += length
        return event
    }

    private mutating func skip() -> ImportEvent {
        item = nil
        defer { line += 1 }
        return input.skip("line", line: line, to: &at)
    }

    /// Reads the open item.
    private mutating func close() -> ImportEvent? {
        guard let open = item else { return nil }
        item = nil
        let syntax = input.syntax
        let (event, count) = input.read(open.lines, line: open.line) {
            (text) throws(OutlineRefusal) in try syntax.entry(text, [])
        }
        at -= count
        return event
    }
}
