import ObjectModel
import ObjectStore

extension ManagedObject {
    /// Fills the fault from the row cache, or from the store together with its batch.
    ///
    /// Without a row every property reads `nil` and the object counts as deleted; so it does, but
    /// for the deletion, when the store fails, whose error the context keeps.
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

    /// Fills the fault; returns false if there is no row, and leaves it a fault then.
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

    /// Forgets the values, pending changes included.
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
