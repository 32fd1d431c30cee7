import ObjectModel
import ObjectStore

extension ManagedObjectContext {
    /// Fills a fault.
    ///
    /// Returns false if its row is gone.
    func fill(_ object: ManagedObject) throws -> Bool {
        let slots = UnsafeMutablePointer<Value>.allocate(capacity: object.slotCount)
        var version: Int64?
        defer { if version == nil { slots.deallocate() } }
        version = try coordinator.realise(
            object.objectID,
            object.entity,
            batch: object.batch,
            staleness: stalenessInterval,
            into: slots
        )
        guard let version else { return false }
        object.slots = slots
        object.version = version
        object.flags &= ~ObjectFlags.fault
        return true
    }

    /// The object at the end of a relationship, in the batch of what its source's batch reaches.
    func object(
        with id: ManagedObjectID,
        near source: ManagedObject,
        _ slot: Int
    ) -> ManagedObject {
        let id = resolve(id)
        if let known = identity.get(id) { return known }
        let object = makeFault(id)
        if let batch = source.batch, batch.ids.count > 1 {
            object.batch = batch.next(over: slot, to: id) {
                reach(from: batch, over: slot, of: source)
            }
        }
        return object
    }

    /// The objects at the end of a to-many relationship; those of a source without a batch make
    /// batches among themselves.
    func objects(
        with ids: [ManagedObjectID],
        near source: ManagedObject,
        _ slot: Int
    ) -> [ManagedObject] {
        if source.batch.map({ $0.ids.count > 1 }) ?? false {
            return ids.map { object(with: $0, near: source, slot) }
        }
        return instances(ids)
    }

    /// The stored members of a one-to-many relationship that belong to another owner by now.
    func elsewhere(
        _ stored: [ManagedObjectID],
        _ relationship: RelationshipDescription,
        _ object: ManagedObject
    ) -> Set<ManagedObjectID> {
        guard let inverse = relationship.inverse, !inverse.isToMany, !pending.isEmpty else {
            return []
        }
        var result: Set<ManagedObjectID> = []
        for id in stored {
            guard let member = identity.get(id), member.flags & ObjectFlags.updated != 0,
                member.reference(inverse.slot) != object.objectID
            else { continue }
            result.insert(id)
        }
        return result
    }

    /// All that the members of a batch reach over a relationship.
    private func reach(
        from batch: FetchBatch,
        over slot: Int,
        of source: ManagedObject
    ) -> [ManagedObjectID] {
        if let known = batch.destinations[slot] {
            return batch.ids.flatMap { known[$0] ?? [] }
        }
        return coordinator.references(slot, of: batch.ids)
    }

    /// What the store holds of a to-many relationship; one query for the object's whole batch.
    func storedDestinations(
        of relationship: RelationshipDescription,
        for object: ManagedObject
    ) throws -> [ManagedObjectID] {
        let id = object.objectID
        if id.isTemporaryID { return [] }
        let slot = relationship.slot
        if let batch = object.batch, batch.ids.count > 1 {
            let generation = coordinator.generation
            if batch.generation != generation {
                // What was read before a save or a merge may be old.
                batch.destinations = [:]
                batch.generation = generation
            }
            if batch.destinations[slot]?[id] == nil {
                let owners = batch.ids.filter { isOwner($0, of: relationship, with: id) }
                let found = try coordinator.destinations(of: relationship, owners: owners)
                batch.destinations[slot] = Dictionary(
                    zip(owners, found),
                    uniquingKeysWith: { first, _ in first }
                )
            }
            if let known = batch.destinations[slot]?[id] { return known }
        }
        return try coordinator.destinations(of: relationship, owners: [id]).first ?? []
    }

    private func isOwner(
        _ id: ManagedObjectID,
        of relationship: RelationshipDescription,
        with other: ManagedObjectID
    ) -> Bool {
        guard id.spaceNumber == other.spaceNumber, !id.isTemporaryID,
            let slots = coordinator.entity(of: id)?.slots, slots.count > relationship.slot
        else { return false }
        return slots[relationship.slot] === relationship
    }
}
