import FoundationEssentials
import Glibc
import Synchronization

/// Counts the work of a coordinator and traces it line by line, while it is on.
///
/// While ``isOn`` is false, each place costs one load of a flag.
final class StackTrace: Sendable {
    typealias Line = @Sendable (String) -> Void

    private struct State {
        var counters = StackCounters()
        var line: Line?
    }

    private let on = Atomic(false)
    private let state = Mutex(State())

    /// Turns tracing on without a change of the program: lines go to standard error.
    static let environmentKey = "OBJECTGRAPH_TRACE"

    @inline(__always)
    var isOn: Bool { on.load(ordering: .relaxed) }

    /// The line writer that the environment asks for.
    static func lineOfEnvironment() -> Line? {
        guard let value = getenv(environmentKey), value[0] != 0, value[0] != 0x30 else {
            return nil
        }
        return { text in
            let line = "ObjectGraph: \(text)\n"
            _ = write(STDERR_FILENO, line, line.utf8.count)
        }
    }

    var counters: StackCounters { state.withLock { $0.counters } }

    func start(_ line: Line?) {
        state.withLock { state in
            state.counters = StackCounters()
            state.line = line
        }
        on.store(true, ordering: .relaxed)
    }

    func stop() {
        on.store(false, ordering: .relaxed)
        state.withLock { $0.line = nil }
    }

    func count(_ change: (inout StackCounters) -> Void) { state.withLock { change(&$0.counters) } }

    /// Traces an event without a duration.
    func tell(_ text: @autoclosure () -> String) {
        guard let line = state.withLock({ $0.line }) else { return }
        line(text())
    }

    /// Counts work with a duration and traces it.
    func note(
        _ text: @autoclosure () -> String,
        took duration: Duration,
        _ change: (inout StackCounters) -> Void
    ) {
        let line = state.withLock { state in
            change(&state.counters)
            return state.line
        }
        guard let line else { return }
        let microseconds = duration / .microseconds(1)
        line("\(Int(microseconds)) µs  \(text())")
    }
}
