import ObjectModel
import ObjectStore

// Undo of events that only changed values, such as a bulk edit: the values of each record are
// exchanged with those of the objects, and the same record is then the inverse. Nothing is recorded
// again, so the undo costs less than the edit.

extension ManagedObjectContext {
    /// Undoes events by exchanging values.
    ///
    /// - Returns: false, without an effect, if one of them did more than change values, or if
    ///   single keys are observed.
    func exchangeValues(of records: [ChangeRecord]) -> Bool {
        guard
            records.allSatisfy({ record in
                record.inserted.isEmpty && record.deleted.isEmpty
                    && record.updates.allSatisfy { $0.canExchange(in: self) }
            })
        else { return false }
        for record in records.reversed() {
            for index in record.updates.indices {
                record.updates[index].exchange(in: self)
            }
        }
        for record in records.reversed() {
            for update in record.updates { update.object.awakeFromSnapshotEvents(.undoUpdate) }
        }
        if let undoManager, undoManager.isUndoRegistrationEnabled {
            for record in records.reversed() { register(record, with: undoManager) }
        }
        post(updatesOf: records)
        return true
    }

    private func post(updatesOf records: [ChangeRecord]) {
        var objects: [ManagedObject] = []
        objects.reserveCapacity(records.reduce(0) { $0 + $1.updates.count })
        var seen: Set<ManagedObject> = []
        for record in records.reversed() {
            for update in record.updates {
                let object = update.object
                if object.isDeleted || object.state.isDetached { continue }
                // One record contains an object only once.
                if records.count > 1, !seen.insert(object).inserted { continue }
                objects.append(object)
            }
        }
        if objects.isEmpty { return }
        let updates = records.count == 1 ? records[0].updates : []
        notifications.post(ObjectsDidChange(context: self, updated: objects, updates: updates))
    }
}

extension ChangeRecord.Update {
    fileprivate func canExchange(in context: ManagedObjectContext) -> Bool {
        deltas.isEmpty && object.owner === context && !object.state.blocksWrite
            && !values.contains { slot, value in
                // The other side of a reference has to follow.
                guard value.objectID != nil || object.slots[slot].objectID != nil else {
                    return false
                }
                return (object.entity.slots[slot] as? RelationshipDescription)?.inverse != nil
            }
    }

    /// Gives the object its old values, and keeps the present ones.
    fileprivate mutating func exchange(in context: ManagedObjectContext) {
        let isSaved = !object.isInserted
        let changes = object.trackChanges()
        for index in values.indices {
            let slot = values[index].slot
            if case .objectID(let id) = values[index].value {
                values[index].value = .objectID(context.resolve(id))
            }
            swap(&object.slots[slot], &values[index].value)
            if isSaved { changes.sinceSave.insert(slot) }
        }
        context.pending.update(object)
        object.dropChangesIfClean()
    }
}
