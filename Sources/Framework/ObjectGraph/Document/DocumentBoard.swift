import Synchronization

/// The status of a document, for every thread.
final class DocumentBoard: Sendable {
    private struct State {
        var status = DocumentStatus()
        var streams: [Int: AsyncStream<DocumentStatus>.Continuation] = [:]
        var lastStream = 0
    }

    private let state = Mutex(State())

    // Locks in asynchronous code are not inlined; see docs/design/threads.md.

    var status: DocumentStatus {
        @inline(never) get { state.withLock { $0.status } }
    }

    /// Changes the status, and passes it to the streams in the order of the changes.
    ///
    /// - Returns: whether anything has changed.
    @discardableResult
    @inline(never)
    func update(_ change: (inout DocumentStatus) -> Void) -> Bool {
        state.withLock { state in
            let before = state.status
            change(&state.status)
            if state.status.isSame(as: before) { return false }
            for stream in state.streams.values { stream.yield(state.status) }
            return true
        }
    }

    /// The present status, then each new one.
    func stream() -> AsyncStream<DocumentStatus> {
        let (stream, continuation) = AsyncStream.makeStream(of: DocumentStatus.self)
        let number = state.withLock { state in
            state.lastStream += 1
            state.streams[state.lastStream] = continuation
            continuation.yield(state.status)
            return state.lastStream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.streams[number] = nil }
        }
        return stream
    }

    deinit {
        for stream in state.withLock({ $0.streams.values.map(\.self) }) { stream.finish() }
    }
}
