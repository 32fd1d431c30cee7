// What a store checks of the transformers that a model names, before it opens.

extension ValueTransformers {
    /// Checks the transformable attributes of an entity.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/invalidModel`` for a transformer
    ///   that is not registered, and for a sealed attribute that could not keep its secret: one that
    ///   is searched, indexed, unique, part of a composite attribute, or the source of a derived one.
    package static func check(_ entity: EntityDescription) throws {
        for attribute in entity.storedAttributes where attribute.type == .transformable {
            guard let transformer = named(attribute.valueTransformerName) else {
                throw ObjectGraphError(
                    .invalidModel,
                    "\(entity.name).\(attribute.name) names the unknown transformer"
                        + " \"\(attribute.valueTransformerName ?? "")\".",
                    recovery: "Register it before opening the store."
                )
            }
            guard transformer.keepsValuesSealed, let use = openUse(of: attribute, in: entity) else {
                continue
            }
            throw ObjectGraphError(
                .invalidModel,
                "\(entity.name).\(attribute.name) keeps its values sealed, but \(use).",
                recovery: "Change the model: a sealed value can only be stored and read."
            )
        }
        for (slot, derivation) in entity.derivations {
            guard let source = sealedSource(of: derivation, in: entity) else { continue }
            throw ObjectGraphError(
                .invalidModel,
                "\(entity.name).\(entity.slots[slot].name) is derived from \(source), which keeps its"
                    + " values sealed: the store would have its value in the clear.",
                recovery: "Derive it from another attribute, or make it transient."
            )
        }
    }

    /// What the model wants to do with the values of a sealed attribute.
    private static func openUse(
        of attribute: AttributeDescription,
        in entity: EntityDescription
    ) -> String? {
        if attribute.isSearched { return "text search covers it" }
        if attribute.isIndexed { return "it is indexed" }
        if attribute.composite != nil { return "it is an element of a composite attribute" }
        let lineage = sequence(first: entity) { $0.superentity }
        let isUnique = lineage.contains { entity in
            entity.uniquenessConstraints.contains { $0.contains(attribute.name) }
        }
        return isUnique ? "it is part of a uniqueness constraint" : nil
    }

    /// The sealed attribute that a derivation reads; `nil` if there is none.
    private static func sealedSource(
        of derivation: Derivation,
        in owner: EntityDescription
    ) -> String? {
        var entity = owner
        for key in derivation.keys {
            guard let property = entity.property(named: key) else { return nil }
            if let relationship = property as? RelationshipDescription {
                guard let destination = relationship.destination else { return nil }
                entity = destination
            } else if let attribute = property as? AttributeDescription,
                attribute.type == .transformable,
                named(attribute.valueTransformerName)?.keepsValuesSealed == true
            {
                return "\(entity.name).\(key)"
            } else {
                return nil
            }
        }
        return nil
    }
}
