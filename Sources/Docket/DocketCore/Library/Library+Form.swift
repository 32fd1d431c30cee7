import DocketFormats
public import ObjectGraph

// A form edits objects of a scratch context and saves that as one named step; the context of the
// screen merges the changes.

extension Library {
    /// A context for a form, with the library's author and merge policy.
    public func makeScratch() -> ManagedObjectContext {
        let scratch = ManagedObjectContext(coordinator: context.coordinator)
        scratch.transactionAuthor = context.transactionAuthor
        scratch.mergePolicy = context.mergePolicy
        scratch.constraintPolicy = context.constraintPolicy
        return scratch
    }

    /// The present state of an item in the store, in a separate context; `nil` if it was deleted.
    public func stored(
        _ id: ManagedObjectID
    ) throws -> (item: Item, context: ManagedObjectContext)? {
        context.coordinator.forgetRows([id])
        let reader = makeScratch()
        do {
            guard let item = try reader.existingObject(with: id) as? Item else { return nil }
            return (item, reader)
        } catch let error as ObjectGraphError where error.code == .referentialIntegrity {
            return nil
        }
    }

    /// The authors of the changes of an item after a transaction, oldest first; "" for an author
    /// without a name.
    ///
    /// Cost: reads the history after the transaction.
    public func authors(
        changing id: ManagedObjectID,
        after transaction: Int64
    ) throws -> [String] {
        var authors: [String] = []
        var number = transaction
        while true {
            let batch = try context.coordinator.withFirstStore {
                try $0.history(after: number, limit: 500)
            }
            guard let batch, let last = batch.last else { return authors }
            number = last.number
            for transaction in batch where transaction.changes.contains(where: { $0.concerns(id) })
            {
                authors.append(transaction.author ?? "")
            }
        }
    }

    /// Deletes what was made for names that were typed and then changed.
    private func deleteUnused(in scratch: ManagedObjectContext) {
        for object in scratch.insertedObjects {
            switch object {
            case let tag as Tag where tag.items.isEmpty: scratch.delete(tag)
            case let location as Location where location.tasks.isEmpty: scratch.delete(location)
            case let list as List: deleteUnused(list, in: scratch)
            default: break
            }
        }
    }

    /// Deletes a new list without items and lists, and then those above it that are like that.
    private func deleteUnused(_ list: List, in scratch: ManagedObjectContext) {
        guard list.isInserted, list.items.isEmpty, list.children.isEmpty else { return }
        let parent = list.parent
        scratch.delete(list)
        scratch.processPendingChanges()
        if let parent { deleteUnused(parent, in: scratch) }
    }

    /// Saves a scratch context as one step and merges it into the screen's context.
    ///
    /// New items get their numbers and a place at the end of the order; lists, tags and locations that
    /// are not used are not saved.
    ///
    /// - Returns: the step about `item`, which names the changed fields; `nil` if nothing has
    ///   changed.
    public func saveForm(_ scratch: ManagedObjectContext, of item: Item) throws -> SavedStep? {
        requireOutsideChange()
        for case let task as Task in scratch.insertedObjects.union(scratch.updatedObjects) {
            let changed = task.changedKeys
            if changed.contains(Task.Keys.rule) { task.setFirstDue(at: clock()) }
            // What others have saved meanwhile counts, too.
            if changed.contains(Task.Keys.due) || changed.contains(Task.Keys.remindTimes) {
                task.setNextReminder(clock())
            }
        }
        try runHooks(in: scratch)
        let name = item.isInserted ? StepName(added: item) : StepName(edited: item)
        deleteUnused(in: scratch)
        for case let item as Item in scratch.insertedObjects.union(scratch.updatedObjects) {
            try Limits.check(tags: item.$tags.count)
            let changed = item.changedKeys
            if changed.contains(Item.Keys.title) { try Limits.check(text: item.title) }
            if changed.contains(Item.Keys.notes) { try Limits.check(text: item.notes) }
            if let note = item as? Note, changed.contains(Note.Keys.body) {
                try Limits.check(text: note.body)
            }
        }
        let new = scratch.insertedObjects.compactMap { $0 as? Item }
        try assignNumbers(to: new)
        let text = try name.text + followLinks(in: scratch)
        var info = TransactionInfo()
        info.groupName = text
        let transaction = try saveAndMerge(scratch, info)
        guard transaction > 0 else { return nil }
        return SavedStep(name: text, transaction: transaction, subject: StepSubject([item]))
    }
}

extension HistoryChange {
    /// Whether the transaction changed an object, or linked it with another one.
    fileprivate func concerns(_ id: ManagedObjectID) -> Bool {
        objectID == id || addedMembers.values.contains { $0.contains(id) }
            || removedMembers.values.contains { $0.contains(id) }
    }
}
