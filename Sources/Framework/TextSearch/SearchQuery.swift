import CText
import ObjectModel

/// The fields of a row that a search covers, by their number.
public struct SearchFields: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public init(_ numbers: some Sequence<Int>) {
        rawValue = numbers.reduce(0) { $0 | 1 << UInt8($1) }
    }

    /// Every field that there can be.
    public static let all = SearchFields(rawValue: 0xFF)

    /// How many fields there can be.
    public static let limit = 8
}

/// The text of a search field: words, which must all be found, each in at least one of the searched
/// fields, without regard to case and diacritics.
///
/// Any amount of white space separates words; a query without words finds everything. A word is
/// found wherever its folded form (``TextFolding``) occurs in the folded text, also inside a word.
public struct SearchQuery: Hashable, Sendable {
    /// The folded words in their order, without repetitions.
    public let words: [String]
    /// The fields in which the words are looked for.
    public let fields: SearchFields

    /// The words that decide: a word inside another one is found whenever that one is.
    let deciding: [[UInt8]]

    /// The words of a text, each of which has to be found in one of the fields.
    public init(_ text: String, fields: SearchFields = .all) {
        let words = SearchQuery.folded(text).unicodeScalars
            .split(whereSeparator: \.properties.isWhitespace)
        self.init(folded: words.map { String($0) }, fields)
    }

    /// Texts that must all be found, each with its white space.
    public init(texts: [String], fields: SearchFields = .all) {
        self.init(folded: texts.map(SearchQuery.folded).filter { !$0.isEmpty }, fields)
    }

    private init(folded: [String], _ fields: SearchFields) {
        var words: [String] = []
        for word in folded where !words.contains(where: { $0.utf8.elementsEqual(word.utf8) }) {
            words.append(word)
        }
        self.words = words
        self.fields = fields
        deciding = Self.deciding(among: words.map { Array($0.utf8) })
    }

    private static func folded(_ text: String) -> String {
        var folded = TextFolding.foldedBytes(text, options: options)
        folded.withUnsafeMutableBufferPointer { ctext_clean($0.baseAddress, $0.count) }
        return String(decoding: folded, as: UTF8.self)
    }

    /// Whether there is no word, so that everything is found.
    public var isEmpty: Bool { words.isEmpty }

    /// Whether the other query finds everything that this one finds: typing more letters narrows a
    /// search.
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
    /// Whether the bytes occur in these as a sequence.
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        guard part.count <= count else { return false }
        return (0...count - part.count).contains { self[$0...].starts(with: part) }
    }
}
