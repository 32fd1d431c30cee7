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
            fresh: stalenessInterval == 0,
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
    ) -> [ManagedObjectID] {
        let id = object.objectID
        if id.isTemporaryID { return [] }
        let slot = relationship.slot
        guard let batch = object.batch, batch.ids.count > 1 else {
            return (try? coordinator.destinations(of: relationship, owners: [id]).first) ?? []
        }
        let generation = coordinator.generation
        if batch.destinations[slot] == nil || batch.generation != generation {
            // What was read before a save or a merge may be old.
            if batch.generation != generation { batch.destinations = [:] }
            batch.generation = generation
            let owners = batch.ids.filter {
                $0.spaceNumber == id.spaceNumber && !$0.isTemporaryID
                    && coordinator.entity(of: $0)?.slots.count ?? 0 > slot
                    && coordinator.entity(of: $0)?.slots[slot] === relationship
            }
            let found = (try? coordinator.destinations(of: relationship, owners: owners)) ?? []
            batch.destinations[slot] = Dictionary(
                zip(owners, found),
                uniquingKeysWith: { first, _ in first }
            )
        }
        if let known = batch.destinations[slot]?[id] { return known }
        return (try? coordinator.destinations(of: relationship, owners: [id]).first) ?? []
    }
}
