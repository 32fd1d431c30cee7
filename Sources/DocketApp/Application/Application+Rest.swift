import DocketCore
import ObjectGraph

// What was saved lies in a log beside the store until nothing happens for a moment; then the store
// is one file again, which can be copied as it is. Without saves there is nothing to wait for.

extension Application {
    private static let quiet = Duration.seconds(1)

    /// Begins to wait for a quiet moment, if something was saved since the last.
    func scheduleRest() {
        let size = workspace.library.logSize
        // What somebody who reads kept in the log waits for the next save.
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
            try workspace.library.rest()
        } catch {
            isStale = true
            workspace.tell(error)
        }
        restedSize = workspace.library.logSize
    }

    /// Forgets what lies further back than the settings promise, at the first quiet moment.
    private func trimOnce() throws {
        guard !hasTrimmed, !settings.history.isUnlimited, !workspace.library.isReadOnly else {
            return
        }
        hasTrimmed = true
        let outcome = try workspace.library.trimHistory(settings.history)
        guard outcome.forgotten > 0 else { return }
        workspace.undoCountIsStale = true
        workspace.tell(workspace.library.sentence(of: outcome))
    }
}
