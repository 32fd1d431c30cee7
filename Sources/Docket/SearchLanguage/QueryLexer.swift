/// Cuts a search into tokens.
///
/// A word ends at white space, and at a `)` that was not opened in the word: `f(x)` is one word. A
/// word of letters before `:`, `<`, `>`, `=`, `!=` or `~` is the name of a field if there is one of
/// this name; before `:` it is pointed out if there is none, unless what follows begins with `/` as
/// in addresses.
///
/// - Complexity: O(length).
struct QueryLexer {
    private let bytes: [UInt8]
    private let vocabulary: QueryVocabulary
    private var at = 0

    init(_ text: String, _ vocabulary: QueryVocabulary) {
        bytes = Array(text.utf8)
        self.vocabulary = vocabulary
    }

    mutating func next() -> QueryToken? {
        while let length = whiteSpace(at) { at += length }
        guard at < bytes.count else { return nil }
        let start = at
        switch bytes[at] {
        case UInt8(ascii: "("):
            at += 1
            return QueryToken(kind: .open, range: start..<at)
        case UInt8(ascii: ")"):
            at += 1
            return QueryToken(kind: .close, range: start..<at)
        case UInt8(ascii: "-") where isOperand(at + 1):
            at += 1
            return QueryToken(kind: .keyword(.not), range: start..<at)
        case UInt8(ascii: "\""):
            let (text, isClosed) = quoted()
            return QueryToken(kind: .text(text), range: start..<at, isUnclosed: !isClosed)
        default: return term() ?? word()
        }
    }

    /// Whether a sign before this place excludes what follows: `-home`, but not `->` or `- home`.
    private func isOperand(_ place: Int) -> Bool {
        place < bytes.count && whiteSpace(place) == nil && Self.canFollowSign(bytes[place])
    }

    /// Whether a sign excludes a word that begins like this.
    static func canFollowSign(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return byte >= 0x80 || isLetter(byte) || beginning.contains(byte)
    }

    private static let beginning = Set("0123456789\"(#-_@+*'/\\.$%&".utf8)

    // MARK: Words

    private mutating func word() -> QueryToken {
        let start = at
        let text = bare()
        if let keyword = QueryKeyword(text) {
            return QueryToken(kind: .keyword(keyword), range: start..<at)
        }
        return QueryToken(kind: .text(text), range: start..<at)
    }

    /// The bytes up to white space, a `)` of something around the word, or a stop.
    private mutating func bare(until stop: UInt8? = nil) -> String {
        let start = at
        var depth = 0
        while at < bytes.count, whiteSpace(at) == nil, bytes[at] != stop {
            if bytes[at] == UInt8(ascii: "(") { depth += 1 }
            if bytes[at] == UInt8(ascii: ")") {
                if depth == 0 { break }
                depth -= 1
            }
            at += 1
        }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    /// A text between quotes, in which `\"` is a quote and `\\` a backslash.
    private mutating func quoted() -> (text: String, isClosed: Bool) {
        at += 1
        var text: [UInt8] = []
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            if byte == UInt8(ascii: "\"") {
                return (String(decoding: text, as: UTF8.self), true)
            }
            if byte == UInt8(ascii: "\\"), at < bytes.count,
                bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "\\")
            {
                text.append(bytes[at])
                at += 1
            } else {
                text.append(byte)
            }
        }
        return (String(decoding: text, as: UTF8.self), false)
    }

    // MARK: Terms

    /// The longest name of a field, also of one that does not exist.
    private static let longestName = 20

    private mutating func term() -> QueryToken? {
        let start = at
        var end = at
        while end < bytes.count, Self.isLetter(bytes[end]), end - start <= Self.longestName {
            end += 1
        }
        guard end > start, end - start <= Self.longestName,
            let (comparison, next, hasColon) = comparison(end)
        else { return nil }
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        guard let field = vocabulary.field(name) else {
            // `prioity>=2`; but `x>=2` may be a text.
            guard hasColon || (end - start > 2 && vocabulary.nearest(to: name) != nil),
                end - start > 1, next < bytes.count, whiteSpace(next) == nil,
                bytes[next] != UInt8(ascii: "/"), bytes[next] != UInt8(ascii: ":")
            else { return nil }
            at = next
            _ = values()
            return QueryToken(kind: .unknownField(name), range: start..<at)
        }
        at = next
        let (values, isClosed) = values()
        return QueryToken(
            kind: .term(
                .init(field: field, comparison: comparison, values: values, name: start..<end)
            ),
            range: start..<at,
            isUnclosed: !isClosed
        )
    }

    /// The comparison at a place, and where it ends; a colon alone is the usual one.
    private func comparison(_ place: Int) -> (QueryComparison, end: Int, hasColon: Bool)? {
        var place = place
        func byte(_ offset: Int = 0) -> UInt8? {
            place + offset < bytes.count ? bytes[place + offset] : nil
        }
        let hasColon = byte() == UInt8(ascii: ":")
        if hasColon { place += 1 }
        let isEqualToo = byte(1) == UInt8(ascii: "=")
        switch byte() {
        case UInt8(ascii: "<"):
            return isEqualToo
                ? (.lessOrEqual, place + 2, hasColon) : (.less, place + 1, hasColon)
        case UInt8(ascii: ">"):
            return isEqualToo
                ? (.greaterOrEqual, place + 2, hasColon) : (.greater, place + 1, hasColon)
        case UInt8(ascii: "!") where isEqualToo: return (.notEqual, place + 2, hasColon)
        case UInt8(ascii: "="):
            return (.equal, place + (isEqualToo ? 2 : 1), hasColon)
        case UInt8(ascii: "~"): return (.pattern, place + 1, hasColon)
        default: return hasColon ? (.fits, place, true) : nil
        }
    }

    /// Values with commas between them.
    private mutating func values() -> (values: [QueryText], isClosed: Bool) {
        var values: [QueryText] = []
        var isClosed = true
        while at < bytes.count {
            let start = at
            if bytes[at] == UInt8(ascii: "\"") {
                let (text, isEnd) = quoted()
                isClosed = isEnd
                values.append(QueryText(text, range: start..<at))
            } else {
                let text = bare(until: UInt8(ascii: ","))
                if !text.isEmpty { values.append(QueryText(text, range: start..<at)) }
            }
            guard at < bytes.count, bytes[at] == UInt8(ascii: ",") else { break }
            at += 1
        }
        return (values, isClosed)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// The length of the white space at a place; `nil` if there is none.
    private func whiteSpace(_ place: Int) -> Int? {
        guard place < bytes.count else { return nil }
        let first = bytes[place]
        if first < 0x80 { return first == 0x20 || (0x09...0x0d).contains(first) ? 1 : nil }
        // All others have two bytes from C2, or three from E1, E2 or E3.
        guard first == 0xC2 || (0xE1...0xE3).contains(first) else { return nil }
        let length = first == 0xC2 ? 2 : 3
        guard place + length <= bytes.count,
            let scalar = String(decoding: bytes[place..<place + length], as: UTF8.self)
                .unicodeScalars.first
        else { return nil }
        return scalar.properties.isWhitespace ? length : nil
    }
}
