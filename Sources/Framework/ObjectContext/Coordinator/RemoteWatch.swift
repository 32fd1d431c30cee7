import FileEvents
import FoundationEssentials
import ObjectStore
import Synchronization

/// The watchers of a coordinator's stores.
final class RemoteWatch: Sendable {
    private struct State {
        var isOn = false
        var watchers: [UUID: any StoreWatch] = [:]
        var marks: [UUID: Int64] = [:]
        var streams: [AsyncStream<StoreRemoteChange>.Continuation] = []
        /// Of store followers.
        var wakes: [ObjectIdentifier: @Sendable () -> Void] = [:]

        var isNeeded: Bool { isOn || !wakes.isEmpty }
        var isBusy: Bool { isNeeded || !watchers.isEmpty }
    }

    private let state = Mutex(State())

    var isOn: Bool { state.withLock { $0.isOn } }

    func turn(on isOn: Bool) { state.withLock { $0.isOn = isOn } }

    /// Whether there is something to watch, or to end.
    var isBusy: Bool { state.withLock { $0.isBusy } }

    func setWake(_ wake: (@Sendable () -> Void)?, of owner: AnyObject) {
        state.withLock { $0.wakes[ObjectIdentifier(owner)] = wake }
    }

    /// Reports a write to one of the files; returns whether it is to be posted too.
    ///
    /// Followers find out by themselves what it was, on their own executors.
    func noteWrite() -> Bool {
        let (isOn, wakes) = state.withLock { ($0.isOn, Array($0.wakes.values)) }
        for wake in wakes { wake() }
        return isOn
    }

    /// Whether each of the stores that has a file is watched.
    func watches(_ stores: [any PersistentStore]) -> Bool {
        let ids = stores.filter { $0.url != nil }.map(\.identifier)
        return state.withLock { state in ids.allSatisfy { state.watchers[$0] != nil } }
    }

    /// The stream ends with the coordinator.
    func add(_ stream: AsyncStream<StoreRemoteChange>.Continuation) {
        state.withLock { $0.streams.append(stream) }
    }

    /// Watches exactly these stores, or none; called under the coordinator's lock.
    func watch(_ open: [any PersistentStore], onWrite: @escaping @Sendable () -> Void) {
        state.withLock { state in
            let stores = state.isNeeded ? open : []
            for (id, watcher) in state.watchers
            where !stores.contains(where: { $0.identifier == id }) {
                watcher.stop()
                state.watchers[id] = nil
                state.marks[id] = nil
            }
            for store in stores where state.watchers[store.identifier] == nil {
                guard let url = store.url, let mark = try? store.foreignMark() else { continue }
                state.marks[store.identifier] = mark
                if let watched = store as? any WatchedStore {
                    state.watchers[store.identifier] = watched.startWatching(onWrite)
                } else {
                    state.watchers[store.identifier] = DatabaseWatcher.start(
                        path: url.path,
                        wake: onWrite
                    ).map(FileWatch.init)
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

/// The watching of a store's files.
private struct FileWatch: StoreWatch {
    let watcher: DatabaseWatcher

    func stop() { watcher.stop() }
}
