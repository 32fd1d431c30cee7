import Glibc
import Synchronization

/// Wakes a thread that waits, from another one or from a signal.
struct WakePipe: Sendable {
    private let (reader, writer): (Int32, Int32)

    init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) + fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reader, writer) = (ends[0], ends[1])
    }

    func ring() { WakePipe.ring(writer) }

    /// Waits until it rings.
    ///
    /// - Parameter seconds: how long at most; `nil` = as long as it takes.
    func wait(seconds: Double?) {
        var file = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        poll(&file, 1, seconds.map { Int32(max(0, $0) * 1000) + 1 } ?? -1)
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reader, &bytes, bytes.count) > 0 {}
    }

    private static func ring(_ writer: Int32) {
        var byte = UInt8(ascii: "!")
        _ = write(writer, &byte, 1)
    }

    // MARK: The end

    private static let isEnding = Atomic(false)
    private static let rungBySignals = Atomic<Int32>(-1)

    /// Whether a signal has asked for the end; see ``ringAtEnd()``.
    static var hasToEnd: Bool { isEnding.load(ordering: .relaxed) }

    /// Makes Control-C, SIGTERM and the end of the terminal ring it.
    ///
    /// They no longer end the program in the middle of its work; a second one does. Who ignores them
    /// goes on ignoring them.
    func ringAtEnd() {
        WakePipe.rungBySignals.store(writer, ordering: .relaxed)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let former = signal(number) { number in
                WakePipe.isEnding.store(true, ordering: .relaxed)
                WakePipe.ring(WakePipe.rungBySignals.load(ordering: .relaxed))
                signal(number, SIG_DFL)
            }
            // Safety: only the address is compared; SIG_IGN is 1.
            if unsafeBitCast(former, to: Int.self) == 1 { signal(number, SIG_IGN) }
        }
    }
}
