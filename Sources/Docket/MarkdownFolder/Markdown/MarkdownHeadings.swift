// Line by line, as CommonMark reads blocks. A paragraph is kept, since a line of `=` or `-` below it
// makes it a heading. What is in a list or a quote is read by another reader: its headings are not
// those of the document, and code in it must not be taken for them.

/// Finds the first heading of a document, and says which lines are code.
struct MarkdownHeadings {
    /// The text of the first heading that has one, without its markup.
    private(set) var first: String?

    private indirect enum Block {
        case none
        /// With the sign and the length of the fence.
        case fence(UInt8, Int)
        case indentedCode
        /// With the texts of which one ends it.
        case html([String])
        /// The lines of a paragraph.
        case paragraph([ArraySlice<UInt8>])
        /// An item of a list with the column of its text, or a quote, which has none; and what is in
        /// it.
        case container(Int?, MarkdownHeadings)
    }

    private var block = Block.none
    /// In how many lists and quotes this is.
    private var depth = 0
    private static let deepest = 16

    /// Reads the next line.
    ///
    /// - Parameter line: without its line break.
    /// - Returns: whether it is code or a comment.
    mutating func isCode(_ line: ArraySlice<UInt8>) -> Bool {
        let (column, text) = MarkdownHeadings.indentation(line)
        return read(text, column)
    }

    private mutating func read(_ text: ArraySlice<UInt8>, _ column: Int) -> Bool {
        switch block {
        case .fence(let sign, let length):
            let run = text.prefix { $0 == sign }.count
            if column < 4, run >= length, run == text.count { block = .none }
            return true
        case .html(let ends):
            if MarkdownHeadings.contains(text, ends) { block = .none }
            return true
        case .indentedCode:
            if text.isEmpty || column >= 4 { return true }
            block = .none
        case .container(let own, var inner):
            block = .none
            if let rest = MarkdownHeadings.inside(own, text, column) {
                let isCode = inner.read(rest.text, rest.column)
                block = .container(own, inner)
                return isCode
            }
            // A line that only continues a text needs no sign.
            if !text.isEmpty, inner.isInParagraph, column >= 4 || !beginsBlock(text) {
                block = .container(own, inner)
                return false
            }
        case .none, .paragraph: break
        }
        if text.isEmpty {
            block = .none
            return false
        }
        return begin(text, column)
    }

    private var isInParagraph: Bool {
        switch block {
        case .paragraph: true
        case .container(_, let inner): inner.isInParagraph
        default: false
        }
    }

    /// The part of a line that is in a list's item or in a quote; `nil` if it is not.
    private static func inside(
        _ own: Int?,
        _ text: ArraySlice<UInt8>,
        _ column: Int
    ) -> (column: Int, text: ArraySlice<UInt8>)? {
        if let own {
            if text.isEmpty { return (0, text) }
            return column >= own ? (column - own, text) : nil
        }
        guard column < 4, text.first == UInt8(ascii: ">") else { return nil }
        let rest = indentation(text.dropFirst())
        return (max(rest.column - 1, 0), rest.text)
    }

    /// Reads a line that is in no block, or continues a paragraph.
    private mutating func begin(_ text: ArraySlice<UInt8>, _ column: Int) -> Bool {
        var lines: [ArraySlice<UInt8>] = []
        if case .paragraph(let former) = block { lines = former }
        block = .none
        if column >= 4 {
            if lines.isEmpty {
                block = .indentedCode
                return true
            }
            lines.append(text)
            block = .paragraph(lines)
            return false
        }
        if !lines.isEmpty, MarkdownHeadings.isUnderline(text) {
            find(MarkdownHeadings.joined(lines))
            return false
        }
        if let heading = MarkdownHeadings.heading(text) {
            find(heading)
            return false
        }
        if let (sign, length) = MarkdownHeadings.fence(text) {
            block = .fence(sign, length)
            return true
        }
        if let ends = MarkdownHeadings.html(text) {
            if !MarkdownHeadings.contains(text.dropFirst(2), ends) { block = .html(ends) }
            return true
        }
        if MarkdownHeadings.isBreak(text) { return false }
        if depth < MarkdownHeadings.deepest,
            let width = MarkdownHeadings.marker(text, interrupts: !lines.isEmpty)
        {
            var inner = MarkdownHeadings()
            inner.depth = depth + 1
            let rest = MarkdownHeadings.indentation(text.dropFirst(width))
            let isQuote = text.first == UInt8(ascii: ">")
            // More than four blanks are one and indented code.
            let blanks = rest.text.isEmpty || rest.column > 4 ? 1 : rest.column
            let isCode = inner.read(rest.text, max(rest.column - (isQuote ? 1 : blanks), 0))
            block = .container(isQuote ? nil : column + width + blanks, inner)
            return isCode
        }
        lines.append(text)
        block = .paragraph(lines)
        return false
    }

