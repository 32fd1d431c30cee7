import ObjectModel
import ObjectStore

// Merging the saves of others, for a context that follows them.

extension ManagedObjectContext {
    func follow() {
        guard let parent else {
            let inbox = MergeInbox()
            following.start(inbox)
            return coordinator.add(inbox)
        }
        let center = parent.notifications
        let token = center.addObserver(of: ObjectsDidChange.self, from: parent) {
            [weak self] change in self?.follow(change)
        }
        following.start(center, token)
    }

    private func follow(_ change: ObjectsDidChange) {
        // The changes that this context pushes into its parent are here already.
        if family.isPushing { return }
        if change.invalidatedAll { return refreshAllObjects() }
        take(
            fromParent: ObjectIDChanges(
                inserted: Set(change.inserted.map(\.objectID)),
                updated: Set(change.updated.union(change.refreshed).map(\.objectID)),
                deleted: Set(change.deleted.map(\.objectID))
            )
        )
    }

    /// Merges the changes in the inbox, all of them as one event.
    ///
    /// Changes that arrive during the merge, for example from observers of this merge, wait for the
    /// next call: however fast others save, one call costs one merge.
    func takeDeliveries() {
        following.take(mergeDeliveries)
    }

    private func mergeDeliveries(_ deliveries: [Delivery]) {
        var changes = ObjectIDChanges()
        for delivery in deliveries { changes.add(delivery.changes) }
        if let oldest = deliveries.first, let newest = deliveries.last {
            if oldest.generation < following.newest { coordinator.confirm(&changes) }
            following.note(generation: newest.generation)
        }
        changes.deleted.formUnion(takeDeletedBelow())
        if !changes.isEmpty { merge(changes, unasked: true) }
    }

    /// The deletions by others that waited for pending changes which have been reverted or saved
    /// since.
    func takeDeletedBelow() -> [ManagedObjectID] {
        let due = following.takeDeletions { id in
            guard let object = registry.get(id), object.isPending else { return true }
            return !(object.isInserted || object.isDeleted || object.hasColumnChanges)
        }
        coordinator.forgetRows(due)
        // A save of the changes may have restored the row; an unreadable store gives no answer.
        guard !due.isEmpty, let present = try? coordinator.existing(due) else { return [] }
        return due.filter { !present.contains($0) }
    }
}

extension ObjectIDChanges {
    /// Adds changes of a later save.
    mutating func add(_ later: ObjectIDChanges) {
        for id in later.inserted {
            if deleted.remove(id) == nil { inserted.insert(id) } else { updated.insert(id) }
        }
        for id in later.updated where !inserted.contains(id) {
            deleted.remove(id)
            updated.insert(id)
        }
        for id in later.deleted {
            inserted.remove(id)
            updated.remove(id)
            deleted.insert(id)
        }
    }
}

extension PersistentStoreCoordinator {
    /// Corrects changes that arrive later than newer ones: an object without a row counts as
    /// deleted, one with a row does not.
    ///
    /// Cost: one statement for the rows that are not in memory.
    fileprivate func confirm(_ changes: inout ObjectIDChanges) {
        let ids = Array(changes.inserted.union(changes.updated).union(changes.deleted))
        guard let present = try? existing(ids) else { return }
        let gone = changes.inserted.union(changes.updated).subtracting(present)
        let back = changes.deleted.intersection(present)
        changes.inserted.subtract(gone)
        changes.updated.subtract(gone)
        changes.deleted.formUnion(gone)
        changes.deleted.subtract(back)
        changes.updated.formUnion(back)
    }

    /// Those of some objects that have a row; one statement for those that are not in memory.
    func existing(_ ids: [ManagedObjectID]) throws -> Set<ManagedObjectID> {
        try lock.withLock {
            var result: Set<ManagedObjectID> = []
            for ids in Dictionary(grouping: ids, by: \.spaceNumber).values {
                guard let first = ids.first else { continue }
                try withStore(of: first) { store in
                    try store.load(ids.filter { !store.rows.contains($0) })
                    result.formUnion(ids.filter { store.rows.contains($0) })
                }
            }
            return result
        }
    }
}
