public import FoundationEssentials
import ObjectModel
import ObjectStore

// The stores' logs of saves, to read and to trim.

extension PersistentStoreCoordinator {
    /// How many transactions are read at a time.
    private static let historyBatch = 500

    /// The saved transactions that a request asks for.
    ///
    /// Cost: reads every transaction after the starting place, in batches, up to the limit.
    ///
    /// - Throws: `ObjectGraphError` with code 134301 if transactions after the token, or after the
    ///   number, have been deleted: read the objects again then, and go on from
    ///   ``currentHistoryToken()``. So it is with a token of an empty store, a token without the
    ///   store, and the number 0: whoever names a place gets all that followed it, or the error. A
    ///   request without a place gets what there is. Or the store's error, or the predicate's.
    public func history(_ request: HistoryRequest) throws -> HistoryResult {
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

    /// The place after everything that the stores' histories hold now.
    public func currentHistoryToken() throws -> HistoryToken {
        var token = HistoryToken()
        try lock.withLock {
            for store in openStores {
                token.numbers[store.identifier.uuidString] = try store.latestTransaction()
            }
        }
        return token
    }

    /// Deletes history up to a place, as far as undo can do without.
    ///
    /// The newest transaction of a store always stays. Tokens from before expire (134301).
    ///
    /// - Parameters:
    ///   - token: what is kept is after this place.
    ///   - keepsSteps: how many commands undo must still be able to take back.
    /// - Returns: How many transactions went.
    /// - Throws: the store's error.
    @discardableResult
    public func deleteHistory(before token: HistoryToken, keepsSteps: Int = 100) throws -> Int {
        try trimWritableStores { store in
            guard let number = token.numbers[store.identifier.uuidString] else { return nil }
            var limit = HistoryLimit(keepsSteps: keepsSteps)
            limit.keepsAfter = number
            return limit
        }
    }

    /// Deletes history of before a date, as far as undo can do without.
    @discardableResult
    public func deleteHistory(before date: Date, keepsSteps: Int = 100) throws -> Int {
        try trimWritableStores { _ in HistoryLimit(keepsSince: date, keepsSteps: keepsSteps) }
    }

    private func trimWritableStores(
        _ limit: (any PersistentStore) -> HistoryLimit?
    ) throws -> Int {
        try lock.withLock {
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
