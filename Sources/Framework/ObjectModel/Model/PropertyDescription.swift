/// What attributes, relationships and fetched properties of an entity have in common.
///
/// Mutable until a coordinator or a context uses the model. Then a setter traps, because changing a
/// schema under open stores is a programmer's mistake.
public class PropertyDescription {
    @exclusivity(unchecked) public var name: String { didSet { assertMutable() } }
    public final var isOptional: Bool {
        get { optional }
        set { optional = newValue }
    }
    /// Kept in memory only: undo and change tracking cover it, stores do not.
    @exclusivity(unchecked) public var isTransient = false { didSet { assertMutable() } }
    /// Kept for old files; indexes are declared by ``EntityDescription/indexes``.
    public var isIndexed = false { didSet { assertMutable() } }
    /// The model's Spotlight flag: text search covers the property.
    public var isSearched = false { didSet { assertMutable() } }
    /// The name under which migration finds the property in an older version; defaults to ``name``.
    public var renamingIdentifier: String? { didSet { assertMutable() } }
    public var versionHashModifier: String? { didSet { assertMutable() } }
    public var userInfo: [String: String] = [:] { didSet { assertMutable() } }

    /// The entity that declares the property; set when it is added to one.
    ///
    /// Safety: the entity clears this when it is released.
    @exclusivity(unchecked) public internal(set) unowned(unsafe) var entity: EntityDescription?

    /// The index of the property's slot in every object of its entity and subentities; set when
    /// the model is frozen.
    package internal(set) final var slot: Int {
        get { place }
        set { place = newValue }
    }

    // Behind a call, because other modules check each access of a stored property.
    @exclusivity(unchecked) private final var optional = true { didSet { assertMutable() } }
    @exclusivity(unchecked) private final var place = -1

    package init(name: String) { self.name = name }

    /// The property that the entity declares: for an element of a composite attribute the whole
    /// attribute, else the property itself.
    package var declared: PropertyDescription { self }

    /// The entity is released, or does not have the property any more.
    func leaveEntity() { entity = nil }

    final func assertMutable() {
        if entity?.model?.isFrozen == true {
            fatalError(
                "the model is in use: \(entity?.name ?? "").\(name) cannot be changed any more"
            )
        }
    }

    /// A copy that belongs to no entity.
    package func copy() -> PropertyDescription { fatalError("abstract") }

    final func copyCommon(to other: PropertyDescription) {
        other.isOptional = isOptional
        other.isTransient = isTransient
        other.isIndexed = isIndexed
        other.isSearched = isSearched
        other.renamingIdentifier = renamingIdentifier
        other.versionHashModifier = versionHashModifier
        other.userInfo = userInfo
    }
}
