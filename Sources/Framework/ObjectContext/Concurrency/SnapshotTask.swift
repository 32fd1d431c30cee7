import Glibc
import ObjectStore
import Synchronization

/// Reading in the background: on its own thread, with a snapshot of the stores and its own context.
///
/// For programs with an event loop instead of Swift's tasks. The body's context sees the stores as
/// they were at the start of the work, whatever is saved later; it never sees pending changes. Its
/// output is object IDs and other `Sendable` values.
///
/// Cost: a thread, and one more connection to each store's file.
public final class SnapshotTask<Output: Sendable>: Sendable {
    private struct State {
        var result: Result<Output, any Error>?
        var isCancelled = false
        /// The stores to interrupt, while the body runs.
        var reader: PersistentStoreCoordinator?
    }

    private let state = Mutex(State())
    private let done = Completion()

    /// Starts the work.
    ///
    /// - Parameters:
    ///   - coordinator: the stores to read.
    ///   - name: the thread's name.
    ///   - wake: called on the thread when ``result`` is available, unless the task was cancelled.
    ///   - body: the work, on the thread.
    public init(
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

    /// The result or error of the body; `nil` while it runs.
    public var result: Result<Output, any Error>? { state.withLock { $0.result } }

    /// Whether there is a result.
    public var isDone: Bool { state.withLock { $0.result != nil } }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the work: the running statement is interrupted, and `wake` is not called.
    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            for store in state.reader?.openStores ?? [] { store.interrupt() }
        }
    }

    /// Waits for the end, but not longer than a duration; `nil` waits without a limit.
    ///
    /// - Returns: whether it has ended.
    @discardableResult
    public func wait(atMost duration: Duration? = nil) -> Bool {
        isDone || done.wait(atMost: duration)
    }
}

extension ManagedObjectContext {
    /// The number of the newest transaction that this context can see; for a pinned context the
    /// newest one of its snapshot.
    public var visibleTransaction: Int64 {
        get throws { try source.withFirstStore { try $0.latestTransaction() } ?? 0 }
    }
}
