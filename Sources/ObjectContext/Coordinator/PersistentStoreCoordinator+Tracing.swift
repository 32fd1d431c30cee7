import FoundationEssentials
import ObjectModel
import ObjectStore

// Counters and a timed trace of a stack.

extension PersistentStoreCoordinator {
    /// Counts from zero what the stack does, and tells each fetch, save and statement if asked.
    ///
    /// Statements are told as text with question marks, so no value of the user gets into a log;
    /// only the history's and the schema's own words are in them. Where a store could not say part
    /// of a predicate or make an order, a line beginning "left to memory of fetch" tells the
    /// entity and that part: all rows that the rest admits were read for it. The environment variable
    /// `OBJECTGRAPH_TRACE=1` does the same for a program as it is, from the start, to standard
    /// error. Statements on connections of their own (pinned contexts, fetches in the background)
    /// are not among them.
    ///
    /// Cost: while it is off, one load of a flag for each fetch, save and fault.
    ///
    /// - Parameter line: called with each line, its duration first, on whatever thread it happened.
    public func startCounting(tracing line: (@Sendable (String) -> Void)? = nil) {
        trace.start(line)
        for store in openStores { watch(store) }
    }

    /// Ends counting and tracing; the counters stay readable.
    public func stopCounting() {
        trace.stop()
        lock.withLock { for store in openStores { store.trace(nil) } }
    }

    /// What was counted since ``startCounting(tracing:)``.
    public var counters: StackCounters { trace.counters }

    /// Listens to a store's statements.
    func watch(_ store: any PersistentStore) {
        let trace = trace
        lock.withLock {
            store.trace { sql, duration in
                trace.note(sql, took: duration) {
                    $0.statements += 1
                    $0.statementTime += duration
                }
            }
        }
    }

    /// Does work and, if somebody counts, counts it and tells how long it took.
    @inline(__always)
    func traced<Result>(
        _ text: @autoclosure () -> String,
        counting counter: WritableKeyPath<StackCounters, Int>,
        _ body: () throws -> Result
    ) rethrows -> Result {
        guard trace.isOn else { return try body() }
        let start = ContinuousClock.now
        defer {
            trace.note(text(), took: ContinuousClock.now - start) { $0[keyPath: counter] += 1 }
        }
        return try body()
    }
}
