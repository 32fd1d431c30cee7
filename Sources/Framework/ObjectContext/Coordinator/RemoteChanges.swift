import FoundationEssentials
import ObjectStore
import Synchronization

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
            watchStores()
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

    /// Sets what is called after each write to the stores' files, by anybody; `nil` ends it.
    func setWake(_ wake: (@Sendable () -> Void)?, of owner: AnyObject) {
        remoteWatch.setWake(wake, of: owner)
        watchStores()
    }

    /// Whether every store with a file is watched.
    var watchesStores: Bool { remoteWatch.watches(openStores) }

    /// Watches exactly the stores that are open, or none, if nobody wants to know.
    func watchStores() {
        guard remoteWatch.isBusy else { return }
        lock.withLock {
            remoteWatch.watch(openStores) { [weak self] in
                if self?.remoteWatch.noteWrite() == true { self?.lookForRemoteChanges() }
            }
        }
    }

    /// Posts the writes of others since the last check.
    private func lookForRemoteChanges() {
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
