public import FoundationEssentials
import ObjectModel
import ObjectStore

// Reading and deleting the stores' logs of saves.

extension PersistentStoreCoordinator {
    /// How many transactions are read at a time.
    fileprivate static let historyBatch = 500

    /// The saved transactions that match a request.
    ///
    /// Cost: reads every transaction after the starting place, in batches, up to the limit.
    ///
    /// - Throws: `ObjectGraphError` with code 134301 if what was saved after the starting place is not
    ///   known: transactions were deleted, a migration with a mapping model has replaced the store, the
    ///   place is one that the store has not reached (it was replaced by an older copy), or the store
    ///   keeps no history any more. Then read the objects again, and continue from
    ///   ``currentHistoryToken()``. A token
    ///   of an empty store, a token without the store, and the number 0 are places too: the request
    ///   returns everything after them, or throws. A request without a place returns all
    ///   transactions that exist. Also the store's error, the predicate's, or
    ///   ``ObjectGraphError/Code/storeClosed``.
    public func history(_ request: HistoryRequest) throws -> HistoryResult {
        try RequestCheck.refuseNegative(request.limit, "limit of a history request")
        try checkAnyStoreIsOpen()
        let compiled = request.predicate.map { CompiledPredicate($0) }
        var token = request.after ?? HistoryToken()
        var found: [HistoryTransaction] = []
        try lock.withLock {
            for store in openStores {
                let identifier = store.identifier.uuidString
                let place = token.place(in: store)
                var number = max(place, request.afterTransaction ?? place)
                if let date = request.since {
                    number = max(number, try store.lastTransaction(before: date))
                }
                var count = 0
                // Transactions are numbered without gaps; the oldest ones are deleted first.
                // A number alone is meant for every store, and not each has so many.
                var isPlace =
                    number == place
                    ? request.after != nil || request.afterTransaction != nil
                    : openStores.count == 1
                reading: while true {
                    let batch =
                        isPlace
                        ? try store.historyWithoutGap(after: number, limit: Self.historyBatch)
                        : try store.history(after: number, limit: Self.historyBatch)
                    isPlace = false
                    for transaction in batch {
                        number = transaction.number
                        guard try request.admits(transaction, compiled) else { continue }
                        found.append(transaction)
                        count += 1
                        if count == request.limit { break reading }
                    }
                    if batch.count < PersistentStoreCoordinator.historyBatch { break }
                }
                token.numbers[identifier] = number
            }
        }
        return HistoryResult(transactions: found, token: token)
    }

    /// The place after all transactions in the stores' histories.
    ///
    /// - Throws: the store's error.
    public func currentHistoryToken() throws -> HistoryToken {
        try checkAnyStoreIsOpen()
        var token = HistoryToken()
        try lock.withLock {
            for store in openStores {
                token.numbers[store.identifier.uuidString] = try store.latestTransaction()
            }
        }
        return token
    }

    /// Deletes history up to a place, except for the steps that undo must keep.
    ///
    /// The newest transaction of a store always stays. Tokens from before the place expire
    /// (134301).
    ///
    /// - Parameters:
    ///   - token: history after this place is kept.
    ///   - keepsSteps: the number of commands that undo must still be able to revert.
    /// - Returns: the number of deleted transactions.
    /// - Throws: the store's error.
    /// - Complexity: O(deleted changes).
    @discardableResult
    public func deleteHistory(before token: HistoryToken, keepsSteps: Int = 100) throws -> Int {
        try trimWritableStores(keepingSteps: keepsSteps) { store in
            guard let number = token.numbers[store.identifier.uuidString] else { return nil }
            var limit = HistoryLimit(keepsSteps: keepsSteps)
            limit.keepsAfter = number
            return limit
        }
    }

    /// Deletes history from before a date, except for the steps that undo must keep.
    ///
    /// - Throws: the store's error.
    /// - Complexity: O(deleted changes).
    @discardableResult
    public func deleteHistory(before date: Date, keepsSteps: Int = 100) throws -> Int {
        try trimWritableStores(keepingSteps: keepsSteps) { _ in
            HistoryLimit(keepsSince: date, keepsSteps: keepsSteps)
        }
    }

    private func trimWritableStores(
        keepingSteps number: Int,
        _ limit: (any PersistentStore) -> HistoryLimit?
    ) throws -> Int {
        try RequestCheck.refuseNegative(number, "number of steps that a deletion of history keeps")
        try checkAnyStoreIsOpen()
        return try lock.withLock {
            try openStores.filter { !$0.isReadOnly }.reduce(0) { count, store in
                guard let limit = limit(store) else { return count }
                return count + (try store.trimHistory(limit))
            }
        }
    }
}

extension HistoryToken {
    /// The place in a store's history; -1 if it is not known any more, because a migration has made
    /// a new store from the one that the token names.
    func place(in store: any PersistentStore) -> Int64 {
        if let number = numbers[store.identifier.uuidString] { return number }
        guard case .array(let former)? = store.metadata[StoreMetadataKey.formerIdentifiers] else {
            return 0
        }
        let isFormer = former.contains { identifier in
            if case .string(let text) = identifier { return numbers[text] != nil }
            return false
        }
        return isFormer ? -1 : 0
    }
}

extension PersistentStore {
    /// The transactions after a place, none of them missing.
    ///
    /// Transactions are numbered without gaps; the oldest ones are deleted first.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/historyExpired`` if some were
    ///   deleted, or if the store has not reached the place, or does not keep a history any more.
    func historyWithoutGap(after place: Int64, limit: Int) throws -> [HistoryTransaction] {
        var found = try history(after: place, limit: limit)
        if found.isEmpty {
            let latest = try latestTransaction()
            // Somebody may have saved between the two readings.
            if latest > place { found = try history(after: place, limit: limit) }
            if found.isEmpty, latest != place {
                throw ObjectGraphError.historyExpired(after: place)
            }
        }
        if let first = found.first, first.number > place + 1 {
            throw ObjectGraphError.historyExpired(after: place)
        }
        return found
    }
}

extension HistoryRequest {
    fileprivate func admits(
        _ transaction: HistoryTransaction,
        _ compiled: CompiledPredicate?
    ) throws -> Bool {
        if let author, transaction.author != author { return false }
        if let since, transaction.date < since { return false }
        return try compiled?.evaluate(with: .object(HistoryRecord(transaction))) ?? true
    }
}
