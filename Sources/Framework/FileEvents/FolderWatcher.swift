import Glibc
import Synchronization

/// Reports changes of the entries of some folders.
///
/// It costs nothing while nothing changes: a thread sleeps in the kernel until an inotify event.
/// The thread begins with the first folder.
public final class FolderWatcher: Sendable {
    /// What has changed since the last call of ``take()``.
    public struct Changes {
        /// The names of entries that were made, changed or removed, by watch.
        public var names: [Int32: Set<[UInt8]>] = [:]
        /// The folders that were removed or moved themselves.
        public var gone: Set<Int32> = []
        /// Whether changes were lost, so that everything may have changed.
        public var isIncomplete = false

        public init(isIncomplete: Bool = false) { self.isIncomplete = isIncomplete }

        public var isEmpty: Bool { names.isEmpty && gone.isEmpty && !isIncomplete }
    }

    private struct State {
        var changes = Changes()
        var count = 0
        /// The descriptor; -1 after the end.
        var descriptor: Int32
        var hasThread = false
        var isStopped = false
    }

    private let state: Mutex<State>
    private let wake: @Sendable () -> Void
    private let events: UInt32
    /// A pair of sockets; closing the second one ends the thread's sleep.
    private let alarm: (read: Int32, write: Int32)

    /// A watcher without folders; `nil` where the system cannot watch files.
    ///
    /// - Parameters:
    ///   - wholeFilesOnly: whether an entry is reported only when its writer has closed it, or it was
    ///     moved there: never in the middle of a write, and not when it is removed.
    ///   - wake: called on the watching thread when something has changed.
    public init?(wholeFilesOnly: Bool = false, wake: @escaping @Sendable () -> Void) {
        events = FolderWatcher.events(wholeFilesOnly)
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            close(descriptor)
            return nil
        }
        alarm = (ends[0], ends[1])
        self.wake = wake
        state = Mutex(State(descriptor: descriptor))
    }

    private static func events(_ wholeFilesOnly: Bool) -> UInt32 {
        let whole = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)
        let others = IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_MOVED_FROM | IN_DELETE
        return wholeFilesOnly ? whole : whole | UInt32(others)
    }

    /// How many names of changed entries are kept before everything counts as changed.
    private static let mostNames = 4096

    /// Watches a folder.
    ///
    /// - Parameter path: the bytes of its path.
    /// - Returns: the name of the watch, the same for the same folder; `nil` if it cannot be
    ///   watched.
    public func watch(_ path: [UInt8]) -> Int32? {
        let (watch, starts) = state.withLock { state -> (Int32?, Bool) in
            guard !state.isStopped else { return (nil, false) }
            let watch = (path + [0]).withUnsafeBytes { bytes -> Int32 in
                guard let start = bytes.baseAddress else { return -1 }
                return inotify_add_watch(
                    state.descriptor,
                    start.assumingMemoryBound(to: CChar.self),
                    events | UInt32(IN_ONLYDIR)
                )
            }
            let starts = watch >= 0 && !state.hasThread
            if starts { state.hasThread = true }
            return (watch >= 0 ? watch : nil, starts)
        }
        if starts { WatchingThread.start { self.run() } }
        return watch
    }

    /// Ends watching a folder.
    public func unwatch(_ watch: Int32) {
        state.withLock { state in
            if !state.isStopped { _ = inotify_rm_watch(state.descriptor, watch) }
            state.changes.names[watch] = nil
        }
    }

    /// What has changed since the last call.
    public func take() -> Changes {
        state.withLock { state in
            defer {
                state.changes = Changes()
                state.count = 0
            }
            return state.changes
        }
    }

    /// Ends the watching; if a call of `wake` is due, it may still happen.
    public func stop() {
        let closes = state.withLock { state -> Bool in
            if state.isStopped { return false }
            state.isStopped = true
            close(alarm.write)
            return !state.hasThread
        }
        // The second stop of a stopped watcher finds nothing to close.
        if closes { end() }
    }

    private func end() {
        let descriptor = state.withLock { state in
            defer { state.descriptor = -1 }
            return state.descriptor
        }
        if descriptor >= 0 { close(descriptor) }
        close(alarm.read)
    }

    /// How long the changes of one write are collected, in milliseconds.
    private static let collecting: Int32 = 10

    private func run() {
        defer { end() }
        let descriptor = state.withLock { $0.descriptor }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            var files = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: alarm.read, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&files, 2, -1)
            if ready < 0, errno == EINTR { continue }
            if ready < 0 || state.withLock({ $0.isStopped }) { return }
            poll(nil, 0, FolderWatcher.collecting)
            var isNews = false
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                if note(InotifyEvents.rawRecords(in: buffer[..<count])) { isNews = true }
            }
            if isNews { wake() }
        }
    }

    private func note(_ records: [InotifyEvents.Record]) -> Bool {
        state.withLock { state in
            for record in records {
                if record.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                    state.changes.isIncomplete = true
                } else if record.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0 {
                    state.changes.gone.insert(record.watch)
                } else if !record.name.isEmpty {
                    if state.count >= FolderWatcher.mostNames {
                        state.changes.isIncomplete = true
                        state.changes.names = [:]
                        continue
                    }
                    let name = Array(record.name)
                    if state.changes.names[record.watch, default: []].insert(name).inserted {
                        state.count += 1
                    }
                }
            }
            return !state.changes.isEmpty
        }
    }
}
