import Synchronization

/// The save of one context, on its way to another.
struct Delivery: Sendable {
    let changes: ObjectIDChanges
    /// The coordinator's generation after the save; deliveries may arrive in another order.
    let generation: Int
}

/// The saves of other contexts that wait until a context merges them on its own executor.
///
/// Filled from any thread; it contains object IDs only.
final class MergeInbox: Sendable {
    private struct State {
        var waiting: [Delivery] = []
        /// Called after a delivery, on the thread of the saving context.
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Adds a delivery, and wakes the receiver if no delivery was waiting: it takes all at once.
    func put(_ delivery: Delivery) {
        if delivery.changes.isEmpty { return }
        let wake = state.withLock { state in
            state.waiting.append(delivery)
            return state.waiting.count == 1 ? state.wake : nil
        }
        wake?()
    }

    func onArrival(_ body: (@Sendable () -> Void)?) {
        let isLate = state.withLock { state in
            state.wake = body
            return !state.waiting.isEmpty
        }
        if isLate { body?() }
    }

    /// Removes and returns all deliveries, in the order of their arrival.
    func take() -> [Delivery] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
