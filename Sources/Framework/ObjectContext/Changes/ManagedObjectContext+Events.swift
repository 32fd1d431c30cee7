import ObjectModel
import ObjectStore

// The end of an event, until nothing changes any more:
//   1. apply delete rules;
//   2. coalesce: an object inserted and deleted in the event vanishes, a deleted one is no
//      longer updated;
//   3. register one undo operation for all of it;
//   4. post one `ObjectsDidChange`; its observers may change objects, hence the loop.

extension ManagedObjectContext {
    /// The number of passes that counts as an endless loop of observers.
    private static let passLimit = 1000

    /// Ends the event: delete rules, one undo operation, one notification.
    ///
    /// A context that follows others then merges their saves so far, as one more event.
    ///
    /// Traps after 1,000 passes: two observers that undo each other's changes.
    public func processPendingChanges() {
        let use = beginUse()
        defer { endUse(use) }
        if pending.isEnding { return }
        endOwnEvent()
        following.delivery?.take()
        takeDeliveries()
    }

    /// Ends the event without merging: for calls that have merged already.
    func endOwnEvent() {
        if pending.event.isEmpty { return }
        pending.end(endEvents)
        #if DEBUG
        if !pending.isEnding { checkInvariants() }
        #endif
    }

    private func endEvents() {
        var passes = 0
        while !pending.event.isEmpty {
            passes += 1
            Misuse.trap(
                unless: passes < ManagedObjectContext.passLimit,
                "observers of \(label) keep changing objects; the event does not end"
            )
            propagateDeletesIfDue()
            // References without an inverse to a new object that was removed read nil from here on.
            let isVanishing =
                !observed.isEmpty && pending.event.deleted.contains(where: \.isInserted)
            if isVanishing { observed.beginTouchingAll() }
            let record = takeEvent()
            if let undoManager, undoManager.isUndoRegistrationEnabled, !record.isEmpty {
                register(record, with: undoManager)
            }
            lettingFollow(record.deleted) {
                if isVanishing { observed.batch.end() }
                post(record)
                // An object that was removed may have delayed observers.
                observed.batch.tellIfDone()
            }
        }
    }

    private func propagateDeletesIfDue() {
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
    }

    /// Turns the event's lists into a record and clears them.
    private func takeEvent() -> ChangeRecord {
        let record = ChangeRecord()
        let event = pending.takeEvent()
        record.refreshed = event.refreshed
        record.mergedInserts = event.mergedInserts
        record.mergedDeletes = event.mergedDeletes
        takeInsertions(event.inserted, into: record)
        takeUpdates(event.changed, into: record)
        takeDeletions(event.deleted, event.inserted, into: record)
        record.inserted += event.restored
        record.deleted += event.removed
        // An object that was restored and removed in one event has not changed.
        if !event.restored.isEmpty, !record.deleted.isEmpty {
            let both = Set(event.restored).intersection(record.deleted)
            if !both.isEmpty {
                record.inserted.removeAll { both.contains($0) }
                record.deleted.removeAll { both.contains($0) }
            }
        }
        return record
    }

    private func takeInsertions(_ inserted: [ManagedObject], into record: ChangeRecord) {
        var hasGaps = false
        for object in inserted {
            object.state.endEventOfInsertion()
            object.endEventOfContents()
            if !object.isInserted || object.isDeleted {
                hasGaps = true
            }
        }
        record.inserted =
            hasGaps
            ? inserted.filter {
                $0.isInserted && !$0.isDeleted
            } : inserted
    }

    private func takeUpdates(_ changed: [ManagedObject], into record: ChangeRecord) {
        for object in changed {
            object.state.endEventOfChanges()
            let update = object.takeEvent()
            if update.isEmpty {
                // Every value is the same as at the start of the event.
                object.dropChangesIfClean()
            } else {
                record.updates.append(update)
            }
        }
    }

    private func takeDeletions(
        _ deleted: [ManagedObject],
        _ inserted: [ManagedObject],
        into record: ChangeRecord
    ) {
        if deleted.isEmpty { return }
        let new = Set(inserted)
        for object in deleted where object.isDeleted {
            if object.isInserted {
                unregister(object)
                // Inserted and deleted in one event: no change.
                if !new.contains(object) { record.deleted.append(object) }
            } else {
                record.deleted.append(object)
            }
        }
    }

    /// Removes an object without a row from the context.
    func unregister(_ object: ManagedObject) {
        registry.remove(object.objectID, object)
        if object.objectID.isTemporaryID { registry.noteGone() }
        if object.state.isAnnounced { observed.batch.forget(object) }
        object.owner = nil
        object.state.leave()
        registry.noteDeparture()
    }

    /// Lets the relationships of objects that have left the context be followed while observers
    /// hear of it: who watches an object looks where it belonged.
    ///
    /// - Complexity: O(objects).
    func lettingFollow(_ objects: [ManagedObject], _ body: () -> Void) {
        let left = objects.filter { $0.owner == nil && $0.state.isDetached }
        for object in left { object.owner = self }
        body()
        // An observer may have undone it.
        for object in left where object.state.isDetached { object.owner = nil }
    }

    private func post(_ record: ChangeRecord) {
        var updated = record.updates.map(\.object).filter { object in
            !object.isDeleted && !object.state.isDetached
        }
        // An object that undo restored counts as inserted, whatever else has changed in it.
        if !updated.isEmpty, !record.inserted.isEmpty {
            let inserted = Set(record.inserted)
            updated.removeAll { inserted.contains($0) }
        }
        let change = ObjectsDidChange(
            context: self,
            inserted: record.inserted + record.mergedInserts,
            updated: updated,
            deleted: record.deleted + record.mergedDeletes,
            refreshed: record.refreshed,
            updates: record.updates
        )
        if !change.isEmpty { notifications.post(change) }
    }
}

extension ManagedObject {
    /// The changes of this event; they are cleared.
    fileprivate final func takeEvent() -> ChangeRecord.Update {
        var update = ChangeRecord.Update(object: self)
        guard let changes else { return update }
        for (slot, value) in changes.oldValues where !slots[slot].isIdentical(to: value) {
            update.values.append((slot, value))
        }
        for slot in changes.event {
            if case .opaque(let contents as ToManyContents) = slots[slot],
                let delta = contents.endEvent()
            {
                update.deltas.append(delta)
            }
        }
        changes.endEvent()
        return update
    }

    /// Clears the event's changes of to-many relationships of a new object.
    fileprivate final func endEventOfContents() {
        guard !isFault, layout.hasRelationships else { return }
        for relationship in entity.relationshipList where relationship.isToMany {
            if case .opaque(let contents as ToManyContents) = slots[relationship.slot] {
                _ = contents.endEvent()
            }
        }
    }
}
