import DocketApp
import DocketCore
import FoundationEssentials
import Glibc

/// The daily backup of a store that is used from the shell only: a process of its own makes it, so
/// that no command waits.
enum DailyBackup {
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
            Settings(environment: ProcessInfo.processInfo.environment).backup.isDaily
        else { return }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        // Its own session: a signal to the command's terminal does not end it. The constant is
        // POSIX_SPAWN_SETSID, which the module does not show.
        posix_spawnattr_setflags(&attributes, 0x80)
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0)
        }
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&files)
        }
        let words = ["docket", "backup", "--daily", "--store", store]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var process: pid_t = 0
        // A backup that cannot be started is due again at the next command.
        _ = posix_spawn(&process, "/proc/self/exe", &files, &attributes, &arguments, environ)
    }
}
