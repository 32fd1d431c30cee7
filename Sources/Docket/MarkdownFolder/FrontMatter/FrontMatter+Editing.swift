// A change replaces the bytes of one value, inserts one line, or removes the lines of one key. The
// result is read again before it is used: whatever the form of the rest, it must say the same as
// before except for that key.

extension FrontMatter {
    /// A value that documents have here.
    enum Value {
        case text(String)
        case list([String])
    }

    /// The bytes of a text with another value of one key of its front matter.
    ///
    /// Every byte outside of the value stays: comments, order, quotes, line breaks. A text without
    /// front matter gets one.
    ///
    /// - Parameters:
    ///   - key: the key; of several that differ in letter case, the one that is read.
    ///   - value: the value; `nil` removes the key.
    ///   - bytes: the whole text, with its byte order mark if it has one.
    /// - Returns: the changed text.
    /// - Throws: ``YAMLProblem`` if the front matter is not valid, or has a form in which this value
    ///   cannot be changed alone.
    static func setting(
        _ key: String,
        to value: Value?,
        in bytes: [UInt8]
    ) throws(YAMLProblem) -> [UInt8] {
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard let matter = FrontMatter(bytes[mark...]) else {
            guard let value else { return bytes }
            let end = lineBreak(bytes[mark...])
            let lines = ["---", "\(key): \(value.yaml)", "---", ""].joined(separator: end)
            return bytes[..<mark] + Array(lines.utf8) + bytes[mark...]
        }
        if let problem = matter.problem { throw problem }
        let edit = try matter.edit(key, value, bytes)
        var result = bytes
        result.replaceSubrange(edit.range, with: edit.text.utf8)
        try matter.check(result[mark...], key, value)
        return result
    }

    private typealias Edit = (range: Range<Int>, text: String)

    private func entry(_ key: String) -> YAMLEntry? {
        entries.first { $0.key == key } ?? entries.first { $0.key.lowercased() == key }
    }

