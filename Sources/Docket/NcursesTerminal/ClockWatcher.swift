import CTerminal
import FileEvents
import Glibc

/// Reports steps of the wall clock and changes of the system's time zone.
///
/// It costs nothing in between: a thread sleeps in the kernel.
///
/// The clock steps when somebody sets it and when the machine wakes from sleep. The zone changes
/// when its file, usually a link, is replaced.
/// when its file, usually a link, is replaced.
public final class ClockWatcher: Sendable {
    private let timer: Int32
    private let zone: Int32
    private let wake: @Sendable () -> Void

    /// Starts watching, until the program ends; `nil` where the system cannot do it.
    ///
    /// - Parameters:
    ///   - zoneFile: the file of the system's zone; `nil` where the zone is fixed by `TZ`.
    ///   - wake: called on the watching thread after each change.
    public init?(zoneFile: String? = "/etc/localtime", wake: @escaping @Sendable () -> Void) {
        self.wake = wake
        timer = cterminal_clock_timer()
        zone = zoneFile.map { ClockWatcher.watch($0) } ?? -1
        guard timer >= 0 || zone >= 0 else { return nil }
        let name = zoneFile?.split(separator: "/").last.map(String.init) ?? ""
        let descriptors = (timer, zone)
        WatchingThread.start { ClockWatcher.run(descriptors.0, descriptors.1, name, wake) }
    }

    private static func watch(_ file: String) -> Int32 {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return -1 }
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
        let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE)
        guard inotify_add_watch(descriptor, folder.isEmpty ? "/" : folder, events) >= 0 else {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    private static func run(
        _ timer: Int32,
        _ zone: Int32,
        _ name: String,
        _ wake: @Sendable () -> Void
    ) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var files = [
                pollfd(fd: timer, events: Int16(POLLIN), revents: 0),
                pollfd(fd: zone, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&files, 2, -1) < 0 {
                if errno == EINTR { continue }
                return
            }
            if files[0].revents != 0 {
                guard cterminal_clock_renew(timer) == 0 else { return }
                wake()
            }
            if files[1].revents != 0 {
                let count = read(zone, &buffer, buffer.count)
                guard count > 0 else { return }
                if InotifyEvents.records(in: buffer[..<count]).contains(where: { $0.name == name })
                {
                    wake()
                }
            }
        }
    }
}
