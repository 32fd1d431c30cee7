import CText
import ObjectModel

/// Which fields of a row a search looks at, by their number.
package struct SearchFields: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(_ numbers: some Sequence<Int>) {
        rawValue = numbers.reduce(0) { $0 | 1 << UInt8($1) }
    }

    package static let all = SearchFields(rawValue: 0xFF)

    package static let limit = 8
}

/// What was typed into a search field: words, all of which must be found, each in at least one of the
/// searched fields, without regard to case and diacritics.
///
/// Words are separated by white space, however much; no words find everything. A word is found
/// wherever its folded form (``TextFolding``) stands in the folded text, also inside a word.
package struct SearchQuery: Hashable, Sendable {
    /// The folded words as they were typed, without repetitions.
    package let words: [String]
    package let fields: SearchFields

    /// The words that decide: one that stands in another is found whenever the other is.
    let deciding: [[UInt8]]

    package init(_ text: String, fields: SearchFields = .all) {
        var folded = TextFolding.foldedBytes(text, options: Self.options)
        folded.withUnsafeMutableBufferPointer { ctext_clean($0.baseAddress, $0.count) }
        var words: [String] = []
        for word in String(decoding: folded, as: UTF8.self).unicodeScalars
            .split(whereSeparator: \.properties.isWhitespace)
        {
            let word = String(word)
            if !words.contains(where: { $0.utf8.elementsEqual(word.utf8) }) { words.append(word) }
        }
        self.words = words
        self.fields = fields
        deciding = Self.deciding(among: words.map { Array($0.utf8) })
    }

    package var isEmpty: Bool { words.isEmpty }

    /// Whether all that this query finds is found by the other, too: typing more letters narrows.
    func narrows(_ other: SearchQuery) -> Bool {
        fields.isSubset(of: other.fields)
            && other.deciding.allSatisfy { word in deciding.contains { $0.contains(word) } }
    }

    static let options: FetchComparison.Options = [.caseInsensitive, .diacriticInsensitive]

    private static func deciding(among words: [[UInt8]]) -> [[UInt8]] {
        words.enumerated().filter { index, word in
            !words.enumerated().contains { other, longer in
                other != index && longer.count > word.count && longer.contains(word)
            }
        }
        .map(\.element)
    }
}

extension [UInt8] {
    /// Whether the bytes stand somewhere in these, one after another.
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        guard part.count <= count else { return false }
        return (0...count - part.count).contains { self[$0...].starts(with: part) }
    }
}
