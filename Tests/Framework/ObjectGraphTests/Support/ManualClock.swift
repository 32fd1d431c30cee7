import Synchronization

/// A clock whose time passes when the test says so.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private struct Sleeper {
        let number: Int
        let end: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant()
        var sleepers: [Sleeper] = []
        /// How many have gone to sleep so far.
        var slept = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }
    var sleeping: Int { state.withLock { $0.sleepers.count } }
    /// How often somebody went to sleep.
    var slept: Int { state.withLock { $0.slept } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let woken = state.withLock { state in
                state.slept += 1
                if state.now >= deadline {
                    continuation.resume()
                } else {
                    state.sleepers.append(
                        Sleeper(number: state.slept, end: deadline, continuation: continuation)
                    )
                }
                let due = state.watchers.filter { $0.count <= state.slept }
                state.watchers.removeAll { $0.count <= state.slept }
                return due
            }
            for watcher in woken { watcher.continuation.resume() }
        }
    }

    /// Waits until somebody has gone to sleep for the n-th time.
    func hasSlept(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.slept >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.end <= state.now }
            state.sleepers.removeAll { $0.end <= state.now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
