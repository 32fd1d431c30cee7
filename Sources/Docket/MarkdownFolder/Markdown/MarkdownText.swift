// Parts first: texts, and runs of `*` and `_` that may be emphasis. Then CommonMark's rule for
// emphasis takes away the signs that have a partner, inside of links before around them.

/// The inline parts of Markdown without their signs: emphasis, code, links, pictures, addresses,
/// HTML, entities, and signs behind a backslash.
///
/// - Complexity: O(length²) of at most 400 characters; what is behind them is left out.
struct MarkdownText {
    /// What is left to read, with one blank between words.
    static func plain(_ text: String) -> String {
        var reader = MarkdownText(Array(text.prefix(longest)))
        while let sign = reader.sign() { reader.step(sign) }
        reader.emphasise(from: 0)
        let all = reader.parts.map { $0.run.map { String(repeating: $0, count: $1) } ?? $0.text }
        return all.joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static let longest = 400

    private struct Part {
        var text = ""
        /// The sign of emphasis, and how many of them have no partner.
        var run: (sign: Character, count: Int)?
        var length = 0
        var canOpen = false
        var canClose = false
    }

    private let text: [Character]
    private var at = 0
    private var parts: [Part] = []
    /// The places of `[` that may begin a link.
    private var brackets: [(part: Int, isPicture: Bool)] = []

    private init(_ text: [Character]) { self.text = text }

    private func sign(_ offset: Int = 0) -> Character? {
        text.indices.contains(at + offset) ? text[at + offset] : nil
    }

    private mutating func add(_ text: String, _ count: Int) {
        parts.append(Part(text: text))
        at += count
    }

    private mutating func step(_ sign: Character) {
        switch sign {
        case "\\":
            let next = self.sign(1)
            if next == "\n" { return add("", 1) }
            guard let next, next.isSignOfMarkdown else { return add("\\", 1) }
            add(String(next), 2)
        case "`": code()
        case "*", "_": run(sign)
        case "!" where self.sign(1) == "[":
            brackets.append((parts.count, true))
            add("![", 2)
        case "[":
            brackets.append((parts.count, false))
            add("[", 1)
        case "]": link()
        case "<": angle()
        case "&": entity()
        default: add(String(sign), 1)
        }
    }

    private mutating func code() {
        let count = text[at...].prefix { $0 == "`" }.count
        var end = at + count
        while end < text.count {
            let run = text[end...].prefix { $0 == "`" }.count
            if run == count {
                var code = text[at + count..<end].map { $0 == "\n" ? " " : $0 }[...]
                if code.first == " ", code.last == " ", code.contains(where: { $0 != " " }) {
                    code = code.dropFirst().dropLast()
                }
                return add(String(code), end + run - at)
            }
            end += max(run, 1)
        }
        add(String(repeating: "`", count: count), count)
    }

    // MARK: Emphasis

    private mutating func run(_ sign: Character) {
        let count = text[at...].prefix { $0 == sign }.count
        let (before, after) = (self.sign(-1) ?? " ", self.sign(count) ?? " ")
        let isLeft =
            !after.isWhitespace
            && (!after.isMark || before.isWhitespace || before.isMark)
        let isRight =
            !before.isWhitespace
            && (!before.isMark || after.isWhitespace || after.isMark)
        let isWord = sign == "*"
        parts.append(
            Part(
                run: (sign, count),
                length: count,
                canOpen: isLeft && (isWord || !isRight || before.isMark),
                canClose: isRight && (isWord || !isLeft || after.isMark)
            )
        )
        at += count
    }

    private mutating func emphasise(from start: Int) {
        var place = start
        while place < parts.count {
            guard let closing = parts[place].run, closing.count > 0, parts[place].canClose,
                let first = (start..<place).last(where: { isPartner($0, of: place) }),
                let opening = parts[first].run
            else {
                place += 1
                continue
            }
            let used = min(opening.count, closing.count, 2)
            parts[first].run?.count -= used
            parts[place].run?.count -= used
            for between in first + 1..<place { close(between) }
        }
        for part in start..<parts.count { close(part) }
    }

    private mutating func close(_ part: Int) {
        (parts[part].canOpen, parts[part].canClose) = (false, false)
    }

    private func isPartner(_ place: Int, of closing: Int) -> Bool {
        let (one, other) = (parts[place], parts[closing])
        guard let run = one.run, run.sign == other.run?.sign, run.count > 0, one.canOpen else {
            return false
        }
        let isInner = one.canClose || other.canOpen
        return !isInner || (one.length + other.length) % 3 != 0
            || one.length % 3 == 0 && other.length % 3 == 0
    }

    // MARK: Links

    private mutating func link() {
        guard let bracket = brackets.popLast() else { return add("]", 1) }
        guard sign(1) == "(", let end = endOfTarget(at + 2) else { return add("]", 1) }
        emphasise(from: bracket.part + 1)
        parts[bracket.part].text = ""
        // A link contains no links.
        if !bracket.isPicture { brackets.removeAll { !$0.isPicture } }
        at = end
    }

    /// The place behind `(address "title")`; `nil` if it is something else.
    private func endOfTarget(_ start: Int) -> Int? {
        var place = skipBlanks(start)
        guard place < text.count else { return nil }
        if text[place] == "<" {
            guard let end = text[place...].firstIndex(where: { $0 == ">" || $0 == "\n" }),
                text[end] == ">"
            else { return nil }
            place = end + 1
        } else {
            var depth = 0
            while place < text.count, !text[place].isWhitespace {
                if text[place] == "\\" { place += 1 }
                if place < text.count, text[place] == "(", text[place - 1] != "\\" { depth += 1 }
                if place < text.count, text[place] == ")", text[place - 1] != "\\" {
                    if depth == 0 { break }
                    depth -= 1
                }
                place += 1
            }
            if depth > 0 { return nil }
        }
        let blank = skipBlanks(place)
        guard blank < text.count else { return nil }
        if text[blank] == ")" { return blank + 1 }
        let ends: [Character: Character] = ["\"": "\"", "'": "'", "(": ")"]
        guard blank > place, let quote = ends[text[blank]] else { return nil }
        var end = blank + 1
        while end < text.count, text[end] != quote { end += text[end] == "\\" ? 2 : 1 }
        end = skipBlanks(end + 1)
        return end < text.count && text[end] == ")" ? end + 1 : nil
    }

    private func skipBlanks(_ start: Int) -> Int {
        var place = start
        while place < text.count, text[place].isWhitespace { place += 1 }
        return place
    }

    // MARK: Addresses, HTML, entities

    private mutating func angle() {
        let rest = text[(at + 1)...]
        if rest.starts(with: "!--") {
            guard
                let end = rest.indices.dropFirst(3).first(where: {
                    text[$0...].starts(with: "-->")
                })
            else { return add("<", 1) }
            return add("", end + 3 - at)
        }
        guard let end = rest.firstIndex(of: ">"), let first = rest.first else { return add("<", 1) }
        let inside = text[at + 1..<end]
        let name = inside.prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0))
        }
        let isAddress =
            !inside.contains { $0.isWhitespace || $0 == "<" }
            && (name.count > 1 && inside.dropFirst(name.count).first == ":"
                || inside.dropFirst().contains("@") && !inside.contains("/"))
        if isAddress { return add(String(inside), end + 1 - at) }
        let element = first == "/" ? inside.dropFirst() : inside
        let word = element.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        let next = element.dropFirst(word.count).first
        let isElement =
            word.first?.isLetter == true
            && (next.map { $0.isWhitespace || $0 == "/" } ?? true)
        guard isElement, let last = endOfElement() else { return add("<", 1) }
        add("", last + 1 - at)
    }

    /// The `>` that is in no value of an attribute.
    private func endOfElement() -> Int? {
        var quote: Character?
        for place in at + 1..<text.count {
            switch text[place] {
            case let sign where sign == quote: quote = nil
            case "\"" where quote == nil, "'" where quote == nil: quote = text[place]
            case ">" where quote == nil: return place
            default: break
            }
        }
        return nil
    }

    private static let entities: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
        "copy": "©", "reg": "®", "trade": "™", "hellip": "…", "ndash": "–", "mdash": "—",
        "euro": "€", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö",
        "Uuml": "Ü", "szlig": "ß",
    ]

    private mutating func entity() {
        guard let end = text[at...].prefix(12).firstIndex(of: ";") else { return add("&", 1) }
        let name = String(text[at + 1..<end])
        if let known = MarkdownText.entities[name] { return add(known, end + 1 - at) }
        guard name.first == "#" else { return add("&", 1) }
        let isHex = name.dropFirst().first?.lowercased() == "x"
        guard let number = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10) else {
            return add("&", 1)
        }
        let scalar = Unicode.Scalar(number).flatMap { $0 == "\0" ? nil : $0 } ?? "\u{FFFD}"
        add(String(scalar), end + 1 - at)
    }
}

extension Character {
    /// Whether a backslash before it is left out.
    fileprivate var isSignOfMarkdown: Bool { isASCII && (isPunctuation || isSymbol) }
    /// Whether it is no letter, digit or blank.
    fileprivate var isMark: Bool { isPunctuation || isSymbol }
}
