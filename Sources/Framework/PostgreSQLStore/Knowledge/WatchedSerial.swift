import Synchronization

/// How many saves a store has by what its watch has seen last.
final class WatchedSerial: Sendable {
    private let state = Mutex<(serial: Int64, seen: ContinuousClock.Instant)?>(nil)

    /// A watch looks at least every second; one that has not may wait for a lost server.
    private static let patience = Duration.seconds(2)

    /// Notes what the watch sees; `nil` when it sees nothing any more.
    func note(_ serial: Int64?) {
        state.withLock { $0 = serial.map { ($0, .now) } }
    }

    /// The number of saves; `nil` if nobody watches.
    var present: Int64? {
        state.withLock { state in
            guard let state, ContinuousClock.now - state.seen < Self.patience else { return nil }
            return state.serial
        }
    }
}
