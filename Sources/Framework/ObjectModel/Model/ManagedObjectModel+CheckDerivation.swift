extension ManagedObjectModel {
    /// The derived attributes whose keys the model does not have.
    ///
    /// Without this check their values would silently be `nil`.
    ///
    /// Works on a model that is not frozen yet.
    package func derivationIssues() -> [ModelIssue] {
        var issues: [ModelIssue] = []
        for entity in entities {
            for case let attribute as AttributeDescription in entity.ownProperties {
                guard let text = attribute.derivation, let derivation = Derivation(text),
                    let flaw = flaw(of: derivation, in: entity)
                else { continue }
                issues.append(
                    ModelIssue(
                        isError: false,
                        place: "\(entity.name).\(attribute.name)",
                        message: "The derivation \"\(text)\" cannot be computed: \(flaw)",
                        recovery: "Correct the key."
                    )
                )
            }
        }
        return issues
    }

    /// What is wrong with the keys of a derivation; `nil` if the model has them all.
    private func flaw(of derivation: Derivation, in owner: EntityDescription) -> String? {
        var entity = owner
        var keys = derivation.keys[...]
        while let key = keys.popFirst() {
            guard let property = declaredInHierarchy(key, of: entity) else {
                return "\(entity.name) has no \"\(key)\"."
            }
            if let relationship = property as? RelationshipDescription {
                // A destination that does not exist is an issue of the relationship.
                guard let next = self.entity(named: relationship.destinationName) else {
                    return nil
                }
                entity = next
                continue
            }
            guard let attribute = property as? AttributeDescription else { return nil }
            return flaw(of: keys, after: attribute, "\(entity.name).\(key)")
        }
        return nil
    }

    /// The same for the keys after an attribute: elements of a composite one, and the built-in keys
    /// of values.
    private func flaw(
        of keys: ArraySlice<String>,
        after attribute: AttributeDescription,
        _ name: String
    ) -> String? {
        guard let key = keys.first else { return nil }
        if attribute.type == .composite {
            guard let elements = attribute.compositeName.flatMap({ composites[$0] }) else {
                return nil
            }
            guard let element = elements.first(where: { $0.name == key }) as? AttributeDescription
            else { return "\(name) has no \"\(key)\"." }
            return flaw(of: keys.dropFirst(), after: element, "\(name).\(key)")
        }
        guard let sample = attribute.type.sample, sample.builtInValue(forKey: key) == nil else {
            return nil
        }
        return "\(name) has no \"\(key)\"."
    }

    /// The property of a name that an entity, one of its ancestors or one of its descendants
    /// declares.
    private func declaredInHierarchy(
        _ name: String,
        of entity: EntityDescription
    ) -> PropertyDescription? {
        let line = ancestors(of: entity)
        let related = line + entities.filter { ancestors(of: $0).contains { $0 === entity } }
        for member in related {
            if let found = member.ownProperties.first(where: { $0.name == name }) { return found }
        }
        return nil
    }

    /// An entity and its ancestors; ends even if they form a circle.
    private func ancestors(of entity: EntityDescription) -> [EntityDescription] {
        var line: [EntityDescription] = []
        var current: EntityDescription? = entity
        while let here = current, !line.contains(where: { $0 === here }) {
            line.append(here)
            current = here.superentityName.flatMap { self.entity(named: $0) }
        }
        return line
    }
}
