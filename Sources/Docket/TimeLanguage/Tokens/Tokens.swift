/// A text divided into words, numbers and marks, with the meanings of the words.
///
/// Letters and digits that are written together become several tokens without space between
/// (`17h30`, `24th`, `5pm`), so that one rule reads both ways of writing.
public struct Tokens: Sendable {
    public let vocabulary: Vocabulary
    public private(set) var list: [Token] = []
    /// The expressions of several words, by the index of their first word.
    private var expressions: [Int: (sense: Sense, end: Int)] = [:]

    public var count: Int { list.count }
    public subscript(index: Int) -> Token { list[index] }

    /// Divides a text of one line.
    ///
    /// - Parameters:
    ///   - bytes: the text, in UTF-8.
    ///   - vocabulary: the language.
    ///   - barriers: ascending ranges of bytes that are something else; each becomes one token.
    /// - Complexity: O(length).
    public init(_ bytes: [UInt8], _ vocabulary: Vocabulary, barriers: [Range<Int>] = []) {
        self.vocabulary = vocabulary
        var scanner = TokenScanner(bytes: bytes, vocabulary: vocabulary)
        var at = 0
        for barrier in barriers where barrier.lowerBound >= at && !barrier.isEmpty {
            scanner.scan(at..<min(barrier.lowerBound, bytes.count))
            scanner.addBarrier(barrier.clamped(to: 0..<bytes.count))
            at = min(barrier.upperBound, bytes.count)
        }
        scanner.scan(at..<bytes.count)
        list = scanner.tokens
        for index in list.indices where list[index].sense.roles.contains(.phraseStart) {
            if let found = expression(at: index) { expressions[index] = found }
        }
    }

    public init(_ text: String, _ vocabulary: Vocabulary) {
        self.init(Array(text.utf8), vocabulary)
    }

    /// The expression of several words that begins at a token, and the index of the token after it;
    /// the longest one.
    public func phrase(at index: Int) -> (sense: Sense, end: Int)? {
        guard !expressions.isEmpty, index < list.count,
            list[index].sense.roles.contains(.phraseStart)
        else { return nil }
        return expressions[index]
    }

    /// The bytes of the holidays that have names of several words; ascending.
    var holidays: [Range<Int>] {
        expressions.filter { $0.value.sense.holiday != nil }.map { index, found in
            list[index].range.lowerBound..<list[found.end - 1].range.upperBound
        }.sorted { $0.lowerBound < $1.lowerBound }
    }

    private func expression(at index: Int) -> (sense: Sense, end: Int)? {
        for phrase in vocabulary.phrases(from: list[index].key) {
            var at = index + 1
            var isMatch = true
            for word in phrase.rest {
                // `st. patrick's day`, `mid-day`, `workers' day`
                if at < list.count,
                    list[at].isMark(46) || list[at].isMark(45)
                        || list[at].isMark(39), !list[at].hasSpace
                {
                    at += 1
                }
                guard at < list.count, list[at].key == word else {
                    isMatch = false
                    break
                }
                at += 1
            }
            if isMatch { return (phrase.sense, at) }
        }
        return nil
    }
}

/// Finds the tokens of a text.
private struct TokenScanner {
    let bytes: [UInt8]
    let vocabulary: Vocabulary
    var tokens: [Token] = []
    private var hasSpace = true

    init(bytes: [UInt8], vocabulary: Vocabulary) {
        self.bytes = bytes
        self.vocabulary = vocabulary
        tokens.reserveCapacity(bytes.count / 4 + 4)
    }

    mutating func addBarrier(_ range: Range<Int>) {
        tokens.append(Token(kind: .barrier, range: range, hasSpace: hasSpace))
        hasSpace = false
    }

    mutating func scan(_ range: Range<Int>) {
        var at = range.lowerBound
        while at < range.upperBound {
            let byte = bytes[at]
            let width = WhiteSpace.width(bytes, at)
            if width > 0 {
                at += width
                hasSpace = true
                continue
            }
            let start = at
            if byte >= 48, byte <= 57 {
                at = number(from: at, to: range.upperBound)
            } else if isLetter(at) {
                at = word(from: at, to: range.upperBound)
            } else {
                at += length(at)
                let mark = byte < 0x80 ? byte : 0
                // A long dash is a dash.
                let isDash =
                    byte == 0xE2 && start + 2 < bytes.count && bytes[start + 1] == 0x80
                    && (0x90...0x95).contains(bytes[start + 2])
                tokens.append(
                    Token(kind: .mark(isDash ? 45 : mark), range: start..<at, hasSpace: hasSpace)
                )
            }
            hasSpace = false
        }
    }

