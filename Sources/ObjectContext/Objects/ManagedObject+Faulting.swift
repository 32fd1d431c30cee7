import ObjectModel
import ObjectStore

extension ManagedObject {
    /// Fills the fault from the row cache, or from the store together with its batch.
    @inline(never)
    final func fireFault() {
        guard flags & ObjectFlags.fault != 0 else { return }
        guard let owner, owner.fill(self) else {
            fillInaccessible()
            return
        }
        flags |= ObjectFlags.filling
        awakeFromFetch()
        flags &= ~ObjectFlags.filling
    }

    /// The row is gone: every property reads `nil`, and the object counts as deleted.
    private final func fillInaccessible() {
        let empty = UnsafeMutablePointer<Value>.allocate(capacity: slotCount)
        empty.initialize(repeating: .null, count: slotCount)
        slots = empty
        flags = flags & ~ObjectFlags.fault | ObjectFlags.inaccessible | ObjectFlags.deleted
    }

    /// Fires the fault if there is one.
    public final func willAccessValue(forKey key: String?) {
        if flags & ObjectFlags.fault != 0 { fireFault() }
    }

    /// Forgets the values, pending changes included.
    final func becomeFault() {
        guard flags & ObjectFlags.fault == 0 else { return }
        willTurnIntoFault()
        freeSlots()
        slots = ManagedObject.noSlots
        changes = nil
        flags |= ObjectFlags.fault
        flags &= ~(ObjectFlags.updated | ObjectFlags.changedInEvent | ObjectFlags.inaccessible)
        didTurnIntoFault()
    }
}
