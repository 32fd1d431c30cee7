import Glibc
import ObjectModel
import ObjectStore
import Synchronization

/// Reading that nobody waits for: on a thread, a snapshot of the stores and a context of its own.
///
/// For programs with an event loop of their own instead of Swift's tasks. The body's context sees
/// the stores as they were when the work began, whatever is saved meanwhile; it never sees pending
/// changes. Identities and other values that may cross are its output.
///
/// Cost: a thread, and one more connection to each store's file.
package final class SnapshotTask<Output: Sendable>: Sendable {
    private struct State {
        var result: Result<Output, any Error>?
        var isCancelled = false
        /// The stores to interrupt, while the body runs.
        var reader: PersistentStoreCoordinator?
    }

    private let state = Mutex(State())
    private let done = Completion()

    /// Begins the work.
    ///
    /// - Parameters:
    ///   - coordinator: the stores to read.
    ///   - name: the thread's name.
    ///   - wake: called on the thread once ``result`` is there, unless the task was cancelled.
    ///   - body: the work, on the thread.
    package init(
        _ coordinator: PersistentStoreCoordinator,
        name: String,
        wake: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Output
    ) {
        ContextThread(name: name)
            .later { [self] in
                let result = Result { try run(coordinator, body) }
                let isWanted = state.withLock { state in
                    state.result = result
                    state.reader = nil
                    return !state.isCancelled
                }
                done.signal()
                if isWanted { wake() }
            }
    }

    private func run(
        _ coordinator: PersistentStoreCoordinator,
        _ body: (ManagedObjectContext) throws -> Output
    ) throws -> Output {
        if isCancelled { throw FetchMonitor.error }
        let generation = try coordinator.currentGeneration()
        state.withLock { $0.reader = generation.reader }
        if isCancelled { throw FetchMonitor.error }
        let context = ManagedObjectContext(coordinator: coordinator)
        context.setQueryGeneration(generation)
        return try body(context)
    }

    /// What the body returned or threw; `nil` while it runs.
    package var result: Result<Output, any Error>? { state.withLock { $0.result } }

    package var isDone: Bool { state.withLock { $0.result != nil } }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the work soon: the running statement is interrupted, and nobody is woken.
    package func cancel() {
        state.withLock { state in
            state.isCancelled = true
            for store in state.reader?.openStores ?? [] { store.interrupt() }
        }
    }

    /// Waits for the end, but not longer than some time; `nil` waits as long as it takes.
    ///
    /// - Returns: whether it has ended.
    @discardableResult
    package func wait(atMost duration: Duration? = nil) -> Bool {
        isDone || done.wait(atMost: duration)
    }
}

extension ManagedObjectContext {
    /// The number of the newest transaction that this context can see; for a pinned context the
    /// newest of its snapshot.
    package var visibleTransaction: Int64 {
        get throws { try source.openStores.first?.latestTransaction() ?? 0 }
    }
}
