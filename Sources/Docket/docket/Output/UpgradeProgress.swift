import DocketCore
import Synchronization

/// Shows on the terminal how a library of an older version of Docket is brought to the form of this
/// one; Control-C cancels it.
final class UpgradeProgress: Sendable {
    private struct State {
        var step: UpgradeStep?
        var line: ProgressLine?
    }

    private let state = Mutex(State())

    /// - Returns: false after Control-C.
    func show(_ step: UpgradeStep, _ part: Double) -> Bool {
        state.withLock { state in
            if state.step != step {
                state.step = step
                state.line = nil
                state.line = ProgressLine(step.title)
            }
            do {
                try state.line?.show(part)
                return true
            } catch { return false }
        }
    }

    func clear() { state.withLock { $0.line = nil } }
}
