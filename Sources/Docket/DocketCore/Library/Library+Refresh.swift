import DocketFormats
import FoundationEssentials
public import ObjectGraph

// Other processes may write to the same file at any moment. Each verb first lets the follower merge
// their saves, before it reads or changes anything; that costs a read of the log's index if there
// are none.

extension Library {
    /// Merges the saves of others since the last call; cheap if there are none.
    ///
    /// A verb does it once, at its beginning: while it works, this does nothing. So does one
    /// ``event(_:)``.
    ///
    /// - Throws: the store's error; `InputError` if the others' changes are not known any more, so
    ///   that all objects were read again and those of the caller are not valid.
    public func refresh() throws {
        if isChanging || hasMerged == true { return }
        try merge()
        if hasMerged != nil { hasMerged = true }
    }

    /// Runs what one key or one click asks for: the saves of others are merged once, before the first
    /// thing that reads or changes items.
    public func event(_ work: () -> Void) {
        let outer = hasMerged
        hasMerged = outer ?? false
        defer { hasMerged = outer }
        work()
    }

    /// Merges, also if it was done in this event.
    func merge() throws {
        if try mergeOthers() {
            throw InputError(
                .conflict,
                "Other programs have changed the store, and its old history was deleted."
                    + " Everything was read again: repeat the command."
            )
        }
    }

    /// Merges the saves of others, and remembers the names of their steps.
    ///
    /// - Returns: whether the context was reset instead.
    @discardableResult
    public func mergeOthers() throws -> Bool {
        let news = try follower.catchUp()
        if news.isEmpty { return false }
        othersSteps += news.stepNames.isEmpty ? ["changes"] : news.stepNames
        hasOldNumbers = endOfOrder != nil
        return news.wasReset
    }

    /// The names of the steps of others that were merged since the last call.
    public func takeOthersSteps() -> [String] {
        defer { othersSteps = [] }
        return othersSteps
    }

    /// The items among some that still exist.
    func existing<Kind: Item>(_ items: [Kind]) -> [Kind] { items.filter { !$0.isDeleted } }

    /// The existing items of some identities, in their order; their rows in few statements.
    public func existing(_ ids: [ManagedObjectID]) throws -> [Item] {
        try refresh()
        return existing(try context.objects(Item.self, with: ids, prefetching: []))
    }

    /// The number of the newest transaction.
    ///
    /// Cost: one step in an index.
    public func latestTransaction() throws -> Int64 {
        try context.coordinator.withFirstStore { try $0.latestTransaction() } ?? 0
    }

    /// Whether a step was saved here, with any context over the store, since the library was opened.
    public func isOwn(_ step: HistoryStep) -> Bool {
        guard let store = context.coordinator.persistentStores.first else { return false }
        return step.transactions.contains { follower.isOwn($0, in: store) }
    }

    /// The newest transaction that the context knows of.
    var seenTransaction: Int64 {
        guard let store = context.coordinator.persistentStores.first else { return 0 }
        return follower.token.numbers[store.identifier.uuidString] ?? 0
    }
}
