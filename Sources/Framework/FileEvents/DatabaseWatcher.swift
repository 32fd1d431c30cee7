import Glibc
import Synchronization

/// Reports writes to the files of an SQLite database.
///
/// It costs nothing while nobody writes: a thread sleeps in the kernel until an inotify event.
///
/// Our own writes are reported too; the receiver checks whether there is anything new.
public final class DatabaseWatcher: Sendable {
    private let descriptor: Int32
    private let watch: Int32
    private let name: String
    private let wake: @Sendable () -> Void
    /// Whether the descriptor still belongs to this watcher.
    private let isOpen = Mutex(true)

    /// Watches the folder of a file for changes of that file and its companions.
    ///
    /// - Parameters:
    ///   - path: the database's file, or a link to it.
    ///   - wake: called on the watching thread after each write, and again some moments later.
    /// - Returns: `nil` where the system cannot watch files.
    public static func start(
        path: String,
        wake: @escaping @Sendable () -> Void
    ) -> DatabaseWatcher? {
        guard let watcher = DatabaseWatcher(path: path, wake: wake) else { return nil }
        WatchingThread.start { watcher.run() }
        return watcher
    }

    private init?(path: String, wake: @escaping @Sendable () -> Void) {
        // The real file and its log are in the folder that the link leads to.
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        let path = resolved.map { String(cString: $0) } ?? path
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[..<$0]) } ?? "."
        name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        self.wake = wake
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(
            IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
        )
        watch = inotify_add_watch(descriptor, folder.isEmpty ? "/" : folder, events)
        guard watch >= 0 else {
            close(descriptor)
            return nil
        }
    }

    /// Ends the watching; if a call of `wake` is due, it may still happen.
    public func stop() {
        isOpen.withLock { isOpen in
            // The kernel reports the end of the watch to the thread, which then ends.
            if isOpen { inotify_rm_watch(descriptor, watch) }
        }
    }

    private func run() {
        defer {
            isOpen.withLock { isOpen in
                isOpen = false
                close(descriptor)
            }
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        var pauses: [Int32] = []
        while true {
            var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&file, 1, pauses.first ?? -1)
            if ready == 0 {
                pauses.removeFirst()
                wake()
                continue
            }
            if ready < 0, errno == EINTR { continue }
            // A save is many writes: the kernel combines those of the next moment into one event.
            poll(nil, 0, DatabaseWatcher.collecting)
            let count = ready < 0 ? -1 : read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            let records = InotifyEvents.records(in: buffer[..<count])
            let ours = records.filter { isOurs($0.name) }
            if !ours.isEmpty { wake() }
            // Stopped, or the folder was removed.
            if records.contains(where: { $0.mask & UInt32(IN_IGNORED) != 0 }) { return }
            // Opening or closing the store does not change it.
            if ours.contains(where: { $0.mask & UInt32(IN_MODIFY) != 0 && !isIndex($0.name) }) {
                pauses = DatabaseWatcher.pauses
            }
        }
    }

    /// How long the writes of one save are collected, in milliseconds.
    private static let collecting: Int32 = 3

    /// When to check again after a write, in milliseconds.
    ///
    /// The log is written first and synced later, and only then its content is visible; there is no
    /// event for that last step.
    private static let pauses: [Int32] = [30, 300, 3000]

    /// Whether a name is that of the store's file, its log or its journal.
    private func isOurs(_ file: String) -> Bool {
        file == name || file == "\(name)-wal" || file == "\(name)-journal" || isIndex(file)
    }

    private func isIndex(_ file: String) -> Bool { file == "\(name)-shm" }
}
