import ObjectStore
import Synchronization

/// Brings the saves of everybody else to the results controllers of a root context, without anything
/// from the program: it exists while a controller reports changes.
///
/// A write wakes it on another thread. There it only notes that there is news, and asks for an end of
/// event where the context is: on the thread of a ``BackgroundContext``, on the main actor for a context
/// of the main thread, in the loop that reads a ``ResultsSequence``. Any other context merges at its next
/// end of event, as each fetch and save has one.
final class ResultsDelivery: NewsDelivery {
    /// What other threads know of it.
    private final class Bell: Sendable {
        private let isDue = Atomic(false)
        private let wakes = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

        func set(_ wake: (@Sendable () -> Void)?, of user: ObjectIdentifier) {
            wakes.withLock { $0[user] = wake }
        }

        func ring() {
            isDue.store(true, ordering: .releasing)
            for wake in wakes.withLock({ Array($0.values) }) { wake() }
        }

        var hasRung: Bool { isDue.load(ordering: .acquiring) }

        func takeRing() -> Bool { isDue.exchange(false, ordering: .acquiringAndReleasing) }
    }

    private let follower: StoreFollower
    private let bell: Bell
    /// The controllers, with what fetches their rows again.
    private var users: [ObjectIdentifier: () -> Void] = [:]

    fileprivate init(_ context: ManagedObjectContext) throws {
        let bell = Bell()
        self.bell = bell
        follower = try StoreFollower(deliveringTo: context) { bell.ring() }
        let schedule = context.following.schedule ?? ContextBox.onMain(context)
        bell.set(schedule, of: ObjectIdentifier(bell))
    }

    var hasUsers: Bool { !users.isEmpty }

    func add(
        _ user: ObjectIdentifier,
        wake: (@Sendable () -> Void)?,
        refetch: @escaping () -> Void
    ) {
        users[user] = refetch
        bell.set(wake, of: user)
    }

    func remove(_ user: ObjectIdentifier) {
        users[user] = nil
        bell.set(nil, of: user)
    }

    func end() { follower.wake = nil }

    /// Whether anybody may have written since the last merge.
    var hasNews: Bool { bell.hasRung }

    /// Merges what others have saved; costs a flag if nobody has written.
    func take() {
        guard bell.hasRung, !follower.context.following.isHeld, bell.takeRing() else { return }
        do {
            try follower.catchUp()
        } catch {
            follower.context.lastFaultError = error
        }
    }

    /// The changes are not known: all rows are read again.
    func refetch() {
        for refetch in Array(users.values) { refetch() }
    }
}

/// A context on its way to its own executor.
///
/// Safety: used where the context is; a weak reference may be released anywhere.
final class ContextBox: @unchecked Sendable {
    private weak var context: ManagedObjectContext?

    init(_ context: ManagedObjectContext) { self.context = context }

    func endEvent() { context?.processPendingChanges() }

    /// What ends the event of a context of the main thread soon, on the main actor; `nil` elsewhere.
    fileprivate static func onMain(_ context: ManagedObjectContext) -> (@Sendable () -> Void)? {
        guard CurrentThread.isMain else { return nil }
        let box = ContextBox(context)
        return { Task { @MainActor in box.endEvent() } }
    }
}

extension Following {
    func endDelivery() {
        guard let delivery else { return }
        delivery.end()
        self.delivery = nil
        if isAsked { inbox?.onArrival(schedule) } else { stop() }
    }
}

extension ManagedObjectContext {
    /// Merges the saves of others from now on, for a results controller; a program that follows the
    /// stores itself goes on doing so alone.
    ///
    /// A child's ancestors deliver to it.
    func beginDelivery(
        to user: ObjectIdentifier,
        wake: (@Sendable () -> Void)?,
        refetch: @escaping () -> Void
    ) {
        if let parent {
            parent.beginDelivery(to: user, wake: wake, refetch: refetch)
            if !following.isOn { follow() }
            return
        }
        if following.hasFollower { return }
        if following.delivery == nil {
            // Without it the saves of other processes are missing; the store's error comes at its use.
            following.delivery = try? ResultsDelivery(self)
        }
        following.delivery?.add(user, wake: wake, refetch: refetch)
    }

    func endDelivery(to user: ObjectIdentifier) {
        if let parent { return parent.endDelivery(to: user) }
        following.delivery?.remove(user)
        if following.delivery?.hasUsers == false { following.endDelivery() }
    }

    /// Merges what others have saved, if anybody has written; for a loop that was woken.
    func takeNews() {
        if let parent { return parent.takeNews() }
        if following.delivery?.hasNews == true { processPendingChanges() }
    }
}

extension PersistentStoreCoordinator {
    /// The states of the stores that were seen last; reads nothing.
    var seenStates: [UInt32] { lock.withLock { openStores.map(\.seenState) } }
}
