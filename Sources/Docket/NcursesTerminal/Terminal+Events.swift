import CTerminal
import Glibc
public import TerminalUI

extension Terminal {
    /// How many bytes are read before the events so far are returned, so that endless input cannot
    /// prevent drawing.
    private static let mostAtOnce = 1 << 20

    public func events(until deadline: ContinuousClock.Instant?) -> [TerminalEvent] {
        var events: [TerminalEvent] = []
        if sizeIsNews || !pendingSignals.isEmpty { act(on: [], into: &events) }
        while events.isEmpty {
            let expiry = decoder.deadline
            let ready = wait(until: earlier(deadline, expiry))
            if ready.signal { act(on: readSignals(), into: &events) }
            if ready.wake {
                waker.clear()
                events.append(.woken)
            }
            if ready.input { readInput(into: &events) }
            if ready.gone { events.append(.terminationAsked(signal: SIGHUP)) }
            let now = ContinuousClock.now
            if let expiry = decoder.deadline, expiry <= now {
                events += decoder.expire().map { .input($0) }
            }
            if events.isEmpty, let deadline, deadline <= now { return [.timedOut] }
        }
        return events
    }

    private func earlier(
        _ one: ContinuousClock.Instant?,
        _ other: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    private struct Ready {
        var input = false
        var signal = false
        var wake = false
        var gone = false
    }

    /// Sleeps until there is input or the deadline passes; without a deadline there is no wake-up.
    private func wait(until deadline: ContinuousClock.Instant?) -> Ready {
        let events = Int16(POLLIN)
        var ready = Ready()
        let result = withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 3) { polled in
            polled[0] = pollfd(fd: STDIN_FILENO, events: events, revents: 0)
            polled[1] = pollfd(fd: signals, events: events, revents: 0)
            polled[2] = pollfd(fd: waker.descriptor, events: events, revents: 0)
            let result = poll(polled.baseAddress, 3, milliseconds(until: deadline))
            ready.input = polled[0].revents & events != 0
            ready.gone = polled[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
            ready.signal = polled[1].revents & events != 0
            ready.wake = polled[2].revents & events != 0
            return result
        }
        if result < 0 {
            // A signal has interrupted the wait and written its byte; any other error is the end.
            return errno == EINTR ? Ready() : Ready(gone: true)
        }
        return ready
    }

    private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return 0 }
        let parts = left.components
        guard parts.seconds < 1_000_000 else { return 1_000_000_000 }
        // Rounded up: waking early would mean waking twice.
        return Int32(
            parts.seconds * 1000 + (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        )
    }

    /// Reads all available input, so that one frame shows all of it.
    private func readInput(into events: inout [TerminalEvent]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { buffer in
            var total = 0
            repeat {
                let count = read(STDIN_FILENO, buffer.baseAddress, buffer.count)
                if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN {
                    events.append(.terminationAsked(signal: SIGHUP))
                    return
                }
                guard count > 0 else { return }
                total += count
                let bytes = UnsafeBufferPointer(rebasing: buffer[..<count])
                for event in decoder.feed(bytes, at: .now) {
                    if case .report(let report) = event, report.isLast { questionTime = nil }
                    events.append(.input(event))
                }
            } while total < Terminal.mostAtOnce && inputIsReady(milliseconds: 0)
        }
    }

    func inputIsReady(milliseconds: Int32) -> Bool {
        var polled = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, milliseconds) > 0 && polled.revents & Int16(POLLIN) != 0
    }

    func readSignals() -> [Int32] {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
            let count = read(signals, buffer.baseAddress, buffer.count)
            return count > 0 ? buffer[..<count].map(Int32.init) : []
        }
    }

    private func act(on signals: [Int32], into events: inout [TerminalEvent]) {
        let arrived = pendingSignals + signals
        pendingSignals = []
        // Many changes of the size are one event.
        if arrived.contains(SIGWINCH), measure() { sizeIsNews = true }
        if sizeIsNews {
            sizeIsNews = false
            forgetScreen()
            events.append(.resized(size))
        }
        for signal in arrived {
            switch signal {
            case SIGWINCH: break
            case SIGTSTP: events.append(.suspensionAsked)
            case SIGCONT: comeBack(into: &events)
            default: events.append(.terminationAsked(signal: signal))
            }
        }
    }

    /// After a stop without notice (SIGSTOP): the shell has set its own modes.
    private func comeBack(into events: inout [TerminalEvent]) {
        turnReports(on: false)
        isDrawing = false
        enter()
        events.append(.resumed)
    }
}

extension TerminalReport {
    /// Whether no other answer follows to the same question.
    fileprivate var isLast: Bool {
        switch self {
        case .pictures, .cell: false
        default: true
        }
    }
}
