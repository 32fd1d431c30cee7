import FoundationEssentials

extension MappingModel {
    /// The mapping that follows from two versions of a model alone.
    ///
    /// Possible changes: properties and entities are added, removed or renamed (by renaming
    /// identifiers); a required attribute becomes optional; an optional one becomes required, or a
    /// required one is added, if it has a default value; a to-one relationship becomes to-many;
    /// a to-many one becomes ordered or unordered; parents are added and removed, properties move
    /// along a hierarchy, and entities move into and out of one. Not possible: another type of an
    /// attribute, to-many to to-one, and two hierarchies that become one.
    ///
    /// A renaming identifier is a canonical name: with `color` in version 1, and `paintColor` and
    /// `primaryColor` in versions 2 and 3 that both have the identifier `color`, each version leads
    /// to each later one.
    ///
    /// A new required relationship is possible, as in Core Data; the objects have none at first, and
    /// cannot be saved before they have one.
    ///
    /// Freezes both models.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/inferredMapping`` for the first
    ///   other change, with its entity and property.
    /// - Complexity: O(properties).
    public static func inferred(
        from source: ManagedObjectModel,
        to destination: ManagedObjectModel
    ) throws -> MappingModel {
        MappingModel(try ModelCorrespondence(from: source, to: destination))
    }

    init(_ correspondence: ModelCorrespondence) {
        let kept = correspondence.entities.filter { !$0.destination.isAbstract }
        self.init(
            kept.map { EntityMapping($0) }
                + correspondence.removed.filter { !$0.isAbstract }.map { entity in
                    var mapping = EntityMapping("Remove\(entity.name)", .remove, from: entity.name)
                    mapping.sourceVersionHash = entity.versionHash
                    return mapping
                }
        )
    }
}

extension EntityMapping {
    /// The usual name of a mapping between two entities.
    static func name(from source: String, to destination: String) -> String {
        "\(source)To\(destination)"
    }

    fileprivate init(_ entry: ModelCorrespondence.Entity) {
        let entity = entry.destination
        guard let source = entry.source else {
            self.init("Add\(entity.name)", .add, to: entity.name)
            destinationVersionHash = entity.versionHash
            return
        }
        let isSame = source.lineageHashes == entity.lineageHashes
        self.init(
            EntityMapping.name(from: source.name, to: entity.name),
            isSame ? .copy : .transform,
            from: source.name,
            to: entity.name
        )
        sourceVersionHash = source.versionHash
        destinationVersionHash = entity.versionHash
        for property in entity.persistentSlots {
            guard let origin = entry.properties[property.name] else { continue }
            let value = FetchExpression.keyPathOf(.variable("source"), origin.name)
            switch property {
            case let attribute as AttributeDescription where !attribute.isDerived:
                attributeMappings.append(
                    PropertyMapping(
                        attribute.name,
                        attribute.filled(value, from: origin, in: entity)
                    )
                )
            case is RelationshipDescription:
                relationshipMappings.append(
                    PropertyMapping(
                        property.name,
                        .call(
                            .variable("manager"),
                            "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
                            [.constant(.string(origin.name)), value]
                        )
                    )
                )
            default: break
            }
        }
    }
}

extension AttributeDescription {
    /// A value, or the default value in place of `nil` where the attribute has become required.
    fileprivate func filled(
        _ value: FetchExpression,
        from origin: PropertyDescription,
        in entity: EntityDescription
    ) -> FetchExpression {
        guard origin.isOptional, !isOptional else { return value }
        let isMissing = FetchPredicate.comparison(FetchComparison(value, .equal, .constant(.null)))
        // What is made for each object, the new object has already.
        let initial: FetchExpression =
            entity.madeDefault(of: self) == nil
            ? .constant(entity.defaults[slot]) : .keyPathOf(.variable("destination"), name)
        return .conditional(isMissing, initial, value)
    }
}

extension EntityDescription {
    /// The version hashes of the entity and its ancestors, which together say what it stores.
    package var lineageHashes: [String] {
        var result: [String] = []
        var entity: EntityDescription? = self
        while let current = entity {
            result.append(current.name + current.versionHash.base64EncodedString())
            entity = current.superentity
        }
        return result
    }
}
