import ObjectModel
import Synchronization

/// What one context has saved, on its way to another.
struct Delivery: Sendable {
    let changes: ObjectIDChanges
    /// The coordinator's generation after the save: deliveries may overtake each other.
    let generation: Int
}

/// What other contexts have saved, waiting for a context to merge it where that context lives.
///
/// Put in from any thread; only identities cross.
final class MergeInbox: Sendable {
    private struct State {
        var waiting: [Delivery] = []
        /// Told that something came, on the thread of the one who saved.
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Puts a delivery in, and wakes the receiver if none was waiting: it takes all at once.
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

    /// Everything that waits, in the order in which it came; it waits no longer then.
    func take() -> [Delivery] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
