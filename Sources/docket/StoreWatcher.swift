import Glibc
import NcursesTerminal
import Synchronization

/// Tells when another process writes to a store's files, at no cost while nobody does: a thread
/// sleeps in the kernel until inotify has something to say.
///
/// Our own writes are told too; who is told looks whether there is anything new.
final class StoreWatcher: Sendable {
    private let descriptor: Int32

    /// Watches the folder of a file for changes of that file and its companions.
    ///
    /// - Returns: `nil` where the system offers no watching; changes then show at the next key.
    init?(path: String, wake: @escaping @Sendable () -> Void) {
        // A link's file and its log lie where the link leads.
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        let path = resolved.map { String(cString: $0) } ?? path
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(
            IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
        )
        guard inotify_add_watch(descriptor, folder.isEmpty ? "/" : folder, events) >= 0 else {
            close(descriptor)
            return nil
        }
        start(Watch(descriptor: descriptor, name: name, wake: wake))
    }

    private final class Watch: Sendable {
        let descriptor: Int32
        let name: String
        let wake: @Sendable () -> Void

        init(descriptor: Int32, name: String, wake: @escaping @Sendable () -> Void) {
            self.descriptor = descriptor
            self.name = name
            self.wake = wake
        }

        func run() {
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
                // A save is many writes: the kernel folds those of the next moment into one event.
                poll(nil, 0, Watch.collecting)
                let count = ready < 0 ? -1 : read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                let records = InotifyEvents.records(in: buffer[..<count])
                    .filter { isOurs($0.name) }
                if !records.isEmpty { wake() }
                // Who opens or closes the store changes nothing in it.
                if records.contains(where: { $0.mask & UInt32(IN_MODIFY) != 0 && !isIndex($0.name) }
                ) {
                    pauses = Watch.pauses
                }
            }
        }

        /// How long the writes of one save are gathered, in milliseconds.
        private static let collecting: Int32 = 3

        /// When to look again after a write, in milliseconds: the log is written first, synced
        /// after, and only then what it holds can be seen; nothing tells of that last step.
        private static let pauses: [Int32] = [30, 300, 3000]

        /// Whether a name is that of the store's file, its log or its journal.
        private func isOurs(_ file: String) -> Bool {
            file == name || file == "\(name)-wal" || file == "\(name)-journal" || isIndex(file)
        }

        private func isIndex(_ file: String) -> Bool { file == "\(name)-shm" }
    }

    /// A thread of its own, without the signals: those are the event loop's.
    private func start(_ watch: Watch) {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Watch>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            Unmanaged.passRetained(watch).toOpaque()
        )
        pthread_detach(thread)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
