import ObjectModel
import ObjectStore

// Undo of unsaved edits. Each event registers one operation; performing it writes the old values
// below the accessors, but tracked, so that the event it makes registers the way back.

extension ManagedObjectContext {
    /// Takes the last step back.
    ///
    /// Does nothing without an undo manager.
    public func undo() throws {
        processPendingChanges()
        try undoManager?.undo()
        processPendingChanges()
    }

    public func redo() throws {
        processPendingChanges()
        try undoManager?.redo()
        processPendingChanges()
    }

    func register(_ record: ChangeRecord, with undoManager: UndoManager) {
        // Without event groups and outside any group, each event is a step of its own.
        let needsGroup = !undoManager.groupsByEvent && undoManager.groupingLevel == 0
        if needsGroup { undoManager.beginUndoGrouping() }
        do {
            try undoManager.registerUndo(withTarget: self) { context in
                context.apply(inverseOf: record)
                context.processPendingChanges()
            }
            if needsGroup { try undoManager.endUndoGrouping() }
        } catch {
            preconditionFailure("a group is open, yet the undo manager refused: \(error)")
        }
    }

    /// Puts objects and values back to what they were before the recorded event.
    func apply(inverseOf record: ChangeRecord) {
        for object in record.inserted.reversed() { takeBack(object) }
        for object in record.deleted { bringBack(object) }
        for update in record.updates { restore(update) }
        for object in record.inserted { object.awakeFromSnapshotEvents(.undoInsertion) }
        for object in record.deleted { object.awakeFromSnapshotEvents(.undoDeletion) }
        for update in record.updates { update.object.awakeFromSnapshotEvents(.undoUpdate) }
    }

    /// Undoes an insertion: an unsaved object leaves the context, a saved one is deleted.
    private func takeBack(_ object: ManagedObject) {
        guard object.owner === self else { return }
        if object.flags & ObjectFlags.inserted != 0 {
            eventRemoved.append(object)
            unregister(object)
        } else if object.flags & ObjectFlags.deleted == 0 {
            if object.isFault { object.fireFault() }
            object.flags |= ObjectFlags.deleted
            list(object)
            eventRemoved.append(object)
        }
    }

    /// Undoes a deletion: the same instance, under the same ID, also if the deletion was saved.
    private func bringBack(_ object: ManagedObject) {
        if object.owner === self {
            object.flags &= ~ObjectFlags.deleted
            if object.changes.map({ !$0.sinceSave.isEmpty }) ?? false {
                object.flags |= ObjectFlags.updated
            }
        } else {
            object.owner = self
            object.flags &= ~(ObjectFlags.detached | ObjectFlags.deleted | ObjectFlags.listed)
            object.flags |= ObjectFlags.inserted
            object.objectID = resolve(object.objectID)
            identity.set(object.objectID, object)
            object.contentsBecomeUnsaved()
        }
        list(object)
        eventRestored.append(object)
    }

    private func restore(_ update: ChangeRecord.Update) {
        let object = update.object
        guard object.owner === self else {
            // The object is gone and comes back with another step; its values wait in it.
            for (slot, value) in update.values where !object.isFault { object.slots[slot] = value }
            return
        }
        for (slot, value) in update.values { object.write(value, slot) }
        for delta in update.deltas {
            guard let contents = object.loadedContents(delta.slot) else { continue }
            object.noteChangeOfContents(delta.slot)
            for id in delta.added { contents.remove(resolve(id)) }
            for id in delta.removed { contents.add(resolve(id)) }
            if let order = delta.oldOrder { contents.reorder(order.map(resolve)) }
        }
        object.dropChangesIfClean()
    }
}

extension ManagedObject {
    /// Makes every member of the object's relationships count as added since the save.
    fileprivate final func contentsBecomeUnsaved() {
        for relationship in entity.relationships where relationship.isToMany {
            if case .opaque(let contents as ToManyContents) = slots[relationship.slot] {
                contents.becomeUnsaved()
            }
        }
    }

    /// Clears the mark of a pending update when every value is back to what was read.
    final func dropChangesIfClean() {
        guard flags & ObjectFlags.updated != 0, let changes, let snapshot = changes.snapshot,
            !changes.sinceSave.contains(where: { isChanged($0, from: snapshot) })
        else { return }
        flags &= ~ObjectFlags.updated
        changes.sinceSave.removeAll()
    }
}
