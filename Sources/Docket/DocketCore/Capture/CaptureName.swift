import TimeLanguage

/// A name after a marker: without quotes, in quotes, or a path of both.
struct CaptureName {
    /// One part, or the parts of a path.
    var parts: [String]
    /// The marker and the name, in bytes.
    var range: Range<Int>
    /// The index of the word after the name.
    var next: Int
    var isQuoted: Bool

    /// Longer names are text; this also bounds the search for a closing quote.
    static let longest = 512

    /// Reads the name that begins `skip` bytes into a word; `nil` if there is none.
    static func read(
        _ words: PhraseWords,
        word index: Int,
        skip: Int,
        isPath: Bool
    ) -> CaptureName? {
        let start = words.ranges[index].lowerBound
        var reader = Reader(
            bytes: words.bytes,
            at: start + skip,
            wordEnd: words.ranges[index].upperBound
        )
        guard let parts = reader.parts(isPath: isPath) else { return nil }
        // A quoted name must end at the end of its word.
        var next = index
        while next < words.count, words.ranges[next].lowerBound < reader.at { next += 1 }
        let end = words.ranges[next - 1].upperBound
        guard words.bytes[reader.at..<end].allSatisfy(PhraseWords.isClosing) else { return nil }
        return CaptureName(
            parts: parts,
            range: start..<reader.at,
            next: next,
            isQuoted: reader.isQuoted
        )
    }

    /// A name as capture reads it back: bare where that is possible, else in quotes.
    static func written(_ name: String) -> String {
        let bytes = Array(name.utf8)
        let isBare =
            !bytes.isEmpty && bytes.count < longest && canBegin(bytes, 0)
            && !PhraseWords.isClosing(bytes[bytes.count - 1])
            && !bytes.contains { $0 == 34 || $0 == 92 || $0 == 47 || $0 == 64 }
            && !bytes.indices.contains { WhiteSpace.width(bytes, $0) > 0 }
        if isBare { return name }
        var text = "\""
        for scalar in name.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text + "\""
    }

    private struct Reader {
        let bytes: [UInt8]
        var at: Int
        let wordEnd: Int
        var isQuoted = false

        init(bytes: [UInt8], at: Int, wordEnd: Int) {
            self.bytes = bytes
            self.at = at
            self.wordEnd = wordEnd
        }

        mutating func parts(isPath: Bool) -> [String]? {
            guard at < wordEnd, bytes[at] == 34 || CaptureName.canBegin(bytes, at) else {
                return nil
            }
            var parts: [String] = []
            while at < bytes.count {
                if bytes[at] == 34 {
                    guard let part = quoted() else { return nil }
                    isQuoted = true
                    parts.append(part)
                } else {
                    let part = bare(isPath: isPath)
                    if !part.isEmpty { parts.append(part) }
                }
                guard isPath, at < bytes.count, bytes[at] == 47 else { break }
                let isLast = at + 1 >= bytes.count || WhiteSpace.width(bytes, at + 1) > 0
                at += 1
                if isLast { break }
            }
            return parts.isEmpty || parts.contains("") ? nil : parts
        }

        private mutating func quoted() -> String? {
            var text: [UInt8] = []
            var index = at + 1
            let limit = min(bytes.count, index + CaptureName.longest)
            while index < limit {
                let byte = bytes[index]
                if byte == 34 {
                    at = index + 1
                    return String(decoding: text, as: UTF8.self)
                }
                if byte == 92, index + 1 < limit, bytes[index + 1] == 34 || bytes[index + 1] == 92 {
                    index += 1
                }
                text.append(bytes[index])
                index += 1
            }
            return nil
        }

        private mutating func bare(isPath: Bool) -> String {
            var end = at
            while end < bytes.count, WhiteSpace.width(bytes, end) == 0,
                !(isPath && bytes[end] == 47), end - at < CaptureName.longest
            {
                end += 1
            }
            // Only the end of the word loses its punctuation.
            if end == bytes.count || WhiteSpace.width(bytes, end) > 0 {
                while end > at + 1, PhraseWords.isClosing(bytes[end - 1]) { end -= 1 }
            }
            defer { at = end }
            return String(decoding: bytes[at..<end], as: UTF8.self)
        }
    }

    /// Whether a name without quotes may begin here: a letter of any script, an emoji or `_`.
    static func canBegin(_ bytes: [UInt8], _ at: Int) -> Bool {
        let byte = bytes[at]
        if byte < 0x80 { return (byte | 0x20) >= 97 && (byte | 0x20) <= 122 || byte == 95 }
        let end = min(bytes.count, at + 4)
        guard
            let scalar = String(decoding: bytes[at..<end], as: UTF8.self).unicodeScalars.first
        else { return false }
        let properties = scalar.properties
        return properties.isAlphabetic || properties.isEmojiPresentation
            || properties.generalCategory == .otherSymbol
    }
}
