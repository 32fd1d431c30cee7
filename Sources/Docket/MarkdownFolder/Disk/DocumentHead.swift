/// What the first bytes of a Markdown file say about it: its title and its tags.
///
/// The title is `title:` of the front matter, else the first heading. Tags are `tags:` of the front
/// matter and words that begin with `#`. Of a front matter that is not valid nothing is taken.
struct DocumentHead {
    /// How many bytes are read; what is behind them counts as text alone.
    static let size = 4096
    /// How many bytes are read if the front matter does not end before.
    static let largest = 65536
    private static let mostTags = 32
    private static let longest = 200

    private(set) var title = ""
    private(set) var tags: [String] = []
    /// Why the front matter is not read, one sentence; `nil` if it is, or if there is none.
    private(set) var problem: String?

    /// - Parameter bytes: the beginning of the text, without a byte order mark.
    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        if let matter = FrontMatter(bytes) {
            read(matter)
            rest = bytes[matter.range.upperBound...]
        }
        var headings = MarkdownHeadings()
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 10 && $0 != 13 }
            rest = rest[line.endIndex...]
            if rest.first == 13 { rest = rest.dropFirst() }
            if rest.first == 10 { rest = rest.dropFirst() }
            if !headings.isCode(line) { readTags(in: line) }
        }
        if title.isEmpty, let first = headings.first { title = DocumentHead.cut(first) }
    }

    private static func cut(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return String(words.prefix(longest))
    }

    /// A text without its front matter; the whole text if the front matter is not valid.
    static func body(of text: String) -> Substring {
        guard text.utf8.starts(with: "---".utf8), let matter = FrontMatter(Array(text.utf8)[...]),
            matter.problem == nil
        else { return text[...] }
        return text[text.utf8.index(text.startIndex, offsetBy: matter.range.upperBound)...]
    }

    private mutating func read(_ matter: FrontMatter) {
        if let problem = matter.problem {
            self.problem =
                "The front matter is not valid YAML (line \(problem.line): \(problem.message)),"
                + " so its title and tags are not read."
            return
        }
        title = DocumentHead.cut(matter["title"]?.text ?? "")
        switch matter["tags", "tag", "keywords"]?.content {
        case .scalar(let text, _)?: for tag in text.split(separator: ",") { addTag(tag) }
        case .list(let nodes)?:
            for node in nodes { addTag(Substring(node.text ?? "")) }
        case .map?, nil: break
        }
    }

    // MARK: Tags

    private mutating func readTags(in bytes: ArraySlice<UInt8>) {
        guard bytes.contains(UInt8(ascii: "#")) else { return }
        let line = String(decoding: bytes, as: UTF8.self)
        for word in line.split(whereSeparator: { $0 == " " || $0 == "\t" }) where word.first == "#"
        {
            let name = word.dropFirst().prefix {
                $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == "/"
            }
            if name.contains(where: \.isLetter) { addTag(name) }
        }
    }

    private mutating func addTag(_ text: Substring) {
        let words = text.split(whereSeparator: \.isWhitespace)
        // Tags are kept in one text with blanks between.
        var tag = words.joined(separator: "-")
        if tag.first == "#" { tag.removeFirst() }
        tag = String(tag.prefix(64))
        guard !tag.isEmpty, tags.count < DocumentHead.mostTags, !tags.contains(tag) else { return }
        tags.append(tag)
    }
}
