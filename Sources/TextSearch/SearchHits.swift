/// What a search found.
package struct SearchHits: Sendable {
    package let query: SearchQuery
    /// The first that were found, in display order, as many as were asked for.
    package let ids: [UInt64]
    /// How many there are in all; `nil` if that is not known yet, and `allHits` will tell.
    package let count: Int?

    /// A bit for each row of the arena that matches, in the order or not; `nil` if only rows of the
    /// order were tested.
    let bits: ContiguousArray<UInt64>?
    /// The state of the arena that the bits speak of.
    let version: Int
}
