import ObjectModel
import ObjectStore

extension ManagedObjectContext {
    /// Merges a save of another context over the same stores.
    public func mergeChanges(from save: ContextDidSave) {
        if save.context === self { return }
        if save.context.coordinator !== coordinator { return mergeChanges(save.changes) }
        mergeRead(save.changes)
    }

    /// Merges changes that another context or process saved.
    ///
    /// - Inserted objects are reported, and registered as long as somebody holds them, such as in
    ///   the notification's sets.
    /// - Updated objects that are registered are read again under their pending changes.
    /// - Deleted objects that are registered count as deleted; their values stay readable.
    /// - To-many relationships that were read and that a changed object has joined or left have the
    ///   members that the store has now, under pending changes; their owners are reported as
    ///   refreshed, also if the member is not registered. The membership is in the member's row, so the
    ///   owner need not be among the changes.
    ///
    /// Pending changes and undone objects stay pending, and the next save writes them: a program
    /// that merges explicitly has decided, as with ``refresh(_:mergeChanges:)``. (A context that
    /// follows others by ``automaticallyMergesChangesFromParent`` has not; its save finds the
    /// conflict.)
    ///
    /// Cost: one statement for each entity with changed rows, and one for each many-to-many
    /// relationship that was read and may have changed; O(registered objects).
    public func mergeChanges(_ changes: ObjectIDChanges) {
        coordinator.forgetRows(changes.updated.union(changes.inserted))
        mergeRead(changes)
        // The fault of a deleted object needs its row one last time.
        coordinator.forgetRows(changes.deleted)
    }

    /// Merges changes whose rows are in memory as they are in the store.
    func mergeRead(_ changes: ObjectIDChanges) {
        let use = beginUse()
        defer { endUse(use) }
        endOwnEvent()
        merge(coordinator.withoutReturned(changes), unasked: false)
    }

    /// Merges changes as one event, after ending the current one; lists may concern more changes than
    /// objects.
    func merge(_ changes: ObjectIDChanges, unasked: Bool, lists: ObjectIDChanges? = nil) {
        observed.together {
            take(changes, unasked)
            freshenLists(after: lists ?? changes, unasked: unasked)
        }
        endOwnEvent()
        pending.compact()
        tellChildren(lists ?? changes)
        // All that was pending in an object may have been a reference to another deleted one.
        let due = takeDeletedBelow()
        if !due.isEmpty { merge(ObjectIDChanges(deleted: Set(due)), unasked: unasked) }
    }

    /// Merges into the children that follow what this context does not hold.
    ///
    /// They hear of registered objects by this context's notification.
    private func tellChildren(_ changes: ObjectIDChanges) {
        for child in family.children where child.following.isOn {
            let isOnlyThere = { [registry] (id: ManagedObjectID) in
                registry.get(id) == nil && child.registry.get(id) != nil
            }
            let rest = ObjectIDChanges(
                updated: changes.updated.filter(isOnlyThere),
                deleted: changes.deleted.filter(isOnlyThere)
            )
            child.take(fromParent: rest, lists: changes)
        }
    }

    /// Merges changes that the parent has merged.
    func take(fromParent changes: ObjectIDChanges, lists: ObjectIDChanges? = nil) {
        let use = beginUse()
        defer { endUse(use) }
        endOwnEvent()
        merge(changes, unasked: true, lists: lists)
    }

    /// Merges changes that were saved on behalf of this context's user: they win.
    ///
    /// Where both have changed a property, the saved value replaces the pending one. Other pending
    /// changes stay.
    func mergeOver(_ changes: ObjectIDChanges) {
        let use = beginUse()
        defer { endUse(use) }
        processPendingChanges()
        var due = changes
        if following.isOn {
            // All of it is merged; only what is pending here waits for a save to decide.
            let isPending = { [registry] in registry.get($0)?.isPending ?? false }
            due = ObjectIDChanges(
                updated: changes.updated.union(changes.inserted).filter(isPending),
                deleted: changes.deleted.filter(isPending)
            )
        }
        if due.isEmpty { return }
        observed.together { take(due, keeping: .changedHereAlone) }
        endOwnEvent()
        pending.compact()
        tellChildren(due)
    }

