import ObjectModel
import ObjectStore

extension ManagedObjectContext {
    /// Reads an object's values again.
    ///
    /// Links that are dropped or restored are those of the object's own row, on both sides. If it
    /// then leads to an object with a pending deletion, refresh that one too, or remove the link
    /// before the next save.
    ///
    /// - Parameters:
    ///   - object: an object of this context; an object of another one, and a new one, is ignored.
    ///   - mergeChanges: false turns the object into a fault and drops its pending changes; one to
    ///     which pending changes of others lead is read again instead, because those stay. True
    ///     reads the row cache and applies pending changes to it again; the delete rules of a deleted
    ///     object are then applied to the members that it has now, by the next save.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
        let use = beginUse()
        defer { endUse(use) }
        guard object.context === self, !object.isInserted else { return }
        processPendingChanges()
        if stalenessInterval == .zero { source.forgetRows([object.objectID]) }
        reload(object, mergeChanges: mergeChanges)
    }

    private func reload(_ object: ManagedObject, mergeChanges: Bool) {
        observed.together {
            object.touchAllObservers()
            takeAnew(object, mergeChanges: mergeChanges)
        }
    }

    private func takeAnew(_ object: ManagedObject, mergeChanges: Bool) {
        if mergeChanges, !object.state.isInaccessible {
            do {
                try takeStoreValues(object, keeping: .changedHere)
            } catch {
                lastFaultError = error
            }
            object.awakeFromSnapshotEvents(.refresh)
        } else {
            let links = linksMade(to: object)
            defer { restore(links, of: object) }
            revertLinks(of: object)
            object.state.undelete()
            if object.hasPendingMembers,
                (try? takeStoreValues(object, keeping: .nothing)) ?? false
            {
                return object.awakeFromSnapshotEvents(.refresh)
            }
            object.becomeFault()
            pending.refresh(object)
        }
    }

    /// The pending links that lead to an object whose row was gone: they stay if it has a row again.
    private func linksMade(to object: ManagedObject) -> [(RelationshipDescription, ManagedObject)] {
        if object.isFault || !object.state.isInaccessible { return [] }
        var links: [(RelationshipDescription, ManagedObject)] = []
        for relationship in object.entity.relationships where !relationship.isTransient {
            guard let inverse = relationship.inverse else { continue }
            for id in linked(object, by: relationship) {
                guard let other = registry.get(id),
                    other.hasMadeLink(to: object.objectID, by: inverse)
                else { continue }
                links.append((inverse, other))
            }
        }
        return links
    }

    /// Lets an object that has its row again know the pending links that lead to it.
    private func restore(
        _ links: [(RelationshipDescription, ManagedObject)],
        of object: ManagedObject
    ) {
        if links.isEmpty || (try? object.realise()) != true { return }
        for (inverse, other) in links { takeLink(of: other, inverse, to: object) }
        pending.refresh(object)
    }

    /// Refreshes every registered object: changed ones keep their changes, clean ones become
    /// faults.
    ///
    /// Cost: one statement for the rows of the changed objects.
    public func refreshAllObjects() {
        let use = beginUse()
        defer { endUse(use) }
        processPendingChanges()
        let objects = registry.objects.filter { !$0.isInserted }
        if stalenessInterval == .zero { source.forgetRows(objects.map(\.objectID)) }
        source.loadRows(objects.filter(\.isPending).map(\.objectID))
        observed.together {
            for object in objects { reload(object, mergeChanges: object.isPending) }
        }
        endOwnEvent()
    }

    /// Removes every object, pending change and undo step.
    ///
    /// The objects become unusable.
    public func reset() {
        let use = beginUse()
        defer { endUse(use) }
        settle()
        // Again for those that a hook makes meanwhile.
        while case let objects = registry.objects.filter({ $0.owner != nil }), !objects.isEmpty {
            for object in objects { invalidate(object) }
        }
        observed.forgetAll()
        registry.removeAll()
        family.noteLinkEdit()
        saving.endGuarding()
        following.removeAll()
        pending.removeAll()
        undoManager?.removeAllActions()
        observed.batch.tellIfDone()
        notifications.post(ObjectsDidChange(context: self, invalidatedAll: true))
    }

    private func invalidate(_ object: ManagedObject) {
        object.becomeFault()
        object.noteLeaving("\(label) was reset")
        object.owner = nil
        object.state.invalidate()
    }

    /// Drops all pending changes in place: values are reset to those that were read, inserted
    /// objects are removed, deleted ones are restored.
    ///
    /// Clears undo and redo. Observers are notified of the changes that they had been notified of
    /// before.
    public func rollback() {
        let use = beginUse()
        defer { endUse(use) }
        settle()
        let (objects, event) = pending.takeAll()
        let unheard = Set(event.inserted + event.deleted)
        observed.together {
            // Before objects are removed: paths cannot be followed through them later.
            for object in objects where object.isPending { object.touchAllObservers() }
            for object in objects where object.isPending {
                takeBack(object, isReported: !unheard.contains(object))
            }
        }
        family.noteLinkEdit()
        let undo = undoManager
        undo?.removeAllActions()
        undo?.disableUndoRegistration()
        endOwnEvent()
        try? undo?.enableUndoRegistration()
    }

    private func takeBack(_ object: ManagedObject, isReported: Bool) {
        if object.isInserted {
            object.state.dropEvent()
            unregister(object)
            if isReported { pending.remove(object) }
            return
        }
        let wasDeleted = object.isDeleted
        let wasChanged = object.isUpdated
        object.state.undelete()
        object.revert()
        if wasDeleted, isReported {
            pending.reportRestored(object)
        } else if wasChanged {
            pending.refresh(object)
        }
        object.awakeFromSnapshotEvents(.rollback)
    }
}

extension ManagedObject {
    /// Whether a pending change of the object's own side leads to another one.
    fileprivate final func hasMadeLink(
        to id: ManagedObjectID,
        by relationship: RelationshipDescription
    ) -> Bool {
        if isFault || isDeleted { return false }
        if relationship.isToMany {
            return contentsInMemory(relationship)?.added.contains(id) ?? false
        }
        return reference(relationship.slot) == id && savedReference(relationship.slot) != id
    }

    /// Restores the values that were read.
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
        state.dropChanges()
    }
}
