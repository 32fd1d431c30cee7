/// What the first bytes of a Markdown file say about it: its title and its tags.
///
/// The title is `title:` of the front matter, else the first heading. Tags are `tags:` of the front
/// matter and words that begin with `#`.
struct DocumentHead {
    /// How many bytes are read; what is behind them counts as text alone.
    static let size = 4096
    private static let mostTags = 32
    private static let longest = 200

    private(set) var title = ""
    private(set) var tags: [String] = []

    init(_ text: some StringProtocol) {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { Substring($0) }[...]
        readFrontMatter(&lines)
        var isCode = false
        var former: Substring?
        for line in lines {
            let words = line.drop { $0 == " " || $0 == "\t" }
            if words.hasPrefix("```") || words.hasPrefix("~~~") {
                isCode.toggle()
                continue
            }
            if isCode { continue }
            if title.isEmpty {
                if let heading = DocumentHead.heading(words) {
                    title = heading
                    former = nil
                    continue
                }
                if let former, !former.isEmpty, words.count > 1, words.allSatisfy({ $0 == "=" }) {
                    title = DocumentHead.cut(former)
                }
            }
            readTags(in: line)
            former = words
        }
    }

    /// The text of a line such as `## Soup ##`.
    private static func heading(_ line: Substring) -> String? {
        let signs = line.prefix { $0 == "#" }
        guard (1...6).contains(signs.count) else { return nil }
        let rest = line.dropFirst(signs.count)
        guard let first = rest.first, first == " " || first == "\t" else { return nil }
        var text = rest.trimmingBlanks()
        let withoutSigns = Substring(text.reversed().drop { $0 == "#" }.reversed())
        if withoutSigns.isEmpty || withoutSigns.last == " " { text = withoutSigns.trimmingBlanks() }
        return text.isEmpty ? nil : cut(text)
    }

    private static func cut(_ text: Substring) -> String {
        String(text.trimmingBlanks().prefix(longest))
    }

    // MARK: Front matter

    /// The place of the line that ends the front matter; `nil` without one.
    private static func endOfFrontMatter(_ lines: ArraySlice<Substring>) -> Int? {
        guard let first = lines.first, first.trimmingBlanks() == "---" else { return nil }
        return lines.dropFirst().firstIndex {
            let line = $0.trimmingBlanks()
            return line == "---" || line == "..."
        }
    }

    /// A text without its front matter, which is not longer than a head.
    static func body(of text: String) -> Substring {
        guard text.hasPrefix("---") else { return text[...] }
        let beginning = text.prefix(size)
        let lines = beginning.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[
            ...
        ]
        guard let end = endOfFrontMatter(lines), end + 1 < lines.endIndex else { return text[...] }
        return text[lines[end + 1].startIndex...]
    }

    /// Reads the lines between two lines `---` at the beginning, if there are any.
    private mutating func readFrontMatter(_ lines: inout ArraySlice<Substring>) {
        guard let end = DocumentHead.endOfFrontMatter(lines) else { return }
        var isInTags = false
        for line in lines[(lines.startIndex + 1)..<end] {
            if isInTags, line.trimmingBlanks().hasPrefix("-") {
                addTag(line.trimmingBlanks().dropFirst())
                continue
            }
            isInTags = false
            guard let colon = line.firstIndex(of: ":"), line.first != " " else { continue }
            let value = line[line.index(after: colon)...].trimmingBlanks()
            switch line[..<colon].trimmingBlanks().lowercased() {
            case "title": title = DocumentHead.cut(value.withoutQuotes())
            case "tags", "tag", "keywords":
                isInTags = value.isEmpty
                for part in value.split(whereSeparator: { "[],".contains($0) }) { addTag(part) }
            default: break
            }
        }
        lines = lines[(end + 1)...]
    }

    // MARK: Tags

    private mutating func readTags(in line: Substring) {
        guard line.contains("#") else { return }
        for word in line.split(whereSeparator: { $0 == " " || $0 == "\t" }) where word.first == "#"
        {
            let name = word.dropFirst().prefix {
                $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == "/"
            }
            if name.contains(where: \.isLetter) { addTag(name) }
        }
    }

    private mutating func addTag(_ text: Substring) {
        var name = text.trimmingBlanks().withoutQuotes()[...]
        if name.first == "#" { name.removeFirst() }
        // Tags are kept in one text with blanks between.
        let tag = String(name.prefix(64).map { $0.isWhitespace ? "-" : $0 })
        guard !tag.isEmpty, tags.count < DocumentHead.mostTags, !tags.contains(tag) else { return }
        tags.append(tag)
    }
}

extension Substring {
    fileprivate func trimmingBlanks() -> Substring {
        var text = self
        while text.first?.isWhitespace ?? false { text.removeFirst() }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return text
    }

    fileprivate func withoutQuotes() -> Substring {
        let text = trimmingBlanks()
        guard text.count > 1, let first = text.first, first == "\"" || first == "'",
            text.last == first
        else { return text }
        return text.dropFirst().dropLast()
    }
}
