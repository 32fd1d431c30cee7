public import ObjectModel

// Text. `nil` matches nothing, and no text contains the empty one.

extension PropertyPath where Property: TextProperty {
    /// `path ==[options] text`.
    public func equals(_ text: String, _ options: FetchComparison.Options) -> Condition<Root> {
        compared(.equal, .constant(.string(text)), options)
    }

    /// `path CONTAINS[options] text`.
    public func contains(
        _ text: String,
        _ options: FetchComparison.Options = []
    ) -> Condition<Root> {
        compared(.contains, .constant(.string(text)), options)
    }

    /// `path BEGINSWITH[options] text`.
    public func beginsWith(
        _ text: String,
        _ options: FetchComparison.Options = []
    ) -> Condition<Root> {
        compared(.beginsWith, .constant(.string(text)), options)
    }

    /// `path ENDSWITH[options] text`.
    public func endsWith(
        _ text: String,
        _ options: FetchComparison.Options = []
    ) -> Condition<Root> {
        compared(.endsWith, .constant(.string(text)), options)
    }

    /// `path LIKE[options] pattern`: `?` is one character, `*` any number of them.
    public func like(
        _ pattern: String,
        _ options: FetchComparison.Options = []
    ) -> Condition<Root> {
        compared(.like, .constant(.string(pattern)), options)
    }

    /// `path MATCHES[options] pattern`: a regular expression for the whole text.
    public func matches(
        _ pattern: String,
        _ options: FetchComparison.Options = []
    ) -> Condition<Root> {
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
