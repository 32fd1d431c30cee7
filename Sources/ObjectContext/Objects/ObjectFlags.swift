/// The state of a managed object, in one word that every access tests at once.
enum ObjectFlags {
    /// No values in memory; the slots are not allocated.
    static let fault: UInt32 = 1
    /// Pending insertion: the store has no row.
    static let inserted: UInt32 = 1 << 1
    /// Pending changes of a saved object.
    static let updated: UInt32 = 1 << 2
    /// Pending deletion.
    static let deleted: UInt32 = 1 << 3
    /// Somebody observes single keys.
    static let observed: UInt32 = 1 << 4
    /// Listed among this event's changed objects.
    static let changedInEvent: UInt32 = 1 << 5
    /// Inserted in this event: its changes need no recording.
    static let insertedInEvent: UInt32 = 1 << 6
    /// Deleted in this event; delete rules are still to be applied.
    static let deletedInEvent: UInt32 = 1 << 7
    /// Listed among the context's objects to save, so as not to be listed twice.
    static let listed: UInt32 = 1 << 8
    /// Being filled: writes are not changes.
    static let filling: UInt32 = 1 << 9
    /// The context is gone, was reset, or has saved the deletion.
    static let detached: UInt32 = 1 << 10
    /// The row is gone, or could not be read: nothing here is a change to save.
    static let inaccessible: UInt32 = 1 << 11
    /// A program has said by hand that a key changes.
    static let said: UInt32 = 1 << 12
    /// Reads may be tracked by Observation.
    static let tracked: UInt32 = 1 << 13
    /// Not an object of the graph, but the instance that its class is read off.
    static let probe: UInt32 = 1 << 14

    /// What keeps a getter from reading its slot straight away.
    static let blocksRead = fault | tracked | probe
    /// What keeps a setter from writing its slot straight away.
    static let blocksWrite = fault | observed | filling | detached | inaccessible
    /// What the next save has to look at.
    static let pending = inserted | updated | deleted
    /// What keeps a write from counting as a change.
    static let untracked = filling | detached | inaccessible
}
