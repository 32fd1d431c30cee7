public import ObjectModel
import ObjectStore
import Synchronization

// A background fetch, step by step:
//   1. plan it here, like any other fetch;
//   2. run it on another thread with its own snapshot, so that neither this thread nor the lock of
//      the stores is held;
//   3. complete it here: apply the changes that are pending at that moment. If these need another
//      result of the store, as more pending objects under a limit do, start again.

extension ManagedObjectContext {
    /// The objects that match a request, found on another thread while this one continues.
    ///
    /// Considers the saves before its start and the changes that are pending at its end. The
    /// objects are faults, read in batches when they are used. Cancelling the task interrupts the
    /// statement, and the call throws at once.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - isolation: the isolation of the context; by default the caller's.
    ///   - progress: called on the other thread with the number of results so far: after the first
    ///     and each further thousand.
    /// - Returns: the objects in order, one instance for each ID.
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

    /// The IDs of the objects that match a request, as
    /// ``fetchInBackground(_:isolation:progress:)``.
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

/// A fetch that moves to another thread and back.
///
/// Safety: two threads never use its content at the same time: the fetching thread reads the plan
/// while the context waits for the answer, and the answer is handed over once.
private final class BackgroundFetch: @unchecked Sendable {
    private typealias Continuation = CheckedContinuation<Answers, any Error>

    // Safety: handed over once.
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

    /// Runs on the other thread.
    private func fetch() throws -> Answers {
        try plan.monitor?.check()
        let reader = try pinned ?? coordinator.currentGeneration().reader
        let stores = try reader.storesToRead(plan.entity)
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
