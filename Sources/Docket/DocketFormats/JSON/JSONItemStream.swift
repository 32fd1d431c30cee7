/// The objects of a JSON document, one after the other.
///
/// The document is one array, or a sequence of objects, usually one a line. Commas between them are
/// optional, as in the output of different versions of Taskwarrior.
///
/// After an invalid object the stream continues at the next line that begins with an object and is
/// not indented deeper than the invalid one.
public struct JSONItemStream {
    public enum Step {
        /// The scanner is before an object that begins in this line.
        case object(line: Int)
        case problem(ImportProblem)
    }

    public var scanner: JSONScanner
    private var start = 0
    private var hasBegun = false
    private var isInArray = false
    private var isDone = false
    /// Whether the list goes on in another document.
    private let goesOn: Bool

    public init(_ source: ByteSource, depthLimit: Int = JSONScanner.foreignDepth) {
        goesOn = source.share == .firstHalf
        if case .secondHalf(let isInArray) = source.share {
            (hasBegun, self.isInArray) = (true, isInArray)
        }
        scanner = JSONScanner(source, depthLimit: depthLimit)
    }

    /// The next object; `nil` at the end.
    public mutating func next() -> Step? {
        guard !isDone else { return nil }
        if !hasBegun {
            hasBegun = true
            if let problem = ImportProblem(ifNotText: scanner.head) {
                isDone = true
                return .problem(problem)
            }
            isInArray = scanner.take(UInt8(ascii: "["))
        }
        while scanner.take(UInt8(ascii: ",")) {}
        scanner.skipSpace()
        if scanner.isAtEnd {
            isDone = true
            guard isInArray, !goesOn else { return nil }
            return .problem(failure(scanner.problem("the closing ] of the list is missing")))
        }
        if isInArray, scanner.take(UInt8(ascii: "]")) {
            scanner.skipSpace()
            isDone = true
            if scanner.isAtEnd { return nil }
            return .problem(failure(scanner.problem("there is more text after the closing ]")))
        }
        scanner.beginItem()
        start = scanner.at
        if scanner.peek == UInt8(ascii: "{") {
            return .object(line: scanner.line(at: start))
        }
        return .problem(recover(from: scanner.expected("an item in { }")))
    }

    /// Reads the next object into a draft; `nil` at the end.
    public mutating func next(reading begin: @autoclosure () -> some JSONItemDraft) -> ImportEvent?
    {
        switch next() {
        case nil: return nil
        case .problem(let problem): return .failure(problem)
        case .object(let line):
            var draft = begin()
            do {
                try scanner.object { (scanner, name) throws(JSONScanner.Problem) in
                    try draft.read(name, &scanner)
                }
            } catch {
                return .failure(recover(from: error))
            }
            if scanner.isNotUTF8 {
                isDone = true
                return .failure(.notUTF8(line: line))
            }
            if scanner.hasReplacements { draft.fields.noteReplacements() }
            return draft.finish(line: line)
        }
    }

    /// Turns an error inside the current object into a report, and moves to the next object.
    public mutating func recover(from problem: JSONScanner.Problem) -> ImportProblem {
        let report = failure(problem)
        let indent = scanner.column(at: start)
        let endsList = isInArray
        let isFound = scanner.skipLines(from: start) { byte, column in
            let isItem = byte == UInt8(ascii: "{")
            let isEnd = byte == UInt8(ascii: "]") && endsList
            return (isItem || isEnd) && column < indent
        }
        isDone = !isFound
        return report
    }

    private mutating func failure(_ problem: JSONScanner.Problem) -> ImportProblem {
        if scanner.isTooLong {
            return ImportProblem(
                line: scanner.line(at: start),
                message: "The item is longer than \(scanner.itemLimit >> 20) MB."
            )
        }
        let line = scanner.line(at: problem.offset)
        let column = scanner.column(at: problem.offset)
        let startLine = scanner.line(at: min(start, problem.offset))
        let place = line == startLine ? "column \(column)" : "line \(line), column \(column)"
        return ImportProblem(
            line: startLine,
            message: "This is not valid JSON: at \(place), \(problem.message)."
        )
    }
}

/// An item that is built from the members of a JSON object of one format.
public protocol JSONItemDraft {
    var fields: RecordFields { get set }
    /// Reads the value of a member; the scanner is before it.
    mutating func read(_ name: String, _ scanner: inout JSONScanner) throws(JSONScanner.Problem)
    /// The item, or why it is invalid, after the last member.
    mutating func finish(line: Int) -> ImportEvent
}
