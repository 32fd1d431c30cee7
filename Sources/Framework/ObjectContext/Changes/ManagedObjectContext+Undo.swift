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
        restore(record.updates)
        for object in record.deleted { settleLinks(of: object) }
        for object in record.inserted { object.awakeFromSnapshotEvents(.undoInsertion) }
        for object in record.deleted { object.awakeFromSnapshotEvents(.undoDeletion) }
        for update in record.updates { update.object.awakeFromSnapshotEvents(.undoUpdate) }
    }

    /// Undoes an insertion: an unsaved object leaves the context, a saved one is deleted.
    private func takeBack(_ object: ManagedObject) {
        guard object.context === self, !object.state.isInaccessible else { return }
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
        if object.context === self, !object.state.isInaccessible {
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

    /// Restores values first, because references decide over memberships; then members, then
    /// orders.
    private func restore(_ updates: [ChangeRecord.Update]) {
        // An object that a merge or a reset has removed stays removed.
        let updates = updates.filter { update in
            update.object.context === self && !update.object.state.isInaccessible
        }
        for update in updates {
            for (slot, value) in update.values { restore(value, slot, of: update.object) }
        }
        var links = RestoredLinks()
        for update in updates {
            for (relationship, delta) in relationships(of: update) {
                restoreMembers(of: update.object, relationship, delta, &links)
            }
        }
        for update in updates {
            for (relationship, delta) in relationships(of: update) {
                guard let order = delta.oldOrder else { continue }
                restoreOrder(of: update.object, relationship, order)
            }
            update.object.dropChangesIfClean()
        }
    }

    private func restore(_ value: GraphValue, _ slot: Int, of object: ManagedObject) {
        if let relationship = object.entity.slots[slot] as? RelationshipDescription {
            if relationship.inverse != nil {
                return restoreReference(of: object, relationship, value.objectID)
            }
            if let id = value.objectID { return object.write(.objectID(resolve(id)), slot) }
        }
        object.write(value, slot)
    }

    private func relationships(
        of update: ChangeRecord.Update
    ) -> [(RelationshipDescription, ToManyDelta)] {
        update.deltas.compactMap { delta in
            (update.object.entity.slots[delta.slot] as? RelationshipDescription)
                .map { ($0, delta) }
        }
    }
}

extension ManagedObject {
    /// Prepares the object to be written as a new row: all references have permanent IDs, and every
    /// member of its relationships counts as added.
    final func becomeUnsaved(resolving resolve: (ManagedObjectID) -> ManagedObjectID) {
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
