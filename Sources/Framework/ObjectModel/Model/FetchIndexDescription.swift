/// An index that a store keeps for an entity.
///
/// The SQLite store creates a B-tree over the columns of its elements, in their directions, for all
/// rows, or for those of the partial predicate if it compares properties with constants. When a
/// store of our own is opened and the model has gained or lost indexes, the store follows. Elements
/// that are expressions and the R-tree form are kept for Apple's framework and have no effect here.
public struct FetchIndexDescription: Hashable {
    public enum CollationType: String, Hashable, Sendable {
        case binary = "Binary"
        case rtree = "RTree"
    }

    public struct Element: Hashable {
        /// The name of the property, or the text of an expression.
        public var property: String
        public var isExpression: Bool
        public var collation: CollationType
        public var isAscending: Bool

        public init(
            _ property: String,
            isExpression: Bool = false,
            collation: CollationType = .binary,
            ascending: Bool = true
        ) {
            self.property = property
            self.isExpression = isExpression
            self.collation = collation
            self.isAscending = ascending
        }
    }

    public var name: String
    public var elements: [Element]
    public var partialPredicate: FetchPredicate?

    public init(_ name: String, _ elements: [Element], where predicate: FetchPredicate? = nil) {
        self.name = name
        self.elements = elements
        self.partialPredicate = predicate
    }
}
