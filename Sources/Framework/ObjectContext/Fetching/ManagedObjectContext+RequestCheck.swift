import ObjectModel
import ObjectStore

// Requests are compared with the model before anything runs; see `RequestCheck`.

extension ManagedObjectContext {
    /// The entity of a fetch whose key paths all exist.
    ///
    /// - Throws: `ObjectGraphError` that names the entity, the key and the place of it.
    func checkedEntity(of description: FetchDescription) throws -> EntityDescription {
        let entity = try self.entity(of: description)
        for column in description.propertiesToFetch + description.propertiesToGroupBy {
            try entity.check(column)
        }
        try requestCheck("a fetch", of: entity).check(description)
        for keyPath in description.relationshipKeyPathsForPrefetching {
            try checkPrefetching(keyPath, from: entity)
        }
        return entity
    }

    /// A check of a request, with its description for messages: `a fetch`.
    func requestCheck(_ kind: String, of entity: EntityDescription) -> RequestCheck {
        RequestCheck("\(kind) of \(entity.name)", of: entity) { [self] in knowsByClass($0, $1) }
    }

    /// Whether a class of an entity's objects answers to a key that the model does not have.
    ///
    /// A class cannot list its keys, but an object can answer. So an object is created for the
    /// question; no store and no notification learns of it.
    private func knowsByClass(_ entity: EntityDescription, _ key: String) -> Bool {
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(ManagedObject.self)]
        var rest = [entity]
        while let next = rest.popLast() {
            rest += next.subentities
            let type = coordinator.classes.objectClass(of: next)
            guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
            let probe = type.init(
                ObjectSeed(
                    context: self,
                    layout: coordinator.classes.layout(of: next),
                    id: coordinator.temporaryID(for: next),
                    state: .stand
                )
            )
            do {
                _ = try probe.value(forKey: key)
                return true
            } catch {
                if (error as? ObjectGraphError)?.code != .undefinedKey { return true }
            }
        }
        return false
    }
}
