import ObjectModel
public import ObjectStore

// From what a store's log tells to what a context can merge.

extension ObjectIDChanges {
    /// Adds a change of the history that came after those that are in it.
    ///
    /// What was inserted and then changed counts as inserted, what came back after its deletion as
    /// changed. The other ends of many-to-many links count as changed too.
    public mutating func add(_ change: HistoryChange) {
        let id = change.objectID
        switch change.kind {
        case .insert:
            if deleted.remove(id) == nil { inserted.insert(id) } else { updated.insert(id) }
        case .update:
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
    /// What the transactions changed in all, to be merged into contexts.
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
