public import ObjectModel
import ObjectStore
import Synchronization

// A fetch that nobody waits for, step by step:
//   1. plan it here, like any other fetch;
//   2. run it on a thread and a snapshot of its own, so that neither this thread nor the lock of
//      the stores is held;
//   3. complete it here: what is pending by then lies over the answer. If that needs another answer,
//      as more pending objects under a limit do, begin again.

extension ManagedObjectContext {
    /// The objects that match a request, found on another thread while this one goes on.
    ///
    /// Sees what is saved when it begins, and what is pending here when it ends. The objects are
    /// faults, read in batches when they are used. Cancelling the task interrupts the statement; the
    /// call throws at once.
    ///
    /// - Parameters:
    ///   - request: what is asked for.
    ///   - isolation: where the context lives; the caller's place by default.
    ///   - progress: told how many results were found so far, on the other thread: after the first
    ///     and each further thousand.
    /// - Returns: The objects in order, one instance for each ID.
    /// - Throws: `ObjectGraphError` with code 134120 if the task was cancelled, or the errors of a
    ///   fetch.
    public func fetchInBackground<T: ManagedObject>(
        _ request: FetchRequest<T>,
        isolation: isolated (any Actor)? = #isolation,
        progress: @escaping @Sendable (_ found: Int) -> Void = { _ in }
    ) async throws -> [T] {
        var description = request.description
        description.resultType = .objects
        let ids = try await findInBackground(description, FetchMonitor(progress), isolation)
        return try objects(ids, of: description).compactMap { $0 as? T }
    }

    /// The IDs of the objects that match a request, as ``fetchInBackground(_:isolation:progress:)``.
    public func fetchInBackground(
        _ request: FetchRequest<ManagedObjectID>,
        isolation: isolated (any Actor)? = #isolation,
        progress: @escaping @Sendable (_ found: Int) -> Void = { _ in }
    ) async throws -> [ManagedObjectID] {
        try await findInBackground(request.description, FetchMonitor(progress), isolation)
    }

    private func findInBackground(
        _ description: FetchDescription,
        _ monitor: FetchMonitor,
        _ isolation: isolated (any Actor)?
    ) async throws -> [ManagedObjectID] {
        while true {
            let fetch = try prepare(description)
            var answers: [FetchAnswer] = []
            if let parent {
                let ids = try await parent.findInBackground(
                    fetch.requestToParent,
                    monitor,
                    isolation
                )
                answers = [fetch.answer(ofParent: ids)]
            } else {
                var plan = fetch.plan
                plan.loadsRows = false
                plan.monitor = monitor
                let call = BackgroundFetch(plan, coordinator, pinned)
                answers = try await call.run().answers
            }
            let now = try prepare(description)
            if now.asksTheSame(as: fetch) { return try complete(now, answers) }
        }
    }
}

/// A fetch on its way through another thread.
///
/// What it carries is not touched by two threads at a time: the plan is read by the fetching thread
/// while the context waits for the answer, and the answer is handed over once.
private final class BackgroundFetch: @unchecked Sendable {
    private typealias Continuation = CheckedContinuation<Answers, any Error>

    struct Answers: @unchecked Sendable {
        let answers: [FetchAnswer]
    }

    private enum State {
        case new
        case waiting(Continuation)
        case ended
    }

    private let plan: FetchPlan
    private let coordinator: PersistentStoreCoordinator
    private let pinned: PersistentStoreCoordinator?
    private let state = Mutex(State.new)

    init(
        _ plan: FetchPlan,
        _ coordinator: PersistentStoreCoordinator,
        _ pinned: PersistentStoreCoordinator?
    ) {
        self.plan = plan
        self.coordinator = coordinator
        self.pinned = pinned
    }

    func run() async throws -> Answers {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isNew = state.withLock { state in
                    if case .ended = state { return false }
                    state = .waiting(continuation)
                    return true
                }
                guard isNew else { return continuation.resume(throwing: FetchMonitor.error) }
                ContextThread(name: "fetch").later { self.end(Result { try self.fetch() }) }
            }
        } onCancel: {
            plan.monitor?.cancel()
            end(.failure(FetchMonitor.error))
        }
    }

    /// On the thread.
    private func fetch() throws -> Answers {
        try plan.monitor?.check()
        let reader = try pinned ?? coordinator.currentGeneration().reader
        let stores = reader.stores(holding: plan.entity)
        return Answers(answers: try reader.fetch(plan, from: stores))
    }

    private func end(_ result: Result<Answers, any Error>) {
        let continuation = state.withLock { state -> Continuation? in
            defer { state = .ended }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(with: result)
    }
}
