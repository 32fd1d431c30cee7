import ObjectModel
import ObjectStore

extension ManagedObjectContext {
    /// Reads an object's values anew.
    ///
    /// - Parameters:
    ///   - mergeChanges: false turns the object into a fault and drops its pending changes; true
    ///     takes what the row cache holds and puts pending changes back over it.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
        guard object.owner === self, object.flags & ObjectFlags.inserted == 0 else { return }
        if stalenessInterval == 0 { coordinator.forgetRows([object.objectID]) }
        if mergeChanges {
            try? takeStoreValues(object, keeping: .changedHere)
            object.awakeFromSnapshotEvents(.refresh)
        } else {
            object.flags &= ~ObjectFlags.deleted
            object.becomeFault()
            eventRefreshed.append(object)
        }
    }

    /// Refreshes every registered object: changed ones keep their changes, clean ones become
    /// faults.
    public func refreshAllObjects() {
        processPendingChanges()
        for object in identity.objects where object.flags & ObjectFlags.inserted == 0 {
            refresh(object, mergeChanges: object.hasChanges)
        }
        processPendingChanges()
    }

    /// Forgets every object, pending change and undo step.
    ///
    /// The objects become unusable.
    public func reset() {
        let objects = identity.objects
        for object in objects { invalidate(object) }
        identity.removeAll()
        aliases = [:]
        retained = []
        pending = []
        clearEvent()
        undoManager?.removeAllActions()
        notifications.post(
            ObjectsDidChange(
                context: self,
                inserted: [],
                updated: [],
                deleted: [],
                refreshed: [],
                invalidatedAll: true
            )
        )
    }

    private func invalidate(_ object: ManagedObject) {
        object.becomeFault()
        object.owner = nil
        object.flags |= ObjectFlags.detached
        object.flags &= ~(ObjectFlags.inserted | ObjectFlags.deleted | ObjectFlags.listed)
    }

    private func clearEvent() {
        eventInserted = []
        eventChanged = []
        eventDeleted = []
        eventRefreshed = []
        eventRemoved = []
        eventRestored = []
        eventMergedInserts = []
        eventMergedDeletes = []
    }

    /// Drops all pending changes in place: values go back to what was read, inserted objects leave,
    /// deleted ones come back.
    ///
    /// Clears undo and redo.
    public func rollback() {
        let undo = undoManager
        undoManager = nil
        processPendingChanges()
        let objects = pending
        pending = []
        for object in objects {
            object.flags &= ~ObjectFlags.listed
            if object.flags & ObjectFlags.inserted != 0 {
                eventRemoved.append(object)
                unregister(object)
            } else if object.hasChanges {
                if object.flags & ObjectFlags.deleted != 0 {
                    object.flags &= ~ObjectFlags.deleted
                    eventRestored.append(object)
                } else {
                    eventRefreshed.append(object)
                }
                object.revert()
                object.awakeFromSnapshotEvents(.rollback)
            }
        }
        processPendingChanges()
        undo?.removeAllActions()
        undoManager = undo
    }
}

extension ManagedObject {
    /// Puts back the values that were read.
    final func revert() {
        if isFault { return }
        for relationship in entity.relationships where relationship.isToMany {
            if case .opaque(let contents as ToManyContents) = slots[relationship.slot] {
                contents.rollback()
            }
        }
        if let changes, let snapshot = changes.snapshot {
            for slot in changes.sinceSave {
                if case .opaque(is ToManyContents) = slots[slot] { continue }
                slots[slot] = snapshot[slot]
            }
        }
        changes = nil
        flags &= ~(ObjectFlags.updated | ObjectFlags.changedInEvent)
    }
}
