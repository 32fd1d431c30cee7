/// A part of a search with its place.
public struct QueryToken: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A word or a quoted text.
        case text(String)
        /// A condition on a field; the ranges of its name, its comparison and its values.
        case term(Term)
        /// Something like a condition, whose field does not exist.
        case unknownField(String)
        case keyword(QueryKeyword)
        case open
        case close
    }

    public struct Term: Hashable, Sendable {
        /// The field's own name.
        public var field: String
        public var comparison: QueryComparison
        /// Empty while nothing is written after the comparison.
        public var values: [QueryText]
        /// Where the name was written.
        public var name: Range<Int>
    }

    public let kind: Kind
    public let range: Range<Int>
    /// Whether it began with a quote that has no end.
    public var isUnclosed = false
}

/// The words and signs that join conditions.
public enum QueryKeyword: Hashable, Sendable {
    case or
    case and
    case not

    /// `nil` for other words; the letters may be upper or lower case.
    init?(_ word: String) {
        guard word.utf8.count <= 3 else { return nil }
        switch word.lowercased() {
        case "or": self = .or
        case "and": self = .and
        case "not": self = .not
        default: return nil
        }
    }
}

/// The fields that a search may name.
public struct QueryVocabulary: Sendable {
    private let fields: [String: String]

    /// - Parameter fields: the own name of each field, by its names in lower case.
    public init(_ fields: [String: String]) { self.fields = fields }

    /// The own name of a field, for one of its names in any letter case.
    public func field(_ name: String) -> String? { fields[name.lowercased()] }

    /// The name that is most similar to an unknown one; `nil` if none is similar.
    public func nearest(to name: String) -> String? {
        let name = name.lowercased()
        return fields.keys.sorted().first { Spelling.areSimilar($0, name) }
    }
}
