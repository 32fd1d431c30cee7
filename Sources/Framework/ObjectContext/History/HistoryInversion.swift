import ObjectModel
import ObjectStore

/// Applies the inverse of one history transaction to a context, as pending changes.
///
/// In three passes, because changes refer to each other: restore deleted objects, then restore old
/// values and members, then delete inserted objects. Before that the values are compared with those
/// that the transaction wrote; a difference is a conflict.
struct HistoryInversion {
    let context: ManagedObjectContext
    let policy: HistoryConflictPolicy
    private(set) var conflicts: [HistoryConflict] = []
    private(set) var touched: [ManagedObjectID] = []

    mutating func apply(_ transaction: HistoryTransaction) {
        var revived: Set<ManagedObjectID> = []
        let changes = transaction.changes.filter { change in
            if context.coordinator.entity(of: change.objectID)?.isOutsideUndo ?? false {
                return false
            }
            // The inverse of an insertion needs no values.
            guard change.isErased, change.kind != .insert else { return true }
            conflict(change.objectID, "", .erased)
            return false
        }
        for change in changes where change.kind == .delete {
            if revive(change.objectID) { revived.insert(change.objectID) }
        }
        context.coordinator.loadRows(changes.map(\.objectID))
        for change in changes.reversed() {
            switch change.kind {
            case .delete:
                if revived.contains(change.objectID) { restore(change, comparing: false) }
            case .update: restore(change, comparing: true)
            case .insert: break
            }
            touched.append(change.objectID)
        }
        for change in changes.reversed() where change.kind == .insert {
            remove(change.objectID)
        }
        context.processPendingChanges()
    }

    private mutating func conflict(
        _ id: ManagedObjectID,
        _ key: String,
        _ reason: HistoryConflict.Reason
    ) {
        conflicts.append(HistoryConflict(objectID: id, key: key, reason: reason))
    }

    /// The object, unless it does not exist or is about to be deleted.
    private func existing(_ id: ManagedObjectID) -> ManagedObject? {
        do {
            let object = try context.existingObject(with: id)
            return object.isDeleted ? nil : object
        } catch let error as ObjectGraphError where error.code == .referentialIntegrity {
            return nil
        } catch {
            // Not the same as an object that is gone: the save of the inversion fails.
            context.noteUnread(error)
            return nil
        }
    }

    /// Inserts a deleted object again, under its old ID.
    private mutating func revive(_ id: ManagedObjectID) -> Bool {
        if existing(id) != nil {
            conflict(id, "", .existsAgain)
            return false
        }
        guard let entity = context.coordinator.entity(of: id) else { return false }
        context.insertRevived(id, entity)
        return true
    }

    private mutating func remove(_ id: ManagedObjectID) {
        guard let object = existing(id) else {
            conflict(id, "", .deletedSince)
            return
        }
        context.delete(object)
    }

    /// Restores old values and members.
    private mutating func restore(_ change: HistoryChange, comparing: Bool) {
        guard let object = existing(change.objectID) else {
            conflict(change.objectID, "", .deletedSince)
            return
        }
        for (key, old) in change.oldValues {
            guard let slot = object.entity.slotByName[key] else { continue }
            // The save computes derived values itself.
            if (object.entity.slots[slot] as? AttributeDescription)?.isDerived ?? false { continue }
            let current = object.read(slot)
            if comparing, let new = change.newValues[key], current != new, current != old {
                conflict(change.objectID, key, .changedSince)
                if policy != .overwrite { continue }
            }
            put(old, object, slot)
        }
        for (key, ids) in change.addedMembers where change.kind == .update {
            forEach(ids, object, key) { $0.remove($1, fromRelationshipAt: $2) }
        }
        for (key, ids) in change.removedMembers {
            forEach(ids, object, key) { $0.insert($1, intoRelationshipAt: $2) }
        }
        for (key, ids) in change.oldOrders {
            guard let slot = object.entity.slotByName[key] else { continue }
            let members = ids.compactMap(existing)
            object.setOrderedToMany(members, at: slot)
        }
    }

    private func put(_ value: GraphValue, _ object: ManagedObject, _ slot: Int) {
        guard object.entity.slots[slot] is RelationshipDescription else {
            object.write(value, slot)
            return
        }
        if case .objectID(let id) = value {
            object.setToOne(existing(id), at: slot)
        } else {
            object.setToOne(nil, at: slot)
        }
    }

    private func forEach(
        _ ids: [ManagedObjectID],
        _ object: ManagedObject,
        _ key: String,
        _ body: (ManagedObject, ManagedObject, Int) -> Void
    ) {
        guard let slot = object.entity.slotByName[key] else { return }
        for id in ids {
            if let member = existing(id) { body(object, member, slot) }
        }
    }
}

extension ManagedObjectContext {
    /// Inserts an object under an ID that it had before; its hooks are not called.
    @discardableResult
    func insertRevived(_ id: ManagedObjectID, _ entity: EntityDescription) -> ManagedObject {
        let layout = coordinator.classes.layout(of: entity)
        let seed = ObjectSeed(context: self, layout: layout, id: id, state: .inserted)
        let object = coordinator.classes.objectClass(of: entity).init(seed)
        pending.insert(object)
        return object
    }
}
