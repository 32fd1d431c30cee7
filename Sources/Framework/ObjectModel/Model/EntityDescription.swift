/// The description of a kind of object: its properties, its place in the hierarchy, its rules.
///
/// Mutable until the model is frozen by its first use.
public final class EntityDescription {
    public var name: String { didSet { assertMutable() } }
    /// The name of the Swift class of its objects; a leading "." means the current module.
    public var className: String { didSet { assertMutable() } }
    public var isAbstract = false { didSet { assertMutable() } }
    /// The name of the parent entity; `nil` for a root entity.
    public var superentityName: String? { didSet { assertMutable() } }
    public var renamingIdentifier: String? { didSet { assertMutable() } }
    public var versionHashModifier: String? { didSet { assertMutable() } }
    public var userInfo: [String: String] = [:] { didSet { assertMutable() } }
    /// Lists of attribute names; the values of each list together must be unique among the objects.
    public var uniquenessConstraints: [[String]] = [] { didSet { assertMutable() } }
    public var indexes: [FetchIndexDescription] = [] { didSet { assertMutable() } }
    /// The defaults of attributes that the entity inherits, by name, where they differ from those of
    /// its parent.
    public var inheritedDefaults: [String: InheritedDefault] = [:] { didSet { assertMutable() } }
    /// The expression that names an object in Spotlight; kept for the editor's files.
    public var displayNameExpression: String? { didSet { assertMutable() } }
    /// How the editor generates code: `class`, `category`, or `nil` for handwritten classes.
    public var codeGenerationType: String? { didSet { assertMutable() } }

    /// The properties that the entity declares itself, in the order they were added.
    public private(set) var ownProperties: [PropertyDescription] = []

    /// The model that the entity belongs to; `nil` when it was released.
    ///
    /// Safety: the model clears this and what leads to other entities in its `deinit`, so an unsafe
    /// reference is valid as long as it is there.
    @exclusivity(unchecked) public internal(set) unowned(unsafe) var model: ManagedObjectModel?

    // Laid out when the model is frozen; what is public of it answers in a draft too, see
    // `EntityDescription+Draft.swift`.

    @exclusivity(unchecked) final var isLaidOut = false
    // Safety: as for `model`.
    unowned(unsafe) final var parent: EntityDescription?
    final var children: [EntityDescription] = []
    /// The number of the entity in its model, 1…n: `Z_ENT`.
    public internal(set) final var number: UInt16 {
        get { place }
        set { place = newValue }
    }
    // Behind calls, because other modules check each access of a stored property.
    @exclusivity(unchecked) private final var place: UInt16 = 0
    @exclusivity(unchecked) private final var slotList: [PropertyDescription] = []
    @exclusivity(unchecked) private final var relationshipsBySlot: [RelationshipDescription] = []
    /// The largest number among the descendants; numbers of a hierarchy are contiguous.
    @exclusivity(unchecked) package internal(set) final var lastNumber: UInt16 = 0
    /// All properties by slot: the parent's first, so that slots agree along a hierarchy.
    package internal(set) final var slots: [PropertyDescription] {
        get { slotList }
        set { slotList = newValue }
    }
    /// The slots of the properties; valid once the model is frozen.
    public internal(set) final var slotByName: [String: Int] = [:]
    /// The attributes among the slots; see ``attributes``.
    final var attributeList: [AttributeDescription] = []
    /// The attributes that stores keep, by slot order: neither transient nor composite ones, but
    /// the elements of those.
    package internal(set) final var storedAttributes: [AttributeDescription] = []
    /// The slots of the composite attributes, which hold nothing themselves.
    @exclusivity(unchecked) package internal(set) final var compositeSlots: [Int] = []
    /// The fast first checks of the attributes' values.
    @exclusivity(unchecked) package internal(set) final var attributeChecks: [AttributeCheck] = []
    /// The relationships among the slots; see ``relationships``, which costs a call.
    package internal(set) final var relationshipList: [RelationshipDescription] {
        get { relationshipsBySlot }
        set { relationshipsBySlot = newValue }
    }
    /// The slots of the transformable attributes that stores keep.
    package internal(set) final var transformableSlots: [Int] = []
    /// The derived attributes, by slot, with their computation.
    package internal(set) final var derivations: [(slot: Int, derivation: Derivation)] = []
    /// The names of the properties of every entity in the same hierarchy.
    package internal(set) final var hierarchyNames: Set<String> = []
    /// The constant values that a new object starts with, by slot.
    package internal(set) final var defaults: [GraphValue] = []
    /// The values that are made for each new object.
    package internal(set) final var madeDefaults: [MadeDefault] = []

