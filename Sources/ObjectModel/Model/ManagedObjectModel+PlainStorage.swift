extension ManagedObjectModel {
    /// A copy for looking at a store: it says how values are stored and nothing else.
    ///
    /// Transformable attributes are data, so no transformer is needed and nothing is opened that is
    /// sealed. Derived attributes are plain ones. Rules, defaults, indexes, fetched properties and
    /// transient properties are left out.
    ///
    /// - Complexity: O(properties).
    package func plainStorage() -> ManagedObjectModel {
        let model = ManagedObjectModel()
        for entity in entities {
            let plain = EntityDescription(
                entity.name,
                isAbstract: entity.isAbstract,
                superentity: entity.superentityName
            )
            for property in entity.ownProperties where !property.isTransient {
                if property is FetchedPropertyDescription { continue }
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
        rules = []
    }
}
