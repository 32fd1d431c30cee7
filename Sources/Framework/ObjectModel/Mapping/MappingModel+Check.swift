import FoundationEssentials

extension MappingModel {
    /// Compares the mapping with the two models that it leads from and to.
    ///
    /// Freezes both.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/missingMappingModel`` for the
    ///   first mapping that does not fit; the message names the mapping, the entity and the property.
    /// - Complexity: O(properties).
    public func check(from source: ManagedObjectModel, to destination: ManagedObjectModel) throws {
        try source.freeze()
        try destination.freeze()
        var names: Set<String> = []
        for mapping in entityMappings {
            if !names.insert(mapping.name).inserted {
                throw mapping.misfit("exists twice", "Rename one of them.")
            }
            let old = try mapping.entity(mapping.sourceEntityName, "source", in: source)
            let new = try mapping.entity(
                mapping.destinationEntityName,
                "destination",
                in: destination
            )
            try mapping.checkKind(old, new)
            try mapping.checkHash(mapping.sourceVersionHash, of: old)
            try mapping.checkHash(mapping.destinationVersionHash, of: new)
            if let new { try mapping.checkProperties(of: new) }
        }
    }
}

extension EntityMapping {
    fileprivate func misfit(
        _ what: String,
        _ recovery: String,
        key: String? = nil
    ) -> ObjectGraphError {
        ObjectGraphError(
            .missingMappingModel,
            "The mapping \(name) \(what).",
            recovery: recovery,
            key: key
        )
    }

    fileprivate func entity(
        _ name: String?,
        _ side: String,
        in model: ManagedObjectModel
    ) throws -> EntityDescription? {
        guard let name else { return nil }
        if let entity = model.entity(named: name) { return entity }
        throw misfit(
            "names the entity \(name), which the \(side) model does not have",
            "Name one of its entities."
        )
    }

    fileprivate func checkKind(
        _ source: EntityDescription?,
        _ destination: EntityDescription?
    )
        throws
    {
        let needsSource = kind != .add && kind != .custom
        let needsDestination = kind != .remove && kind != .custom
        if needsSource, source == nil {
            throw misfit("has no source entity", "Name the entity whose objects it is for.")
        }
        if needsDestination, destination == nil {
            throw misfit("has no destination entity", "Name the entity of the new objects.")
        }
        if let destination, destination.isAbstract {
            throw misfit(
                "makes objects of \(destination.name), which is abstract",
                "Name one of its subentities."
            )
        }
    }

    fileprivate func checkHash(_ hash: Data?, of entity: EntityDescription?) throws {
        guard let hash, let entity, hash != entity.versionHash else { return }
        throw misfit(
            "was made for another version of the entity \(entity.name)",
            "Make the mapping for these two models, or remove the hash from it."
        )
    }

    fileprivate func checkProperties(of entity: EntityDescription) throws {
        var seen: Set<String> = []
        for (properties, isAttribute) in [(attributeMappings, true), (relationshipMappings, false)]
        {
            let word = isAttribute ? "attribute" : "relationship"
            for property in properties {
                let place = "\(entity.name).\(property.name)"
                if !seen.insert(property.name).inserted {
                    throw misfit("sets \(place) twice", "Remove one of them.", key: property.name)
                }
                let found = entity.property(named: property.name)
                let fits =
                    isAttribute ? found is AttributeDescription : found is RelationshipDescription
                if !fits {
                    throw misfit(
                        "sets \(place), which is not \(word.withArticle)",
                        "Name one of the entity's properties.",
                        key: property.name
                    )
                }
                if (found as? AttributeDescription)?.isDerived == true {
                    throw misfit(
                        "sets \(place), which is derived",
                        "Remove it; the store computes the value.",
                        key: property.name
                    )
                }
            }
        }
    }
}
