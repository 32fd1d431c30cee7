/// The state of a managed object, in one word that every access tests with one operation.
enum ObjectFlags {
    /// No values in memory; the slots are not allocated.
    static let fault: UInt32 = 1
    /// Pending insertion: the store has no row.
    static let inserted: UInt32 = 1 << 1
    /// Pending changes of a saved object.
    static let updated: UInt32 = 1 << 2
    /// Pending deletion.
    static let deleted: UInt32 = 1 << 3
    /// Single keys are observed.
    static let observed: UInt32 = 1 << 4
    /// In this event's list of changed objects.
    static let changedInEvent: UInt32 = 1 << 5
    /// Inserted in this event: its changes need no recording.
    static let insertedInEvent: UInt32 = 1 << 6
    /// Deleted in this event; delete rules are still to be applied.
    static let deletedInEvent: UInt32 = 1 << 7
    /// In the context's list of objects to save, so that it is not listed twice.
    static let listed: UInt32 = 1 << 8
    /// Being filled: writes are not changes.
    static let filling: UInt32 = 1 << 9
    /// The context was released or reset, or has saved the deletion.
    static let detached: UInt32 = 1 << 10
    /// The row was deleted, or could not be read: changes here are not saved.
    static let inaccessible: UInt32 = 1 << 11
    /// A program has announced by hand that a key changes.
    static let said: UInt32 = 1 << 12
    /// Observation may track reads.
    static let tracked: UInt32 = 1 << 13
    /// Not an object of the graph, but the instance that its class is read off.
    static let probe: UInt32 = 1 << 14

    /// The flags that stop a getter from reading its slot directly.
    static let blocksRead = fault | tracked | probe
    /// The flags that stop a setter from writing its slot directly.
    static let blocksWrite = fault | observed | filling | detached | inaccessible
    /// The flags that the next save looks at.
    static let pending = inserted | updated | deleted
    /// The flags under which a write does not count as a change.
    static let untracked = filling | detached | inaccessible
}
