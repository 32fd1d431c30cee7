/// Which entities and properties of a newer model are those of an older one.
///
/// The rules are Core Data's for an inferred mapping. Two declarations are the same if their
/// canonical names are equal: the renaming identifier, or else the name. Properties are compared
/// with all properties of the source entity, inherited ones included, so that a property may move
/// along a hierarchy.
///
/// Both models are frozen.
package struct ModelCorrespondence {
    /// An entity of the newer model with its counterpart.
    package struct Entity {
        package let destination: EntityDescription
        /// `nil` for a new entity.
        package let source: EntityDescription?
        /// The counterparts of stored attributes (of composite ones their elements) and of
        /// relationships, by the name in the newer model.
        package fileprivate(set) var properties: [String: PropertyDescription] = [:]
    }

    package let source: ManagedObjectModel
    package let destination: ManagedObjectModel
    /// The entities of the newer model that are wanted, in the order of their numbers.
    package private(set) var entities: [Entity] = []
    /// The entities of the older model without a counterpart, in the order of their numbers.
    package private(set) var removed: [EntityDescription] = []
    private var byDestination: [ObjectIdentifier: Int] = [:]
    private var bySource: [ObjectIdentifier: Int] = [:]

    /// Compares two models.
    ///
    /// - Parameters:
    ///   - source: the older model.
    ///   - destination: the newer one.
    ///   - configuration: the part of the models that is wanted, by its name in each.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/inferredMapping`` for the first
    ///   change that cannot be inferred, with its entity and property;
    ///   ``ObjectGraphError/Code/invalidModel`` if a model contradicts itself.
    /// - Complexity: O(properties).
    package init(
        from source: ManagedObjectModel,
        to destination: ManagedObjectModel,
        configuration: (source: String?, destination: String?) = (nil, nil)
    ) throws {
        try source.freeze()
        try destination.freeze()
        self.source = source
        self.destination = destination
        let olds = source.storedEntities(in: configuration.source)
        let news = destination.storedEntities(in: configuration.destination)
        try matchEntities(olds, news)
        try checkMoves(olds, news)
        try checkHierarchies()
        for index in entities.indices { try matchProperties(of: index) }
        for entity in entities where entity.source != nil { try checkRelationships(of: entity) }
    }

    /// The entry of an entity of the newer model.
    package func entry(of entity: EntityDescription) -> Entity? {
        byDestination[ObjectIdentifier(entity)].map { entities[$0] }
    }

    /// The counterpart of an entity of the older model; `nil` if it is removed.
    package func destination(of entity: EntityDescription) -> EntityDescription? {
        bySource[ObjectIdentifier(entity)].map { entities[$0].destination }
    }

    /// The counterparts of a property of the newer model, over all entities that have it: more than
    /// one if properties of several entities became one of their parent.
    ///
    /// - Returns: declarations of the older model, each with the entities of the newer model whose
    ///   objects have it there.
    package func origins(
        of property: PropertyDescription
    ) -> [(property: PropertyDescription, entities: [EntityDescription])] {
        guard let declaring = property.entity else { return [] }
        var result: [(property: PropertyDescription, entities: [EntityDescription])] = []
        for entry in entities where entry.destination.isKind(of: declaring) {
            guard let origin = entry.properties[property.name] else { continue }
            if let place = result.firstIndex(where: { $0.property === origin }) {
                result[place].entities.append(entry.destination)
            } else {
                result.append((origin, [entry.destination]))
            }
        }
        return result
    }

    // MARK: Entities

    private mutating func matchEntities(
        _ olds: [EntityDescription],
        _ news: [EntityDescription]
    ) throws {
        let byName = try canonicalNames(olds)
        _ = try canonicalNames(news)
        for entity in news {
            let origin = byName[entity.canonicalName]
            byDestination[ObjectIdentifier(entity)] = entities.count
            if let origin { bySource[ObjectIdentifier(origin)] = entities.count }
            entities.append(Entity(destination: entity, source: origin))
        }
        removed = olds.filter { bySource[ObjectIdentifier($0)] == nil }
    }

    private func canonicalNames(
        _ entities: [EntityDescription]
    ) throws -> [String: EntityDescription] {
        var result: [String: EntityDescription] = [:]
        for entity in entities {
            guard let other = result.updateValue(entity, forKey: entity.canonicalName) else {
                continue
            }
            throw Self.failure(
                "The entities \(other.name) and \(entity.name) of one model both stand for "
                    + "\"\(entity.canonicalName)\".",
                "Give them different renaming identifiers.",
                entity.name
            )
        }
        return result
    }

    /// An entity that moves to another store would lose its objects here.
    private func checkMoves(_ olds: [EntityDescription], _ news: [EntityDescription]) throws {
        if removed.isEmpty || news.count == destination.entities.count { return }
        let elsewhere = Set(destination.entities.map(\.canonicalName))
        for entity in removed where elsewhere.contains(entity.canonicalName) {
            throw Self.failure(
                "The entity \(entity.name) is not in the configuration of its store any more, so "
                    + "its objects would be lost.",
                "Keep it there, or copy the objects to the other store first.",
                entity.name
            )
        }
    }

    /// Objects of one hierarchy share a table and its keys, so two hierarchies cannot become one.
    private func checkHierarchies() throws {
        var roots: [ObjectIdentifier: (root: EntityDescription, member: EntityDescription)] = [:]
        for entry in entities {
            guard let origin = entry.source else { continue }
            let key = ObjectIdentifier(entry.destination.root)
            guard let known = roots[key] else {
                roots[key] = (origin.root, entry.destination)
                continue
            }
            if known.root !== origin.root {
                throw Self.failure(
                    "The entities \(known.member.name) and \(entry.destination.name) had no common "
                        + "parent, and now have the parent \(entry.destination.root.name).",
                    "Use a mapping model that copies the objects of one of them.",
                    entry.destination.name
                )
            }
        }
    }

    // MARK: Properties

    private mutating func matchProperties(of index: Int) throws {
        guard let origin = entities[index].source else { return }
        let entity = entities[index].destination
        let olds = try canonicalNames(origin.persistentSlots, of: origin)
        let news = try canonicalNames(entity.persistentSlots, of: entity)
        for (name, property) in news.sorted(by: { $0.key < $1.key }) {
            if let old = olds[name] {
                try check(property, old, of: entity)
                entities[index].properties[property.name] = old
            } else {
                try checkAddition(property, to: entity)
            }
        }
    }

    private func canonicalNames(
        _ properties: [PropertyDescription],
        of entity: EntityDescription
    ) throws -> [String: PropertyDescription] {
        var result: [String: PropertyDescription] = [:]
        for property in properties {
            guard let other = result.updateValue(property, forKey: property.canonicalName) else {
                continue
            }
            throw Self.failure(
                "\(entity.name).\(other.name) and \(entity.name).\(property.name) both stand for "
                    + "\"\(property.canonicalName)\".",
                "Give them different renaming identifiers.",
                property.name
            )
        }
        return result
    }

    private func check(
        _ new: PropertyDescription,
        _ old: PropertyDescription,
        of entity: EntityDescription
    ) throws {
        let place = "\(entity.name).\(new.name)"
        switch (old, new) {
        case (let old as AttributeDescription, let new as AttributeDescription):
            if old.type != new.type {
                throw Self.failure(
                    "\(place) changes its type from \(old.type.shownName) to "
                        + "\(new.type.shownName), which cannot be inferred.",
                    "Use a mapping model, or a new attribute with another name.",
                    new.name
                )
            }
            if old.isOptional, !new.isOptional { try checkDefault(new, entity) }
        case (let old as RelationshipDescription, let new as RelationshipDescription):
            if old.isToMany, !new.isToMany {
                throw Self.failure(
                    "\(place) leads to one object instead of many, so objects would have to be "
                        + "chosen, which cannot be inferred.",
                    "Use a mapping model that chooses one.",
                    new.name
                )
            }
        default:
            throw Self.failure(
                "\(place) is \(new.kindWithArticle), and was \(old.kindWithArticle).",
                "Use a mapping model, or another name.",
                new.name
            )
        }
    }

    private func checkAddition(_ new: PropertyDescription, to entity: EntityDescription) throws {
        guard let attribute = new as? AttributeDescription, !attribute.isOptional,
            !entity.isAbstract
        else { return }
        try checkDefault(attribute, entity)
    }

    private func checkDefault(
        _ attribute: AttributeDescription,
        _ entity: EntityDescription
    ) throws {
        if attribute.isDerived || entity.hasDefault(attribute) { return }
        let place = "\(entity.name).\(attribute.name)"
        throw Self.failure(
            "\(place) needs a value and has no default value, so existing objects would have none.",
            "Give it a default value, or make it optional.",
            attribute.name
        )
    }

    // MARK: Relationships

    private func checkRelationships(of entry: Entity) throws {
        for relationship in entry.destination.relationships where !relationship.isTransient {
            guard let origin = entry.properties[relationship.name] as? RelationshipDescription
            else { continue }
            let place = "\(entry.destination.name).\(relationship.name)"
            try checkDestination(relationship, origin, place)
            try checkInverse(relationship, place)
        }
    }

    /// The objects that a relationship leads to must still be among its destinations.
    private func checkDestination(
        _ new: RelationshipDescription,
        _ old: RelationshipDescription,
        _ place: String
    ) throws {
        guard let before = old.destination, let after = new.destination else { return }
        for entry in entities {
            guard let origin = entry.source, origin.isKind(of: before),
                !entry.destination.isKind(of: after)
            else { continue }
            throw Self.failure(
                "\(place) led to \(origin.name), which is not \(after.name.withArticle) now.",
                "Use a mapping model.",
                new.name
            )
        }
    }

    /// Two relationships that were not inverse to each other can contradict each other.
    private func checkInverse(_ new: RelationshipDescription, _ place: String) throws {
        guard let inverse = new.inverse else { return }
        let inverses = origins(of: inverse).compactMap { $0.property as? RelationshipDescription }
        if inverses.isEmpty { return }
        let own = origins(of: new).compactMap { $0.property as? RelationshipDescription }
        if inverses.contains(where: { other in own.contains { $0.inverse === other } }) { return }
        throw Self.failure(
            "\(place) and \(inverse.entity?.name ?? "").\(inverse.name) become inverse to each "
                + "other, and were not: their objects may contradict each other.",
            "Use a mapping model that takes one of them.",
            new.name
        )
    }

    private static func failure(
        _ message: String,
        _ recovery: String,
        _ key: String
    ) -> ObjectGraphError {
        ObjectGraphError(.inferredMapping, message, recovery: recovery, key: key)
    }
}

