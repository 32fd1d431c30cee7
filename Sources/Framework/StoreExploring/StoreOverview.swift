package import FoundationEssentials
package import ObjectModel
package import ObjectStore

/// What a store says about itself: its metadata, its entities, and how many objects they have.
package struct StoreOverview {
    package let type: StoreType
    package let identifier: String
    package let versionIdentifiers: [String]
    /// The version hashes by the names of entities, sorted.
    package let hashes: [(entity: String, hash: Data)]
    /// Where the model was found, which says how much of it can be known.
    package let origin: StoredModel.Origin
    /// Parents before their children, each with its children after it.
    package let entities: [Entity]

    /// The number of all objects.
    package var objectCount: Int { entities.reduce(0) { $0 + $1.rows } }

    package struct Entity {
        package let name: String
        /// The number in the file; in a file without numbers, in the model.
        package let number: Int
        package let superentity: String?
        /// How many ancestors it has.
        package let depth: Int
        package let isAbstract: Bool
        /// How many objects are of exactly this entity.
        package let rows: Int
        package let attributes: [Attribute]
        package let relationships: [Relationship]
    }

    package struct Attribute {
        package let name: String
        package let type: AttributeType
        package let isOptional: Bool
        package let isTransient: Bool
        package let isInherited: Bool
        /// The expression of a derived attribute.
        package let derivation: String?
    }

    package struct Relationship {
        package let name: String
        /// `nil` if no object has one, and the file says nothing else of it.
        package let destination: String?
        package let inverse: String?
        package let isToMany: Bool
        package let isOrdered: Bool
        package let isOptional: Bool
        package let isTransient: Bool
        package let isInherited: Bool
        package let deleteRule: DeleteRule
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
    package var name: String {
        switch self {
        case .given: "given"
        case .archive: "archive"
        case .cache: "cache"
        case .tables: "deduced"
        }
    }

    /// The same for people.
    package var sentence: String {
        switch self {
        case .given: "as given"
        case .archive: "kept in the store"
        case .cache: "kept in the store by Core Data (Z_MODELCACHE)"
        case .tables: "unknown; described as far as the file tells"
        }
    }
}
