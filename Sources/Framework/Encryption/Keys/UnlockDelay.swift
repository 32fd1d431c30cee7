/// How long to wait after wrong passphrases: nothing after the first two, then a second, doubled by
/// each further one, up to five minutes.
///
/// The time is counted on the clock that runs since the start of the machine and that nobody can set.
/// After a restart only the wall clock is left: if it has jumped back, the waiting time starts
/// again from now, at its full length and not longer. A wall clock set forward across a restart ends
/// one waiting time early, but the count stays.
public struct UnlockDelay: Equatable, Sendable {
    /// The readings of both clocks.
    public struct Now: Equatable, Sendable {
        /// Seconds since 1970.
        public var wall: Double
        /// Seconds since the machine was started, sleep included.
        public var sinceStart: Double
        /// Names this start of the machine.
        public var start: String

        public init(wall: Double, sinceStart: Double, start: String) {
            self.wall = wall
            self.sinceStart = sinceStart
            self.start = start
        }
    }

    /// Wrong passphrases since the last right one.
    public private(set) var failures = 0
    /// When the waiting time began.
    private var began = Now(wall: 0, sinceStart: 0, start: "-")

    /// The longest waiting time, in seconds.
    public static let longest = 300.0

    public init() {}

    /// Seconds to wait after so many wrong passphrases.
    public static func delay(after failures: Int) -> Double {
        failures < 3 ? 0 : min(longest, Double(1 << min(failures - 3, 20)))
    }

    /// Seconds until the next attempt may be made.
    ///
    /// After a restart of the machine it goes on counting from here.
    public mutating func waitingTime(at now: Now) -> Double {
        let delay = Self.delay(after: failures)
        if delay == 0 { return 0 }
        if began.start != now.start {
            let elapsed = min(max(0, now.wall - began.wall), delay)
            began = Now(
                wall: now.wall - elapsed,
                sinceStart: now.sinceStart - elapsed,
                start: now.start
            )
        }
        return min(delay, max(0, delay - (now.sinceStart - began.sinceStart)))
    }

    /// Counts a wrong passphrase.
    public mutating func fail(at now: Now) {
        failures = min(failures + 1, 1_000_000)
        began = now
    }

    // MARK: Stored form

    /// One line of text.
    public var text: String {
        "unlock-delay 1 \(failures) \(began.wall) \(began.sinceStart) \(began.start)\n"
    }

    /// Reads the stored form; `nil` if it is damaged.
    public init?(text: String) {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count == 6, fields[0] == "unlock-delay", fields[1] == "1",
            let failures = Int(fields[2]), (0...1_000_000).contains(failures),
            let wall = Double(fields[3]), wall.isFinite,
            let sinceStart = Double(fields[4]), sinceStart.isFinite
        else { return nil }
        self.failures = failures
        began = Now(wall: wall, sinceStart: sinceStart, start: String(fields[5]))
    }

    /// The state after a damaged file: as after five wrong passphrases just now.
    public static func afterDamage(at now: Now) -> UnlockDelay {
        var delay = UnlockDelay()
        delay.failures = 5
        delay.began = now
        return delay
    }
}
