extension ManagedObjectModel {
    /// A copy for looking at a store: it says how values are stored and nothing else.
    ///
    /// Transformable attributes are data, so no transformer is needed and nothing is opened that is
    /// sealed. Derived attributes are plain ones. Rules, defaults, indexes, fetched properties and
    /// transient properties are left out.
    ///
    /// - Parameter names: the entities that the store holds, with their parents; `nil` = all. The
    ///   others are left out, with the relationships to them.
    /// - Returns: the copy, not frozen.
    /// - Complexity: O(properties).
    package func plainStorage(of names: Set<String>? = nil) -> ManagedObjectModel {
        let model = ManagedObjectModel()
        for entity in entities where names?.contains(entity.name) != false {
            let plain = EntityDescription(
                entity.name,
                isAbstract: entity.isAbstract,
                superentity: entity.superentityName
            )
            for property in entity.ownProperties where !property.isTransient {
                if property is FetchedPropertyDescription { continue }
                if let relationship = property as? RelationshipDescription,
                    names?.contains(relationship.destinationName) == false
                {
                    continue
                }
                let copy = property.copy()
                if let attribute = copy as? AttributeDescription { attribute.makePlain() }
                plain.add(copy)
            }
            model.add(plain)
        }
        model.composites = composites.mapValues { elements in
            elements.map { element in
                let copy = element.copy()
                if let attribute = copy as? AttributeDescription { attribute.makePlain() }
                return copy
            }
        }
        return model
    }
}

extension AttributeDescription {
    fileprivate func makePlain() {
        if type == .transformable { type = .binary }
        if type == .undefined { type = .integer64 }
        valueTransformerName = nil
        derivation = nil
        defaultValue = .null
        makeDefault = nil
        rules = []
    }
}
