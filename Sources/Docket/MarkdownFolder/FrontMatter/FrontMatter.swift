/// The lines of YAML between two lines `---` at the beginning of a Markdown file.
///
/// The first line is `---` without anything before it; a line `---` or `...` ends the front matter. A
/// text without the second one has no front matter, nor has one in which something else than keys
/// with values stands between: its `---` is a thematic break.
struct FrontMatter {
    /// From the line `---` to behind the line that ends it.
    let range: Range<Int>
    /// The lines between.
    let content: Range<Int>
    /// The keys in their order; empty if there is a ``problem``.
    private(set) var entries: [YAMLEntry] = []
    /// The whole of it; `nil` if it has no keys, or a ``problem``.
    private(set) var root: YAMLNode?
    /// The anchors that values refer to.
    private(set) var aliases: Set<String> = []
    /// Why it is not read.
    private(set) var problem: YAMLProblem?

    /// - Parameter bytes: the text, without a byte order mark.
    /// - Complexity: O(bytes of the front matter); without one, O(bytes).
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let places = FrontMatter.places(bytes) else { return nil }
        range = places.range
        content = places.content
        let lines = bytes[content]
        var reader = YAMLReader(lines, firstLine: 2)
        do throws(YAMLProblem) {
            let node = try reader.document()
            switch node.content {
            case .map(let entries):
                self.entries = entries
                root = node
                aliases = reader.aliases
            case .scalar("", isPlain: true):
                // Nothing, or comments: behind an empty line `# Title` is a heading.
                let isEmpty = lines.allSatisfy { $0 == 10 || $0 == 13 || $0 == 32 || $0 == 9 }
                if !isEmpty, lines.first == 10 || lines.first == 13 { return nil }
            default: return nil
            }
        } catch {
            if !FrontMatter.hasKey(lines) { return nil }
            problem = error
        }
    }

    /// Whether a text begins as one with front matter does whose end is further on.
    static func isOpen(_ bytes: ArraySlice<UInt8>) -> Bool {
        isMark(firstLine(bytes), "---") && places(bytes) == nil
    }

    /// The value of the first of some keys that there is, in any letter case.
    subscript(keys: String...) -> YAMLNode? {
        for key in keys {
            if let entry = entries.first(where: { $0.key == key })
                ?? entries.first(where: { $0.key.lowercased() == key })
            {
                return entry.value
            }
        }
        return nil
    }

    // MARK: Lines

    private static func firstLine(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.prefix { $0 != 10 && $0 != 13 }
    }

    private static func isMark(_ line: ArraySlice<UInt8>, _ mark: String) -> Bool {
        line.starts(with: mark.utf8) && line.dropFirst(3).allSatisfy { $0 == 32 || $0 == 9 }
    }

    private static func places(
        _ bytes: ArraySlice<UInt8>
    ) -> (
        range: Range<Int>, content: Range<Int>
    )? {
        func next(_ line: ArraySlice<UInt8>) -> Int {
            let end = line.endIndex
            if end >= bytes.endIndex { return end }
            let isPair = bytes[end] == 13 && end + 1 < bytes.endIndex && bytes[end + 1] == 10
            return end + (isPair ? 2 : 1)
        }
        let first = firstLine(bytes)
        guard isMark(first, "---") else { return nil }
        let start = next(first)
        var at = start
        while at < bytes.endIndex {
            let line = firstLine(bytes[at...])
            if isMark(line, "---") || isMark(line, "...") {
                return (bytes.startIndex..<next(line), start..<at)
            }
            at = next(line)
        }
        return nil
    }

    /// Whether the first line that is no comment has a colon behind a text, so that what follows
    /// was meant to be YAML.
    private static func hasKey(_ lines: ArraySlice<UInt8>) -> Bool {
        for line in lines.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
            let text = line.drop { $0 == 32 || $0 == 9 }
            if text.isEmpty || text.first == UInt8(ascii: "#") { continue }
            guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex else {
                return text.first == UInt8(ascii: "{")
            }
            let next = text.dropFirst(colon + 1 - text.startIndex).first
            return next == nil || next == 32 || next == 9
        }
        return false
    }
}
