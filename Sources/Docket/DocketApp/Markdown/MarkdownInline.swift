import TerminalUI

/// Reads the inline signs of one line: `**bold**`, `*italic*`, `_italic_`, `~~struck~~`, `` `code` ``,
/// `[text](address)`, `[[title]]`, bare addresses, and a backslash before a sign.
///
/// A sign without its partner is text.
struct MarkdownInline {
    private let text: [Character]
    private let role: Role
    private var place = 0
    private var plain = ""
    private var result: [RichLine.Run] = []
    private var attributes: Attributes = []
    /// Where the next of some signs is, or the end of the text if none comes: nothing is looked for
    /// twice, so a line of many signs without partners takes linear time.
    private var next: [String: Int] = [:]
    /// The same for the ends of emphasis.
    private var nextEnd: [String: Int] = [:]
    /// Where the run of equal signs ends that was counted last.
    private var runEnd = 0

    init(_ text: String, role: Role) {
        self.text = Array(text)
        self.role = role
    }

    mutating func runs() -> [RichLine.Run] {
        while place < text.count { step() }
        flush()
        return result
    }

    private mutating func step() {
        let sign = text[place]
        switch sign {
        case "\\" where place + 1 < text.count && "\\`*_~[]#!<>-+.".contains(text[place + 1]):
            plain.append(text[place + 1])
            place += 2
        case "`": code()
        case "*", "_", "~": emphasis(sign)
        case "[": link()
        case "h" where isAddress: address()
        default:
            plain.append(sign)
            place += 1
        }
    }

    private mutating func flush() {
        guard !plain.isEmpty else { return }
        result.append(.init(text: plain, role: role, attributes: attributes))
        plain = ""
    }

    private mutating func add(_ text: String, _ role: Role, _ target: RichLine.Target? = nil) {
        flush()
        result.append(.init(text: text, role: role, attributes: attributes, target: target))
    }

    private mutating func code() {
        guard let end = find("`", from: place + 1), end > place + 1 else { return keep(1) }
        add(String(text[place + 1..<end]), .code)
        place = end + 1
    }

    /// A sign opens before a letter and closes after one; `_` must also be at the edge of a word,
    /// so that names_like_this are not changed.
    private mutating func emphasis(_ sign: Character) {
        if place >= runEnd { runEnd = place + text[place...].prefix { $0 == sign }.count }
        let count = runEnd - place
        let length = min(count, 2)
        let attribute: Attributes =
            sign == "~" ? .strike : length == 2 ? .bold : .italic
        if sign == "~", length < 2 { return keep(count) }
        let after = place + length
        let isOpen = attributes.contains(attribute)
        if isOpen, place > 0, text[place - 1] != " ", sign != "_" || !isWord(after) {
            flush()
            attributes.remove(attribute)
            place = after
            return
        }
        let canOpen =
            !isOpen && after < text.count && text[after] != " " && text[after] != sign
            && (sign != "_" || !isWord(place - 1))
            && closes(sign, length, from: after)
        guard canOpen else { return keep(length) }
        flush()
        attributes.insert(attribute)
        place = after
    }

    private mutating func closes(_ sign: Character, _ length: Int, from start: Int) -> Bool {
        let kind = "\(sign)\(length)"
        if let known = nextEnd[kind], known >= start { return known < text.count }
        let found = end(sign, length, from: start)
        nextEnd[kind] = found ?? text.count
        return found != nil
    }

    private func end(_ sign: Character, _ length: Int, from start: Int) -> Int? {
        var at = start
        while at < text.count {
            if text[at] == sign {
                let count = text[at...].prefix { $0 == sign }.count
                let isEnd = sign != "_" || !isWord(at + count)
                if count >= length, length == 2 || count != 2, text[at - 1] != " ", isEnd {
                    return at
                }
                at += count
            } else {
                at += 1
            }
        }
        return nil
    }

    private func isWord(_ at: Int) -> Bool {
        text.indices.contains(at) && (text[at].isLetter || text[at].isNumber)
    }

    private mutating func link() {
        if place + 1 < text.count, text[place + 1] == "[", let end = find("]]", from: place + 2),
            end > place + 2
        {
            let title = String(text[place + 2..<end])
            add(title, .link, .title(title))
            place = end + 2
            return
        }
        guard let middle = find("](", from: place + 1), let end = find(")", from: middle + 2),
            middle > place + 1
        else { return keep(1) }
        add(String(text[place + 1..<middle]), .link)
        let target = String(text[middle + 2..<end])
        if target != String(text[place + 1..<middle]) { add(" (\(target))", .dim) }
        place = end + 1
    }

    private var isAddress: Bool {
        let rest = String(text[place...].prefix(8))
        return rest.hasPrefix("http://") || rest.hasPrefix("https://")
    }

    private mutating func address() {
        var end = text[place...].firstIndex { $0 == " " || $0 == ">" || $0 == ")" } ?? text.count
        while end > place, ".,;:!?".contains(text[end - 1]) { end -= 1 }
        add(String(text[place..<end]), .link)
        place = end
    }

    private mutating func keep(_ count: Int) {
        plain += String(text[place..<min(place + count, text.count)])
        place += count
    }

    private mutating func find(_ sign: String, from start: Int) -> Int? {
        if let known = next[sign], known >= start { return known < text.count ? known : nil }
        let signs = Array(sign)
        guard start + signs.count <= text.count else { return nil }
        let found = (start...text.count - signs.count).first {
            text[$0..<$0 + signs.count].elementsEqual(signs)
        }
        next[sign] = found ?? text.count
        return found
    }
}
