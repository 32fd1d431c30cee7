/// A schema: entities, configurations, fetch request templates.
///
/// Built in code or read from the editor's files. It is frozen by its first use in a coordinator
/// or context, and from then on immutable, so that threads can share it.
public final class ManagedObjectModel {
    public private(set) var entities: [EntityDescription] = []
    /// Names of entities by configuration.
    ///
    /// The default configuration holds every entity.
    public var configurations: [String: [String]] = [:] { didSet { assertMutable() } }
    /// Named requests, possibly with `$VARIABLES`.
    public var fetchRequestTemplates: [String: FetchDescription] = [:] {
        didSet { assertMutable() }
    }
    /// Free names of this version of the schema.
    public var versionIdentifiers: Set<String> = [] { didSet { assertMutable() } }
    /// Composite attribute types by name, each a list of attributes.
    public var composites: [String: [PropertyDescription]] = [:] { didSet { assertMutable() } }

    /// Whether the model is in use and can no longer be changed.
    public internal(set) var isFrozen = false

    /// Entities by number; index 0 is unused.
    ///
    /// Valid once frozen.
    package internal(set) final var entitiesByNumber: [EntityDescription?] = []
    private var entityByName: [String: EntityDescription] = [:]

    public init(_ entities: [EntityDescription] = []) {
        for entity in entities { add(entity) }
    }

    /// Descriptions that somebody still holds must not lead to others that are freed.
    deinit {
        for entity in entities { entity.leaveModel() }
    }

    /// Adds an entity, which must belong to no other model.
    public func add(_ entity: EntityDescription) {
        assertMutable()
        if entity.model != nil { fatalError("entity \(entity.name) belongs to a model already") }
        entity.model = self
        entities.append(entity)
        entityByName[entity.name] = entity
    }

    /// Removes an entity and its place in the configurations.
    public func removeEntity(named name: String) {
        assertMutable()
        for entity in entities where entity.name == name { entity.leaveModel() }
        entities.removeAll { $0.name == name }
        entityByName[name] = nil
        for key in configurations.keys { configurations[key]?.removeAll { $0 == name } }
    }

    public func entity(named name: String) -> EntityDescription? {
        if let entity = entityByName[name], entity.name == name { return entity }
        return entities.first { $0.name == name }
    }

    /// The entities of a configuration; `nil` names the default one, which holds all.
    public func entities(inConfiguration name: String?) -> [EntityDescription]? {
        guard let name else { return entities }
        return configurations[name]?.compactMap { entity(named: $0) }
    }

    func assertMutable() {
        if isFrozen { fatalError("the model is in use and cannot be changed any more") }
    }

    /// Entity names by number, as an ``IDSpace`` wants them.
    ///
    /// Valid once frozen.
    package var entityNames: [String] { entitiesByNumber.map { $0?.name ?? "" } }

    /// The entity of an object, by its number; valid once frozen.
    package func entity(of id: ManagedObjectID) -> EntityDescription? {
        let number = Int(id.entityNumber)
        return number < entitiesByNumber.count ? entitiesByNumber[number] : nil
    }
}

// Safety: immutable once frozen, and a model that is not frozen belongs to its maker.
extension ManagedObjectModel: @unchecked Sendable {}
extension EntityDescription: @unchecked Sendable {}
extension PropertyDescription: @unchecked Sendable {}

extension EntityDescription: Hashable {
    public static func == (left: EntityDescription, right: EntityDescription) -> Bool {
        left === right
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension PropertyDescription: Hashable {
    public static func == (left: PropertyDescription, right: PropertyDescription) -> Bool {
        left === right
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
