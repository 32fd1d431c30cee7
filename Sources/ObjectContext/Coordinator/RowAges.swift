import ObjectModel

/// How long the rows in memory are good for.
///
/// Guarded by the coordinator's lock.
struct RowAges {
    /// The greatest number of bytes of rows that each store keeps.
    var limit = 256 << 20
    /// Increases with every save and every change from elsewhere.
    private(set) var generation = 0
    /// When rows were read, for contexts with a staleness interval.
    private var readTimes: [ManagedObjectID: ContinuousClock.Instant] = [:]

    mutating func noteChange() { generation += 1 }

    /// Whether a row was read within a time.
    ///
    /// If nobody has asked for the age of a row before, it is unknown and the row counts as old.
    func isFresh(
        _ id: ManagedObjectID,
        within interval: Duration,
        at now: ContinuousClock.Instant
    ) -> Bool {
        readTimes[id].map { now - $0 < interval } ?? false
    }

    mutating func noteRead(_ ids: [ManagedObjectID], at now: ContinuousClock.Instant) {
        for id in ids { readTimes[id] = now }
    }
}
