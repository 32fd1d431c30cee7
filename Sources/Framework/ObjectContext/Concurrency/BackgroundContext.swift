/// A context with its own thread, for work during which its caller must not wait.
///
/// The context never leaves its thread: closures go in, and `Sendable` values come out. For objects
/// these are their IDs. The compiler refuses anything else.
///
///     let importer = BackgroundContext(coordinator: container.coordinator, name: "import")
///     let id = try await importer.perform { context in
///         let task = context.insert(Task.self)
///         task.title = "Pay the rent"
///         try context.save()
///         return task.objectID
///     }
///     let here = container.viewContext.object(with: id)
///
/// Calls run one after the other, in the order of their arrival.
public actor BackgroundContext {
    private let thread: ContextThread
    private let context: ManagedObjectContext

    /// The thread, as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    /// Creates a context over the stores and starts its thread.
    ///
    /// - Parameters:
    ///   - coordinator: the stores, shared with other contexts.
    ///   - name: the context's name, for history and messages; also the thread's.
    public init(coordinator: PersistentStoreCoordinator, name: String = "background") {
        let thread = ContextThread(name: name)
        let context = ManagedObjectContext(coordinator: coordinator)
        context.name = name
        self.thread = thread
        self.context = context
        // The first work item confines the context; it runs before all others.
        let confinement = context.confinement
        let box = ContextBox(context)
        context.following.schedule = { [weak thread] in thread?.later { box.endEvent() } }
        thread.later { confinement.confine() }
    }

    /// Runs work with the context on its thread; the caller's task is suspended until the work
    /// ends.
    ///
    /// - Throws: what the work throws.
    public func perform<Result: Sendable, Failure: Error>(
        _ body: @Sendable (ManagedObjectContext) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(context)
    }

    /// Runs work with the context on its thread and blocks the caller's thread until the work ends.
    ///
    /// Called from inside ``perform(_:)`` or from inside itself it runs immediately. Two contexts
    /// that wait for each other never end. A task should use ``perform(_:)`` instead, because this
    /// would block one of the few threads that all tasks share.
    ///
    /// - Throws: what the work throws.
    public nonisolated func performAndWait<Result: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outcome = Outcome<Result, Failure>()
        thread.wait {
            self.assumeIsolated { actor in
                do throws(Failure) {
                    outcome.result = .success(try body(actor.context))
                } catch {
                    outcome.result = .failure(error)
                }
            }
        }
        guard let result = outcome.result else {
            preconditionFailure("the work has ended without a result")
        }
        return try result.get()
    }

    /// Merges the saves of other contexts of the coordinator, soon after they happen.
    public func setMergesChangesAutomatically(_ merges: Bool) {
        context.automaticallyMergesChangesFromParent = merges
        guard merges else { return }
        context.following.inbox?.onArrival { [weak self] in
            guard let self else { return }
            self.thread.later { self.assumeIsolated { $0.context.processPendingChanges() } }
        }
    }
}

/// Carries a result from the context's thread to the one that waits for it.
package final class Outcome<Value: Sendable, Failure: Error>: @unchecked Sendable {
    /// Safety: written before the waiting thread wakes, read after.
    package var result: Result<Value, Failure>?

    package init() {}
}
