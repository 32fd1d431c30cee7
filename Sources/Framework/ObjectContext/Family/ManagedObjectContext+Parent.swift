import ObjectModel
import ObjectStore

// The level below a context: its parent with all pending changes, or else the stores.
//
// Definitions:
// - *child*: a context with a parent. It reads the parent's state, and saves into it.
// - *root*: a context without a parent. It reads and saves through the coordinator.
//
// A parent and its children are used on one executor. So a parent reaches its children directly:
// when an object gets its permanent ID in one context of a family, it gets it in all of them.

extension ManagedObjectContext {
    /// Fills slots from the level below; the version, or `nil` if the object does not exist there.
    func readValues(
        _ id: ManagedObjectID,
        _ entity: EntityDescription,
        batch: FetchBatch?,
        staleness: Duration?,
        into slots: UnsafeMutablePointer<GraphValue>
    ) throws -> Int64? {
        if let parent {
            let id = parent.resolve(id)
            if let object = parent.registry.get(id), !object.isFault {
                return object.lendValues(to: slots) ? object.version : nil
            }
            return try parent.readValues(
                id,
                entity,
                batch: batch,
                staleness: staleness,
                into: slots
            )
        }
        return try source.realise(id, entity, batch: batch, staleness: staleness, into: slots)
    }

    /// The destinations of a to-many relationship in the level below, for each owner.
    ///
    /// One query for all of those that no ancestor holds.
    func readDestinations(
        of relationship: RelationshipDescription,
        owners: [ManagedObjectID]
    ) throws -> [[ManagedObjectID]] {
        guard let parent else {
            settleBelow()
            let saved = owners.contains(where: \.isTemporaryID)
            if !saved { return try source.destinations(of: relationship, owners: owners) }
            return try owners.map { owner in
                if owner.isTemporaryID { return [] }
                return try source.destinations(of: relationship, owners: [owner]).first ?? []
            }
        }
        var result = [[ManagedObjectID]](repeating: [], count: owners.count)
        var others: [Int] = []
        for (index, owner) in owners.enumerated() {
            guard let object = parent.registry.get(parent.resolve(owner)), !object.isFault,
                case .opaque(is ToManyContents) = object.slots[relationship.slot],
                let contents = object.loadedContents(relationship.slot)
            else {
                others.append(index)
                continue
            }
            let ids = contents.isOrdered ? contents.order : contents.members.sorted()
            result[index] = ids.map(parent.resolve)
        }
        if others.isEmpty { return result }
        let found = try parent.readDestinations(of: relationship, owners: others.map { owners[$0] })
        for (index, ids) in zip(others, found) { result[index] = ids }
        return result
    }

    /// The results of the level below for a fetch.
    func answers(to fetch: PreparedFetch) throws -> [FetchAnswer] {
        guard let parent else { return try source.fetch(fetch.plan, from: fetch.stores) }
        return [fetch.answer(ofParent: try parent.find(fetch.requestToParent))]
    }

    /// Whether this context or an ancestor has pending changes.
    var hasPendingAnywhere: Bool {
        pending.objects.contains(where: \.hasChanges) || parent.map(\.hasPendingAnywhere) ?? false
    }

    /// Increases with every change that can affect ``readDestinations(of:owners:)``.
    var generationBelow: Int {
        source.generation &+ family.linkEditsAbove
    }

    // MARK: Children

    /// Passes the IDs that have become permanent to the children that know them.
    func handDown(_ ids: [(temporary: ManagedObjectID, permanent: ManagedObjectID)]) {
        if ids.isEmpty { return }
        for child in family.children { child.takePermanentIDs(ids) }
    }

    private func takePermanentIDs(
        _ ids: [(temporary: ManagedObjectID, permanent: ManagedObjectID)]
    ) {
        for (temporary, permanent) in ids {
            registry.noteAlias(temporary, permanent)
            guard let object = registry.get(temporary) else { continue }
            adopt(permanent, for: object)
            // For observers that store IDs, such as results controllers.
            pending.refresh(object)
        }
        for object in registry.objects { object.replaceTemporaryIDs(resolving: resolve) }
        handDown(ids)
    }
}

extension ManagedObject {
    /// Copies the values for a child context; false if the object is deleted.
    ///
    /// Transient attributes start with their defaults there, and to-many relationships are read
    /// when they are needed.
    final func lendValues(to target: UnsafeMutablePointer<GraphValue>) -> Bool {
        if isDeleted || state.isInaccessible { return false }
        for property in entity.slots {
            let slot = property.slot
            let isToMany = (property as? RelationshipDescription)?.isToMany ?? false
            let value: GraphValue
            if property.isTransient || isToMany {
                value = entity.defaults[slot]
            } else if let id = slots[slot].objectID {
                value = .objectID(owner?.resolve(id) ?? id)
            } else {
                value = slots[slot]
            }
            (target + slot).initialize(to: value)
        }
        return true
    }

    /// Replaces temporary IDs that have become permanent, wherever the object holds some.
    fileprivate final func replaceTemporaryIDs(
        resolving resolve: (ManagedObjectID) -> ManagedObjectID
    ) {
        if isFault { return }
        for relationship in entity.relationships {
            let slot = relationship.slot
            if case .opaque(let contents as ToManyContents) = slots[slot] {
                contents.replaceTemporaryIDs(resolve)
                continue
            }
            if let id = slots[slot].objectID, id.isTemporaryID {
                slots[slot] = .objectID(resolve(id))
            }
            if let snapshot = changes?.snapshot, let id = snapshot[slot].objectID,
                id.isTemporaryID
            {
                snapshot[slot] = .objectID(resolve(id))
            }
        }
    }
}
