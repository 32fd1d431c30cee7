import CTerminal
import Glibc

/// Tells when the wall clock steps or the system's time zone changes, at no cost while neither
/// happens: a thread sleeps in the kernel.
///
/// The clock steps when somebody sets it and when the machine wakes from sleep. The zone changes
/// when its file, usually a link, is replaced.
package final class ClockWatcher: Sendable {
    private let timer: Int32
    private let zone: Int32
    private let wake: @Sendable () -> Void

    /// Begins to watch, until the program ends; `nil` where the system offers no such watching.
    ///
    /// - Parameters:
    ///   - zoneFile: the file of the system's zone; `nil` where the zone is fixed by `TZ`.
    ///   - wake: called on the watching thread after each change.
    package init?(
        zoneFile: String? = "/etc/localtime",
        wake: @escaping @Sendable () -> Void
    ) {
        self.wake = wake
        timer = cterminal_clock_timer()
        zone = zoneFile.map { ClockWatcher.watch($0) } ?? -1
        guard timer >= 0 || zone >= 0 else { return nil }
        let name = zoneFile?.split(separator: "/").last.map(String.init) ?? ""
        let descriptors = (timer, zone)
        ClockWatcher.startThread { ClockWatcher.run(descriptors.0, descriptors.1, name, wake) }
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

    /// A thread of its own, without the signals: those are the event loop's.
    private static func startThread(_ body: @escaping @Sendable () -> Void) {
        final class Start: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        var thread = pthread_t()
        let start = Unmanaged.passRetained(Start(body))
        let code = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            start.toOpaque()
        )
        if code == 0 { pthread_detach(thread) } else { start.release() }
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}

/// The records that the kernel writes about watched folders.
package enum InotifyEvents {
    /// What some records are about: the name of a file, and what happened to it (`IN_MODIFY`, …).
    package static func records(in bytes: ArraySlice<UInt8>) -> [(name: String, mask: UInt32)] {
        let header = MemoryLayout<inotify_event>.size
        var records: [(name: String, mask: UInt32)] = []
        var place = bytes.startIndex
        func number(at offset: Int) -> Int {
            bytes[place + offset..<place + offset + 4].enumerated().reduce(0) {
                $0 + Int($1.element) << ($1.offset * 8)
            }
        }
        while place + header <= bytes.endIndex {
            let length = number(at: 12)
            let text = bytes[(place + header)..<min(place + header + length, bytes.endIndex)]
            let name = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
            records.append((name, UInt32(truncatingIfNeeded: number(at: 4))))
            place += header + length
        }
        return records
    }
}
