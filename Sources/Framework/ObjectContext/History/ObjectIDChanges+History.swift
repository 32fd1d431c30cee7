import ObjectModel
public import ObjectStore

// From the changes of a store's history to changes that a context can merge.

extension ObjectIDChanges {
    /// Adds a change of the history that is later than those in this value.
    ///
    /// An object that was inserted and then changed counts as inserted; one that was deleted and
    /// restored counts as changed. The other ends of many-to-many links count as changed too.
    public mutating func add(_ change: HistoryChange) {
        let id = change.objectID
        switch change.kind {
        case .insert:
            if deleted.remove(id) == nil { inserted.insert(id) } else { updated.insert(id) }
        case .update:
            // Whoever deleted it, somebody has restored it since.
            deleted.remove(id)
            if !inserted.contains(id) { updated.insert(id) }
        case .delete:
            inserted.remove(id)
            updated.remove(id)
            deleted.insert(id)
        }
        for ids in change.addedMembers.values { addOther(ids) }
        for ids in change.removedMembers.values { addOther(ids) }
    }

    private mutating func addOther(_ ids: [ManagedObjectID]) {
        for id in ids where !inserted.contains(id) && !deleted.contains(id) { updated.insert(id) }
    }
}

extension HistoryResult {
    /// All changes of the transactions, to be merged into contexts.
    ///
    ///     let news = try coordinator.history(request)
    ///     ManagedObjectContext.mergeChanges(news.changes, into: [context])
    ///
    /// - Complexity: O(changes), each time.
    public var changes: ObjectIDChanges {
        var result = ObjectIDChanges()
        for transaction in transactions {
            for change in transaction.changes { result.add(change) }
        }
        return result
    }
}
