package import ObjectModel
import Synchronization

/// Watches one migration from outside: receives its progress and cancels it.
///
///     let monitor = MigrationMonitor { print("\($0.phase): \(Int($0.fraction * 100)) %") }
///     options.migrationMonitor = monitor
///     // from another thread:
///     monitor.cancel()
///
/// Safe to use from any thread.
public final class MigrationMonitor: Sendable {
    /// How far a migration is.
    public struct Progress: Hashable, Sendable {
        /// The part of the work that is done, 0…1; it never decreases within one migration.
        public var fraction: Double
        /// What the migration does at the moment, for people: `Changing Task`.
        public var phase: String
    }

    private let cancelled = Atomic(false)
    private let state = Mutex(Progress(fraction: 0, phase: ""))
    /// The part of the whole that the present step is.
    private let part = Mutex((from: 0.0, to: 1.0))
    private let goesOn: @Sendable (Progress) -> Bool

    /// - Parameter report: called on the thread of the migration, at most a hundred times and once
    ///   for each phase.
    public init(_ report: @escaping @Sendable (Progress) -> Void = { _ in }) {
        goesOn = { progress in
            report(progress)
            return true
        }
    }

    private init(goesOn: @escaping @Sendable (Progress) -> Bool) { self.goesOn = goesOn }

    /// A monitor whose report can cancel the migration, by returning false.
    public static func cancelling(
        unless goesOn: @escaping @Sendable (Progress) -> Bool
    ) -> MigrationMonitor { MigrationMonitor(goesOn: goesOn) }

    /// Ends the migration soon, as a rule within 50 ms; the store stays as it was.
    ///
    /// Has no effect once the migration has been committed.
    public func cancel() { cancelled.store(true, ordering: .relaxed) }

    public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    public var progress: Progress { state.withLock { $0 } }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/cancelled``.
    package func check() throws { if isCancelled { throw MigrationMonitor.error } }

    /// Starts at 0 for another migration.
    package func begin() {
        state.withLock { $0 = Progress(fraction: 0, phase: "") }
        part.withLock { $0 = (0, 1) }
    }

    /// Begins one of several steps, each of which reports 0…1.
    package func beginStep(_ number: Int, of count: Int) {
        part.withLock { $0 = (Double(number) / Double(count), Double(number + 1) / Double(count)) }
    }

    package func note(_ fraction: Double, _ phase: String) {
        let (from, to) = part.withLock { $0 }
        let whole = from + (to - from) * fraction
        let next = state.withLock { state -> Progress? in
            let wanted = Progress(fraction: min(max(whole, state.fraction), 1), phase: phase)
            let isNews =
                wanted.phase != state.phase || wanted.fraction >= state.fraction + 0.01
                || wanted.fraction == 1 && state.fraction < 1
            guard isNews else { return nil }
            state = wanted
            return wanted
        }
        if let next, !goesOn(next) { cancel() }
    }

    package static var error: ObjectGraphError {
        ObjectGraphError(.cancelled, "The migration was cancelled; the store is as it was before.")
    }
}
