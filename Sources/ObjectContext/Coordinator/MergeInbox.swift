import ObjectModel
import Synchronization

/// What other contexts have saved, waiting for a context to merge it where that context lives.
///
/// Put in from any thread; only identities cross.
final class MergeInbox: Sendable {
    private let waiting = Mutex<[ObjectIDChanges]>([])
    /// Told that something came, on the thread of the one who saved.
    private let wake = Mutex<(@Sendable () -> Void)?>(nil)

    func put(_ changes: ObjectIDChanges) {
        if changes.isEmpty { return }
        waiting.withLock { $0.append(changes) }
        wake.withLock { $0 }?()
    }

    func onArrival(_ body: (@Sendable () -> Void)?) { wake.withLock { $0 = body } }

    /// Everything that waits, oldest first; it waits no longer then.
    func take() -> [ObjectIDChanges] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
