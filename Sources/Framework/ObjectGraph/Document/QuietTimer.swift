import Synchronization

/// Waits until a document was left alone for some time.
///
/// It sleeps until the earliest moment at which that can be so; an edit meanwhile only notes a
/// time.
protocol QuietTimer: Sendable {
    /// Notes an edit.
    func note()

    /// - Throws: `CancellationError`.
    func waitUntilQuiet() async throws
}

final class ClockTimer<C: Clock>: QuietTimer where C.Duration == Duration {
    private let clock: C
    private let delay: Duration
    private let limit: Duration
    /// When the first and the last edit since the last quiet moment were.
    private let edits = Mutex<(first: C.Instant, last: C.Instant)?>(nil)

    init(_ clock: C, delay: Duration, limit: Duration) {
        self.clock = clock
        self.delay = delay
        self.limit = limit
    }

    func note() {
        let now = clock.now
        edits.withLock { edits in edits = (edits?.first ?? now, now) }
    }

    func waitUntilQuiet() async throws {
        while let (first, last) = noted {
            let end = min(last.advanced(by: delay), first.advanced(by: max(delay, limit)))
            if clock.now >= end { break }
            try await clock.sleep(until: end, tolerance: nil)
        }
        forget()
    }

    // Locks in asynchronous code are not inlined; see docs/design/threads.md.

    private var noted: (first: C.Instant, last: C.Instant)? {
        @inline(never) get { edits.withLock { $0 } }
    }

    @inline(never)
    private func forget() { edits.withLock { $0 = nil } }
}

extension DocumentOptions {
    /// The timer of the autosave; `nil` without one.
    var timer: (any QuietTimer)? {
        autosaveDelay.map { timer(of: clock, $0) }
    }

    private func timer<C: Clock>(
        of clock: C,
        _ delay: Duration
    ) -> any QuietTimer where C.Duration == Duration {
        ClockTimer(clock, delay: delay, limit: autosaveLimit)
    }
}
