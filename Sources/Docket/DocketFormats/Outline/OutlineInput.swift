import FoundationEssentials

/// A document with headings while it is read: what no item has yet, and what is above.
///
/// Items are passed on one later, so that the last one can have what follows it.
struct OutlineInput<Syntax: OutlineSyntax> {
    var window: ByteWindow
    let syntax: Syntax
    /// Where the text begins, behind a byte order mark.
    let start: Int
    private(set) var isOver = false
    /// The first byte that no item has yet.
    private var kept = 0
    private var context: OutlineContext
    private var identities: NameIdentities
    private var held: ImportEvent?
    private var isEmpty = true
    private var isChecked = false

    init(_ source: ByteSource, _ syntax: Syntax) {
        window = ByteWindow(source)
        _ = window.has(8191)
        start = window.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        self.syntax = syntax
        context = OutlineContext(inner: syntax.outermost)
        identities = NameIdentities(format: syntax.format.name)
    }

    /// What is wrong with a document that is no text, once.
    mutating func check() -> ImportEvent? {
        if isChecked { return nil }
        isChecked = true
        return ImportProblem(ifNotText: window.bytes.prefix(8192)).map { stop($0) }
    }

    private mutating func stop(_ problem: ImportProblem) -> ImportEvent {
        isOver = true
        return .failure(problem)
    }

    /// Takes an item; what is behind the last one and before it is kept with it.
    ///
    /// - Returns: the item before it, or an error, and how many bytes were given back.
    mutating func read(
        _ place: Range<Int>,
        line: Int,
        parse: (String) throws(OutlineRefusal) -> Syntax.Entry
    ) -> (event: ImportEvent?, givenBack: Int) {
        defer { isEmpty = false }
        guard
            let before = String(validating: window.bytes[kept..<place.lowerBound], as: UTF8.self),
            let text = String(validating: window.bytes[place], as: UTF8.self)
        else { return (stop(.notUTF8(line: line)), 0) }
        kept = place.upperBound
        let count = window.discard(before: kept)
        kept -= count
        let event = syntax.read(
            text,
            before: before,
            isFirst: isEmpty,
            line: line,
            &context,
            &identities,
            parse: parse
        )
        guard case .record = event else { return (event, count) }
        defer { held = event }
        return (held, count)
    }

    /// Leaves out a line, or an item, that is longer than one may be; `at` is then behind it.
    mutating func skip(_ what: String, line: Int, to at: inout Int) -> ImportEvent {
        isEmpty = false
        let size = window.itemLimit >> 20
        window.skipLine(&at)
        kept = at
        let message = "The \(what) is longer than \(size) MB."
        return .failure(ImportProblem(line: line, message: message))
    }

    /// Ends the document, whose rest belongs to the last item; `none` is said of one without items.
    mutating func end(line: Int, none: String) -> ImportEvent? {
        isOver = true
        let bytes = window.bytes[min(kept, window.bytes.count)...]
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return .failure(.notUTF8(line: line))
        }
        if isEmpty, !text.trimmingSpace.isEmpty {
            return .failure(ImportProblem(line: 1, message: none))
        }
        if case .record(var imported)? = held, !text.isEmpty {
            imported.record.extra[syntax.format.name][OutlineKept.after] = .string(text)
            held = .record(imported)
        }
        return last()
    }

    /// The last item, once.
    mutating func last() -> ImportEvent? {
        defer { held = nil }
        return held
    }
}
