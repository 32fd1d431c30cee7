public import ObjectModel

/// An entity whose objects are exchanged with remotes.
public struct SyncEntity: Sendable {
    /// The entity; its subentities are exchanged too.
    public var name: String
    /// The attribute that names an object on every replica: a text or a UUID.
    ///
    /// A uniqueness constraint on it keeps an object from being made here while a pull makes it.
    public var identity: String
    /// The properties that are exchanged, each with its rule.
    ///
    /// Of a relationship and its inverse only one is listed, the to-one side if there is one. A
    /// reference must be optional in the model, because what it leads to may arrive later.
    public var properties: [String: MergeRule]
    /// The relationships that may not lead back to where they start, such as `parent`.
    public var acyclic: Set<String>
    /// Properties that are one value to people, such as a date and whether it is a day without a time.
    ///
    /// They are merged as one: both values are those of one side. Each has the rule
    /// ``MergeRule/value``, and is in one group.
    public var groups: [[String]] = []
    /// The attribute with the time of an object's last change, if the program keeps one.
    ///
    /// It counts for changes whose time the history does not have any more.
    public var modified: String?
    /// Whether the objects have no records of their own: they are made when somebody refers to them,
    /// as tags are.
    public var isImplied: Bool
    /// Whether the deletion of an object here removes the references to it.
    ///
    /// That of a list does: its items are elsewhere then. Other references wait for the object to come
    /// back.
    public var endsReferences = false
    /// Gives the values of an object here the form that they have in the records of a remote, such as
    /// times in whole seconds; `nil` if they have it.
    ///
    /// Otherwise a value that comes back from the remote would be taken for a change.
    public var canonical: (@Sendable (_ values: inout [String: SyncValue]) -> Void)?

    public init(
        _ name: String,
        identity: String,
        properties: [String: MergeRule] = [:],
        acyclic: Set<String> = [],
        modified: String? = nil,
        isImplied: Bool = false
    ) {
        self.name = name
        self.identity = identity
        self.properties = properties
        self.acyclic = acyclic
        self.modified = modified
        self.isImplied = isImplied
    }
}

/// What is exchanged with remotes.
public struct SyncSchema: Sendable {
    /// The entities that have records, in the order in which their objects are made.
    let entities: [SyncEntity]
    /// All entities by name.
    let byName: [String: SyncEntity]

    /// Checks the entities against a model.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidModel`` if the model
    ///   lacks something that is listed here or what ``SyncModel`` adds, or if it cannot be
    ///   exchanged.
    public init(_ entities: [SyncEntity], in model: ManagedObjectModel) throws {
        self.entities = entities.filter { !$0.isImplied }
        byName = entities.reduce(into: [:]) { $0[$1.name] = $1 }
        for name in SyncModel.names where model.entity(named: name) == nil {
            throw SyncSchema.problem("the model has no entity \(name), which SyncModel adds", name)
        }
        for entity in entities {
            guard let described = model.entity(named: entity.name) else {
                throw SyncSchema.problem("the model has no entity \(entity.name)", entity.name)
            }
            func attribute(_ key: String) -> AttributeType? {
                (described.property(named: key) as? AttributeDescription)?.type
            }
            let identity = attribute(entity.identity)
            guard identity == .string || identity == .uuid else {
                let place = "\(entity.name).\(entity.identity)"
                throw SyncSchema.problem("\(place) is not a text or a UUID", entity.identity)
            }
            if let modified = entity.modified, attribute(modified) != .date {
                throw SyncSchema.problem("\(entity.name).\(modified) is not a date", modified)
            }
            for (key, rule) in entity.properties {
                if let reason = reason(described.propertyInHierarchy(named: key), rule) {
                    throw SyncSchema.problem("\(entity.name).\(key) \(reason)", key)
                }
            }
            let grouped = entity.groups.flatMap(\.self)
            for (index, key) in grouped.enumerated()
            where entity.properties[key] != .value || grouped[..<index].contains(key) {
                let reason = "cannot be in the group: it needs the rule value, and is in one group"
                throw SyncSchema.problem("\(entity.name).\(key) \(reason)", key)
            }
        }
    }

    /// Why a property cannot be exchanged under a rule.
    private func reason(_ property: PropertyDescription?, _ rule: MergeRule) -> String? {
        switch property {
        case nil: return "is not a property"
        case let attribute as AttributeDescription:
            switch attribute.type {
            case .transformable, .objectID, .composite, .undefined:
                return "has values that mean nothing elsewhere"
            case .string where rule == .text: return nil
            case .string where rule == .set || rule == .list: return "has no elements"
            default:
                return rule == .value || rule == .latest
                    ? nil : "is merged as a whole or not at all"
            }
        case let relationship as RelationshipDescription:
            guard let target = relationship.destination, entity(of: target) != nil else {
                return "leads to objects that have no names"
            }
            if !relationship.isOptional { return "must be optional" }
            let fit: MergeRule =
                !relationship.isToMany ? .value : relationship.isOrdered ? .list : .set
            return rule == fit ? nil : "needs the rule \(fit)"
        default: return "is not stored"
        }
    }

    /// The entry of an entity or of its nearest ancestor that has one.
    func entity(of description: EntityDescription) -> SyncEntity? {
        for name in description.lineage { if let entry = byName[name] { return entry } }
        return nil
    }

    /// The properties of an entity that are exchanged, by name.
    func properties(of entity: EntityDescription?) -> [(PropertyDescription, MergeRule)] {
        guard let entity, let entry = self.entity(of: entity) else { return [] }
        return entry.properties.sorted { $0.key < $1.key }.compactMap { key, rule in
            entity.property(named: key).map { ($0, rule) }
        }
    }

    /// The same properties as what is merged as one.
    func units(of entity: EntityDescription?) -> [MergeUnit] {
        let groups = entity.flatMap { self.entity(of: $0) }?.groups ?? []
        var units: [MergeUnit] = []
        var places: [Int: Int] = [:]
        for (property, rule) in properties(of: entity) {
            let group = groups.firstIndex { $0.contains(property.name) }
            if let group, let place = places[group] {
                units[place].properties.append(property)
                continue
            }
            if let group { places[group] = units.count }
            units.append(MergeUnit(properties: [property], rule: rule))
        }
        return units
    }

    /// A property, or those of its group.
    func group(of property: String, in entity: EntityDescription) -> [String] {
        self.entity(of: entity)?.groups.first { $0.contains(property) } ?? [property]
    }

    private static func problem(_ reason: String, _ key: String) -> ObjectGraphError {
        ObjectGraphError(
            .invalidModel,
            "The objects cannot be synchronized: \(reason).",
            recovery: "Change the model or the SyncSchema.",
            key: key
        )
    }
}
