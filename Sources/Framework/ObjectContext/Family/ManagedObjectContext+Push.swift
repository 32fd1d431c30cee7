import ObjectModel
import ObjectStore

// Saving into a parent, step by step:
//   1. compare: a property that both sides have changed since the child read it is a conflict; the
//      child's merge policy decides, and if it refuses, nothing has changed yet;
//   2. new objects, so that the rest can refer to them;
//   3. values and to-one relationships, then memberships, then orders;
//   4. deletions;
//   5. end the parent's event: one notification and one step of its undo.
// Everything uses the setters, so the parent keeps both sides of every relationship in step.

extension ManagedObjectContext {
    /// Makes the pending changes pending changes of the parent.
    ///
    /// Returns the objects whose changes the merge policy dropped; the caller reads them again.
    func push(to parent: ManagedObjectContext, as name: String?) throws -> [ManagedObject] {
        parent.processPendingChanges()
        var push = Push(parent)
        for object in pending.objects where object.isPending { try push.plan(object, mergePolicy) }
        if !push.conflicts.isEmpty { throw conflictError(push.conflicts) }
        let undo = parent.undoManager
        undo?.endEvent()
        undo?.beginUndoGrouping()
        family.push {
            push.apply()
            parent.endOwnEvent()
        }
        if let undo {
            if let name { undo.setActionName(name) }
            try undo.endUndoGrouping()
            undo.endEvent()
        }
        return push.dropped
    }
}

/// The effect of one save of a child on its parent.
private struct Push {
    private struct Change {
        let source: ManagedObject
        /// The parent's instance; `nil` until it is made.
        var target: ManagedObject?
        var slots: [Int] = []
    }

    private let parent: ManagedObjectContext
    private var inserted: [Change] = []
    private var updated: [Change] = []
    private var deleted: [ManagedObject] = []
    private(set) var conflicts: [MergeConflict] = []
    /// Objects of the child of which some change was dropped.
    private(set) var dropped: [ManagedObject] = []

    init(_ parent: ManagedObjectContext) { self.parent = parent }

    // MARK: Comparing

    mutating func plan(_ object: ManagedObject, _ policy: MergePolicy) throws {
        if object.isDeleted {
            deleted.append(object)
        } else if object.isInserted {
            inserted.append(Change(source: object, slots: object.storedSlots))
        } else {
            try planUpdate(object, policy)
        }
    }

    private mutating func planUpdate(_ object: ManagedObject, _ policy: MergePolicy) throws {
        let target = try? parent.existingObject(with: object.objectID)
        guard let target, !target.isDeleted else { return planReturn(object, policy) }
        let changed = object.changedSlots()
        let clashes = changed.filter { object.clashes(with: target, at: $0) }
        if clashes.isEmpty {
            updated.append(Change(source: object, target: target, slots: changed))
            return
        }
        switch policy {
        case .error:
            conflicts.append(object.conflict(with: target))
        case .mergeByPropertyObjectTrump:
            updated.append(Change(source: object, target: target, slots: changed))
        case .mergeByPropertyStoreTrump:
            let kept = changed.filter { !clashes.contains($0) }
            updated.append(Change(source: object, target: target, slots: kept))
            dropped.append(object)
        case .overwrite:
            updated.append(Change(source: object, target: target, slots: object.storedSlots))
        case .rollback:
            dropped.append(object)
        }
    }

    /// The parent has deleted an object that the child changed.
    private mutating func planReturn(_ object: ManagedObject, _ policy: MergePolicy) {
        switch policy {
        case .error: conflicts.append(object.conflict(with: nil))
        case .mergeByPropertyObjectTrump, .overwrite:
            inserted.append(Change(source: object, slots: object.storedSlots))
        case .mergeByPropertyStoreTrump, .rollback: dropped.append(object)
        }
    }

    // MARK: Applying

    mutating func apply() {
        inserted.sort { $0.source.objectID.precedesByInsertion($1.source.objectID) }
        for index in inserted.indices {
            inserted[index].target = parent.instanceForPush(of: inserted[index].source)
        }
        let changes = inserted + updated
        for change in changes { setValues(change) }
        for change in inserted {
            guard let made = change.source.changes?.made, !made.isEmpty else { continue }
            change.target?.trackChanges().made = made
        }
        for change in changes { setMembers(change) }
        for change in changes { setOrders(change) }
        for object in deleted {
            let id = parent.resolve(object.objectID)
            // The parent has reverted an object that it does not have any more.
            if let target = try? parent.existingObject(with: id) { parent.delete(target) }
        }
    }

