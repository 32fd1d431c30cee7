import ObjectModel
package import ObjectStore

// Saving, step by step:
//   1. end the event; nothing pending: nothing to do;
//   2. post `ContextWillSave`; call `willSave` until it changes nothing more;
//   3. validate every object, collecting all errors;
//   4. plan one save for each store and hand it to the coordinator;
//      on a conflict apply the merge policy and plan again;
//   5. only after the stores committed: make IDs permanent, mark everything clean;
//   6. call `didSave`, post `ContextDidSave`.
// A failure up to step 4 leaves the context as it was.

extension ManagedObjectContext {
    private static let passLimit = 1000

    /// Writes all pending changes, in one transaction for each store.
    ///
    /// - Parameter name: what undo calls the step, such as "Edit Task".
    /// - Throws: `ObjectGraphError`: validation (1550–1680), conflicts (133020, 133021), or the
    ///   store's. Nothing is written then, and every object keeps its pending changes.
    public func save(as name: String? = nil) throws {
        var transaction = TransactionInfo()
        transaction.groupName = name
        _ = try save(transaction)
    }

    /// Saves with full control over how history records it.
    ///
    /// Returns the transaction's number in the first store written, 0 if nothing was.
    @discardableResult
    package func save(_ info: TransactionInfo) throws -> Int64 {
        processPendingChanges()
        compactPending()
        guard !pending.isEmpty else { return 0 }
        notifications.post(ContextWillSave(context: self))
        try callWillSave()
        propagateDeletes()
        processPendingChanges()
        compactPending()
        try validateForSave()
        var info = info
        info.author = info.author ?? transactionAuthor
        info.contextName = info.contextName ?? self.name
        let outcome = try write(info)
        let saved = finish(outcome)
        for object in saved.inserted { object.didSave() }
        for object in saved.updated { object.didSave() }
        for object in saved.deleted { object.didSave() }
        notifications.post(saved)
        return outcome.transactions.values.min() ?? 0
    }

    private func callWillSave() throws {
        var done: [ManagedObject: Int] = [:]
        for _ in 0..<ManagedObjectContext.passLimit {
            // An object is called again only if it changed since its last call.
            let due = pending.filter { object in
                object.hasChanges && done[object] == nil
                    || object.flags & ObjectFlags.changedInEvent != 0
            }
            if due.isEmpty { return }
            for object in due {
                done[object] = 1
                object.willSave()
            }
            processPendingChanges()
            let again = pending.filter { $0.hasChanges && done[$0] == nil }
            if again.isEmpty { return }
        }
        throw ObjectGraphError(
            .operationFailed,
            "Objects keep changing in willSave; the save was given up after "
                + "\(ManagedObjectContext.passLimit) passes.",
            recovery: "Compare before you set, or set primitive values."
        )
    }

    /// Plans and writes until no conflict is left to solve.
    private func write(_ info: TransactionInfo) throws -> SaveOutcome {
        var attempts = 0
        while true {
            let planning = try makePlans(info)
            do {
                return try coordinator.save(planning)
            } catch let conflict as StoreConflict {
                attempts += 1
                try resolve(conflict, giveUp: attempts > 10)
            }
        }
    }

    /// Marks everything clean, after the stores have committed.
    private func finish(_ outcome: SaveOutcome) -> ContextDidSave {
        var inserted: Set<ManagedObject> = []
        var updated: Set<ManagedObject> = []
        var deleted: Set<ManagedObject> = []
        var changes = ObjectIDChanges()
        let saved = pending
        pending = []
        for object in saved { object.flags &= ~ObjectFlags.listed }
        for (temporary, permanent) in outcome.permanentIDs { aliases[temporary] = permanent }
        for object in saved {
            if object.flags & ObjectFlags.deleted != 0 {
                deleted.insert(object)
                changes.deleted.insert(object.objectID)
                finishDeletion(object)
                continue
            }
            guard object.flags & (ObjectFlags.inserted | ObjectFlags.updated) != 0 else { continue }
            if object.flags & ObjectFlags.inserted != 0 {
                identity.remove(object.objectID, object)
                object.objectID = outcome.permanentIDs[object.objectID] ?? object.objectID
                identity.set(object.objectID, object)
                object.version = 1
                inserted.insert(object)
                changes.inserted.insert(object.objectID)
            } else {
                if outcome.writtenRows.contains(object.objectID) { object.version += 1 }
                updated.insert(object)
                changes.updated.insert(object.objectID)
            }
            object.becomeClean(resolving: resolve)
        }
        return ContextDidSave(
            context: self,
            inserted: inserted,
            updated: updated,
            deleted: deleted,
            changes: changes,
            transactions: outcome.transactions
        )
    }

    /// The object leaves the context; its values stay, so that undo can bring it back.
    private func finishDeletion(_ object: ManagedObject) {
        identity.remove(object.objectID, object)
        object.owner = nil
        object.flags |= ObjectFlags.detached
        object.flags &= ~(ObjectFlags.inserted | ObjectFlags.updated | ObjectFlags.deleted)
        object.changes = nil
        object.version = 0
    }
}

extension ManagedObject {
    /// The current values are what the store holds now.
    fileprivate final func becomeClean(resolving resolve: (ManagedObjectID) -> ManagedObjectID) {
        flags &= ~(ObjectFlags.inserted | ObjectFlags.updated)
        for relationship in entity.relationships {
            switch slots[relationship.slot] {
            case .objectID(let id) where id.isTemporaryID:
                slots[relationship.slot] = .objectID(resolve(id))
            case .opaque(let contents as ToManyContents):
                contents.didSave(resolve)
            default: break
            }
        }
        changes = nil
    }
}
