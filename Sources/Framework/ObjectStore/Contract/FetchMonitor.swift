package import ObjectModel
import Synchronization

/// Watches one fetch from outside: cancels it and receives its progress.
///
/// Safe to use from any thread.
package final class FetchMonitor: Sendable {
    private let cancelled = Atomic(false)
    private let report: @Sendable (Int) -> Void

    /// A store reports after the first result and after each of these.
    private static let interval = 1000

    /// Creates a monitor; the fetching thread calls `report` with the number of results so far.
    package init(_ report: @escaping @Sendable (Int) -> Void = { _ in }) { self.report = report }

    package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    package func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Counts one more result.
    @inline(__always)
    package func note(_ found: Int) {
        if found == 1 || found % FetchMonitor.interval == 0 { report(found) }
    }

    /// Ends a cancelled fetch.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cancelled``.
    package func check() throws {
        if isCancelled { throw FetchMonitor.error }
    }

    /// The error of a cancelled fetch.
    package static var error: ObjectGraphError {
        ObjectGraphError(.cancelled, "The request was cancelled.")
    }
}
