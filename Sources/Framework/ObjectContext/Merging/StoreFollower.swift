import FoundationEssentials
import ObjectModel
import ObjectStore

/// Keeps a context up to date with everything that others save: other contexts of its coordinator,
/// other coordinators, and other processes.
///
///     let follower = try StoreFollower(container.viewContext) { loop.wake() }
///     // in the event loop, when it was woken:
///     let news = try follower.catchUp()
///     if !news.isEmpty { show(news.stepNames) }
///
/// Others' values are merged as with
/// ``ManagedObjectContext/automaticallyMergesChangesFromParent``: pending changes stay, and a save
/// finds conflicts. One ``catchUp()`` is one merge for each store, and one notification.
///
/// Transactions of the context's own coordinator are not read from the history. They reach the
/// context by ``ManagedObjectContext/automaticallyMergesChangesFromParent``, which the follower turns
/// on unless ``Scope/otherCoordinators`` is asked for.
///
/// It belongs to the context's executor, like the context; only ``wake`` is called elsewhere.
public final class StoreFollower {
    /// Whose saves are followed.
    public enum Scope: Sendable {
        /// Everybody's.
        case all
        /// Those of other coordinators and processes; the program merges those of its own contexts.
        case otherCoordinators
    }

    /// What one call of ``StoreFollower/catchUp()`` has merged of other coordinators and processes.
    public struct News {
        package init() {}

        public internal(set) var changes = ObjectIDChanges()
        /// The names of the undo steps, oldest first; transactions without a name have none.
        public internal(set) var stepNames: [String] = []
        /// Whether the changes are not known, so that the context was reset: fetch everything again.
        public internal(set) var wasReset = false

        /// Whether nothing has changed.
        public var isEmpty: Bool { changes.isEmpty && !wasReset }
    }

    /// The context that follows; the follower retains it.
    public let context: ManagedObjectContext
    /// Whether a store whose file was replaced by a copy of itself is opened again; true by default.
    ///
    /// If false, ``catchUp()`` throws ``ObjectGraphError/Code/storeReplaced``.
    public var reopensReplacedStores = true

    /// Called on any thread when there may be something to merge; `nil` if the program calls
    /// ``catchUp()`` at moments of its own.
    ///
    /// It is called after every write to a store's file, also our own, and some moments later.
    /// Several saves may be one call. Cost: a sleeping thread for each store.
    public var wake: (@Sendable () -> Void)? {
        didSet { setWake() }
    }

    /// Whether the context is reset where the changes are not known.
    private var resets = false
    private let own = OwnTransactions()
    private let scope: Scope
    private var places: HistoryToken
    /// The stores' marks at the last reading.
    private var marks: [String: Int64] = [:]
    private var coordinator: PersistentStoreCoordinator { context.coordinator }

    /// Follows from now on, or from an earlier place.
    ///
    /// - Parameters:
    ///   - context: a context over stores; a child follows its parent instead.
    ///   - token: the place to continue from, such as ``token`` before a restart; `nil` = now.
    ///   - scope: whose saves are followed.
    ///   - wake: see ``wake``.
    /// - Throws: the store's error.
    public convenience init(
        _ context: ManagedObjectContext,
        after token: HistoryToken? = nil,
        scope: Scope = .all,
        wake: (@Sendable () -> Void)? = nil
    ) throws {
        context.following.endDelivery()
        if scope == .all { context.following.isAsked = true }
        try self.init(context, token, scope, wake)
        resets = true
        context.following.followers += 1
    }

    /// Follows for the results controllers of a context, which is not reset where the changes are not
    /// known.
    convenience init(
        deliveringTo context: ManagedObjectContext,
        wake: @escaping @Sendable () -> Void
    )
        throws
    {
        try self.init(context, nil, .all, wake)
    }

    private init(
        _ context: ManagedObjectContext,
        _ token: HistoryToken?,
        _ scope: Scope,
        _ wake: (@Sendable () -> Void)?
    ) throws {
        Misuse.trap(
            unless: context.parent == nil,
            "\(context.label) has a parent, which it follows; follow the stores with the root of both"
        )
        self.context = context
        self.scope = scope
        self.wake = wake
        places = HistoryToken()
        let coordinator = context.coordinator
        // A save between these lines counts twice rather than not at all.
        coordinator.add(own)
        if scope == .all, !context.following.isOn { context.follow() }
        setWake()
        if let token {
            places = token
            for store in coordinator.openStores {
                places.numbers[store.key] = token.place(in: store)
            }
        } else {
            for store in coordinator.openStores {
                marks[store.key] = try coordinator.mark(of: store)
            }
            places = try coordinator.currentHistoryToken()
        }
    }

    private func setWake() {
        coordinator.setWake(wake, of: own)
        if scope == .all { context.following.inbox?.onArrival(wake) }
    }

    deinit {
        if resets { context.following.followers -= 1 }
        coordinator.setWake(nil, of: own)
    }

    /// The place in the histories up to which the context knows everything; keep it to continue
    /// after a restart.
    public var token: HistoryToken {
        for store in coordinator.openStores { skipOwn(in: store) }
        return places
    }

    /// Whether the context's coordinator has saved a transaction since the follower began: for lists
    /// of the history that name who has changed something.
    ///
    /// - Complexity: O(log(runs of own transactions)).
    public func isOwn(_ transaction: Int64, in store: StoreReference) -> Bool {
        own.all(in: store.identifier.uuidString).contains(transaction)
    }

