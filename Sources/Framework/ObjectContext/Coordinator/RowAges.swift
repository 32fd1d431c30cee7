import ObjectModel
import Synchronization

/// How long the rows in memory are good for.
///
/// Guarded by the coordinator's lock, but for the generation.
struct RowAges: ~Copyable {
    /// The greatest number of bytes of rows that each store keeps.
    var limit = 256 << 20
    /// Increases with every save and every change from elsewhere.
    var generation: Int { changes.load(ordering: .acquiring) }
    private let changes = Atomic(0)
    /// When rows were read, for contexts with a staleness interval.
    private var readTimes: [ManagedObjectID: ContinuousClock.Instant] = [:]

    func noteChange() { changes.add(1, ordering: .acquiringAndReleasing) }

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
