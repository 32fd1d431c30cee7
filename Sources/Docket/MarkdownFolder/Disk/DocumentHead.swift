import Markdown

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
        readText(rest)
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

    // MARK: Text

    private static let sign = UInt8(ascii: "#")
    /// How comments and code begin in HTML; in other HTML words are text.
    private static let code = ["<!--", "<pre", "<script", "<style", "<textarea"]

    /// Reads the first heading outside of lists and quotes if there is no title yet, and the tags
    /// outside of code and comments.
    private mutating func readText(_ bytes: ArraySlice<UInt8>) {
        let hasTags = bytes.contains(Self.sign)
        if !hasTags, !title.isEmpty { return }
        let source = MarkdownSource(String(decoding: bytes, as: UTF8.self))
        var code: Set<Int> = []
        for number in 0..<source.count {
            let section = source.section(number)
            for block in section.blocks {
                switch block.kind {
                case .heading where title.isEmpty && block.containers.isEmpty:
                    title = DocumentHead.cut(section.plainText(of: block))
                case .html where !Self.isCode(section.literal(of: block)): break
                case .code, .html: code.formUnion(section.lines(of: block))
                default: break
                }
            }
        }
        var (rest, number) = (hasTags ? bytes : [], 0)
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 10 && $0 != 13 }
            rest = rest[line.endIndex...]
            if rest.first == 13 { rest = rest.dropFirst() }
            if rest.first == 10 { rest = rest.dropFirst() }
            if !code.contains(number) { readTags(in: line) }
            number += 1
        }
    }

    private static func isCode(_ html: String) -> Bool {
        let start = html.drop { $0 == " " }.prefix(9).lowercased()
        return code.contains { start.hasPrefix($0) }
    }

    // MARK: Tags

    private mutating func readTags(in bytes: ArraySlice<UInt8>) {
        guard bytes.contains(Self.sign) else { return }
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
