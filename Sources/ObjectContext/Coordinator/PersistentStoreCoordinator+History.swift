public import FoundationEssentials
import ObjectModel
import ObjectStore

// Reading and deleting the stores' logs of saves.

extension PersistentStoreCoordinator {
    /// How many transactions are read at a time.
    private static let historyBatch = 500

    /// The saved transactions that match a request.
    ///
    /// Cost: reads every transaction after the starting place, in batches, up to the limit.
    ///
    /// - Throws: `ObjectGraphError` with code 134301 if transactions after the starting place were
    ///   deleted. Then read the objects again, and continue from ``currentHistoryToken()``. A token
    ///   of an empty store, a token without the store, and the number 0 are places too: the request
    ///   returns everything after them, or throws. A request without a place returns all
    ///   transactions that exist. Also the store's error, or the predicate's.
    public func history(_ request: HistoryRequest) throws -> HistoryResult {
        try RequestCheck.refuseNegative(request.limit, "limit of a history request")
        let compiled = request.predicate.map { CompiledPredicate($0) }
        var token = request.after ?? HistoryToken()
        var found: [HistoryTransaction] = []
        try lock.withLock {
            for store in openStores {
                let identifier = store.identifier.uuidString
                var number = max(token.numbers[identifier] ?? 0, request.afterTransaction ?? 0)
                if let date = request.since {
                    number = max(number, try store.lastTransaction(before: date))
                }
                var count = 0
                // Transactions are numbered without gaps; the oldest ones are deleted first.
                var isPlace = request.after != nil || request.afterTransaction != nil
                reading: while true {
                    let batch = try store.history(
                        after: number,
                        limit: PersistentStoreCoordinator.historyBatch
                    )
                    if isPlace, let first = batch.first, first.number > number + 1 {
                        throw ObjectGraphError.historyExpired(after: number)
                    }
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
        return try lock.withLock {
            try openStores.filter { !$0.isReadOnly }.reduce(0) { count, store in
                guard let limit = limit(store) else { return count }
                return count + (try store.trimHistory(limit))
            }
        }
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
