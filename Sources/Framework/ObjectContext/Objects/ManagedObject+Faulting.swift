import ObjectModel

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

    /// Fills the fault, and calls ``awakeFromFetch()`` if it `awakens`.
    ///
    /// - Returns: false if there is no row; it is still a fault then.
    /// - Throws: the store's error.
    final func realise(awakens: Bool = true) throws -> Bool {
        guard isFault else { return true }
        guard let owner else {
            reportUseWithoutContext()
            fillWithNothing()
            state.fillAfterFailure()
            return true
        }
        guard try owner.fill(self) else { return false }
        layout.makeDefaults(in: slots, onlyTransient: true)
        guard awakens else { return true }
        state.beginFilling()
        awakeFromFetch()
        state.endFilling()
        // If the hook turned the object into a fault again: who fills it reads its slots next.
        return try realise(awakens: false)
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
        // The hook may have done it already.
        guard !isFault else { return }
        let (values, former) = (slots, changes)
        slots = ManagedObject.noSlots
        changes = nil
        state.turnIntoFault()
        // Only now, because the end of an object of the program that a slot held may use this one.
        SlotMemory.free(values, count: slotCount)
        withExtendedLifetime(former) {}
        didTurnIntoFault()
    }
}
