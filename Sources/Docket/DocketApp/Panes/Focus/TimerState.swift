import DocketCore
import FoundationEssentials
import ObjectGraph
import TerminalUI

/// The running timer as a window shows it.
///
/// It is read between the first events, and again after changes. The program wakes for it once a
/// second where it shows seconds, once a minute elsewhere, and not at all while none runs.
final class TimerState {
    private(set) var running: RunningTimer?
    private var isRead = false
    private var isStale = false
    /// When the screen shows another time.
    private(set) var nextTick: ContinuousClock.Instant?
    /// When the last key was pressed in this window.
    private var lastInput: Date?
    /// The entry about which was asked, so that it is done once.
    private var asked: ManagedObjectID?

    /// A timer without a key for so long was probably forgotten.
    static let longPause: TimeInterval = 4 * 3600

    /// Notes that something has changed.
    func markStale() { isStale = true }

    /// Whether it was not read yet, which is done after the first frame.
    var hasWork: Bool { !isRead }

    /// Reads the timer for the first time.
    func read(_ library: Library) throws {
        isRead = true
        isStale = false
        running = try library.runningTimer()
    }

    /// Reads the timer again if something has changed since.
    func update(_ library: Library) throws {
        if isRead, isStale { try read(library) }
    }

    /// Notes when the next frame shows another time: `shown` is where seconds are shown.
    func schedule(_ now: Date, showsSeconds: Bool) {
        guard let running else {
            nextTick = nil
            return
        }
        let period: TimeInterval = showsSeconds ? 1 : 60
        let passed = max(0, now.timeIntervalSince(running.start))
        let left = period - passed.truncatingRemainder(dividingBy: period)
        nextTick = .now + .seconds(max(0.01, left))
    }

    /// Whether the timer was probably forgotten; true once for each.
    ///
    /// - Parameters:
    ///   - now: the present moment.
    ///   - lastChange: when something was changed last, for a window without a key yet.
    /// - Returns: the timer to ask about.
    func takeForgotten(_ now: Date, lastChange: () -> Date?) -> RunningTimer? {
        guard let running, asked != running.entry,
            now.timeIntervalSince(running.start) >= Self.longPause,
            case let before = lastInput ?? lastChange() ?? running.start,
            now.timeIntervalSince(before) >= Self.longPause
        else { return nil }
        asked = running.entry
        return running
    }

    func noteInput(_ now: Date) { lastInput = now }
}

/// A length of time as a clock: `5:03`, `1:05:03`, or without seconds `1:05`.
enum TimerText {
    static func seconds(_ length: TimeInterval) -> String {
        let (minutes, seconds) = Int(max(0, length)).quotientAndRemainder(dividingBy: 60)
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        return hours == 0
            ? "\(minutes):\(two(seconds))" : "\(hours):\(two(rest)):\(two(seconds))"
    }

    static func minutes(_ length: TimeInterval) -> String {
        let (hours, minutes) = (Int(max(0, length)) / 60).quotientAndRemainder(dividingBy: 60)
        return "\(hours):\(two(minutes))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