    private func edit(
        _ key: String,
        _ value: Value?,
        _ bytes: [UInt8]
    ) throws(YAMLProblem) -> Edit {
        let end = FrontMatter.lineBreak(bytes[range])
        let inBraces = root.map { bytes[$0.range.lowerBound] == UInt8(ascii: "{") } ?? false
        guard let entry = entry(key) else {
            guard let value else { return (content.lowerBound..<content.lowerBound, "") }
            let line = "\(key): \(inBraces ? value.flow : value.yaml)"
            if let root, inBraces {
                let place = root.range.lowerBound + 1
                return (place..<place, line + (entries.isEmpty ? "" : ", "))
            }
            // In the column of the other keys, behind the last line.
            let column = entries.first.map { first in
                bytes[..<first.keyRange.lowerBound].reversed().prefix { $0 == 32 }.count
            }
            let indent = String(repeating: " ", count: column ?? 0)
            return (content.upperBound..<content.upperBound, indent + line + end)
        }
        if let anchor = entry.value.anchor, aliases.contains(anchor) {
            throw YAMLProblem(
                line: 2 + bytes[content.lowerBound..<entry.keyRange.lowerBound].count { $0 == 10 },
                message: "other values refer to \"\(anchor)\"; change it with an editor"
            )
        }
        guard let value else {
            if inBraces { return (entry.value.range, entry.value.range.isEmpty ? "" : "null") }
            // From the beginning of the key's line to the end of the value's last one.
            let start = bytes[..<entry.keyRange.lowerBound].lastIndex { $0 == 10 || $0 == 13 }
            let first = start.map { $0 + 1 } ?? 0
            let last = bytes[entry.end...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count - 1
            let isPair = bytes[last] == 13 && last + 1 < bytes.count && bytes[last + 1] == 10
            return (first..<last + (isPair ? 2 : 1), "")
        }
        let place = entry.value.range
        if case .list(let texts) = value, !texts.isEmpty, !place.isEmpty,
            bytes[place.lowerBound] == UInt8(ascii: "-")
        {
            // It stays a list of lines.
            let before = bytes[..<place.lowerBound]
            let start = before.lastIndex { $0 == 10 || $0 == 13 }.map { $0 + 1 } ?? 0
            let indent = String(repeating: " ", count: place.lowerBound - start)
            return (place, texts.map { "- \(Value.text($0).yaml)" }.joined(separator: end + indent))
        }
        let text = inBraces ? value.flow : value.yaml
        let between = bytes[entry.keyRange.upperBound..<place.lowerBound]
        // A list of lines begins below its key; what replaces it begins behind the colon.
        if between.contains(where: { $0 == 10 || $0 == 13 }),
            let colon = between.firstIndex(of: UInt8(ascii: ":"))
        {
            return (colon + 1..<place.upperBound, " " + text)
        }
        return (place, (between.last == UInt8(ascii: ":") ? " " : "") + text)
    }

    /// Checks that a changed text says what it said before, but for one key.
    private func check(
        _ bytes: ArraySlice<UInt8>,
        _ key: String,
        _ value: Value?
    ) throws(YAMLProblem) {
        func others(_ matter: FrontMatter) -> [YAMLEntry] {
            let own = matter.entry(key)?.key
            return matter.entries.filter { $0.key != own }
        }
        func fail() -> YAMLProblem {
            YAMLProblem(line: 2, message: "\"\(key)\" cannot be changed alone; use an editor")
        }
        let changed = FrontMatter(bytes)
        guard let changed else {
            // The last key is gone, and comments are left.
            if value == nil, entries.count <= 1 { return }
            throw fail()
        }
        let (before, after) = (others(self), others(changed))
        guard changed.problem == nil, before.count == after.count,
            zip(before, after).allSatisfy({ $0.key == $1.key && $0.value == $1.value })
        else { throw fail() }
        let found = changed.entry(key)?.value
        switch value {
        case nil: if found?.text != nil { throw fail() }
        case .text(let text):
            guard case .scalar(text, _)? = found?.content else { throw fail() }
        case .list(let texts):
            guard case .list(let nodes)? = found?.content, nodes.map(\.text) == texts else {
                throw fail()
            }
        }
    }

    /// The first line break of a text, or the plain one.
    private static func lineBreak(_ bytes: ArraySlice<UInt8>) -> String {
        guard let place = bytes.firstIndex(where: { $0 == 10 || $0 == 13 }) else { return "\n" }
        if bytes[place] == 10 { return "\n" }
        return place + 1 < bytes.endIndex && bytes[place + 1] == 10 ? "\r\n" : "\r"
    }
}

extension FrontMatter.Value {
    /// As it is written behind a key in a line of its own.
    fileprivate var yaml: String {
        switch self {
        case .text(let text):
            FrontMatter.Value.isPlain(text) ? text : FrontMatter.Value.quoted(text)
        case .list: flow
        }
    }

    /// As it is written between brackets.
    fileprivate var flow: String {
        switch self {
        case .text(let text): FrontMatter.Value.quoted(text)
        case .list(let texts):
            "["
                + texts.map {
                    let isWord = $0.allSatisfy { $0.isLetter || $0 == "-" || $0 == "_" }
                    return isWord && FrontMatter.Value.isPlain($0)
                        ? $0 : FrontMatter.Value.quoted($0)
                }.joined(separator: ", ") + "]"
        }
    }

    /// Whether every reader of YAML takes a text for itself: it begins with a letter, is no word for
    /// a value, and has no sign of YAML.
    private static func isPlain(_ text: String) -> Bool {
        let words: Set<String> = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
        guard let first = text.first, first.isLetter, text.last?.isWhitespace == false else {
            return false
        }
        return !words.contains(text.lowercased())
            && text.unicodeScalars.allSatisfy {
                $0 == " "
                    || !$0.properties.isWhitespace
                        && !":#,[]{}&*!|>'\"%@`\\=".unicodeScalars
                            .contains($0)
                        && $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
                        && !$0.properties.isNoncharacterCodePoint && $0.value != 0xFEFF
            }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _
            where scalar.value < 0x20 || (0x7F...0xA0).contains(scalar.value)
                || scalar == "\u{2028}" || scalar == "\u{2029}" || scalar.value == 0xFEFF
                || scalar.properties.isNoncharacterCodePoint:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let wide = scalar.value > 0xFFFF
                result +=
                    (wide ? "\\U" : "\\u")
                    + String(repeating: "0", count: (wide ? 8 : 4) - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
