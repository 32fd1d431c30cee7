import CPostgreSQL
import FoundationEssentials
import Glibc
package import ObjectStore
import Synchronization

/// A thread that waits for notifications of others' saves, on a connection of its own.
///
/// It looks at the number of saves by itself now and then: writers do not notify of each save, and a
/// notification may be lost with its connection.
final class PostgreSQLWatch: StoreWatch {
    private let place: PostgreSQLPlace
    private let watched: WatchedSerial
    private let wake: @Sendable () -> Void
    /// Closing the writing end ends the thread.
    private let pipe: (reading: Int32, writing: Int32)
    private let isStopped = Mutex(false)

    /// How long a save may stay unseen whose notification was left out or lost.
    private static let interval: Int32 = 1_000

    /// - Parameters:
    ///   - place: the store.
    ///   - serial: the number of saves that are known.
    ///   - watched: is told what it sees.
    ///   - wake: called when there are others.
    init?(
        _ place: PostgreSQLPlace,
        since serial: Int64,
        noting watched: WatchedSerial,
        _ wake: @escaping @Sendable () -> Void
    ) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        self.place = place
        self.watched = watched
        self.wake = wake
        pipe = (ends[0], ends[1])
        let thread = Thread { [self] in run(serial) }
        guard thread.start() else { return nil }
    }

    func stop() {
        isStopped.withLock { isStopped in
            if !isStopped { Glibc.close(pipe.writing) }
            isStopped = true
        }
    }

    private func run(_ known: Int64) {
        defer {
            watched.note(nil)
            Glibc.close(pipe.reading)
        }
        var connection: PostgreSQLConnection?
        var serial = known
        while !isStopped.withLock({ $0 }) {
            do {
                let open = try connection ?? listening()
                connection = open
                let present = try open.number("SELECT serial FROM OG_STATE") ?? serial
                watched.note(present)
                let isBusy = present != serial
                if isBusy { wake() }
                serial = present
                // Of several saves in a moment only the first one is notified.
                let interval = isBusy ? Self.interval / 4 : Self.interval
                if cpg_wait(open.handle, interval, pipe.reading) < 0 { connection = nil }
            } catch {
                // The store says by itself that its server is gone; this tries again.
                connection = nil
                watched.note(nil)
                var stop = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
                poll(&stop, 1, Self.interval)
            }
        }
    }

    private func listening() throws -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(place)
        do { try connection.execute("LISTEN \(place.channel)") } catch let error as PostgreSQLError
            where !error.isLost
        {
            // A standby refuses it; then looking at the number is all.
        }
        return connection
    }

    /// A thread of the system that runs a closure.
    private struct Thread {
        let body: @Sendable () -> Void

        func start() -> Bool {
            // Safety: the thread takes over the reference; if there is none, it is released here.
            let box = Unmanaged.passRetained(Box(body))
            var thread = pthread_t()
            let code = pthread_create(
                &thread,
                nil,
                { context in
                    if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                    return nil
                },
                box.toOpaque()
            )
            if code != 0 {
                box.release()
                return false
            }
            pthread_detach(thread)
            return true
        }

        private final class Box {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
    }
}

extension PostgreSQLStore {
    package func startWatching(_ wake: @escaping @Sendable () -> Void) -> (any StoreWatch)? {
        PostgreSQLWatch(place, since: serial, noting: watched, wake)
    }
}
