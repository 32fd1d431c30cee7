/// A property that refers to objects of an entity.
public final class RelationshipDescription: PropertyDescription, @unchecked Sendable {
    // Safety: immutable once the model is frozen.

    /// The name of the destination entity; resolved when the model is frozen.
    public var destinationName: String { didSet { assertMutable() } }
    /// The name of the inverse relationship in the destination; `nil` if there is none.
    public var inverseName: String? { didSet { assertMutable() } }
    public var deleteRule: DeleteRule = .nullify { didSet { assertMutable() } }
    /// The fewest destinations, checked by validation; 0 = no bound.
    public var minCount: Int {
        get { counts.min }
        set { counts.min = newValue }
    }
    /// The most destinations: 1 makes the relationship to-one, 0 = unlimited.
    public var maxCount: Int {
        get { counts.max }
        set { counts.max = newValue }
    }
    public var isOrdered: Bool {
        get { ordered }
        set { ordered = newValue }
    }

    // Behind calls, because other modules check each access of a stored property.
    @exclusivity(unchecked) private var counts = (min: 0, max: 1) {
        didSet { assertMutable() }
    }
    @exclusivity(unchecked) private var ordered = false { didSet { assertMutable() } }

    /// Whether the destination stands for one that is not known, in a model deduced from a file.
    package var hasUnknownDestination = false

    // Looked up when the model is frozen; see ``destination`` and ``inverse``. Safety: the model clears
    // them in its `deinit`, as it does what entities refer to.
    @exclusivity(unchecked) final var isResolved = false
    @exclusivity(unchecked) unowned(unsafe) final var target: EntityDescription?
    @exclusivity(unchecked) unowned(unsafe) final var partner: RelationshipDescription?

    public init(
        _ name: String,
        to destinationName: String,
        inverse inverseName: String? = nil,
        toMany: Bool = false,
        ordered: Bool = false,
        optional: Bool = true,
        deleteRule: DeleteRule = .nullify
    ) {
        self.destinationName = destinationName
        self.inverseName = inverseName
        super.init(name: name)
        self.maxCount = toMany ? 0 : 1
        self.isOrdered = ordered
        self.isOptional = optional
        self.deleteRule = deleteRule
    }

    /// Whether there can be more than one destination.
    ///
    /// Rule: `maxCount != 1`.
    public var isToMany: Bool { maxCount != 1 }

    package override func copy() -> PropertyDescription {
        let other = RelationshipDescription(name, to: destinationName, inverse: inverseName)
        copyCommon(to: other)
        other.deleteRule = deleteRule
        other.minCount = minCount
        other.maxCount = maxCount
        other.isOrdered = isOrdered
        return other
    }
}
