/// One key of an order: a key path, a direction and how values compare.
///
/// `nil` comes before everything in ascending order, in memory and in every store.
public struct FetchSortDescriptor: Hashable, Sendable {
    /// How two strings are ordered; Core Data's selectors under shorter names.
    public enum Comparison: String, Hashable, Codable, Sendable {
        /// By Unicode scalar, as `compare:`.
        case binary
        case caseInsensitive
        /// Folded first, then accents, then case.
        case localized
        case localizedCaseInsensitive
        /// As ``localized``, with digit runs compared as numbers: "a2" before "a10".
        case localizedStandard
    }

    /// The key path of what is compared; `self` (or nothing) is the element itself.
    public var keyPath: String
    public var isAscending: Bool
    public var comparison: Comparison

    /// A custom comparison, in place of ``comparison``.
    ///
    /// A fetch with one reads all results and sorts them in memory, also in a SQL store; `limit`
    /// and `offset` are applied after that.
    public var comparator: FetchComparator?

    public init(_ keyPath: String, ascending: Bool = true, comparison: Comparison = .binary) {
        self.keyPath = keyPath
        self.isAscending = ascending
        self.comparison = comparison
    }

    public init(_ keyPath: String, ascending: Bool = true, comparator: FetchComparator) {
        self.init(keyPath, ascending: ascending)
        self.comparator = comparator
    }

    /// The same key in the opposite direction.
    public var reversed: FetchSortDescriptor {
        var descriptor = self
        descriptor.isAscending.toggle()
        return descriptor
    }
}

/// Key path, direction and comparison. A custom comparator is code and cannot be encoded.
extension FetchSortDescriptor: Codable {
    private enum CodingKeys: String, CodingKey {
        case keyPath, isAscending, comparison
    }

    /// Decodes a descriptor.
    ///
    /// - Throws: `DecodingError` if the key path is missing or a value is invalid.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(String.self, forKey: .keyPath),
            ascending: try values.decodeIfPresent(Bool.self, forKey: .isAscending) ?? true,
            comparison: try values.decodeIfPresent(Comparison.self, forKey: .comparison) ?? .binary
        )
    }

    /// Encodes the descriptor.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidRequest`` for a
    ///   descriptor with a comparator.
    public func encode(to encoder: any Encoder) throws {
        if comparator != nil {
            throw ObjectGraphError(
                .invalidRequest,
                "The order by \(keyPath) has a custom comparator, which cannot be encoded.",
                recovery: "Use one of the named comparisons.",
                key: keyPath
            )
        }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(keyPath, forKey: .keyPath)
        try values.encode(isAscending, forKey: .isAscending)
        try values.encode(comparison, forKey: .comparison)
    }
}
