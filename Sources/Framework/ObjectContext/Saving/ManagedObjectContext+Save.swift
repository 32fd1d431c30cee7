import ObjectModel
public import ObjectStore

// Saving, step by step:
//   1. end the event; nothing pending: only metadata that were set are written;
//   2. post `ContextWillSave`; call `willSave` until it changes nothing;
//   3. validate every object, collecting all errors; compute derived attributes;
//   4. plan one save for each store and hand it to the coordinator;
//      on a conflict apply the merge policy and plan again;
//   5. only after the stores committed: make IDs permanent, mark everything clean, end the step of
//      of undo;
//   6. call `didSave`, post `ContextDidSave`.
// In a child, step 4 pushes its changes into the parent; IDs do not change then.
// A failure up to step 4 leaves the context unchanged. With several stores, objects that one of
// them has committed are clean even if another store fails.

extension ManagedObjectContext {
    private static let passLimit = 1000

    /// Writes all pending changes, in one transaction for each store; those of a child become
    /// pending changes of its parent.
    ///
    /// It ends the step of undo: later changes are another step of the ``undoManager``. A group
    /// that the program has opened stays open, and so does the step of a save that fails.
    ///
    /// Metadata that were set with ``PersistentStoreCoordinator/setMetadata(_:of:)`` are written too,
    /// also if no object has changed.
    ///
    /// - Parameter name: the name of the undo step, such as "Edit Task"; `nil` does not change it.
    ///   A group of the program that has a name keeps it.
    /// - Throws: `ObjectGraphError`: validation (1550–1680), conflicts (133020, 133021), or the
    ///   store's error. Nothing is written then, and every object keeps its pending changes.
    /// - Complexity: O(pending objects).
    public func save(as name: String? = nil) throws {
        var transaction = TransactionInfo()
        transaction.groupName = name
        _ = try save(transaction)
    }

    /// Saves with full control over its record in the history.
    ///
    /// Returns the transaction's number in the first store that was written, 0 if none was.
    @discardableResult
    public func save(_ info: TransactionInfo) throws -> Int64 {
        let use = beginUse()
        defer { endUse(use) }
        settle()
        let last = undoManager?.undoStack.last
        processPendingChanges()
        pending.compact()
        guard !pending.objects.isEmpty else {
            if parent == nil, coordinator.hasDueMetadata { try coordinator.writeMetadata() }
            endSavedStep(as: info.groupName, after: last)
            return 0
        }
        saving.begin()
        do {
            try prepareToSave()
            let putBack = takeOutGone()
            do {
                let transaction = try writePending(info, after: last)
                saving.begin()
                return transaction
            } catch {
                for reference in putBack { reference() }
                throw error
            }
        } catch {
            takeBackDerived()
            throw error
        }
    }

    /// Steps 4 to 6.
    private func writePending(_ info: TransactionInfo, after last: UndoGroup?) throws -> Int64 {
        var info = info
        info.author = info.author ?? transactionAuthor
        info.keepsUndoneOfOthers = coordinator.undoesByAuthor
        info.contextName = info.contextName ?? self.name
        var saved = SavedObjects()
        if let parent {
            parent.settle()
            let dropped = try push(to: parent, as: info.groupName)
            finish(SaveOutcome(), &saved)
            for object in dropped { try takeStoreValues(object, keeping: .nothing) }
            endSavedStep(as: info.groupName, after: last)
            announce(saved)
            return 0
        }
        do {
            try write(info, &saved)
        } catch {
            if !saved.isEmpty { announce(saved) }
            throw error
        }
        return complete(saved, as: info.groupName, after: last)
    }

    /// The end of a save of a root that has succeeded.
    func complete(
        _ saved: SavedObjects,
        as name: String?,
        after last: UndoGroup?
    ) -> Int64 {
        movePin()
        endSavedStep(as: name, after: last)
        announce(saved)
        return saved.transactions.values.min() ?? 0
    }

    /// Steps 2 and 3; after them the pending changes are those that the save writes.
    func prepareToSave() throws {
        notifications.post(ContextWillSave(context: self))
        propagateAllDeletes()
        try callWillSave()
        try validateForSave()
        try computeDerived()
        pending.compact()
        // The changes may have been made from values that could not be read. It is reported once: who
        // saves again wants what is there.
        if let error = pending.takeUnread() { throw error }
    }

    /// Applies the delete rules that were postponed until now, and those of deleted objects to
    /// which new links were made.
    func propagateAllDeletes() {
        let late = pending.objects.filter { $0.isPending && $0.state.areDeleteRulesDue }
        if late.isEmpty, pending.event.deleted.isEmpty { return }
        propagateDeletes(late)
        endOwnEvent()
    }

    /// Calls `willSave` on each pending object, and again on each that has changed since.
    private func callWillSave() throws {
        var due = pending.objects
        for _ in 0..<ManagedObjectContext.passLimit {
            for object in due where object.isPending { object.willSave() }
            propagateDeletes()
            due = pending.event.touched
            endOwnEvent()
            if due.isEmpty { return }
        }
        throw ObjectGraphError(
            .operationFailed,
            "Objects keep changing in willSave; the save was given up after "
                + "\(ManagedObjectContext.passLimit) passes.",
            recovery: "Compare before you set, or set primitive values."
        )
    }

