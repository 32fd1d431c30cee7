/// What a line of Markdown is, for lists of tasks.
struct MarkdownLine {
    enum Kind: Equatable {
        case blank
        case heading(level: Int)
        /// A line of a list with a box, or a note of Docket; `content` is the column of its text.
        case item(content: Int)
        case text
        /// A line of code, or a fence.
        case code
    }

    var kind: Kind
    /// The column of the first sign.
    var indent = 0

    /// Finds lines one after the other, with fences and the front matter between.
    struct Scanner {
        private var fence: (sign: UInt8, count: Int)?
        private var isMatter = false
        /// Whether the next line is the first one of a document's front matter.
        private var isAtStart: Bool

        init() { isAtStart = false }

        /// Begins with the first line of a document.
        init(atStartOf document: some Collection<UInt8>) {
            isAtStart = MarkdownLine.hasMatter(document)
        }

        var isInFence: Bool { fence != nil }

        /// Reads the next line.
        ///
        /// - Parameters:
        ///   - line: the line without its end.
        ///   - inner: the column from which on a line is part of the open item.
        /// - Returns: what it is.
        mutating func next(_ line: some BidirectionalCollection<UInt8>, inner: Int?) -> MarkdownLine
        {
            defer { isAtStart = false }
            let (indent, rest) = MarkdownLine.indent(line)
            if isAtStart { isMatter = true }
            if isMatter {
                if !isAtStart, MarkdownLine.endsMatter(rest) { isMatter = false }
                return MarkdownLine(kind: .code)
            }
            guard let first = rest.first else { return MarkdownLine(kind: .blank) }
            if let inner, fence != nil, indent < inner { fence = nil }
            if first == UInt8(ascii: "`") || first == UInt8(ascii: "~") {
                let count = rest.prefix { $0 == first }.count
                let info = rest.dropFirst(count)
                if let open = fence {
                    if first == open.sign, count >= open.count, info.allSatisfy({ $0 == 32 }) {
                        fence = nil
                    }
                    return MarkdownLine(kind: .code, indent: indent)
                }
                if count >= 3, first == UInt8(ascii: "~") || !info.contains(first) {
                    fence = (first, count)
                    return MarkdownLine(kind: .code, indent: indent)
                }
            }
            if fence != nil { return MarkdownLine(kind: .code, indent: indent) }
            if first == UInt8(ascii: "#"), indent < 4, inner.map({ indent < $0 }) ?? true {
                let level = rest.prefix { $0 == UInt8(ascii: "#") }.count
                let next = rest.dropFirst(level).first
                if level <= 6, next == 32 || next == 9 || next == nil {
                    return MarkdownLine(kind: .heading(level: level), indent: indent)
                }
            }
            if let marks = MarkdownLine.item(rest) {
                return MarkdownLine(kind: .item(content: indent + marks), indent: indent)
            }
            return MarkdownLine(kind: .text, indent: indent)
        }
    }

    /// Whether a document begins with front matter: a line of dashes, and another one that ends it.
    static func hasMatter(_ document: some Collection<UInt8>) -> Bool {
        let document = document.dropFirst(document.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        guard document.starts(with: "---".utf8) else { return false }
        let lines = document.split(separator: 10, maxSplits: 1000, omittingEmptySubsequences: false)
        let texts = lines.map { indent(Array($0)).1 }
        return texts[0].count == 3 && texts.dropFirst().contains(where: endsMatter)
    }

    private static func endsMatter(_ line: some Collection<UInt8>) -> Bool {
        line.elementsEqual("---".utf8) || line.elementsEqual("...".utf8)
    }

    /// The column of the first sign, and what begins there, without blanks at the end.
    static func indent<Line: BidirectionalCollection<UInt8>>(
        _ line: Line
    ) -> (Int, Line.SubSequence) {
        var column = 0
        var start = line.startIndex
        while start < line.endIndex, line[start] == 32 || line[start] == 9 {
            column = line[start] == 32 ? column + 1 : column / 4 * 4 + 4
            start = line.index(after: start)
        }
        let rest = line[start...]
        let blanks = rest.reversed().prefix { $0 == 32 || $0 == 9 || $0 == 13 }.count
        return (column, rest.dropLast(blanks))
    }

    /// How long the marker of a list is, with a blank, if an item follows.
    private static func item(_ line: some BidirectionalCollection<UInt8>) -> Int? {
        guard let marker = marker(line) else { return nil }
        let text = line.dropFirst(marker).drop { $0 == 32 || $0 == 9 }
        if box(text) != nil { return marker + 1 }
        let note = Array("[kind:: note]".utf8)
        guard text.count > note.count, text.contains(UInt8(ascii: "[")) else { return nil }
        let bytes = Array(text)
        let isNote = bytes.indices.contains { bytes[$0...].starts(with: note) }
        return isNote ? marker + 1 : nil
    }

    /// The length of `-`, `*`, `+`, `1.` or `1)` before a blank.
    static func marker(_ line: some BidirectionalCollection<UInt8>) -> Int? {
        let digits = line.prefix { $0 >= 48 && $0 <= 57 }.count
        guard let sign = line.dropFirst(digits).first, digits < 10 else { return nil }
        let isMarker =
            digits > 0
            ? sign == UInt8(ascii: ".") || sign == UInt8(ascii: ")")
            : sign == UInt8(ascii: "-") || sign == UInt8(ascii: "*") || sign == UInt8(ascii: "+")
        let next = line.dropFirst(digits + 1).first
        return isMarker && (next == 32 || next == 9) ? digits + 1 : nil
    }

    /// The sign in the box with which a text begins.
    static func box(_ text: some BidirectionalCollection<UInt8>) -> String? {
        guard text.first == UInt8(ascii: "[") else { return nil }
        let sign = text.dropFirst().prefix(8).prefix { $0 != UInt8(ascii: "]") }
        let rest = text.dropFirst(1 + sign.count)
        guard rest.first == UInt8(ascii: "]"),
            rest.dropFirst().first.map({ $0 == 32 || $0 == 9 }) ?? true
        else { return nil }
        let text = String(decoding: sign, as: UTF8.self)
        return text.count == 1 ? text : nil
    }
}
