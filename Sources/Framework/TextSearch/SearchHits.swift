/// The result of a search.
package struct SearchHits: Sendable {
    package let query: SearchQuery
    /// The first hits in display order, up to the requested number.
    package let ids: [UInt64]
    /// The number of all hits; `nil` if unknown: `allHits` counts them.
    package let count: Int?

    /// A bit for each row of the arena that matches, whether it is in the order or not; `nil` if
    /// only rows of the order were tested.
    let bits: ContiguousArray<UInt64>?
    /// The version of the arena for which the bits are valid.
    let version: Int
}
