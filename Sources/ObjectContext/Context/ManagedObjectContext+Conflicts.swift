import ObjectModel
import ObjectStore

// Conflicts: the store found rows of another version than was read. The merge policy decides
// what each object in conflict keeps; then the save plans again.

extension ManagedObjectContext {
    /// Applies the merge policy to the objects in conflict.
    ///
    /// - Parameter giveUp: true when conflicts keep coming.
    /// - Throws: code 133020 if the policy is ``MergePolicy/error``.
    func resolve(_ conflict: StoreConflict, giveUp: Bool) throws {
        if mergePolicy == .error || giveUp { throw error(for: conflict) }
        coordinator.forgetRows(conflict.rows.map(\.id))
        for row in conflict.rows {
            guard let object = identity.get(row.id) else { continue }
            try resolve(object, isGone: row.newVersion == 0)
        }
        processPendingChanges()
        compactPending()
    }

    private func resolve(_ object: ManagedObject, isGone: Bool) throws {
        if isGone {
            try resolveDisappearance(object)
            return
        }
        if object.flags & ObjectFlags.deleted != 0 {
            switch mergePolicy {
            case .mergeByPropertyStoreTrump, .rollback:
                // The store's change wins over the deletion here.
                object.flags &= ~ObjectFlags.deleted
                try takeStoreValues(object, keeping: .nothing)
                eventRestored.append(object)
            default:
                object.version = try coordinator.currentVersion(object.objectID) ?? object.version
            }
            return
        }
        switch mergePolicy {
        case .error: break
        case .mergeByPropertyObjectTrump: try takeStoreValues(object, keeping: .changedHere)
        case .mergeByPropertyStoreTrump: try takeStoreValues(object, keeping: .changedHereAlone)
        case .overwrite: try takeStoreValues(object, keeping: .everything)
        case .rollback: try takeStoreValues(object, keeping: .nothing)
        }
        object.awakeFromSnapshotEvents(.mergePolicy)
    }

    /// The row was deleted by somebody else.
    private func resolveDisappearance(_ object: ManagedObject) throws {
        switch mergePolicy {
        case .mergeByPropertyObjectTrump, .overwrite:
            if object.flags & ObjectFlags.deleted != 0 {
                unregister(object)
                eventMergedDeletes.append(object)
            } else {
                object.flags |= ObjectFlags.inserted
                object.flags &= ~ObjectFlags.updated
                object.version = 0
            }
        default:
            unregister(object)
            eventMergedDeletes.append(object)
        }
    }

    private func error(for conflict: StoreConflict) -> ObjectGraphError {
        let names = conflict.rows.map { row in
            row.newVersion == 0
                ? "\(row.id.uri) was deleted" : "\(row.id.uri) was changed"
        }
        return ObjectGraphError(
            .mergeConflict,
            "Somebody else changed what you are about to save: \(names.joined(separator: ", ")).",
            recovery: "Refresh these objects and save again, or set a merge policy.",
            objectIDs: conflict.rows.map(\.id)
        )
    }

    /// Which of the values here outlive new ones from the store.
    enum Keeping {
        case nothing
        case changedHere
        case changedHereAlone
        case everything
    }

    /// Reads an object's row anew and puts the values to keep over it, as pending changes.
    func takeStoreValues(_ object: ManagedObject, keeping: Keeping) throws {
        if object.isFault { return }
        let fresh = UnsafeMutablePointer<Value>.allocate(capacity: object.slotCount)
        let version = try coordinator.realise(
            object.objectID,
            object.entity,
            batch: nil,
            fresh: false,
            into: fresh
        )
        guard let version else {
            fresh.deallocate()
            return
        }
        let base = object.changes?.snapshot
        let wasChanged = object.changedColumns()
        var kept: [(slot: Int, value: Value)] = []
        for property in object.entity.slots {
            let slot = property.slot
            let isToMany = (property as? RelationshipDescription)?.isToMany ?? false
            if isToMany || property.isTransient {
                if keeping != .nothing || property.isTransient {
                    fresh[slot] = object.slots[slot]
                }
                continue
            }
            switch keeping {
            case .nothing: break
            case .changedHere:
                if wasChanged.contains(slot) { kept.append((slot, object.slots[slot])) }
            case .changedHereAlone:
                if wasChanged.contains(slot), let base, fresh[slot] == base[slot] {
                    kept.append((slot, object.slots[slot]))
                }
            case .everything:
                if object.slots[slot] != fresh[slot] { kept.append((slot, object.slots[slot])) }
            }
        }
        replaceSlots(of: object, with: fresh, version: version, kept: kept)
    }

    private func replaceSlots(
        of object: ManagedObject,
        with fresh: UnsafeMutablePointer<Value>,
        version: Int64,
        kept: [(slot: Int, value: Value)]
    ) {
        let changedContents = object.entity.relationships.filter { relationship in
            guard relationship.isToMany,
                case .opaque(let contents as ToManyContents) = fresh[relationship.slot]
            else { return false }
            if !contents.isChangedSinceSave { contents.unload() }
            return contents.isChangedSinceSave
        }
        object.freeSlots()
        object.slots = fresh
        object.version = version
        object.changes = nil
        object.flags &= ~(ObjectFlags.updated | ObjectFlags.changedInEvent)
        for (slot, value) in kept {
            object.trackChanges().sinceSave.insert(slot)
            object.flags |= ObjectFlags.updated
            object.slots[slot] = value
        }
        for relationship in changedContents {
            object.trackChanges().sinceSave.insert(relationship.slot)
            object.flags |= ObjectFlags.updated
        }
        if object.flags & ObjectFlags.updated != 0 { list(object) }
        eventRefreshed.append(object)
    }
}

extension PersistentStoreCoordinator {
    /// The version of an object's row now; `nil` if it is gone.
    func currentVersion(_ id: ManagedObjectID) throws -> Int64? {
        try withStore(of: id) { store -> Int64? in
            if !store.rows.contains(id) { try store.load([id]) }
            return store.rows.version(id)
        } ?? nil
    }
}
