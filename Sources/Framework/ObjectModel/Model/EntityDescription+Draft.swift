// What an entity says of itself before its model is frozen: names are looked up at each call.

extension EntityDescription {
    /// The parent entity.
    public var superentity: EntityDescription? {
        if isLaidOut { return parent }
        guard let superentityName, superentityName != name else { return nil }
        return model?.entity(named: superentityName)
    }

    /// The direct children, by name.
    public var subentities: [EntityDescription] {
        if isLaidOut { return children }
        return (model?.entities ?? []).filter { $0.superentityName == name && $0 !== self }
            .sorted { $0.name < $1.name }
    }

    /// The entity and its ancestors, nearest first; a circle ends where it begins.
    var draftLineage: [EntityDescription] {
        var lineage: [EntityDescription] = []
        var current: EntityDescription? = self
        while let entity = current, !lineage.contains(entity) {
            lineage.append(entity)
            current = entity.superentity
        }
        return lineage
    }

    /// The properties of a kind, in the order of their slots.
    func draft<Kind: PropertyDescription>(_: Kind.Type) -> [Kind] {
        draftLineage.reversed().flatMap { entity in
            entity.ownProperties.compactMap { $0 as? Kind }.sorted { $0.name < $1.name }
        }
    }
}

extension RelationshipDescription {
    /// The destination entity; `nil` if the model has none of that name.
    public var destination: EntityDescription? {
        if isResolved { return target }
        return entity?.model?.entity(named: destinationName)
    }

    /// The inverse relationship.
    public var inverse: RelationshipDescription? {
        if isResolved { return partner }
        return inverseName.flatMap { destination?.property(named: $0) } as? RelationshipDescription
    }
}
