import FoundationEssentials

/// What a key path leads to, as far as the model knows.
enum KeyPathTarget {
    case objects(EntityDescription, isCollection: Bool, name: String)
    /// A composite attribute, whose elements are named `prefix.element`.
    case composite(EntityDescription, prefix: String, isCollection: Bool)
    /// Values of the sample's kind.
    case values(GraphValue, isCollection: Bool, name: String)
    /// Something that only a class, a transformer or the evaluation knows.
    case unknown

    /// What a property holds.
    init(_ property: PropertyDescription, of entity: EntityDescription, isCollection: Bool) {
        let name = "\(entity.name).\(property.name)"
        switch property {
        case let attribute as AttributeDescription where attribute.type == .composite:
            self = .composite(entity, prefix: attribute.name, isCollection: isCollection)
        case let attribute as AttributeDescription:
            self =
                attribute.type.sample.map {
                    .values($0, isCollection: isCollection, name: name)
                } ?? .unknown
        case let relationship as RelationshipDescription:
            self =
                relationship.destination.map {
                    .objects($0, isCollection: isCollection || relationship.isToMany, name: name)
                } ?? .unknown
        case let fetched as FetchedPropertyDescription:
            self =
                entity.model?.entity(named: fetched.fetchRequest.entityName).map {
                    .objects($0, isCollection: true, name: name)
                } ?? .unknown
        default: self = .unknown
        }
    }

    /// The same for one member of a collection.
    var member: KeyPathTarget { with(isCollection: false) }
    var collection: KeyPathTarget { with(isCollection: true) }

    private func with(isCollection: Bool) -> KeyPathTarget {
        switch self {
        case .objects(let entity, _, let name):
            .objects(entity, isCollection: isCollection, name: name)
        case .composite(let entity, let prefix, _):
            .composite(entity, prefix: prefix, isCollection: isCollection)
        case .values(let sample, _, let name):
            .values(sample, isCollection: isCollection, name: name)
        case .unknown: .unknown
        }
    }
}

extension AttributeType {
    /// A value of the type, which answers to the same keys as every value of the type; `nil` for
    /// types whose values the model does not know.
    var sample: GraphValue? {
        switch self {
        case .integer16, .integer32, .integer64: .int(0)
        case .decimal: .decimal(0)
        case .double, .float: .double(0)
        case .string: .string("")
        case .boolean: .bool(false)
        case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
        case .binary: .data(Data())
        case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        case .uri: URL(string: "file:///").map { .url($0) }
        case .undefined, .transformable, .objectID, .composite: nil
        }
    }
}
