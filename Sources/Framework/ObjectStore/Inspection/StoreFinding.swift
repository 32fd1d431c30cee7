/// Something that is wrong in a store, or may be.
public struct StoreFinding: Hashable, Sendable {
    /// What is wrong.
    ///
    /// The raw values are for programs, and do not change.
    public enum Kind: String, CaseIterable, Sendable {
        /// The file cannot be read completely.
        case damagedStructure = "damaged-structure"
        /// An index of the database does not agree with its table.
        case damagedIndex = "damaged-index"
        /// A page differs from its checksum in one bit.
        case flippedBit = "flipped-bit"
        /// A checksum has changed; the data of its page are right.
        case damagedChecksum = "damaged-checksum"
        /// A page does not have its checksum.
        case unverifiedPage = "unverified-page"
        /// A row belongs to no entity of the model.
        case unknownEntity = "unknown-entity"
        /// A value is not of the type of its attribute.
        case unreadableValue = "unreadable-value"
        /// A number or a date is less or greater than its attribute permits.
        case valueOutOfBounds = "value-out-of-bounds"
        /// A property that needs a value has none.
        case missingValue = "missing-value"
        /// Objects have the same values of a uniqueness constraint.
        case duplicateValue = "duplicate-value"
        /// A derived attribute is not what its expression gives.
        case wrongDerivedValue = "wrong-derived-value"
        /// A to-one relationship leads to an object that does not exist.
        case danglingReference = "dangling-reference"
        /// The number of the entity beside a reference is not that of the object it leads to.
        case wrongReferenceEntity = "wrong-reference-entity"
        /// A pair of a to-many relationship has a side that does not exist.
        case orphanedLink = "orphaned-link"
        /// The two sides of a relationship do not lead to each other.
        case unequalInverse = "unequal-inverse"
        /// Members of an ordered relationship have no place, or share one.
        case missingOrder = "missing-order"
        /// A key is greater than the greatest one that the store knows it has given.
        case keyAboveMaximum = "key-above-maximum"
        /// The file of a large value does not exist.
        case missingFile = "missing-file"
        /// A file of a large value that nothing refers to.
        case unusedFile = "unused-file"
        /// The history knows an object that was not deleted, but there is no row for it.
        case lostRow = "lost-row"
        /// A value is not the one that the history recorded last.
        case historyContradiction = "history-contradiction"
        /// The history lacks transactions or changes, or has some that cannot be read.
        case historyGap = "history-gap"
        /// The search index does not agree with the rows.
        case staleSearchIndex = "stale-search-index"
    }

    public var kind: Kind
    /// The entity of the objects; `nil` for what belongs to none.
    public var entity: String?
    /// The property.
    public var property: String?
    /// How many objects, pairs, pages or files.
    public var count: Int
    /// The keys of the first objects, or the numbers of the first pages; at most ``mostExamples``.
    public var examples: [Int64]
    /// One sentence that says what is wrong.
    ///
    /// It has no values of objects.
    public var message: String
    /// What a repair does, as a sentence; `nil` if it can do nothing.
    public var repair: String?

    /// How many examples a finding has at most.
    public static let mostExamples = 5

    package init(
        _ kind: Kind,
        entity: String? = nil,
        property: String? = nil,
        count: Int,
        examples: [Int64] = [],
        _ message: String,
        repair: String? = nil
    ) {
        self.kind = kind
        self.entity = entity
        self.property = property
        self.count = count
        self.examples = examples
        self.message = message
        self.repair = repair
    }
}

/// What the inspection of a store has found.
public struct StoreInspection: Hashable, Sendable {
    public var findings: [StoreFinding] = []
    /// How many objects were checked.
    public var objectCount = 0
    /// How many transactions of the history were checked.
    public var transactionCount = 0
    public var pages = PageReport()

    package init() {}

    public var isHealthy: Bool { findings.isEmpty }

    public func findings(of kind: StoreFinding.Kind) -> [StoreFinding] {
        findings.filter { $0.kind == kind }
    }
}

/// What a repair has done.
public struct StoreRepair: Hashable, Sendable {
    /// The findings that were repaired.
    public var repaired: [StoreFinding] = []
    /// What was found afterwards.
    public var remaining = StoreInspection()
    /// The transaction of the history that holds the changed values; `nil` if no value changed.
    public var transaction: Int64?

    package init() {}
}
