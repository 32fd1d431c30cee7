public import FoundationEssentials
public import ObjectModel
public import ObjectStore

/// What a store says about itself: its metadata, its entities, and how many objects they have.
public struct StoreOverview {
    public let type: StoreType
    /// The store's own UUID, as a text.
    public let identifier: String
    /// Those of the model that wrote the store.
    public let versionIdentifiers: [String]
    /// The version hashes by the names of entities, sorted.
    public let hashes: [(entity: String, hash: Data)]
    /// Where the model was found, which says how much of it can be known.
    public let origin: StoredModel.Origin
    /// Parents before their children, each with its children after it.
    public let entities: [Entity]

    /// The number of all objects.
    public var objectCount: Int { entities.reduce(0) { $0 + $1.rows } }

    /// An entity, and how many objects it has.
    public struct Entity {
        public let name: String
        /// The number in the file; in a file without numbers, in the model.
        public let number: Int
        public let superentity: String?
        /// How many ancestors it has.
        public let depth: Int
        public let isAbstract: Bool
        /// How many objects are of exactly this entity.
        public let rows: Int
        public let attributes: [Attribute]
        public let relationships: [Relationship]
    }

    /// An attribute as the model of the store has it.
    public struct Attribute {
        public let name: String
        public let type: AttributeType
        public let isOptional: Bool
        public let isTransient: Bool
        public let isInherited: Bool
        /// The expression of a derived attribute.
        public let derivation: String?
    }

    /// A relationship as the model of the store has it.
    public struct Relationship {
        public let name: String
        /// `nil` if no object has one, and the file says nothing else of it.
        public let destination: String?
        public let inverse: String?
        public let isToMany: Bool
        public let isOrdered: Bool
        public let isOptional: Bool
        public let isTransient: Bool
        public let isInherited: Bool
        public let deleteRule: DeleteRule
    }
}

extension StoreOverview.Entity {
    /// - Parameters:
    ///   - entity: of a frozen model.
    ///   - number: the number in the file.
    ///   - rows: how many objects are of exactly this entity.
    init(_ entity: EntityDescription, number: Int, rows: Int) {
        name = entity.name
        self.number = number
        superentity = entity.superentity?.name
        depth = entity.lineage.count - 1
        isAbstract = entity.isAbstract
        self.rows = rows
        attributes = entity.attributes.map { StoreOverview.Attribute($0, in: entity) }
            .sorted { $0.name < $1.name }
        relationships = entity.relationships.map { StoreOverview.Relationship($0, in: entity) }
            .sorted { $0.name < $1.name }
    }
}

extension StoreOverview.Attribute {
    fileprivate init(_ attribute: AttributeDescription, in entity: EntityDescription) {
        name = attribute.name
        type = attribute.type
        isOptional = attribute.isOptional
        isTransient = attribute.isTransient
        isInherited = attribute.entity !== entity
        derivation = attribute.derivation
    }
}

extension StoreOverview.Relationship {
    fileprivate init(_ relationship: RelationshipDescription, in entity: EntityDescription) {
        name = relationship.name
        destination =
            relationship.hasUnknownDestination ? nil : relationship.destinationName
        inverse = relationship.inverse?.name
        isToMany = relationship.isToMany
        isOrdered = relationship.isOrdered
        isOptional = relationship.isOptional
        isTransient = relationship.isTransient
        isInherited = relationship.entity !== entity
        deleteRule = relationship.deleteRule
    }
}

extension StoredModel.Origin {
    /// A word for scripts.
    public var name: String {
        switch self {
        case .given: "given"
        case .archive: "archive"
        case .cache: "cache"
        case .tables: "deduced"
        }
    }

    /// The same for people.
    public var sentence: String {
        switch self {
        case .given: "as given"
        case .archive: "kept in the store"
        case .cache: "kept in the store by Core Data (Z_MODELCACHE)"
        case .tables: "unknown; described as far as the file shows"
        }
    }
}