    private func length(_ at: Int) -> Int {
        var end = at + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end - at
    }

    /// ASCII letters, and all characters outside of ASCII but punctuation (U+2000–U+206F).
    private func isLetter(_ at: Int) -> Bool {
        let byte = bytes[at]
        if byte < 0x80 { return (byte | 0x20) >= 97 && (byte | 0x20) <= 122 }
        if byte == 0xC2 { return false }
        return !(byte == 0xE2 && at + 1 < bytes.count && (0x80...0x81).contains(bytes[at + 1]))
    }

    private mutating func number(from start: Int, to limit: Int) -> Int {
        var at = start
        var value = 0
        while at < limit, bytes[at] >= 48, bytes[at] <= 57 {
            if at - start < 9 { value = value * 10 + Int(bytes[at] - 48) }
            at += 1
        }
        var token = Token(kind: .number, range: start..<at, hasSpace: hasSpace)
        (token.value, token.digits) = (at - start > 9 ? 0 : value, at - start)
        tokens.append(token)
        return at
    }

    private mutating func word(from start: Int, to limit: Int) -> Int {
        var at = start
        var apostrophe: Int?
        while at < limit {
            if isLetter(at) {
                at = min(limit, at + length(at))
            } else if let width = apostropheWidth(at), at + width < limit, isLetter(at + width) {
                apostrophe = at
                at += width
            } else {
                break
            }
        }
        var token = Token(kind: .word, range: start..<at, hasSpace: hasSpace)
        let first = bytes[start]
        token.isCapital = (first >= 65 && first <= 90) || isCapitalUmlaut(start)
        if at - start <= 40 {
            token.key = key(start..<at)
            token.sense = vocabulary.sense(of: token.key)
        }
        token.isUpper =
            at - start > 1 && bytes[start..<at].allSatisfy { $0 < 97 || $0 > 122 }
        if let apostrophe, at - apostrophe <= 4, bytes[at - 1] | 0x20 == 115 {
            token.isPossessive = true
        }
        tokens.append(token)
        return at
    }

    private func apostropheWidth(_ at: Int) -> Int? {
        if bytes[at] == 39 { return 1 }
        guard at + 2 < bytes.count, bytes[at] == 0xE2, bytes[at + 1] == 0x80,
            bytes[at + 2] == 0x99
        else { return nil }
        return 3
    }

    private func isCapitalUmlaut(_ at: Int) -> Bool {
        at + 1 < bytes.count && bytes[at] == 0xC3 && (0x80...0x9E).contains(bytes[at + 1])
    }

    private func key(_ range: Range<Int>) -> String {
        String(unsafeUninitializedCapacity: range.count) { target in
            var count = 0
            var at = range.lowerBound
            while at < range.upperBound {
                let byte = bytes[at]
                if let width = apostropheWidth(at) {
                    at += width
                    continue
                }
                let isUmlaut =
                    at > range.lowerBound && bytes[at - 1] == 0xC3
                    && (0x80...0x9E).contains(byte)
                target[count] = (byte >= 65 && byte <= 90) || isUmlaut ? byte | 0x20 : byte
                count += 1
                at += 1
            }
            return count
        }
    }
}

/// White space as Unicode defines it, in UTF-8.
public enum WhiteSpace {
    /// The number of bytes of white space at this place; 0 if there is none.
    public static func width(_ bytes: [UInt8], _ at: Int) -> Int {
        let byte = bytes[at]
        if byte < 0x80 { return byte == 32 || (byte >= 9 && byte <= 13) ? 1 : 0 }
        guard byte == 0xC2 || byte == 0xE1 || byte == 0xE2 || byte == 0xE3 else { return 0 }
        let second = at + 1 < bytes.count ? bytes[at + 1] : 0
        if byte == 0xC2 { return second == 0xA0 || second == 0x85 ? 2 : 0 }
        let third = at + 2 < bytes.count ? bytes[at + 2] : 0
        switch (byte, second, third) {
        case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8...0xA9),
            (0xE2, 0x80, 0xAF), (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
            return 3
        default:
            return 0
        }
    }
}
