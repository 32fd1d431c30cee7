import ObjectModel
import ObjectStore

extension ManagedObjectContext {
    /// Keeps the reason why a store could not fill a fault, for the program and for the next save.
    func noteUnread(_ error: any Error) {
        lastFaultError = error
        pending.noteUnread(error)
    }
}

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
            if try realise() { return }
            fillWithNothing()
            state.fillWithoutRow()
        } catch {
            owner?.noteUnread(error)
            fillWithNothing()
            state.fillAfterFailure()
        }
    }

    /// Fills the fault; without a row returns false and leaves it a fault.
    final func realise() throws -> Bool {
        guard isFault else { return true }
        guard let owner else {
            reportUseWithoutContext()
            fillWithNothing()
            state.fillAfterFailure()
            return true
        }
        guard try owner.fill(self) else { return false }
        layout.makeDefaults(in: slots, onlyTransient: true)
        state.beginFilling()
        awakeFromFetch()
        state.endFilling()
        return true
    }

    private final func fillWithNothing() {
        let empty = SlotMemory.make(slotCount)
        empty.initialize(repeating: .null, count: slotCount)
        slots = empty
    }

    /// Fires the fault if there is one.
    public final func willAccessValue(forKey key: String?) {
        if isFault { fireFault() }
    }

    /// Drops the values, pending changes included.
    final func becomeFault() {
        guard !isFault else { return }
        willTurnIntoFault()
        freeSlots()
        slots = ManagedObject.noSlots
        changes = nil
        state.turnIntoFault()
        didTurnIntoFault()
    }
}
