import FileEvents
import FoundationEssentials
import ObjectModel
import ObjectStore
import Synchronization

/// Another process, or another coordinator of this one, has written to a store.
///
/// Posted to ``GraphNotificationCenter/default``, without a sender, on a thread of the framework. So its
/// observers are `@Sendable`, and use a context by its `perform`. Several saves within a short time
/// may be one notification.
///
/// The history has the changes; see <doc:History>.
public struct StoreRemoteChange: GraphNotification, Sendable {
    public static let name: NotificationName = "StoreRemoteChange"

    /// The store that was written to.
    public let store: StoreReference
    /// The number of the store's newest transaction, by any program; 0 without a history.
    public let transaction: Int64
    /// The coordinator that reports it: a store may be open in several.
    let coordinator: ObjectIdentifier

    /// Always `nil`: it is not posted on a context's thread.
    public var sender: NoSender? { nil }
}

extension PersistentStoreCoordinator {
    /// Whether ``StoreRemoteChange`` is posted after somebody else has written to one of the
    /// stores; false by default.
    ///
    /// Cost: a sleeping thread for each store; after each write to its file, also our own, a read
    /// of the log's index under the coordinator's lock. Where the system cannot watch files,
    /// nothing is posted.
    public var postsRemoteChanges: Bool {
        get { remoteWatch.isOn }
        set {
            remoteWatch.turn(on: newValue)
            remoteWatch.update(self)
        }
    }

    /// The changes by others from now on, as a stream; it ends with the task that reads it, or with
    /// the coordinator.
    ///
    /// Sets ``postsRemoteChanges``. The stream keeps only the newest unread change of each store;
    /// ask the history for everything since.
    public func remoteChanges() -> AsyncStream<StoreRemoteChange> {
        postsRemoteChanges = true
        let (stream, continuation) = AsyncStream.makeStream(
            of: StoreRemoteChange.self,
            bufferingPolicy: .bufferingNewest(64)
        )
        let coordinator = ObjectIdentifier(self)
        let token = GraphNotificationCenter.default.addObserver(of: StoreRemoteChange.self) {
            change in
            if change.coordinator == coordinator { continuation.yield(change) }
        }
        continuation.onTermination = { _ in GraphNotificationCenter.default.removeObserver(token) }
        remoteWatch.add(continuation)
        return stream
    }

    /// Posts the writes of others since the last check.
    fileprivate func lookForRemoteChanges() {
        let found = lock.withLock {
            openStores.compactMap { store -> StoreRemoteChange? in
                // A store that cannot be read reports its error at its next use.
                guard let mark = try? store.foreignMark(),
                    remoteWatch.isNews(mark, of: store)
                else { return nil }
                return StoreRemoteChange(
                    store: StoreReference(store),
                    transaction: (try? store.latestTransaction()) ?? 0,
                    coordinator: ObjectIdentifier(self)
                )
            }
        }
        for change in found { GraphNotificationCenter.default.post(change) }
    }
}

/// The watchers of a coordinator's stores.
final class RemoteWatch: Sendable {
    private struct State {
        var isOn = false
        var watchers: [UUID: DatabaseWatcher] = [:]
        var marks: [UUID: Int64] = [:]
        var streams: [AsyncStream<StoreRemoteChange>.Continuation] = []
        /// Of store followers.
        var wakes: [ObjectIdentifier: @Sendable () -> Void] = [:]

        var isNeeded: Bool { isOn || !wakes.isEmpty }
    }

    private let state = Mutex(State())

    var isOn: Bool { state.withLock { $0.isOn } }

    func turn(on isOn: Bool) { state.withLock { $0.isOn = isOn } }

    /// Sets what is called after each write to the stores' files, by anybody; `nil` ends it.
    func setWake(
        _ wake: (@Sendable () -> Void)?,
        of owner: AnyObject,
        _ coordinator: PersistentStoreCoordinator
    ) {
        state.withLock { $0.wakes[ObjectIdentifier(owner)] = wake }
        update(coordinator)
    }

    /// Reports a write to one of the files.
    ///
    /// Followers find out by themselves what it was, on their own executors.
    private func noteWrite(_ coordinator: PersistentStoreCoordinator) {
        let (isOn, wakes) = state.withLock { ($0.isOn, Array($0.wakes.values)) }
        for wake in wakes { wake() }
        if isOn { coordinator.lookForRemoteChanges() }
    }

    /// Whether every store with a file is watched.
    func watches(_ coordinator: PersistentStoreCoordinator) -> Bool {
        let ids = coordinator.openStores.filter { $0.url != nil }.map(\.identifier)
        return state.withLock { state in ids.allSatisfy { state.watchers[$0] != nil } }
    }

    /// The stream ends with the coordinator.
    func add(_ stream: AsyncStream<StoreRemoteChange>.Continuation) {
        state.withLock { $0.streams.append(stream) }
    }

    /// Watches exactly the stores that are open, or none.
    func update(_ coordinator: PersistentStoreCoordinator) {
        let isNeeded = state.withLock { $0.isNeeded }
        guard isNeeded || state.withLock({ !$0.watchers.isEmpty }) else { return }
        coordinator.lock.withLock {
            let stores = isNeeded ? coordinator.openStores : []
            state.withLock { state in
                for (id, watcher) in state.watchers
                where !stores.contains(where: { $0.identifier == id }) {
                    watcher.stop()
                    state.watchers[id] = nil
                    state.marks[id] = nil
                }
                for store in stores where state.watchers[store.identifier] == nil {
                    guard let url = store.url, let mark = try? store.foreignMark() else { continue }
                    state.marks[store.identifier] = mark
                    state.watchers[store.identifier] = DatabaseWatcher.start(path: url.path) {
                        [weak self, weak coordinator] in
                        if let self, let coordinator { self.noteWrite(coordinator) }
                    }
                }
            }
        }
    }

    /// Whether a store's mark differs from the last one.
    func isNews(_ mark: Int64, of store: any PersistentStore) -> Bool {
        state.withLock { state in
            guard let last = state.marks[store.identifier], last != mark else { return false }
            state.marks[store.identifier] = mark
            return true
        }
    }

    deinit {
        state.withLock { state in
            for watcher in state.watchers.values { watcher.stop() }
            for stream in state.streams { stream.finish() }
        }
    }
}
