import ObjectModel
import ObjectStore

extension ManagedObject {
    /// Fills the fault from the row cache, or from the store together with its batch.
    ///
    /// Without a row every property reads `nil` and the object counts as deleted. If the store
    /// fails, every property reads `nil` too, the object does not count as deleted, and the context
    /// keeps the error.
    @inline(never)
    final func fireFault() {
        let use = beginUse()
        defer { endUse(use) }
        do {
            if try !realise() { fillWithNothing(andMark: ObjectFlags.deleted) }
        } catch {
            owner?.lastFaultError = error
            fillWithNothing(andMark: 0)
        }
    }

    /// Fills the fault; without a row returns false and leaves it a fault.
    final func realise() throws -> Bool {
        guard flags & ObjectFlags.fault != 0 else { return true }
        guard let owner else {
            reportUseWithoutContext()
            fillWithNothing(andMark: 0)
            return true
        }
        guard try owner.fill(self) else { return false }
        flags |= ObjectFlags.filling
        awakeFromFetch()
        flags &= ~ObjectFlags.filling
        return true
    }

    private final func fillWithNothing(andMark mark: UInt32) {
        let empty = SlotMemory.make(slotCount)
        empty.initialize(repeating: .null, count: slotCount)
        slots = empty
        flags = flags & ~ObjectFlags.fault | ObjectFlags.inaccessible | mark
    }

    /// Fires the fault if there is one.
    public final func willAccessValue(forKey key: String?) {
        if flags & ObjectFlags.fault != 0 { fireFault() }
    }

    /// Drops the values, pending changes included.
    final func becomeFault() {
        guard flags & ObjectFlags.fault == 0 else { return }
        willTurnIntoFault()
        freeSlots()
        slots = ManagedObject.noSlots
        changes = nil
        if flags & ObjectFlags.inaccessible != 0 { flags &= ~ObjectFlags.deleted }
        flags |= ObjectFlags.fault
        flags &= ~(ObjectFlags.updated | ObjectFlags.changedInEvent | ObjectFlags.inaccessible)
        didTurnIntoFault()
    }
}
