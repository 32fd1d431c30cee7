import Synchronization

/// How many saves a store has by what its watch has seen last.
package final class WatchedSerial: Sendable {
    private let state = Mutex<(serial: Int64, seen: ContinuousClock.Instant)?>(nil)
    private let limit = Mutex(Duration.seconds(2))

    /// How long what was seen is the present: a watch looks at least every second, and one that has not
    /// may wait for a lost server.
    package var patience: Duration {
        get { limit.withLock(\.self) }
        set { limit.withLock { $0 = newValue } }
    }

    /// Notes what the watch sees; `nil` when it sees nothing any more.
    func note(_ serial: Int64?) {
        state.withLock { $0 = serial.map { ($0, .now) } }
    }

    /// The number of saves; `nil` if nobody watches.
    var present: Int64? {
        let patience = patience
        return state.withLock { state in
            guard let state, ContinuousClock.now - state.seen < patience else { return nil }
            return state.serial
        }
    }
}