    /// Whether `wake` is called after a write by another process to any of the stores.
    ///
    /// False without `wake`, and where the system cannot watch files: then call ``catchUp()`` from
    /// time to time.
    public var isWatching: Bool { wake != nil && coordinator.watchesStores }

    /// Merges what others have saved since the last call.
    ///
    /// If the changes are not known any more, the context is reset: old history was deleted
    /// (134301), the store has none, or its file was replaced by another state of the same store.
    /// With pending changes it throws instead, before it changes anything: save or roll back, and
    /// call it again.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/historyExpired``, or
    ///   ``ObjectGraphError/Code/storeReplaced`` also if the file is of another store now, or the
    ///   store's error. What was read of other stores is merged.
    /// - Complexity: a read of the log's index for each store if nobody else has written; else
    ///   O(changes of others), with one statement for the rows of registered objects.
    @discardableResult
    public func catchUp() throws -> News {
        try coordinator.checkAnyStoreIsOpen()
        if scope == .all { context.processPendingChanges() }
        var news = News()
        for store in coordinator.openStores {
            do {
                try catchUp(with: store, &news)
            } catch let error as ObjectGraphError where error.code == .historyExpired {
                try startAgain(with: store, after: error, &news)
            } catch let error as ObjectGraphError
                where error.code == .storeReplaced && reopensReplacedStores
            {
                try checkNothingPending(error)
                try startAgain(with: coordinator.reopen(store, after: error), after: error, &news)
            }
        }
        return news
    }

    private func skipOwn(in store: any PersistentStore) {
        own.skip(&places.numbers[store.key, default: 0], in: store.key)
    }

    private func catchUp(with store: any PersistentStore, _ news: inout News) throws {
        skipOwn(in: store)
        // Before the history: a write in between is read twice rather than not at all.
        guard let mark = try coordinator.mark(of: store), marks[store.key] != mark else { return }
        if !store.keepsHistory {
            let isFirst = marks.updateValue(mark, forKey: store.key) == nil
            if isFirst { return }
            throw ObjectGraphError.historyExpired(after: 0)
        }
        let known = own.all(in: store.key)
        var changes = ObjectIDChanges()
        var names: [String] = []
        var place = places.place(in: store)
        while let batch = try coordinator.transactions(of: store, after: place) {
            for transaction in batch where !known.contains(transaction.number) {
                if let name = transaction.groupName { names.append(name) }
                for change in transaction.changes { changes.add(change) }
            }
            place = batch.last?.number ?? place
        }
        marks[store.key] = mark
        places.numbers[store.key] = place
        news.stepNames += names
        if changes.isEmpty { return }
        news.changes.add(changes)
        merge(changes)
    }

    private func merge(_ changes: ObjectIDChanges) {
        let use = context.beginUse()
        defer { context.endUse(use) }
        coordinator.forgetRows(changes.updated.union(changes.inserted))
        context.endOwnEvent()
        // What cannot be read now is reported where it is needed; very much is not kept.
        let all = [changes.inserted, changes.updated, changes.deleted]
        if all.map(\.count).reduce(0, +) <= 500 { try? coordinator.learn(all.joined()) }
        // The context itself may have restored what others had deleted.
        context.merge(coordinator.withoutReturned(changes), unasked: true)
        // The fault of a deleted object needs its row one last time.
        coordinator.forgetRows(changes.deleted)
    }

    /// Resets the context, and continues from now.
    private func startAgain(
        with store: any PersistentStore,
        after error: ObjectGraphError,
        _ news: inout News
    ) throws {
        try checkNothingPending(error)
        let mark = try coordinator.mark(of: store)
        let latest = try coordinator.lock.withLock { try store.latestTransaction() }
        coordinator.forgetRows(of: store)
        marks[store.key] = mark
        places.numbers[store.key] = latest
        news.wasReset = true
        if resets {
            context.reset()
        } else {
            context.refreshAllObjects()
            context.following.delivery?.refetch()
        }
    }

    private func checkNothingPending(_ error: ObjectGraphError) throws {
        if resets, context.hasChanges { throw error }
    }
}

extension PersistentStore {
    /// The key of the store in a history token.
    fileprivate var key: String { identifier.uuidString }
}

extension PersistentStoreCoordinator {
    fileprivate func mark(of store: any PersistentStore) throws -> Int64? {
        try lock.withLock { try store.foreignMark() }
    }

    /// The next transactions after a place, oldest first; `nil` at the end.
    fileprivate func transactions(
        of store: any PersistentStore,
        after place: Int64
    ) throws -> [HistoryTransaction]? {
        let batch = try lock.withLock { try store.historyWithoutGap(after: place, limit: 500) }
        return batch.isEmpty ? nil : batch
    }

    /// Opens a store again whose file was replaced by another state of the same store.
    fileprivate func reopen(
        _ store: any PersistentStore,
        after error: ObjectGraphError
    ) throws -> any PersistentStore {
        try lock.withLock {
            let opened = try store.reopened()
            guard opened.identifier == store.identifier else {
                opened.close()
                throw error
            }
            remove(store)
            add(opened)
            return opened
        }
    }

    fileprivate func forgetRows(of store: any PersistentStore) {
        lock.withLock {
            noteChange()
            store.rows.removeAll()
        }
    }
}
