/// The work of a stack since counting began.
///
///     container.coordinator.startCounting()
///     …
///     print(container.coordinator.counters)
public struct StackCounters: Hashable, Sendable {
    /// Requests that reached the stores.
    public var fetches = 0
    /// Saves that reached the stores.
    public var saves = 0
    /// Objects that were filled from a row.
    public var faultsFired = 0
    /// Faults whose row was in memory.
    public var rowCacheHits = 0
    /// Faults for which rows had to be read; one read may serve a whole batch.
    public var rowCacheMisses = 0
    /// Statements of the SQLite stores; ``statementTime`` is their total duration.
    ///
    /// SQLite's own clock, which counts whole milliseconds.
    public var statements = 0
    public var statementTime = Duration.zero

    public init() {}
}

extension StackCounters: CustomStringConvertible {
    public var description: String {
        "fetches \(fetches), saves \(saves), faults \(faultsFired) (row cache: \(rowCacheHits) hits,"
            + " \(rowCacheMisses) misses), statements \(statements) in \(statementTime)"
    }
}
