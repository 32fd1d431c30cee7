import DocketApp
import DocketCore
import FoundationEssentials
import Glibc

/// The daily backup of a store that is used from the shell only: a process of its own makes it, so
/// that no command waits.
enum DailyBackup {
    // Safety: used by the main thread alone.
    private nonisolated(unsafe) static var store: String?

    /// Notes whether a backup is due, when a command opens a store to change it.
    ///
    /// Cost: that of ``Library/needsDailyBackup(_:)``.
    static func note(_ library: Library) {
        if (try? library.needsDailyBackup(BackupPolicy())) == true { store = library.path }
    }

    /// Starts `docket backup --daily` at the end of a command that has changed something, unless
    /// the settings forbid it.
    static func startIfDue() {
        guard let store,
            Settings(environment: ProcessInfo.environment).backup.isDaily
        else { return }
        // A backup that cannot be started is due again at the next command.
        _ = DetachedProcess.start(["backup", "--daily", "--store", store])
    }
}