    private func take(
        _ changes: ObjectIDChanges,
        _ unasked: Bool = false,
        keeping policy: ReloadPolicy = .changedHere
    ) {
        var updated = changes.updated.compactMap { registry.get($0) ?? watched($0) }
        // An object that was read here after its insertion may have been changed since.
        updated += changes.inserted.compactMap { registry.get($0) }.filter { !$0.isFault }
        source.loadRows(updated.filter { !$0.isFault }.map(\.objectID))
        var deleted = changes.deleted
        for object in updated {
            // Below, it becomes a fault: what was pending went with the row.
            if object.isDeleted, object.state.isInaccessible { continue }
            if object.isFault {
                pending.refresh(object)
            } else if parent == nil, !object.isInserted, !source.hasRow(object.objectID) {
                // It was deleted since.
                deleted.insert(object.objectID)
            } else {
                do {
                    try takeStoreValues(object, keeping: policy, unasked: unasked)
                } catch {
                    lastFaultError = error
                }
            }
        }
        for id in deleted {
            guard let object = registry.get(id) ?? watched(id) else { continue }
            if unasked, parent == nil, !object.isDeleted,
                object.hasColumnChanges
            {
                // The next save finds the conflict; without one it is an ordinary deletion.
                following.postpone(deletionOf: id)
            } else {
                mergeDeletion(of: object)
            }
        }
        // Undo by somebody else has restored a deleted object: its instance is valid again.
        for id in changes.inserted.union(changes.updated) {
            guard let object = registry.get(id), object.isDeleted,
                object.state.isInaccessible
            else { continue }
            refresh(object, mergeChanges: false)
        }
        let new = changes.inserted.filter { registry.get($0) == nil && coordinator.knows($0) }
        pending.mergeInserts(instances(new.sorted()))
        family.noteLinkEdit()
    }

    /// A fault for an object that is not registered, if a results controller depends on it.
    private func watched(_ id: ManagedObjectID) -> ManagedObject? {
        guard coordinator.knows(id), let entity = coordinator.entity(of: id),
            following.isWatched(entity)
        else { return nil }
        return object(with: id)
    }

    /// Records that an object's row was deleted: the object counts as deleted, nothing of it is
    /// saved, and references to it are cleared.
    func mergeDeletion(of object: ManagedObject) {
        guard !object.state.hasLostRow, !object.isInserted else { return }
        // A fault that fired before found no row; nobody was notified of that.
        let isNews = !object.isDeleted || object.state.isInaccessible
        if object.isFault {
            object.fireFault()
        } else {
            for relationship in object.entity.relationships { leave(object, relationship) }
        }
        object.state.loseRow()
        if isNews { pending.mergeDelete(object) }
    }

    /// The destinations of a relationship, without reading any.
    func linked(
        _ object: ManagedObject,
        by relationship: RelationshipDescription
    ) -> Set<ManagedObjectID> {
        let ids: [ManagedObjectID] =
            switch object.slots[relationship.slot] {
            case .objectID(let id): [id]
            case .opaque(let contents as ToManyContents):
                Array(contents.members.union(contents.added))
            default: []
            }
        return Set(ids.filter { !isGone($0) }.map(resolve))
    }

    private func leave(_ object: ManagedObject, _ relationship: RelationshipDescription) {
        guard let inverse = relationship.inverse else { return }
        // Also where a pending change has taken the object out: that goes with the row.
        let left =
            relationship.isToMany
            ? object.contentsInMemory(relationship)?.removed ?? []
            : Set(object.savedReference(relationship.slot).map { [$0] } ?? [])
        for id in linked(object, by: relationship).union(left) {
            guard let other = registry.get(id), !other.isFault else { continue }
            if !inverse.isToMany {
                other.forget(object, inverse)
            } else if case .opaque(let contents as ToManyContents) = other.slots[inverse.slot] {
                other.touchObservers(inverse.slot, .reload)
                contents.reconcile(object.objectID, isMember: false, isStored: false)
                other.dropChangesIfClean()
            }
        }
    }
}

extension PersistentStoreCoordinator {
    /// Changes without the deletions of objects that have a row again: somebody has restored them
    /// since.
    ///
    /// Cost: one statement for each entity with deletions.
    func withoutReturned(_ changes: ObjectIDChanges) -> ObjectIDChanges {
        let rows = RowCache()
        lock.withLock {
            for ids in Dictionary(grouping: changes.deleted, by: \.spaceNumber).values {
                guard let first = ids.first else { continue }
                withStore(of: first) { store in try? store.read(ids, into: rows) }
            }
        }
        let returned = changes.deleted.filter { rows.contains($0) }
        if returned.isEmpty { return changes }
        forgetRows(returned)
        return ObjectIDChanges(
            inserted: changes.inserted,
            updated: changes.updated.union(returned),
            deleted: changes.deleted.subtracting(returned)
        )
    }

    /// Whether an object has a row, after its rows were read; true if the store does not know.
    fileprivate func hasRow(_ id: ManagedObjectID) -> Bool {
        do { return try currentVersion(id) != nil } catch { return true }
    }

    /// Reads the rows of some objects in as few statements as there are stores and entities.
    func loadRows(_ ids: [ManagedObjectID]) {
        lock.withLock {
            let byStore = Dictionary(grouping: ids, by: \.spaceNumber)
            for ids in byStore.values {
                guard let first = ids.first else { continue }
                _ = withStore(of: first) { store in
                    try? store.load(ids.filter { !store.rows.contains($0) })
                }
            }
        }
    }
}
