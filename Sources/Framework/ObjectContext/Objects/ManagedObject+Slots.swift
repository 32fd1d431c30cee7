import ObjectModel
import ObjectStore

// The storage of values: allocation, filling, and the tracked write.

extension ManagedObject {
    /// Stands for the slots while an object is a fault.
    ///
    /// Safety: never read, written or freed.
    nonisolated(unsafe) static let noSlots = UnsafeMutablePointer<GraphValue>.allocate(capacity: 1)

    static func allocate(_ defaults: [GraphValue]) -> UnsafeMutablePointer<GraphValue> {
        let slots = SlotMemory.make(defaults.count)
        defaults.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            slots.initialize(from: base, count: buffer.count)
        }
        return slots
    }

    final var slotCount: Int { entity.slots.count }

    /// Copies the current values, for a snapshot.
    final func copySlots() -> UnsafeMutablePointer<GraphValue> {
        let copy = SlotMemory.make(slotCount)
        copy.initialize(from: slots, count: slotCount)
        return copy
    }

    /// The value in a slot; fires the fault if needed.
    @inline(__always)
    final func read(_ slot: Int) -> GraphValue {
        checkUse()
        if state.blocksRead { readSlowly(slot) }
        return slots[slot]
    }

    /// Work before reading a slot of a fault, or of an object whose reads are tracked.
    @inline(never)
    final func readSlowly(_ slot: Int) {
        if state.isProbe { return KeyPathReading.note(self, slot) }
        if state.tracksReads { noteTrackedRead(slot) }
        if isFault { fireFault() }
    }

    /// Writes a slot as a change: recorded for undo, for the save and for observers.
    ///
    /// Relationships are not kept in step here; see the file `ManagedObject+Relationships.swift`.
    @inline(__always)
    final func write(_ value: consuming GraphValue, _ slot: Int) {
        let use = beginUse()
        defer { endUse(use) }
        if state.blocksWrite, state.isTransforming { value = sealedOrRefused(value, slot) }
        if recordWrite(of: value, slot) { slots[slot] = value }
    }

    /// Writes a number, which replaces a number in most cases: then there is nothing to release.
    @inline(__always)
    final func writeInteger(_ value: Int64, _ slot: Int) {
        if state.blocksWrite, state.isTransforming { return write(.int(value), slot) }
        let use = beginUse()
        defer { endUse(use) }
        guard recordWrite(of: .int(value), slot) else { return }
        if case .int = slots[slot] {
            (slots + slot).initialize(to: .int(value))
        } else {
            slots[slot] = .int(value)
        }
    }

    /// Records a write; false if a rare state has done everything.
    @inline(__always)
    private final func recordWrite(of value: borrowing GraphValue, _ slot: Int) -> Bool {
        if state.blocksWrite {
            if writeSlowly(copy value, slot) { return false }
        }
        if !state.isInsertedInEvent,
            slot >= 64 || (changes?.recorded ?? 0) & (1 << UInt64(slot)) == 0
        {
            noteChange(slot)
        }
        return true
    }

    /// Handles the rare states before a write.
    ///
    /// Returns whether the write is done.
    @inline(never)
    private final func writeSlowly(_ value: GraphValue, _ slot: Int) -> Bool {
        if isProbe { return true }
        if isFault { fireFault() }
        if context == nil { reportUseWithoutContext(entity.slots[slot].name) }
        if state.isUntracked {
            slots[slot] = value
            return true
        }
        if let observers = liveObservers {
            let key = entity.slots[slot].declared.name
            if type(of: self).automaticallyNotifiesObservers(forKey: key) {
                observers.willChange(key)
                noteChange(slot)
                slots[slot] = value
                observers.batch.end()
                return true
            }
        }
        return false
    }

    /// Records that a slot is about to change, once for each slot and event.
    @inline(never)
    final func noteChange(_ slot: Int) {
        // A prior observer may have turned the object into a fault.
        if isFault { fireFault() }
        guard let owner, !state.isInsertedInEvent else { return }
        let changes = trackChanges()
        if changes.event.contains(slot) { return }
        changes.event.insert(slot)
        changes.primitive.remove(slot)
        changes.oldValues.append((slot, slots[slot]))
        if !isInserted { changes.sinceSave.insert(slot) }
        if slot < 64 { changes.recorded |= 1 << UInt64(slot) }
        markChanged(in: owner)
    }

    /// Lists the object among the changed ones of this event and of the next save.
    final func markChanged(in owner: ManagedObjectContext) {
        owner.pending.change(self)
    }

    /// The record of changes; the first use creates it with the snapshot of the values that were
    /// read.
    final func trackChanges() -> ObjectChanges {
        if let changes { return changes }
        let made = ObjectChanges(count: slotCount)
        if !isInserted { made.snapshot = copySlots() }
        changes = made
        return made
    }
}
