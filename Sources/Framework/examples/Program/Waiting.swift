import Dispatch
import Synchronization

/// Lets a program without tasks of its own wait for one.
enum Waiting {
    /// Runs work as a task, and blocks the caller's thread until it ends.
    static func result<Value: Sendable>(
        of body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let end = DispatchSemaphore(value: 0)
        let outcome = Outcome<Value>()
        Task {
            do {
                outcome.set(.success(try await body()))
            } catch {
                outcome.set(.failure(error))
            }
            end.signal()
        }
        end.wait()
        return try outcome.get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        private let result = Mutex<Result<Value, any Error>?>(nil)

        func set(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }

        func get() throws -> Value {
            guard let result = result.withLock({ $0 }) else { throw CancellationError() }
            return try result.get()
        }
    }
}
