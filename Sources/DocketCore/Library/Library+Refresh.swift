package import ObjectGraph

// Other processes may write to the same file at any moment. Each verb first asks the store whether
// somebody has, which costs a read of the log's index. If so, it merges the new history before it
// reads or changes anything.

extension Library {
    /// Merges the saves of other connections since the last call; cheap if there are none.
    ///
    /// A verb does it once, at its beginning: while it works, this does nothing.
    package func refresh() throws {
        guard !isChanging, let store = context.coordinator.openStores.first,
            try store.hasForeignChanges()
        else { return }
        let merged = try mergeChanges(after: seenTransaction) { _ in true }
        seenTransaction = merged.token
        hasOldNumbers = endOfOrder != nil
    }

    /// The items among some that still exist.
    func existing<Kind: Item>(_ items: [Kind]) -> [Kind] { items.filter { !$0.isDeleted } }

    /// The existing items of some identities, in their order; their rows in few statements.
    package func existing(_ ids: [ManagedObjectID]) throws -> [Item] {
        try refresh()
        return existing(try context.objects(Item.self, with: ids, prefetching: []))
    }

    /// Records a transaction of our own, so that it is not read again.
    func noteSaved(_ number: Int64) {
        if number == seenTransaction + 1 { seenTransaction = number }
    }

    /// The number of the newest transaction.
    ///
    /// Cost: one step in an index.
    package func latestTransaction() throws -> Int64 {
        try context.coordinator.openStores.first?.latestTransaction() ?? 0
    }

    /// Merges the saves of others after a token; `own` are the numbers of the transactions that are
    /// known already, of this library or of another one in this process.
    ///
    /// - Returns: the token for the next call, the names of the steps of others, and the number of
    ///   objects that they changed.
    package func mergeChanges(
        after token: Int64,
        except own: Set<Int64>
    ) throws -> (token: Int64, steps: [String], changed: Int) {
        var token = token
        // Our own transactions need not be read.
        while own.contains(token + 1) { token += 1 }
        return try mergeChanges(after: token) { !own.contains($0.number) }
    }

    private func mergeChanges(
        after token: Int64,
        _ isWanted: (HistoryTransaction) -> Bool
    ) throws -> (token: Int64, steps: [String], changed: Int) {
        guard let store = context.coordinator.openStores.first else { return (token, [], 0) }
        var token = token
        var steps: [String] = []
        var changes = ObjectIDChanges()
        while true {
            let transactions = try store.history(after: token, limit: 500)
            guard let last = transactions.last else { break }
            for transaction in transactions where isWanted(transaction) {
                if let name = transaction.groupName { steps.append(name) }
                for change in transaction.changes { changes.add(change) }
            }
            token = last.number
        }
        guard !changes.isEmpty else { return (token, steps, 0) }
        // The cached rows of these are outdated; the merge needs the row of a deleted object one
        // last time.
        context.coordinator.forgetRows(changes.updated.union(changes.inserted))
        context.mergeChanges(changes)
        context.coordinator.forgetRows(changes.deleted)
        return (
            token, steps, changes.inserted.count + changes.updated.count + changes.deleted.count
        )
    }
}
