/// A property that holds text: `String` or `String?`.
public protocol TextProperty {}

extension String: TextProperty {}

extension Optional: TextProperty where Wrapped == String {}

/// Text operators; `nil` never fits, and the empty text is contained in none (contract 1.13).
extension Key where Property: TextProperty {
    /// `key ==[options] text`.
    public func equals(_ text: String, _ options: FetchComparison.Options) -> FetchPredicate {
        compared(.equal, .constant(.string(text)), options)
    }

    /// `key CONTAINS[options] text`.
    public func contains(
        _ text: String,
        _ options: FetchComparison.Options = []
    ) -> FetchPredicate {
        compared(.contains, .constant(.string(text)), options)
    }

    /// `key BEGINSWITH[options] text`.
    public func beginsWith(
        _ text: String,
        _ options: FetchComparison.Options = []
    ) -> FetchPredicate {
        compared(.beginsWith, .constant(.string(text)), options)
    }

    /// `key ENDSWITH[options] text`.
    public func endsWith(
        _ text: String,
        _ options: FetchComparison.Options = []
    ) -> FetchPredicate {
        compared(.endsWith, .constant(.string(text)), options)
    }

    /// `key LIKE[options] pattern`: `?` is one character, `*` any number of them.
    public func like(
        _ pattern: String,
        _ options: FetchComparison.Options = []
    ) -> FetchPredicate {
        compared(.like, .constant(.string(pattern)), options)
    }

    /// `key MATCHES[options] pattern`: a regular expression for the whole text.
    public func matches(
        _ pattern: String,
        _ options: FetchComparison.Options = []
    ) -> FetchPredicate {
        compared(.matches, .constant(.string(pattern)), options)
    }
}

extension FetchComparison.Options {
    /// Ignores case: `[c]`.
    public static let c: FetchComparison.Options = .caseInsensitive
    /// Ignores diacritics: `[d]`.
    public static let d: FetchComparison.Options = .diacriticInsensitive
    /// Ignores case and diacritics: `[cd]`.
    public static let cd: FetchComparison.Options = [.caseInsensitive, .diacriticInsensitive]
}
