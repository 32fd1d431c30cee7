import FoundationEssentials
import ObjectModel
import ObjectStore

// Derived attributes: computed here, so that every store has them.
//   1. compute those of the objects that the save writes anyway;
//   2. fetch the owners that depend on these changes, one statement for each dependency, and
//      compute theirs;
//   3. repeat while something changes: derived attributes may depend on derived ones;
//   4. if the save fails, restore the former values.

extension ManagedObjectContext {
    /// Updates the derived attributes for the pending changes.
    ///
    /// The undo manager does not record them: undo changes the values that they are derived from.
    ///
    /// - Throws: what fetching the dependent objects throws.
    func computeDerived() throws {
        if !coordinator.model.entities.contains(where: { !$0.derivations.isEmpty }) { return }
        let now = Date()
        var changed = pending.objects.filter(\.isPending)
        for object in changed { object.computeDerived(now) }
        // A chain of dependencies is no longer than there are derived attributes.
        var passes = coordinator.derivedDependencies.count
        while !changed.isEmpty, passes > 0 {
            passes -= 1
            let owners = try dependents(on: changed)
            changed = owners.filter { $0.computeDerived(now) }
        }
    }

    /// Restores derived attributes after a save that failed.
    ///
    /// An object that was pending only for its derived values is unchanged again; values that a
    /// store has committed stay.
    func takeBackDerived() {
        let changes = saving.takeDerived()
        observed.together {
            for change in changes { change.object.takeBack(change) }
        }
        pending.compact()
    }

    /// The objects whose derived attributes depend on changes of some objects.
    private func dependents(on changed: [ManagedObject]) throws -> [ManagedObject] {
        var found: Set<ManagedObject> = []
        for dependency in coordinator.derivedDependencies {
            let concerned = changed.filter { object in
                object.entity.isKind(of: dependency.entity)
                    && !object.isDeleted
                    && (object.isInserted
                        || object.changes?.sinceSave.contains(dependency.slot) ?? false)
            }
            if concerned.isEmpty { continue }
            found.formUnion(try fetchObjects(dependency.request(for: concerned.map(\.objectID))))
        }
        return found.sorted { $0.objectID < $1.objectID }
    }
}

extension ManagedObject {
    /// Computes the derived attributes; returns whether one changed.
    @discardableResult
    fileprivate final func computeDerived(_ now: Date) -> Bool {
        if entity.derivations.isEmpty || isDeleted { return false }
        if isFault { fireFault() }
        if state.isInaccessible { return false }
        var hasChanged = false
        for (slot, derivation) in entity.derivations where !derivation.keys.isEmpty {
            guard let attribute = entity.slots[slot] as? AttributeDescription else { continue }
            let value = (try? derivation.value(for: self)) ?? .null
            // Rules are not checked any more at this point, so a number out of range becomes nil.
            let fit = attribute.coerced(value).flatMap { attribute.isStorable($0) ? $0 : nil }
            if setDerived(fit ?? .null, at: slot) { hasChanged = true }
        }
        guard hasPersistentChangedValues else { return hasChanged }
        for (slot, derivation) in entity.derivations where derivation.keys.isEmpty {
            if setDerived(.date(now), at: slot) { hasChanged = true }
        }
        return hasChanged
    }

    private final func setDerived(_ value: GraphValue, at slot: Int) -> Bool {
        guard let owner, !slots[slot].isIdentical(to: value) else { return false }
        owner.observed.together {
            touchObservers(slot, .setting)
            owner.saving.note(
                DerivedChange(
                    object: self,
                    slot: slot,
                    old: slots[slot],
                    computed: value,
                    wasChanged: changes?.sinceSave.contains(slot) ?? false,
                    wasUpdated: isUpdated
                )
            )
            if !isInserted {
                trackChanges().sinceSave.insert(slot)
            }
            slots[slot] = value
        }
        owner.pending.update(self)
        return true
    }

    /// Restores one value, unless it was saved or has changed since.
    fileprivate final func takeBack(_ change: DerivedChange<ManagedObject>) {
        let slot = change.slot
        guard isPending, !isFault, slots[slot].isIdentical(to: change.computed) else { return }
        touchObservers(slot, .setting)
        if isInserted || change.wasChanged {
            slots[slot] = change.old
            return
        }
        // A conflict may have brought newer values from the store in the meantime.
        slots[slot] = changes?.snapshot.map { $0[slot] } ?? change.old
        changes?.sinceSave.remove(slot)
        if !change.wasUpdated, let changes, changes.sinceSave.isEmpty, changes.event.isEmpty {
            self.changes = nil
            state.revertChanges()
        }
    }

    /// Whether all pending changes are those of derived attributes.
    final var hasDerivedChangesOnly: Bool {
        guard state.isOnlyUpdated, !entity.derivations.isEmpty,
            let changes, let snapshot = changes.snapshot
        else { return false }
        return changes.sinceSave.allSatisfy { slot in
            (entity.slots[slot] as? AttributeDescription)?.isDerived ?? false
                || (entity.slots[slot] as? RelationshipDescription)?.isToMany ?? false
                || !isChanged(slot, from: snapshot)
        }
    }
}
