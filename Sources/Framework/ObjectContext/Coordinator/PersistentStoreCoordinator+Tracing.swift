import FoundationEssentials
import ObjectStore

// Counters and a timed trace of a stack.

extension PersistentStoreCoordinator {
    /// Starts counting from zero, and optionally traces each fetch, save and statement.
    ///
    /// The trace has the text of statements with question marks, so no private value gets into a
    /// log. Where a store could not express a part of a predicate or an order, a line that begins
    /// with "left to memory of fetch" has the entity and that part: all rows that match the rest
    /// were read for it. The environment variable `OBJECTGRAPH_TRACE=1` does the same for a program
    /// without changes to it, from its start, to standard error. Statements on separate connections
    /// (pinned contexts, background fetches) are not included.
    ///
    /// Cost: while it is off, one load of a flag for each fetch, save and fault.
    ///
    /// - Parameter line: called with each line, which begins with its duration, on the thread where
    ///   it happened.
    public func startCounting(tracing line: (@Sendable (String) -> Void)? = nil) {
        trace.start(line)
        for store in openStores { watch(store) }
    }

    /// Ends counting and tracing; the counters stay readable.
    public func stopCounting() {
        trace.stop()
        lock.withLock { for store in openStores { store.trace(nil) } }
    }

    /// The counts since ``startCounting(tracing:)``.
    public var counters: StackCounters { trace.counters }

    /// Observes the statements of a store.
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

    /// Runs work and, while counting is on, counts it and traces its duration.
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
