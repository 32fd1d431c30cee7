import ObjectStore

/// The changes of a context that no save has taken yet, and those of the event that is going on.
///
/// Objects enter and change lists here and nowhere else, together with the transition of their
/// state that goes with it.
///
/// Invariants:
/// 1. `objects` holds a strong reference to every object with a pending change, once; an object
///    whose change was reverted stays until ``compact()``.
/// 2. `event` holds the objects of this event; an object is in `event.changed` once.
/// 3. Nothing lets go of an object while one of these is being changed: a program's `deinit` may come
///    back here, and they are not checked for exclusive access.
final class PendingChanges {
    struct Refresh {
        let object: ManagedObject
        /// What has changed; `nil` if that is not known.
        let slots: SlotSet?
    }

    /// The objects of one event.
    struct Event {
        var inserted: [ManagedObject] = []
        var changed: [ManagedObject] = []
        var deleted: [ManagedObject] = []
        /// A refresh or a merge has changed them.
        var refreshed: [Refresh] = []
        /// Undo, a rollback or a merge policy has taken them out of the context.
        var removed: [ManagedObject] = []
        /// The same has brought them back.
        var restored: [ManagedObject] = []
        /// A merge has brought them, and taken them away.
        var mergedInserts: [ManagedObject] = []
        var mergedDeletes: [ManagedObject] = []
        /// The members that were set as a whole last.
        fileprivate var members: (contents: ToManyContents, as: WholeSet<ManagedObject>)?

        var isEmpty: Bool {
            inserted.isEmpty && changed.isEmpty && deleted.isEmpty && refreshed.isEmpty
                && removed.isEmpty && restored.isEmpty && mergedInserts.isEmpty
                && mergedDeletes.isEmpty
        }

        /// The objects that the program itself has inserted, changed and deleted, each once.
        var touched: [ManagedObject] {
            if inserted.isEmpty, changed.isEmpty, deleted.isEmpty { return [] }
            var seen: Set<ManagedObject> = []
            return (inserted + changed + deleted).filter { seen.insert($0).inserted }
        }
    }

    @exclusivity(unchecked) private(set) var objects: [ManagedObject] = []
    @exclusivity(unchecked) private(set) var event = Event()
    /// Whether an event is being ended at this moment.
    private(set) var isEnding = false
    /// Why a store could not fill a fault since the last save.
    private var unread: (any Error)?
    /// The stores that were assigned to new objects.
    private var assignments: [ManagedObject: any PersistentStore] = [:]

    // MARK: The program's changes

    /// Adds a new object.
    func insert(_ object: ManagedObject) {
        event.inserted.append(object)
        enlist(object)
    }

    func change(_ object: ManagedObject) {
        if object.state.change() { event.changed.append(object) }
        enlist(object)
    }

    /// Adds an object that is deleted; its delete rules are due.
    func delete(_ object: ManagedObject) {
        object.state.delete()
        event.deleted.append(object)
        enlist(object)
    }

    /// Adds an object whose changes were found outside of an event.
    func update(_ object: ManagedObject) {
        if !object.isInserted { object.state.markUpdated() }
        enlist(object)
    }

    @inline(__always)
    private func enlist(_ object: ManagedObject) {
        if object.state.enlist() { objects.append(object) }
    }

    // MARK: Undo, merges, refreshes

    /// Notes that an object left the context.
    func remove(_ object: ManagedObject) { event.removed.append(object) }

    /// Adds an object that is back in the context, or not deleted any more.
    func restore(_ object: ManagedObject) {
        enlist(object)
        event.restored.append(object)
    }

    /// Notes an object that a rollback brought back: nothing of it is pending.
    func reportRestored(_ object: ManagedObject) { event.restored.append(object) }

    /// Keeps the members of a relationship that were set as a whole, until the event ends.
    ///
    /// Else the next edit of the whole set would make all those again that nobody holds.
    func keep(_ members: WholeSet<ManagedObject>, of contents: ToManyContents) {
        if event.isEmpty { return }
        let former = event.members
        event.members = (contents, members)
        contents.isAsSet = true
        withExtendedLifetime(former) {}
    }

    /// The members of a relationship, if they are as they were set.
    func members(of contents: ToManyContents) -> WholeSet<ManagedObject>? {
        guard contents.isAsSet, let known = event.members, known.contents === contents else {
            return nil
        }
        return known.as
    }

    /// Notes an object whose values or members were read again, with the slots that have changed if
    /// they are known.
    func refresh(_ object: ManagedObject, changing slots: SlotSet? = nil) {
        event.refreshed.append(Refresh(object: object, slots: slots))
    }

    func mergeInserts(_ objects: [ManagedObject]) { event.mergedInserts += objects }

    func mergeDelete(_ object: ManagedObject) { event.mergedDeletes.append(object) }

    // MARK: Ends

    /// Runs the end of an event, unless one is being ended.
    func end(_ body: () -> Void) {
        if isEnding { return }
        isEnding = true
        defer { isEnding = false }
        body()
    }

    /// The objects of this event, which is over with that.
    func takeEvent() -> Event {
        let taken = event
        event = Event()
        return taken
    }

    /// Takes the objects that a save has written out of the list, and those without a change.
    ///
    /// - Returns: the written ones.
    func takeWritten(_ isWritten: (ManagedObject) -> Bool) -> [ManagedObject] {
        let all = objects
        objects = []
        var written: [ManagedObject] = []
        for object in all {
            if object.isPending {
                guard isWritten(object) else {
                    objects.append(object)
                    continue
                }
                written.append(object)
            }
            object.state.delist()
            if !assignments.isEmpty { assignments[object] = nil }
        }
        return written
    }

    /// Removes objects without pending changes from the list.
    func compact() {
        if objects.allSatisfy(\.isPending) { return }
        let all = objects
        objects = all.filter { object in
            if !object.isPending { object.state.delist() }
            return object.isPending
        }
    }

    /// Takes everything out for a rollback; what merges and refreshes brought stays.
    func takeAll() -> (objects: [ManagedObject], event: Event) {
        let taken = (objects, event)
        for object in objects { object.state.delist() }
        objects = []
        unread = nil
        event = Event()
        event.refreshed = taken.1.refreshed
        event.mergedInserts = taken.1.mergedInserts
        event.mergedDeletes = taken.1.mergedDeletes
        return taken
    }

    /// Forgets everything, for a reset.
    func removeAll() {
        objects = []
        event = Event()
        assignments = [:]
        unread = nil
    }

    /// Notes that a store could not fill a fault; the first reason stays.
    func noteUnread(_ error: any Error) { unread = unread ?? error }

    /// The noted reason, which is reported once.
    func takeUnread() -> (any Error)? {
        defer { unread = nil }
        return unread
    }

    // MARK: Stores of new objects

    var hasAssignments: Bool { !assignments.isEmpty }

    /// The store that a new object was assigned to.
    func store(of object: ManagedObject) -> (any PersistentStore)? { assignments[object] }

    func assign(_ object: ManagedObject, to store: any PersistentStore) {
        assignments[object] = store
    }

    func unassign(_ object: ManagedObject) { assignments[object] = nil }
}
