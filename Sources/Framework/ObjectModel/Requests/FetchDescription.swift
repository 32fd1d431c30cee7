/// All parts of a fetch, without the type of its result.
///
/// `FetchRequest` in ObjectContext adds that type. Defaults are Core Data's.
public struct FetchDescription: Hashable {
    public enum ResultType: Hashable, Sendable {
        case objects
        case objectIDs
        case dictionaries
        case count
    }

    /// A column of a dictionary result.
    public struct Column: Hashable {
        /// The key in the result.
        public var name: String
        /// What is computed: a key path, or an aggregate of one.
        public var expression: FetchExpression
        /// The type of the result, where the expression does not determine it.
        public var type: AttributeType?

        public init(_ name: String, _ expression: FetchExpression, type: AttributeType? = nil) {
            self.name = name
            self.expression = expression
            self.type = type
        }

        /// A property, or a key path through to-one relationships.
        public init(_ keyPath: String) {
            self.init(keyPath, .keyPath(keyPath))
        }
    }

    public package(set) var entityName: String
    public var predicate: FetchPredicate?
    public var sortDescriptors: [FetchSortDescriptor] = []
    /// The greatest number of results; 0 = all.
    ///
    /// Applied after pending changes are considered. A fetch refuses a negative number, as it does
    /// a negative ``offset`` and ``batchSize``.
    public var limit = 0
    /// The number of results to skip.
    ///
    /// Applied after pending changes are considered.
    public var offset = 0
    /// How many rows to load at a time; 0 = all at once.
    public var batchSize = 0
    public var resultType = ResultType.objects
    public var includesSubentities = true
    /// Whether rows are read together with the IDs; otherwise the first fault that fires reads all
    /// rows.
    public var includesPropertyValues = true
    public var returnsObjectsAsFaults = true
    public var includesPendingChanges = true
    /// Whether equal dictionary results count once; objects and IDs are always distinct.
    public var returnsDistinctResults = false
    public var shouldRefreshRefetchedObjects = false
    /// Relationships to load with one query a step.
    public var relationshipKeyPathsForPrefetching: [String] = []
    /// What dictionary results hold; empty = every attribute of the entity.
    ///
    /// Attributes, to-one relationships (as object IDs), key paths over to-one relationships, and
    /// expressions; a to-many relationship needs an aggregate. A fetch of objects reads whole rows,
    /// so this list changes nothing for it.
    public var propertiesToFetch: [Column] = []
    /// The columns by which results are grouped; then each result column is one of these or an
    /// aggregate.
    public var propertiesToGroupBy: [Column] = []
    /// The condition for groups: on columns (`total > 5`) or aggregates (`sum(age) > 5`).
    public var having: FetchPredicate?
    /// The identifiers of the stores to fetch from; empty = all that hold the entity.
    public var affectedStores: [String] = []

    public init(
        entityName: String,
        predicate: FetchPredicate? = nil,
        sortDescriptors: [FetchSortDescriptor] = []
    ) {
        self.entityName = entityName
        self.predicate = predicate
        self.sortDescriptors = sortDescriptors
    }
}

extension FetchDescription {
    /// Which of so many results are in the window of limit and offset.
    package func window(of count: Int) -> Range<Int> {
        let start = min(max(0, offset), count)
        return start..<(limit > 0 ? start + min(limit, count - start) : count)
    }
}

extension Int {
    /// The sum, or the greatest number where that is too small for it.
    package func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
