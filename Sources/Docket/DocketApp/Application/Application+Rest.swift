import CivilTime
import DocketCore
import ObjectGraph

// Saved data is in a log beside the store until the program is idle for a moment; then the store is
// one file again, which can be copied. Without saves nothing has to be done.

extension Application {
    private static let quiet = Duration.seconds(1)

    /// Starts waiting for an idle moment, if something was saved since the last one.
    func scheduleRest() {
        let size = workspace.library.logSize
        // If a reader prevents it, the rest of the log waits for the next save.
        guard size > 0, size != restedSize else {
            if size == 0 { restAt = nil }
            return
        }
        restAt = .now + Application.quiet
    }

    func restIfQuiet() {
        guard let moment = restAt, moment <= .now else { return }
        restAt = nil
        do {
            try trimOnce()
            try backUpIfDue()
            try workspace.library.rest()
        } catch {
            isStale = true
            workspace.tell(error)
        }
        restedSize = workspace.library.logSize
    }

    /// Makes the daily backup on a thread of its own, while the keyboard is read.
    private func backUpIfDue() throws {
        guard let work = try workspace.library.dailyBackup(settings.backup) else { return }
        let thread = ContextThread(name: "backup")
        // What fails, as on a full disk, is tried at the next idle moment.
        thread.later { _ = try? work(nil) }
    }

    /// Deletes the history beyond the limits of the settings, at the first idle moment.
    private func trimOnce() throws {
        guard !hasTrimmed, !settings.history.isUnlimited, !workspace.library.isReadOnly else {
            return
        }
        hasTrimmed = true
        let outcome = try workspace.library.trimHistory(settings.history)
        guard outcome.forgotten > 0 else { return }
        workspace.tell("\(workspace.library.sentence(of: outcome))")
    }
}
