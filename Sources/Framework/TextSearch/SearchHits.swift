/// The result of a search.
public struct SearchHits: Sendable {
    public let query: SearchQuery
    /// The first hits in display order, up to the requested number.
    public let ids: [UInt64]
    /// The number of all hits; `nil` if unknown: `allHits` counts them.
    public let count: Int?

    /// A bit for each row of the arena that matches, whether it is in the order or not; `nil` if
    /// only rows of the order were tested.
    let bits: ContiguousArray<UInt64>?
    /// The version of the arena for which the bits are valid.
    let version: Int
}
