import CivilTime
import DocketCore
import FoundationEssentials
import TerminalUI

// The timer of a task in the loop: it is read after the first frame, and a frame follows whenever the
// screen shows another time. Whoever returns to a timer after hours is asked about it.

extension Application {
    /// Reads the timer for the first time.
    func readTimer() {
        do { try workspace.timer.read(workspace.library) } catch { workspace.tell(error) }
        guard workspace.timer.running != nil else { return }
        workspace.askAboutForgottenTimer()
        isStale = true
    }

    /// After a frame: notes when another one shows another time.
    func scheduleTimer() {
        let isShown = workspace.focus == FocusPane.kind.id
        workspace.timer.schedule(workspace.library.clock().now, showsSeconds: isShown)
    }

    /// After input: a key behind a long pause asks about a timer that went on.
    func noteInputForTimer() {
        workspace.askAboutForgottenTimer()
        workspace.timer.noteInput(workspace.library.clock().now)
    }
}
