import DocketFormats

/// The words of a text that names tags: `bank #out, -home "two words"`.
///
/// White space and commas separate them; a name that has such signs is written in quotes.
public struct TagWords {
    /// A name as it was written.
    private struct Word {
        var range: Range<String.Index>
        /// `-`, `#` and `+` before a quote; empty without one.
        var lead: Substring
        var text: String
        var isQuoted: Bool
        /// Whether more letters would belong to it.
        var isOpen: Bool
    }

    public private(set) var added: [String] = []
    /// Those with a minus before them.
    public private(set) var removed: [String] = []
    /// Where the last word begins that is still being typed: the end of the text without one.
    public let lastStart: String.Index
    /// The sign and the beginning of the name of that word.
    public let last: (isRemoved: Bool, name: String)

    private static let signs: Set<Character> = ["-", "#", "+"]

    public init(_ text: String) {
        let words = TagWords.split(text)
        for word in words {
            let (isRemoved, name) = TagWords.read(word)
            if name.isEmpty { continue }
            if isRemoved { removed.append(name) } else { added.append(name) }
        }
        let open = words.last.flatMap { $0.isOpen ? $0 : nil }
        lastStart = open?.range.lowerBound ?? text.endIndex
        last = open.map(TagWords.read) ?? (false, "")
    }

    /// The names of a text in which a minus is a part of a name.
    public static func names(_ text: String) -> [String] {
        split(text).map { word in
            word.isQuoted || word.text.first != "#" ? word.text : String(word.text.dropFirst())
        }.filter { !$0.isEmpty }
    }

    /// A name as it is written in such a text, in quotes where necessary.
    public static func written(_ name: String) -> String {
        let isPlain =
            name.first.map { !signs.contains($0) && $0 != "\"" } ?? false
            && !name.contains(where: separates)
        if isPlain { return name }
        let escaped = name.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\"\(String(escaped))\""
    }

    private static func separates(_ character: Character) -> Bool {
        character.isWhitespace || character == ","
    }

    private static func read(_ word: Word) -> (isRemoved: Bool, name: String) {
        if word.isQuoted { return (word.lead.first == "-", word.text) }
        let isRemoved = word.text.first == "-" && word.text.count > 1
        let name = isRemoved ? word.text.dropFirst() : word.text[...]
        return (isRemoved, String(name.drop { $0 == "#" || $0 == "+" }))
    }

    private static func split(_ text: String) -> [Word] {
        var words: [Word] = []
        var place = text.startIndex
        while let start = text[place...].firstIndex(where: { !separates($0) }) {
            let lead = text[start...].prefix { signs.contains($0) }
            if lead.endIndex < text.endIndex, text[lead.endIndex] == "\"" {
                var name = ""
                var isClosed = false
                place = text.index(after: lead.endIndex)
                while place < text.endIndex, !isClosed {
                    let next = text.index(after: place)
                    if text[place] == "\\", next < text.endIndex {
                        name.append(text[next])
                        place = text.index(after: next)
                    } else {
                        if text[place] == "\"" { isClosed = true } else { name.append(text[place]) }
                        place = next
                    }
                }
                words.append(
                    Word(
                        range: start..<place,
                        lead: lead,
                        text: name,
                        isQuoted: true,
                        isOpen: !isClosed
                    )
                )
                continue
            }
            place = text[start...].firstIndex(where: separates) ?? text.endIndex
            words.append(
                Word(
                    range: start..<place,
                    lead: "",
                    text: String(text[start..<place]),
                    isQuoted: false,
                    isOpen: place == text.endIndex
                )
            )
        }
        return words
    }
}
