package import ObjectModel

extension ManagedObject: KeyDirectoryProviding {
    package final var keyDirectory: any KeyDirectory {
        EntityKeys(entity: entity, coordinator: owner?.coordinator)
    }
}

private struct EntityKeys: KeyDirectory {
    let entity: EntityDescription
    /// The coordinator with the classes; `nil` for an object without a context.
    let coordinator: PersistentStoreCoordinator?

    func target(ofKey key: String) throws -> KeyTarget {
        switch key {
        case "self": return .object(self)
        case "objectID": return .anything
        case "entity": return .value(.string(entity.name))
        default: break
        }
        switch entity.propertyInHierarchy(named: key) {
        case let attribute as AttributeDescription:
            if attribute.type != .composite { return KeyTarget(attribute.type) }
            return .dictionary(ElementKeys(attribute: attribute))
        case let relationship as RelationshipDescription:
            guard let destination = relationship.destination else { return .anything }
            let keys = EntityKeys(entity: destination, coordinator: coordinator)
            return relationship.isToMany ? .objects(keys) : .object(keys)
        case .some: return .anything
        case nil:
            if entity.hierarchyNames.contains(key) || isDeclared(key, by: entity) {
                return .anything
            }
            throw ManagedObject.undefinedKey(key, entity)
        }
    }

    /// Whether the class of an entity, or of one below it, declares dependencies of a key or
    /// notifies for it.
    private func isDeclared(_ key: String, by entity: EntityDescription) -> Bool {
        guard let coordinator else { return true }
        return coordinator.classes.objectClass(of: entity).declares(key)
            || entity.subentities.contains { isDeclared(key, by: $0) }
    }
}

/// The elements of a composite attribute.
private struct ElementKeys: KeyDirectory {
    let attribute: AttributeDescription

    func target(ofKey key: String) throws -> KeyTarget {
        if key == "self" { return .dictionary(self) }
        guard let element = attribute.elements.first(where: { $0.elementName == key }) else {
            throw ObjectGraphError(
                .undefinedKey,
                "\(attribute.name) has no element \"\(key)\".",
                recovery: "It has: "
                    + "\(attribute.elements.map(\.elementName).joined(separator: ", ")).",
                key: key
            )
        }
        if element.type == .composite { return .dictionary(ElementKeys(attribute: element)) }
        return KeyTarget(element.type)
    }
}
