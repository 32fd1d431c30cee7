import ObjectModel
import ObjectStore

// From a changed object back, along the relationships that a request follows, to the results that
// the change can affect.

extension FetchDependencies {
    /// Adds the possible results that the change of an object can affect: the object itself, and
    /// those that lead to it over the followed relationships now.
    ///
    /// If an object led to it only before the change, that object has changed itself. `slots` are
    /// the changed ones, where they are known: results that read other slots are not affected.
    ///
    /// - Returns: false if every object may be affected.
    func collect(
        _ object: ManagedObject,
        changed slots: SlotSet?,
        into result: inout Set<ManagedObject>
    ) -> Bool {
        guard let chains else { return false }
        if admits(object.entity) { result.insert(object) }
        for chain in chains {
            guard let destination = chain.relationships.last?.destination,
                object.entity.isKind(of: destination), chain.reads(slots, of: object.entity)
            else { continue }
            guard let sources = sources(of: chain.relationships, to: object) else { return false }
            for source in sources where admits(source.entity) { result.insert(source) }
        }
        return true
    }

    private func sources(
        of chain: [RelationshipDescription],
        to object: ManagedObject
    ) -> Set<ManagedObject>? {
        var current: Set<ManagedObject> = [object]
        for relationship in chain.reversed() {
            guard let inverse = relationship.inverse, !relationship.isTransient else { return nil }
            var next: Set<ManagedObject> = []
            for object in current where object.owns(inverse) {
                next.formUnion(object.destinationObjects(inverse))
            }
            current = next
        }
        return current
    }
}

extension ManagedObject {
    fileprivate final func owns(_ relationship: RelationshipDescription) -> Bool {
        entity.slots.count > relationship.slot && entity.slots[relationship.slot] === relationship
    }
}

extension KeyPathUse.Chain {
    /// Whether one of some slots is read at the end of the path.
    ///
    /// True if the slots are unknown, or if a key is not one of the entity's own.
    fileprivate func reads(_ slots: SlotSet?, of entity: EntityDescription) -> Bool {
        guard let slots else { return true }
        return keys.contains { key in
            entity.slots(readBy: key)?.contains(where: slots.contains) ?? true
        }
    }
}
