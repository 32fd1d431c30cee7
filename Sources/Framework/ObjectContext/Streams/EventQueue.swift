import Synchronization

/// What an asynchronous sequence is fed with: a queue that one reader waits at.
///
/// Safety: the elements may hold objects of a context. They are put in and taken out
/// where that context is; only the end may come from another thread, when the reader's task is
/// cancelled.
final class EventQueue<Element>: @unchecked Sendable {
    private struct State {
        var elements: [Element] = []
        var reader: CheckedContinuation<Void, Never>?
        var hasEnded = false

        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }
    }

    private let state = Mutex<UncheckedState>(UncheckedState(State()))
    /// The most elements that wait; of more only the newest.
    private let limit: Int
    /// Called when nobody reads any more.
    private let onEnd: () -> Void

    /// Safety: guarded by the lock around it.
    private struct UncheckedState: @unchecked Sendable {
        var value: State

        init(_ value: State) { self.value = value }
    }

    init(limit: Int, onEnd: @escaping () -> Void) {
        self.limit = limit
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    /// Adds an element, and wakes the reader.
    func put(_ element: Element) {
        let reader = state.withLock { state in
            state.value.elements.append(element)
            if state.value.elements.count > limit { state.value.elements.removeFirst() }
            return state.value.takeReader()
        }
        reader?.resume()
    }

    /// Ends the queue, and wakes the reader.
    func end() {
        let reader = state.withLock { state in
            state.value.hasEnded = true
            return state.value.takeReader()
        }
        reader?.resume()
    }

    /// The next element; `nil` after the end.
    func next(isolation: isolated (any Actor)?) async -> Element? {
        while true {
            if let found = take() { return found }
            if hasEnded || Task.isCancelled { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation(isolation: isolation) { reader in
                    wait(reader)
                }
            } onCancel: {
                end()
            }
        }
    }

    // Locks in asynchronous code are not inlined; see docs/design/threads.md.

    private var hasEnded: Bool {
        @inline(never) get { state.withLock { $0.value.hasEnded } }
    }

    /// Lets the reader wait; it goes on at once if there is something for it.
    @inline(never)
    private func wait(_ reader: CheckedContinuation<Void, Never>) {
        let isReady = state.withLock { state in
            if state.value.hasEnded || !state.value.elements.isEmpty { return true }
            state.value.reader = reader
            return false
        }
        if isReady { reader.resume() }
    }

    @inline(never)
    private func take() -> Element? {
        state.withLock { state in
            let box = UncheckedElement(
                value: state.value.elements.isEmpty ? nil : state.value.elements.removeFirst()
            )
            return box
        }.value
    }

    // Safety: leaves the lock to the thread that took it.
    private struct UncheckedElement: @unchecked Sendable {
        let value: Element?
    }
}
