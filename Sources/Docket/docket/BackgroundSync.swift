import DocketApp
import DocketCore
import DocketFormats
import FileEvents
import Glibc
import ObjectGraph

/// `docket sync` beside a window, in a session of its own.
///
/// It has no terminal, so neither it nor the command of a password reads keys or writes over the
/// screen; and it goes on to its end when the window is closed.
enum BackgroundSync {
    /// Connects a window with the servers of its settings.
    ///
    /// - Parameters:
    ///   - application: the window.
    ///   - library: its library.
    ///   - state: the user's folder for what programs remember; `nil` if there is none.
    ///   - wake: wakes the window from another thread.
    static func connect(
        _ application: Application,
        _ library: Library,
        _ state: String?,
        wake: (@Sendable () -> Void)? = nil
    ) {
        let store = library.path
        application.synchronize(noting: state) { try start(store, $0) }
        guard let state, let wake else { return }
        // Only who has a server pays for the watching of the notes.
        var watcher: FolderWatcher?
        application.whenServersAreSet = {
            guard watcher == nil else { return }
            let folder = SyncNote.folder(in: state)
            SyncNote.makeFolder(folder)
            watcher = FolderWatcher(wholeFilesOnly: true, wake: wake)
            _ = watcher?.watch(Array(folder.utf8))
        }
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - store: the library's file.
    ///   - end: called on another thread with how it ended.
    /// - Throws: `InputError` if it cannot be started.
    private static func start(
        _ store: String,
        _ end: @escaping @Sendable (SyncEnd) -> Void
    ) throws {
        guard let output = DetachedProcess.namelessFile(),
            let process = DetachedProcess.start(
                ["sync", "--store", store],
                output: output,
                errors: true
            )
        else { throw InputError(.conflict, "docket sync cannot be started.") }
        ContextThread(name: "sync")
            .later {
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0 { if errno != EINTR { break } }
                let text = String(decoding: DetachedProcess.readAll(output), as: UTF8.self)
                close(output)
                end(SyncEnd(isDone: status == 0, output: text))
            }
    }

    /// Keeps the command of a password from a terminal that is not this program's: gpg would ask in
    /// the middle of a window's screen.
    static func keepFromTerminal() {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        if terminal < 0 { unsetenv("GPG_TTY") } else { close(terminal) }
    }
}
