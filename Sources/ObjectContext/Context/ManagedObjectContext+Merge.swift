import ObjectModel
import ObjectStore

extension ManagedObjectContext {
    /// Takes over what another context of the same coordinator saved.
    public func mergeChanges(from save: ContextDidSave) {
        if save.context !== self { mergeChanges(save.changes) }
    }

    /// Takes over changes that another context or process saved.
    ///
    /// Inserted objects are registered and reported; updated ones that are registered are read
    /// anew under their pending changes; deleted ones that are registered count as deleted, their
    /// values staying readable. Cost: one statement for the rows of registered objects.
    public func mergeChanges(_ changes: ObjectIDChanges) {
        processPendingChanges()
        for id in changes.deleted {
            guard let object = identity.get(id), object.flags & ObjectFlags.deleted == 0 else {
                continue
            }
            if object.isFault { object.fireFault() }
            object.flags &= ~(ObjectFlags.inserted | ObjectFlags.updated)
            object.flags |= ObjectFlags.deleted
            eventMergedDeletes.append(object)
            unregister(object)
            object.flags |= ObjectFlags.deleted
        }
        let registered = changes.updated.compactMap { identity.get($0) }
        coordinator.loadRows(registered.filter { !$0.isFault }.map(\.objectID))
        for object in registered {
            if object.isFault {
                eventRefreshed.append(object)
            } else {
                try? takeStoreValues(object, keeping: .changedHere)
                object.forgetCleanContents()
            }
        }
        for id in changes.inserted where identity.get(id) == nil {
            eventMergedInserts.append(object(with: id))
        }
        processPendingChanges()
        compactPending()
    }
}

extension ManagedObject {
    /// Lets go of to-many relationships without pending changes; they are read anew on access.
    final func forgetCleanContents() {
        guard !isFault else { return }
        for relationship in entity.relationships where relationship.isToMany {
            if case .opaque(let contents as ToManyContents) = slots[relationship.slot],
                !contents.isChangedSinceSave
            {
                contents.unload()
            }
        }
    }
}

extension PersistentStoreCoordinator {
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
