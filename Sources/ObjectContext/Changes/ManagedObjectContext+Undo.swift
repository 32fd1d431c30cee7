import ObjectModel
import ObjectStore

// Undo of unsaved edits. Each event registers one operation. Performing it writes the old values
// below the accessors, but tracked, so that the resulting event registers the inverse.

extension ManagedObjectContext {
    /// Undoes the last step.
    ///
    /// Does nothing without an undo manager.
    ///
    /// - Throws: what ``UndoManager/undo()`` throws.
    /// - Complexity: O(changes in the step).
    public func undo() throws {
        processPendingChanges()
        try undoManager?.undo()
    }

    /// Redoes the step that was undone last.
    ///
    /// Does nothing without an undo manager.
    ///
    /// - Throws: what ``UndoManager/redo()`` throws.
    /// - Complexity: O(changes in the step).
    public func redo() throws {
        processPendingChanges()
        try undoManager?.redo()
    }

    func register(_ record: ChangeRecord, with undoManager: UndoManager) {
        // Without event groups and outside any group, each event is a step of its own.
        let needsGroup = !undoManager.groupsByEvent && undoManager.groupingLevel == 0
        if needsGroup { undoManager.beginUndoGrouping() }
        do {
            try undoManager.register(record, withTarget: self) { $0.undo($1) }
            if needsGroup { try undoManager.endUndoGrouping() }
        } catch {
            preconditionFailure("the undo manager refused although a group is open: \(error)")
        }
    }

    /// Undoes consecutive events, as one event.
    private func undo(_ records: [ChangeRecord]) {
        endOwnEvent()
        if exchangeValues(of: records) { return endOwnEvent() }
        observed.together {
            if !observed.isEmpty { touchObservers(of: records) }
            for record in records.reversed() { apply(inverseOf: record) }
        }
        endOwnEvent()
    }

    /// Called before an object is removed or restored: paths lead elsewhere then.
    private func touchObservers(of records: [ChangeRecord]) {
        for record in records {
            for object in record.inserted + record.deleted { object.touchAllObservers() }
            for update in record.updates { update.object.touchAllObservers() }
        }
    }

    /// Restores the objects and values from before the recorded event.
    private func apply(inverseOf record: ChangeRecord) {
        for object in record.inserted.reversed() { takeBack(object) }
        for object in record.deleted { bringBack(object) }
        for update in record.updates { restore(update) }
        for object in record.inserted { object.awakeFromSnapshotEvents(.undoInsertion) }
        for object in record.deleted { object.awakeFromSnapshotEvents(.undoDeletion) }
        for update in record.updates { update.object.awakeFromSnapshotEvents(.undoUpdate) }
    }

    /// Undoes an insertion: an unsaved object leaves the context, a saved one is deleted.
    private func takeBack(_ object: ManagedObject) {
        guard object.owner === self, !object.state.isInaccessible else { return }
        if object.isInserted {
            pending.remove(object)
            unregister(object)
        } else if !object.isDeleted {
            if object.isFault { object.fireFault() }
            if object.state.isInaccessible { return }
            // Delete rules apply to objects that were linked to it since.
            pending.delete(object)
        }
    }

    /// Undoes a deletion: the same instance, with the same ID, even if the deletion was saved.
    private func bringBack(_ object: ManagedObject) {
        if object.owner === self, !object.state.isInaccessible {
            object.state.undelete()
            if object.changes.map({ !$0.sinceSave.isEmpty }) ?? false {
                object.state.markUpdated()
            } else {
                object.changes?.basis = nil
            }
        } else {
            // Its row was deleted, so the next save inserts it again.
            object.owner = self
            object.state.comeBack()
            object.version = 0
            object.changes = nil
            object.objectID = resolve(object.objectID)
            registry.set(object.objectID, object)
            object.becomeUnsaved(resolving: resolve)
        }
        pending.restore(object)
    }

    private func restore(_ update: ChangeRecord.Update) {
        let object = update.object
        // An object that a merge or a reset has removed stays removed.
        guard object.owner === self, !object.state.isInaccessible else { return }
        for (slot, value) in update.values {
            if case .objectID(let id) = value {
                object.write(.objectID(resolve(id)), slot)
            } else {
                object.write(value, slot)
            }
        }
        for delta in update.deltas { restore(delta, of: object) }
        object.dropChangesIfClean()
    }

    private func restore(_ delta: ToManyDelta, of object: ManagedObject) {
        guard let relationship = object.entity.slots[delta.slot] as? RelationshipDescription else {
            return
        }
        let contents = object.contents(relationship)
        for id in delta.added { contents.removeTracked(resolve(id), from: object) }
        for id in delta.removed { contents.addTracked(resolve(id), to: object) }
        if let order = delta.oldOrder {
            object.touchMembers(delta.slot)
            object.noteChangeOfContents(delta.slot)
            contents.reorder(order.map(resolve))
        }
    }
}

extension ManagedObject {
    /// Prepares the object to be written as a new row: all references have permanent IDs, and every
    /// member of its relationships counts as added.
    final func becomeUnsaved(
        resolving resolve: (ManagedObjectID) -> ManagedObjectID
    ) {
        if isFault { return }
        for relationship in entity.relationships {
            switch slots[relationship.slot] {
            case .objectID(let id): slots[relationship.slot] = .objectID(resolve(id))
            case .opaque(let contents as ToManyContents): contents.becomeUnsaved(resolve)
            default: break
            }
        }
    }

    /// Clears the mark of a pending update when every value equals the one that was read.
    final func dropChangesIfClean() {
        guard isUpdated, let changes, let snapshot = changes.snapshot,
            !changes.sinceSave.contains(where: { isChanged($0, from: snapshot) })
        else { return }
        state.revertChanges()
        changes.sinceSave.removeAll()
    }
}
