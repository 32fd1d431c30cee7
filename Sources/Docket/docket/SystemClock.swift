import CivilTime
import DocketApp
import DocketCore
import FoundationEssentials
import Synchronization

/// The time and the time zone of the machine at each use, with the user's settings for dates.
final class SystemClock: Sendable {
    private let environment: [String: String]
    private let zone: Mutex<ZoneRules>
    private let settings: Mutex<(time: TimeSettings, weekStart: Weekday)>
    /// Whether items may name lists that do not exist.
    let newLists: NewLists
    /// What is wrong in the settings for dates, which are read as if it were not there.
    let problems: [String]
    private let hasStepped = Atomic(false)

    init(environment: [String: String]) {
        self.environment = environment
        zone = Mutex(ZoneRules.local(environment: environment))
        let settings = Settings(environment: environment)
        self.settings = Mutex((settings.time, settings.weekStart))
        problems = settings.dateProblems
        newLists = settings.newLists
    }

    /// The clock of a command, which reports at once which settings for dates cannot be used.
    static func ofCommand() -> SystemClock {
        let clock = SystemClock(environment: ProcessInfo.environment)
        for problem in clock.problems { Console.warn(problem) }
        return clock
    }

    var context: DateContext {
        let (time, weekStart) = settings.withLock { $0 }
        return DateContext(
            now: Date(),
            zone: zone.withLock { $0 },
            weekStart: weekStart,
            settings: time
        )
    }

    /// Reads and writes dates as other settings say.
    func adopt(_ settings: Settings) {
        self.settings.withLock { $0 = (settings.time, settings.weekStart) }
    }

    /// Whether `TZ` fixes the zone, whatever the system's zone is.
    var isZoneFixed: Bool { !(environment["TZ"] ?? "").isEmpty }

    /// Notes that the clock or the zone has jumped; callable from any thread.
    func step() {
        let local = ZoneRules.local(environment: environment)
        zone.withLock { $0 = local }
        hasStepped.store(true, ordering: .releasing)
    }

    /// Whether it has jumped since the last call.
    func takeStep() -> Bool { hasStepped.exchange(false, ordering: .acquiringAndReleasing) }
}

extension ProcessInfo {
    /// The environment at the start of the program; Foundation makes a new dictionary at each call.
    static let environment = processInfo.environment
}