extension ManagedObjectModel {
    /// The entities of a configuration with their ancestors, in the order of their numbers.
    ///
    /// Valid once frozen.
    package func storedEntities(in configuration: String?) -> [EntityDescription] {
        let names = Set((entities(inConfiguration: configuration) ?? []).flatMap(\.lineage))
        return entitiesByNumber.compactMap { $0 }.filter { names.contains($0.name) }
    }
}

extension EntityDescription {
    /// The name under which migration finds the entity.
    package var canonicalName: String {
        if let renamingIdentifier, !renamingIdentifier.isEmpty { return renamingIdentifier }
        return name
    }

    /// What a store keeps of the entity: attributes (of composite ones the elements) and
    /// relationships, by slot.
    package var persistentSlots: [PropertyDescription] {
        slots.filter { property in
            if let attribute = property as? AttributeDescription { return attribute.isStored }
            return property is RelationshipDescription && !property.isTransient
        }
    }
}

extension PropertyDescription {
    /// The name under which migration finds the property.
    ///
    /// That of a composite attribute's element begins with that of the whole attribute.
    package var canonicalName: String {
        let own = renamingIdentifier.flatMap { $0.isEmpty ? nil : $0 }
        guard let element = self as? AttributeDescription, let whole = element.composite else {
            return own ?? name
        }
        return whole.canonicalName + "." + (own ?? element.elementName)
    }

    fileprivate var kindWithArticle: String {
        switch self {
        case is AttributeDescription: "an attribute"
        case is RelationshipDescription: "a relationship"
        default: "a fetched property"
        }
    }
}
