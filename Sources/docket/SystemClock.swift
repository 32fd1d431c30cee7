import DocketCore
import FoundationEssentials
import Synchronization

/// The time and the time zone of the machine, as they are at each use.
final class SystemClock: Sendable {
    private let environment: [String: String]
    private let zone: Mutex<ZoneRules>
    private let hasStepped = Atomic(false)

    init(environment: [String: String]) {
        self.environment = environment
        zone = Mutex(ZoneRules.local(environment: environment))
    }

    var context: DateContext { DateContext(now: Date(), zone: zone.withLock { $0 }) }

    /// Whether `TZ` fixes the zone, whatever the system's is.
    var isZoneFixed: Bool { !(environment["TZ"] ?? "").isEmpty }

    /// Takes note that the clock or the zone is another now; from any thread.
    func step() {
        let local = ZoneRules.local(environment: environment)
        zone.withLock { $0 = local }
        hasStepped.store(true, ordering: .releasing)
    }

    /// Whether it has stepped since this was asked last.
    func takeStep() -> Bool { hasStepped.exchange(false, ordering: .acquiringAndReleasing) }
}
