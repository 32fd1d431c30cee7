/// What a search asks for, as a tree in its simplest form.
///
/// Two trees are equal if they ask for the same in the same order; where their parts were written
/// does not matter.
public indirect enum QueryExpression: Hashable, Sendable {
    /// An empty search.
    case everything
    case text(QueryText)
    case term(QueryTerm)
    case not(QueryExpression)
    /// Two or more, none of which is a conjunction.
    case and([QueryExpression])
    /// Two or more, none of which is a disjunction.
    case or([QueryExpression])

    /// All of some parts, in the simplest form.
    public static func all(_ parts: [QueryExpression]) -> QueryExpression {
        let parts = parts.flatMap { part -> [QueryExpression] in
            switch part {
            case .everything: []
            case .and(let inner): inner
            default: [part]
            }
        }
        return parts.count > 1 ? .and(parts) : parts.first ?? .everything
    }

    /// One of some parts, in the simplest form; a part that asks for everything is left out.
    public static func any(_ parts: [QueryExpression]) -> QueryExpression {
        let parts = parts.flatMap { part -> [QueryExpression] in
            switch part {
            case .everything: []
            case .or(let inner): inner
            default: [part]
            }
        }
        return parts.count > 1 ? .or(parts) : parts.first ?? .everything
    }

    /// The opposite, in the simplest form; that of an empty search is empty.
    public var negated: QueryExpression {
        switch self {
        case .everything: .everything
        case .not(let inner): inner
        default: .not(self)
        }
    }

    /// The terms with a field, from left to right.
    public var terms: [QueryTerm] {
        switch self {
        case .everything, .text: []
        case .term(let term): [term]
        case .not(let inner): inner.terms
        case .and(let parts), .or(let parts): parts.flatMap(\.terms)
        }
    }
}

/// A word or a quoted text, which any searched field may have.
public struct QueryText: Hashable, Sendable {
    public let text: String
    /// Where it was written, in bytes of the search; the quotes are included.
    public let range: Range<Int>

    public init(_ text: String, range: Range<Int> = 0..<0) {
        self.text = text
        self.range = range
    }

    public static func == (left: QueryText, right: QueryText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A condition on one field: `due:<7d`, `tag:home,work`.
public struct QueryTerm: Hashable, Sendable {
    /// The field's own name, also where one of its other names was written.
    public let field: String
    public let comparison: QueryComparison
    /// The values, one of which must fit; at least one.
    public let values: [QueryText]
    /// Where it was written, in bytes of the search.
    public let range: Range<Int>

    public init(
        _ field: String,
        _ comparison: QueryComparison,
        _ values: [QueryText],
        range: Range<Int> = 0..<0
    ) {
        self.field = field
        self.comparison = comparison
        self.values = values
        self.range = range
    }

    public static func == (left: QueryTerm, right: QueryTerm) -> Bool {
        left.field == right.field && left.comparison == right.comparison
            && left.values == right.values
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(field)
        hasher.combine(comparison)
        hasher.combine(values)
    }
}

/// How a field is compared with a value.
public enum QueryComparison: String, CaseIterable, Sendable {
    /// What is usual for the field: a part of a text, a day, a name.
    case fits = ""
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// A pattern, see ``QueryPattern``.
    case pattern = "~"
}
