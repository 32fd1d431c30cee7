import ObjectModel
import ObjectStore

/// The values that an object with pending changes had read before its context merged newer ones
/// without a request.
///
/// The next save compares these with the store, because the changes were made from them.
final class ReadBasis {
    let version: Int64
    /// The values that were read, of the slots that were changed here at that time.
    var values: [Int: GraphValue] = [:]

    init(version: Int64) { self.version = version }
}

/// The changes of an object: in this event, and since its row was read or saved.
final class ObjectChanges {
    @exclusivity(unchecked) var event = SlotSet()
    /// A bit for each of the first 64 of them, so that a setter has one test to pass.
    @exclusivity(unchecked) var recorded: UInt64 = 0
    /// Their values at the event's start; to-many slots keep theirs in their contents.
    @exclusivity(unchecked) var oldValues: [(slot: Int, value: GraphValue)] = []
    /// The slots changed since the row was read or saved.
    @exclusivity(unchecked) var sinceSave = SlotSet()
    /// Those of them that were set below the change tracking only: they are saved, but not reported
    /// as changed.
    @exclusivity(unchecked) var primitive = SlotSet()
    /// The values that were read or saved; `nil` for an object that was never saved.
    ///
    /// Safety: freed with this, or by ``dropSnapshot()``.
    @exclusivity(unchecked) var snapshot: UnsafeMutablePointer<GraphValue>?
    /// The values that were read before others' values were merged under pending changes; `nil` if
    /// none were.
    var basis: ReadBasis?
    /// What was made as the default of an object that is new, see ``ObjectLayout/upsertDefaults``.
    var made: [(slot: Int, value: GraphValue)] = []
    private let count: Int

    init(count: Int) { self.count = count }

    deinit { dropSnapshot() }

    func dropSnapshot() {
        if let snapshot { SlotMemory.free(snapshot, count: count) }
        snapshot = nil
    }

    func endEvent() {
        event.removeAll()
        recorded = 0
        oldValues.removeAll(keepingCapacity: true)
    }
}