    private mutating func find(_ text: ArraySlice<UInt8>) {
        guard first == nil else { return }
        let plain = MarkdownText.plain(String(decoding: text, as: UTF8.self))
        if !plain.isEmpty { first = plain }
    }

    /// Whether a line ends a paragraph of a list or a quote.
    private func beginsBlock(_ text: ArraySlice<UInt8>) -> Bool {
        MarkdownHeadings.heading(text) != nil || MarkdownHeadings.fence(text) != nil
            || MarkdownHeadings.isBreak(text) || MarkdownHeadings.html(text) != nil
            || MarkdownHeadings.marker(text, interrupts: true) != nil
    }

    // MARK: Lines

    /// The column of the first sign, with tabs to the next fourth column, and the rest without
    /// blanks at its ends.
    private static func indentation(
        _ line: ArraySlice<UInt8>
    ) -> (column: Int, text: ArraySlice<UInt8>) {
        var column = 0
        for (place, byte) in zip(line.indices, line) {
            switch byte {
            case 32: column += 1
            case 9: column += 4 - column % 4
            default: return (column, trimmed(line[place...]))
            }
        }
        return (column, [])
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end = text.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? text.startIndex
        return text[..<end].drop(while: isBlank)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

    private static func isBlank(_ text: ArraySlice<UInt8>) -> Bool { text.allSatisfy(isBlank) }

    private static func contains(_ text: ArraySlice<UInt8>, _ parts: [String]) -> Bool {
        guard text.contains(UInt8(ascii: ">")) else { return false }
        let text = String(decoding: text, as: UTF8.self).lowercased()
        return parts.contains { text.contains($0) }
    }

    /// Several lines as one.
    private static func joined(_ lines: [ArraySlice<UInt8>]) -> ArraySlice<UInt8> {
        lines.dropFirst().reduce(lines.first ?? []) { $0 + [10] + $1 }
    }

    private static func isUnderline(_ text: ArraySlice<UInt8>) -> Bool {
        guard let sign = text.first, "=-".utf8.contains(sign) else { return false }
        return text.allSatisfy { $0 == sign }
    }

    /// The text of a line such as `## Soup ##`; `nil` for another line.
    private static func heading(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let level = text.prefix { $0 == UInt8(ascii: "#") }.count
        let rest = text.dropFirst(level)
        guard (1...6).contains(level), rest.first.map(isBlank) ?? true else { return nil }
        let content = trimmed(rest)
        guard let last = content.lastIndex(where: { $0 != UInt8(ascii: "#") }) else { return [] }
        return last + 1 < content.endIndex && isBlank(content[last])
            ? trimmed(content[...last]) : content
    }

    private static func fence(_ text: ArraySlice<UInt8>) -> (sign: UInt8, length: Int)? {
        guard let sign = text.first, "`~".utf8.contains(sign) else { return nil }
        let length = text.prefix { $0 == sign }.count
        // Backticks in one line are code in a text.
        let isCode = sign == UInt8(ascii: "~") || !text.dropFirst(length).contains(sign)
        return length >= 3 && isCode ? (sign, length) : nil
    }

    private static func isBreak(_ text: ArraySlice<UInt8>) -> Bool {
        guard let sign = text.first, "-*_".utf8.contains(sign) else { return false }
        return text.count { $0 == sign } >= 3 && text.allSatisfy { $0 == sign || isBlank($0) }
    }

    private static let elementsOfCode = ["pre", "script", "style", "textarea"]

    /// The texts of which one ends what begins as a comment or an element of code.
    private static func html(_ text: ArraySlice<UInt8>) -> [String]? {
        guard text.first == UInt8(ascii: "<") else { return nil }
        if text.starts(with: "<!--".utf8) { return ["-->"] }
        let name = text.dropFirst().prefix { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
        let next = text[name.endIndex...].first
        guard next == nil || next == UInt8(ascii: ">") || next.map(isBlank) ?? false else {
            return nil
        }
        let element = String(decoding: name, as: UTF8.self).lowercased()
        return elementsOfCode.contains(element) ? elementsOfCode.map { "</\($0)>" } : nil
    }

    /// The width of the sign of a list's item, or of a quote; `nil` for another line.
    ///
    /// `interrupts`: whether a paragraph is before it; then an item needs a text, and a
    ///   number must be 1.
    private static func marker(_ text: ArraySlice<UInt8>, interrupts: Bool) -> Int? {
        guard let sign = text.first else { return nil }
        if sign == UInt8(ascii: ">") { return 1 }
        let digits = text.prefix { (48...57).contains($0) }
        var width = 1
        if digits.isEmpty {
            guard "-+*".utf8.contains(sign) else { return nil }
        } else {
            let end = text[digits.endIndex...].first
            guard digits.count < 10, end == UInt8(ascii: ".") || end == UInt8(ascii: ")"),
                !interrupts || digits.elementsEqual([49])
            else { return nil }
            width = digits.count + 1
        }
        guard let next = text.dropFirst(width).first else { return interrupts ? nil : width }
        return isBlank(next) ? width : nil
    }
}
