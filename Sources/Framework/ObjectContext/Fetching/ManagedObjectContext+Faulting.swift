import ObjectModel
import ObjectStore

extension ManagedObjectContext {
    /// Fills a fault.
    ///
    /// Returns false if its row does not exist.
    func fill(_ object: ManagedObject) throws -> Bool {
        let slots = SlotMemory.make(object.slotCount)
        var version: Int64?
        defer { if version == nil { SlotMemory.free(slots, count: 0) } }
        version = try readValues(
            object.objectID,
            object.entity,
            batch: object.batch,
            staleness: stalenessInterval,
            into: slots
        )
        guard let version else { return false }
        object.slots = slots
        object.version = version
        object.state.fill()
        return true
    }

    /// The object at the end of a to-one relationship, in the batch of all ends of its source's batch.
    func object(
        with id: ManagedObjectID,
        near source: ManagedObject,
        _ slot: Int
    ) -> ManagedObject {
        let id = resolve(id)
        if let known = registry.get(id) { return known }
        let object = makeFault(id)
        guard let batch = source.batch, batch.ids.count > 1 else { return object }
        object.batch = batch.batch(of: id, over: slot) {
            settleBelow()
            return self.source.references(slot, of: batch.ids)
        }
        if object.batch != nil { batch.ends.append(object) }
        return object
    }

    /// Calls with the objects at the end of a to-many relationship.
    ///
    /// A new one is in a batch with the members of other objects of its source's batch, or else with
    /// the others that are given.
    func visit(
        _ ids: some Collection<ManagedObjectID>,
        near source: ManagedObject,
        _ slot: Int,
        _ body: (ManagedObject) -> Void
    ) {
        let owners = source.batch.flatMap { $0.ids.count > 1 ? $0 : nil }
        let links = owners?.links[slot]
        let shared =
            links == nil && ids.count < FetchBatch.size
            ? owners?.members(of: source.objectID, over: slot) : nil
        var single: [ManagedObject] = []
        for id in ids {
            let id = resolve(id)
            if isGone(id) { continue }
            let object = registry.get(id) ?? makeFault(id)
            if object.batch == nil, !id.isTemporaryID {
                object.batch = links == nil ? shared : links?[id]
                if object.batch == nil { single.append(object) }
            }
            body(object)
        }
        makeBatches(of: single)
    }

    /// Lets objects be read together.
    func makeBatches(of objects: [ManagedObject]) {
        var rest = objects[...]
        for batch in FetchBatch.cut(objects.map(\.objectID)) {
            for object in rest.prefix(batch.ids.count) { object.batch = batch }
            rest = rest.dropFirst(batch.ids.count)
        }
    }

    /// Loads the stored members of a to-many relationship.
    ///
    /// For a one-to-many relationship, the members' own side decides where they are realised, so
    /// that both sides agree even if a member was not read again. What their pending changes take
    /// out or bring in is then a pending change of the owner too.
    func load(_ contents: ToManyContents, of object: ManagedObject, _ stored: [ManagedObjectID]) {
        guard let inverse = contents.relationship.inverse else { return contents.load(stored) }
        if inverse.isToMany {
            let (added, removed) = (contents.added, contents.removed)
            contents.load(stored)
            settle(added.subtracting(contents.added), inverse, object, isMember: true)
            settle(removed.subtracting(contents.removed), inverse, object, isMember: false)
            noteOwner(object, ofDeletedAmong: stored, inverse)
            return
        }
        let others = membersInMemory(of: contents, inverse, object, stored)
        contents.load(stored, others)
        if others.hasChanges, contents.isChangedSinceSave, object.isTracked, !object.isInserted {
            object.trackChanges().sinceSave.insert(contents.relationship.slot)
            pending.update(object)
        }
    }

    /// Drops the other side of pending many-to-many links that others have stored as they are here.
    private func settle(
        _ others: Set<ManagedObjectID>,
        _ inverse: RelationshipDescription,
        _ object: ManagedObject,
        isMember: Bool
    ) {
        for id in others where id != object.objectID {
            guard let other = registry.get(id), let back = other.contentsInMemory(inverse) else {
                continue
            }
            back.reconcile(object.objectID, isMember: isMember, isStored: isMember)
            other.dropChangesIfClean()
        }
    }

    /// The save of a deletion takes the object out of the lists that it knows of: also of one that was
    /// read after the object's own side.
    private func noteOwner(
        _ owner: ManagedObject,
        ofDeletedAmong members: [ManagedObjectID],
        _ inverse: RelationshipDescription
    ) {
        if pending.objects.isEmpty { return }
        for id in members {
            guard let member = registry.get(id), member.isDeleted else { continue }
            member.loadedContents(inverse.slot)?
                .reconcile(owner.objectID, isMember: true, isStored: true)
        }
    }

    private func membersInMemory(
        of contents: ToManyContents,
        _ inverse: RelationshipDescription,
        _ object: ManagedObject,
        _ stored: [ManagedObjectID]
    ) -> MembersInMemory {
        let owner = object.objectID
        var result = MembersInMemory()
        for id in stored {
            guard let member = registry.get(id), !member.isFault,
                member.reference(inverse.slot) != owner
            else { continue }
            if member.savedReference(inverse.slot) == owner {
                result.leaving.insert(id)
            } else {
                result.hidden.insert(id)
            }
        }
        if contents.remembered.isEmpty { return result }
        let base = Set(stored)
        for id in contents.remembered where !base.contains(id) {
            guard let member = registry.get(id), !member.isFault, !member.isDeleted,
                member.reference(inverse.slot) == owner
            else { continue }
            if member.savedReference(inverse.slot) == owner {
                result.kept.insert(id)
            } else {
                result.joining.insert(id)
            }
        }
        return result
    }

    /// The stored members of a to-many relationship; one query for the object's whole batch.
    func storedDestinations(
        of relationship: RelationshipDescription,
        for object: ManagedObject
    ) throws -> [ManagedObjectID] {
        let id = object.objectID
        if id.isTemporaryID {
            return try readDestinations(of: relationship, owners: [id]).first ?? []
        }
        let slot = relationship.slot
        if let batch = object.batch, batch.ids.count > 1 {
            let generation = generationBelow
            if batch.generation != generation {
                // Members that were read before a save or a merge may be outdated.
                batch.destinations = [:]
                batch.generation = generation
            }
            if batch.destinations[slot]?[id] == nil {
                let owners = batch.ids.filter { isOwner($0, of: relationship, with: id) }
                let found = try readDestinations(of: relationship, owners: owners)
                batch.destinations[slot] = Dictionary(
                    zip(owners, found),
                    uniquingKeysWith: { first, _ in first }
                )
            }
            if let known = batch.destinations[slot]?[id] { return known }
        }
        return try readDestinations(of: relationship, owners: [id]).first ?? []
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
