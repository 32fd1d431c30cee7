import ObjectContext
import ObjectModel
import Synchronization

/// The thread that does what can take long: the files of a document.
final class DocumentThread: Sendable {
    private let thread: ContextThread

    init(_ name: String) { thread = ContextThread(name: name) }

    /// Runs work after all that was given before; the caller's task is suspended.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            thread.later { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// Runs work that the caller can stop waiting for.
    ///
    /// - Parameters:
    ///   - onCancel: called when the caller's task is cancelled, while the work runs.
    ///   - undo: takes back a result that nobody waits for any more.
    ///   - body: the work.
    /// - Returns: the result of the work.
    /// - Throws: the error of the work; or `ObjectGraphError` with code
    ///   ``ObjectGraphError/Code/cancelled``, as soon as the task is cancelled.
    func run<Result: Sendable>(
        onCancel: @escaping @Sendable () -> Void,
        undo: @escaping @Sendable (Result) -> Void,
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let waiting = Waiting<Result>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard waiting.begin(continuation) else { return }
                thread.later {
                    if waiting.isOver { return }
                    let result = Swift.Result { try body() }
                    if !waiting.end(result), case .success(let unwanted) = result { undo(unwanted) }
                }
            }
        } onCancel: {
            let cancelled = ObjectGraphError(.cancelled, "The opening was cancelled.")
            if waiting.end(.failure(cancelled)) { onCancel() }
        }
    }
}

/// A caller that waits until the work is done or it is cancelled, whichever is first.
private final class Waiting<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var result: Result<Value, any Error>?
    }

    private let state = Mutex(State())

    // Locks in asynchronous code are not inlined; see docs/design/threads.md.

    var isOver: Bool {
        @inline(never) get { state.withLock { $0.result != nil } }
    }

    /// - Returns: whether there is anything to wait for.
    @inline(never)
    func begin(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let early = state.withLock { state -> Result<Value, any Error>? in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        guard let early else { return true }
        continuation.resume(with: early)
        return false
    }

    /// - Returns: whether this was the first result.
    @inline(never)
    func end(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, continuation) = state.withLock { state in
            if state.result != nil {
                return (false, nil as CheckedContinuation<Value, any Error>?)
            }
            state.result = result
            defer { state.continuation = nil }
            return (true, state.continuation)
        }
        continuation?.resume(with: result)
        return isFirst
    }
}