    /// Plans and writes until no conflict is left.
    private func write(_ info: TransactionInfo, _ saved: inout SavedObjects) throws {
        var rounds = SaveRounds()
        defer { saving.endGuarding() }
        while true {
            let outcome = coordinator.save(try plansWithoutConflict(info, &rounds))
            if try accept(outcome, &saved, &rounds) { return }
        }
    }

    /// The plans of a save, after the guarded objects were compared with their rows.
    func plansWithoutConflict(
        _ info: TransactionInfo,
        _ rounds: inout SaveRounds
    ) throws -> SavePlans {
        while let conflict = try conflictOfGuarded() {
            try resolve(conflict, giveUp: rounds.conflicts > 10)
            rounds.conflicts += 1
        }
        return try makePlans(info)
    }

    /// Marks what was written as clean, and resolves a conflict.
    ///
    /// - Returns: whether everything was written; otherwise the rest is planned again.
    func accept(
        _ outcome: SaveOutcome,
        _ saved: inout SavedObjects,
        _ rounds: inout SaveRounds
    ) throws -> Bool {
        observed.together { finish(outcome, &saved) }
        guard let failure = outcome.failure else { return true }
        do {
            if let conflict = failure as? StoreConflict {
                rounds.conflicts += 1
                try resolve(conflict, giveUp: rounds.conflicts > 10)
            } else if let error = failure as? ObjectGraphError, error.code == .constraintConflict {
                rounds.collisions += 1
                // Each round removes an object or reverts a change; others may write between the
                // rounds.
                let limit = pending.objects.count + 10
                try resolve(notUnique: error, giveUp: rounds.collisions > limit)
            } else {
                throw failure
            }
        } catch {
            throw saved.isEmpty ? error : incomplete(error)
        }
        return false
    }

    private func incomplete(_ error: any Error) -> ObjectGraphError {
        ObjectGraphError(
            .incompleteSave,
            "One store was saved, but another was not: \(error)",
            recovery: "Remove the cause, then save again.",
            underlying: [error]
        )
    }

    /// Marks what the stores committed as clean.
    private func finish(_ outcome: SaveOutcome, _ saved: inout SavedObjects) {
        for (temporary, permanent) in outcome.permanentIDs {
            registry.noteAlias(temporary, permanent)
        }
        let written = pending.takeWritten { outcome.hasWritten($0.objectID) }
        let takings = takings(of: written)
        for object in written {
            if object.isDeleted {
                saved.deleted.append(object)
                finishDeletion(object)
            } else if object.isInserted {
                saved.inserted.append(object)
                let id = resolve(object.objectID)
                if id != object.objectID { adopt(id, for: object) }
                object.version = max(1, object.version)
                object.becomeClean(resolving: resolve)
            } else {
                saved.updated.append(object)
                if outcome.writtenRows.contains(object.objectID) { object.version += 1 }
                object.becomeClean(resolving: resolve)
            }
        }
        leaveLists(saved.deleted, takings)
        handDown(outcome.permanentIDs)
        saved.transactions.merge(outcome.transactions) { $1 }
        saved.generation = outcome.generation
    }

    /// The object leaves the context; its values stay, so that undo can restore it.
    private func finishDeletion(_ object: ManagedObject) {
        unregister(object)
        object.noteLeaving("its deletion was saved by \(label)")
        object.changes = nil
        object.version = 0
    }

    func announce(_ saved: SavedObjects) {
        lettingFollow(saved.deleted) { tell(saved) }
    }

    private func tell(_ saved: SavedObjects) {
        for object in saved.inserted { object.didSave() }
        for object in saved.updated { object.didSave() }
        for object in saved.deleted { object.didSave() }
        let save = ContextDidSave(
            context: self,
            inserted: saved.inserted,
            updated: saved.updated,
            deleted: saved.deleted,
            transactions: saved.transactions
        )
        if parent == nil {
            following.note(generation: saved.generation)
            coordinator.deliver(
                { save.changes },
                savedAt: saved.generation,
                except: following.inbox
            )
        }
        notifications.post(save)
    }
}

/// How often a save had to be planned again.
struct SaveRounds {
    var conflicts = 0
    var collisions = 0
}

/// The writes of one call of `save` so far.
struct SavedObjects {
    var inserted: [ManagedObject] = []
    var updated: [ManagedObject] = []
    var deleted: [ManagedObject] = []
    /// History transaction numbers by store identifier.
    var transactions: [String: Int64] = [:]
    /// The coordinator's generation after the last write.
    var generation = 0

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension ManagedObject {
    /// The current values are the stored ones now.
    fileprivate final func becomeClean(resolving resolve: (ManagedObjectID) -> ManagedObjectID) {
        state.becomeClean()
        changes = nil
        guard layout.hasRelationships else { return }
        for relationship in entity.relationshipList {
            switch slots[relationship.slot] {
            case .objectID(let id) where id.isTemporaryID:
                slots[relationship.slot] = .objectID(resolve(id))
            case .opaque(let contents as ToManyContents):
                contents.didSave(resolve)
            default: break
            }
        }
    }
}