    private func setValues(_ change: Change) {
        guard let target = change.target else { return }
        for slot in change.slots {
            guard target.entity.slots[slot] is RelationshipDescription else {
                let value = change.source.slots[slot]
                if !target.read(slot).isIdentical(to: value) { target.write(value, slot) }
                continue
            }
            let id = change.source.reference(slot).map(parent.resolve)
            target.setToOne(id.map { parent.object(with: $0) }, at: slot)
        }
    }

    private func setMembers(_ change: Change) {
        guard let target = change.target else { return }
        for (relationship, contents) in change.source.changedContents() {
            // Members of a one-to-many relationship hold their owner themselves.
            if let inverse = relationship.inverse, !inverse.isToMany { continue }
            let slot = relationship.slot
            for id in contents.removed {
                target.remove(parent.object(with: id), fromRelationshipAt: slot)
            }
            for id in contents.added.sorted(by: { $0.precedesByInsertion($1) }) {
                target.insert(parent.object(with: id), intoRelationshipAt: slot)
            }
        }
    }

    /// Puts ordered members into the child's order; members that only the parent has are at the
    /// end.
    private func setOrders(_ change: Change) {
        guard let target = change.target else { return }
        for (relationship, contents) in change.source.changedContents()
        where relationship.isOrdered {
            let slot = relationship.slot
            guard let members = target.loadedContents(slot)?.order else { continue }
            let present = Set(members)
            var order = contents.order.map(parent.resolve).filter { present.contains($0) }
            let placed = Set(order)
            order += members.filter { !placed.contains($0) }
            if order != members {
                target.setOrderedToMany(order.map { parent.object(with: $0) }, at: slot)
            }
        }
    }
}

extension ManagedObjectContext {
    /// The parent's instance for an object that is new to it.
    ///
    /// Its hook `awakeFromInsert` is not called, because the child has called it.
    fileprivate func instanceForPush(of source: ManagedObject) -> ManagedObject {
        let id = resolve(source.objectID)
        if let known = registry.get(id), known.isDeleted,
            !known.state.isInaccessible
        {
            known.state.undelete()
            pending.restore(known)
            return known
        }
        return insertRevived(id, source.entity)
    }
}

extension ManagedObject {
    /// Attributes, transient ones too, and to-one relationships.
    fileprivate final var storedSlots: [Int] {
        entity.slots.compactMap { property in
            if property is FetchedPropertyDescription { return nil }
            let isToMany = (property as? RelationshipDescription)?.isToMany ?? false
            return isToMany ? nil : property.slot
        }
    }

    /// The slots whose values differ from those that were read.
    fileprivate final func changedSlots() -> [Int] {
        guard let changes, let snapshot = changes.snapshot else { return [] }
        return storedSlots.filter { slot in
            changes.sinceSave.contains(slot)
                && !slots[slot].isIdentical(to: changes.basis?.values[slot] ?? snapshot[slot])
        }
    }

    /// Whether the parent's value is neither the value that was read nor the wanted one.
    fileprivate final func clashes(with target: ManagedObject, at slot: Int) -> Bool {
        guard let changes, let snapshot = changes.snapshot, !entity.slots[slot].isTransient else {
            return false
        }
        let read = changes.basis?.values[slot] ?? snapshot[slot]
        let theirs = target.settled(target.read(slot))
        return !theirs.isIdentical(to: settled(read))
            && !theirs.isIdentical(to: settled(slots[slot]))
    }

    /// A value with its ID in the permanent form, if there is one.
    private final func settled(_ value: GraphValue) -> GraphValue {
        guard let id = value.objectID, let owner else { return value }
        return .objectID(owner.resolve(id))
    }

    fileprivate final func changedContents() -> [(RelationshipDescription, ToManyContents)] {
        entity.relationships.compactMap { relationship in
            guard case .opaque(let contents as ToManyContents) = slots[relationship.slot],
                contents.isChangedSinceSave || isInserted
            else { return nil }
            return (relationship, contents)
        }
    }

    fileprivate final func conflict(with target: ManagedObject?) -> MergeConflict {
        MergeConflict(
            objectID: objectID,
            oldVersion: max(1, comparedVersion),
            newVersion: target.map { max(1, $0.version) } ?? 0,
            objectSnapshot: readColumns,
            objectValues: columns(of: slots),
            storedSnapshot: target.map { $0.columns(of: $0.slots) }
        )
    }
}