    public init(
        _ name: String,
        className: String? = nil,
        isAbstract: Bool = false,
        superentity: String? = nil,
        _ properties: [PropertyDescription] = []
    ) {
        self.name = name
        self.className = className ?? "ManagedObject"
        self.isAbstract = isAbstract
        self.superentityName = superentity
        for property in properties { add(property) }
    }

    deinit {
        for property in ownProperties { property.leaveEntity() }
    }

    /// Clears what leads to the model and to its other entities.
    func leaveModel() {
        model = nil
        parent = nil
        for case let relationship as RelationshipDescription in ownProperties {
            relationship.target = nil
            relationship.partner = nil
        }
    }

    /// Adds a property, which must belong to no other entity.
    ///
    /// - Parameters:
    ///   - property: the property.
    ///   - configure: sets what the property's initializer does not take.
    public func add<Property: PropertyDescription>(
        _ property: Property,
        _ configure: (Property) -> Void = { _ in }
    ) {
        assertMutable()
        configure(property)
        if property.entity != nil { fatalError("\(property.name) belongs to an entity already") }
        property.entity = self
        ownProperties.append(property)
    }

    /// Removes a property that the entity declares itself.
    public func removeProperty(named name: String) {
        assertMutable()
        for property in ownProperties where property.name == name { property.leaveEntity() }
        ownProperties.removeAll { $0.name == name }
    }

    func assertMutable() {
        if model?.isFrozen == true {
            fatalError("the model is in use: entity \(name) cannot be changed")
        }
    }

    /// The topmost ancestor; the entity itself if it has no parent.
    ///
    /// Valid once frozen.
    package var root: EntityDescription {
        var entity = self
        while let parent = entity.superentity { entity = parent }
        return entity
    }

    /// The property with a name, the entity's own or an inherited one.
    ///
    /// In a model that is in use also an element of a composite attribute: `place.latitude`.
    ///
    /// - Complexity: a dictionary lookup; O(properties) in a draft.
    public func property(named name: String) -> PropertyDescription? {
        if isLaidOut { return slotByName[name].map { slots[$0] } }
        for entity in draftLineage {
            if let own = entity.ownProperties.first(where: { $0.name == name }) { return own }
        }
        return nil
    }

    /// The entity's own properties by slot; composite attributes are replaced by their elements.
    ///
    /// Valid once frozen.
    package var ownSlots: ArraySlice<PropertyDescription> {
        slots.dropFirst(superentity?.slots.count ?? 0)
    }

    /// The property with a name in any entity of the same hierarchy: this one, its ancestors, or
    /// the first descendant that has it.
    ///
    /// A request for an entity may name a property that only a subentity has; for other objects it
    /// is `nil`. Valid once frozen.
    package func propertyInHierarchy(named name: String) -> PropertyDescription? {
        if let own = property(named: name) { return own }
        for entity in subentities {
            if let found = entity.propertyInHierarchy(named: name) { return found }
        }
        return nil
    }

    /// Whether this is `other` or one of its descendants.
    ///
    /// - Complexity: O(1); O(ancestors) in a draft.
    public func isKind(of other: EntityDescription) -> Bool {
        if self === other { return true }
        if isLaidOut, other.isLaidOut {
            return number >= other.number && number <= other.lastNumber && model === other.model
        }
        return draftLineage.contains(other)
    }

    /// The entity's name and those of its ancestors, nearest first.
    public var lineage: [String] {
        if !isLaidOut { return draftLineage.map(\.name) }
        return sequence(first: self) { $0.parent }.map(\.name)
    }
}
