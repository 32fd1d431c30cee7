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
            resolveDisappearance(object)
            return
        }
        if object.flags & ObjectFlags.deleted != 0 {
            switch mergePolicy {
            case .mergeByPropertyStoreTrump, .rollback:
                // The store's change wins over the deletion here.
                object.flags &= ~ObjectFlags.deleted
                try takeStoreValues(object, keeping: .nothing)
                reattach(object)
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

    /// Takes back what the delete rules did for an object that is to stay.
    private func reattach(_ object: ManagedObject) {
        for relationship in object.entity.relationships where !relationship.isTransient {
            guard let inverse = relationship.inverse else { continue }
            for other in object.destinationObjects(relationship) {
                if other.isDeleted {
                    object.forget(other, relationship)
                } else if inverse.isToMany {
                    other.contents(inverse)
                        .reconcile(object.objectID, isMember: true, isStored: true)
                    other.dropChangesIfClean()
                } else if other.reference(inverse.slot) == nil {
                    other.write(.objectID(object.objectID), inverse.slot)
                    other.dropChangesIfClean()
                }
            }
        }
    }

    /// The row was deleted by somebody else.
    private func resolveDisappearance(_ object: ManagedObject) {
        if object.flags & ObjectFlags.deleted != 0 {
            // Both agree.
            unregister(object)
            return
        }
        switch mergePolicy {
        case .mergeByPropertyObjectTrump, .overwrite:
            object.flags |= ObjectFlags.inserted
            object.flags &= ~ObjectFlags.updated
            object.version = 0
            object.changes = nil
            object.becomeUnsaved(resolving: resolve)
        default:
            mergeDeletion(of: object)
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
