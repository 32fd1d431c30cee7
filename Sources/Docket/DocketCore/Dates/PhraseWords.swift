import TimeLanguage

/// A text divided at its white space, for parsers that read whole words.
///
/// Words are byte ranges of the text, so nothing is copied until a word is used. White space is
/// defined by Unicode.
struct PhraseWords {
    let bytes: [UInt8]
    private(set) var ranges: [Range<Int>] = []

    /// - Complexity: O(length).
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var start = 0
        var at = 0
        while at < bytes.count {
            let width = WhiteSpace.width(bytes, at)
            if width == 0 {
                at += 1
                continue
            }
            if at > start { ranges.append(start..<at) }
            at += width
            start = at
        }
        if at > start { ranges.append(start..<at) }
    }

    var count: Int { ranges.count }

    func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    func firstByte(_ index: Int) -> UInt8 { bytes[ranges[index].lowerBound] }

    /// The length of the punctuation at the end of a word: `,.;:!?` and closing brackets and
    /// quotes.
    func tailLength(_ range: Range<Int>) -> Int {
        var end = range.upperBound
        while end > range.lowerBound + 1, PhraseWords.isClosing(bytes[end - 1]) { end -= 1 }
        return range.upperBound - end
    }

    static func isClosing(_ byte: UInt8) -> Bool {
        switch byte {
        case 33, 34, 39, 41, 44, 46, 58, 59, 63, 93, 125: true
        default: false
        }
    }

    /// A word in lower case, with and without the punctuation at its end.
    struct Word {
        /// Lower case, with its punctuation.
        var full: String
        /// Lower case, without it.
        var key: String
        /// Bytes of punctuation at the end.
        var tail: Int
        /// Whether a phrase may continue after this word: it ends without punctuation or with one
        /// comma.
        var continues: Bool
    }

    /// The word at `index`; `nil` after the end and for words that are too long to have a meaning.
    func word(_ index: Int) -> Word? {
        guard index < ranges.count else { return nil }
        let range = ranges[index]
        guard range.count <= 40 else { return nil }
        let tail = tailLength(range)
        let full = lowercased(range)
        guard tail > 0 else { return Word(full: full, key: full, tail: 0, continues: true) }
        let key = lowercased(range.lowerBound..<range.upperBound - tail)
        let continues = tail == 1 && bytes[range.upperBound - 1] == 44
        return Word(full: full, key: key, tail: tail, continues: continues)
    }

    private func lowercased(_ range: Range<Int>) -> String {
        String(unsafeUninitializedCapacity: range.count) { target in
            var index = 0
            for byte in bytes[range] {
                target[index] = byte >= 65 && byte <= 90 ? byte | 0x20 : byte
                index += 1
            }
            return index
        }
    }
}
