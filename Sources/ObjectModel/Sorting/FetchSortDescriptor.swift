/// One key of an order: a key path, a direction and how values compare.
///
/// `nil` comes before everything in ascending order, in memory and in every store.
public struct FetchSortDescriptor: Hashable, Sendable {
    /// How two strings are ordered; Core Data's selectors under shorter names.
    public enum Comparison: String, Hashable, Sendable {
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

    /// A comparison of one's own, in the place of ``comparison``.
    ///
    /// A fetch with one is sorted in memory, window included, whatever the store: all results are
    /// read for it.
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
