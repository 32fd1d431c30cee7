/// The result of a search.
public struct SearchHits: Sendable {
    public let query: SearchQuery
    /// The first hits in display order, up to the requested number.
    public let ids: [UInt64]
    /// The number of all hits; `nil` if unknown: `allHits` counts them.
    public let count: Int?

    /// The rows of the arena that match, whether they are in the order or not; `nil` if only rows of
    /// the order were tested.
    let rows: MatchingRows?
    /// The version of the arena for which the rows are valid.
    let version: Int
}

/// Which rows of an arena match.
struct MatchingRows: Sendable {
    /// A bit for each row.
    var bits: ContiguousArray<UInt64>
    /// For each row the field that it needs, as a scan has seen it; `nil` if there was none.
    var fields: ContiguousArray<UInt8>?
}
