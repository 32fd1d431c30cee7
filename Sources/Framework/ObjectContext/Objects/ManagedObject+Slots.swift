public import ObjectModel
import ObjectStore

// The storage of values: allocation, filling, and the tracked write.

extension ManagedObject {
    /// Stands for the slots while an object is a fault.
    ///
    /// Safety: never read, written or freed.
    nonisolated(unsafe) static let noSlots = UnsafeMutablePointer<GraphValue>.allocate(capacity: 1)

    static func allocate(_ defaults: [GraphValue]) -> UnsafeMutablePointer<GraphValue> {
        let slots = SlotMemory.make(defaults.count)
        // One by one: copying them as a whole calls the runtime for each.
        for slot in defaults.indices { (slots + slot).initialize(to: defaults[slot]) }
        return slots
    }

    final var slotCount: Int { layout.slotCount }

    /// Copies the current values, for a snapshot.
    final func copySlots() -> UnsafeMutablePointer<GraphValue> {
        let copy = SlotMemory.make(slotCount)
        copy.initialize(from: slots, count: slotCount)
        return copy
    }

    /// The value in a slot; fires the fault if needed.
    @inline(__always)
    final func read(_ slot: Int) -> GraphValue {
        willRead(slot)
        return slots[slot]
    }

    @inline(__always)
    final func willRead(_ slot: Int) {
        checkUse()
        if state.blocksRead { readSlowly(slot) }
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
        if isRecorded(slot) { slots[slot] = value } else { writeAndRecord(value, slot) }
    }

    // A setter owns the object that it is called on. If all that it calls may release something, code
    // that sets a property counts a reference to the object each time. So the usual write is a call
    // that releases nothing, which the compiler cannot see from another module, and the rest is another.

    /// Writes a value as a change, for accessors that are inlined.
    @inlinable
    @inline(__always)
    final func set(_ value: consuming GraphValue, _ slot: Int) {
        if !exchange(&value, slot) { change(value, slot) }
    }

    /// Writes a number as a change, for accessors that are inlined.
    @inlinable
    @inline(__always)
    final func set(_ value: Int64, _ slot: Int) {
        if !overwrite(value, slot) { change(.int(value), slot) }
    }

    /// Exchanges a value for the one in a slot, if a write is nothing but that.
    ///
    /// - Returns: whether it did so; the former value is the caller's then.
    @usableFromInline
    @inline(never)
    @_effects(releasenone)
    final func exchange(_ value: inout GraphValue, _ slot: Int) -> Bool {
        let use = beginUse()
        defer { endUse(use) }
        guard isRecorded(slot) else { return false }
        swap(&slots[slot], &value)
        return true
    }

    /// Replaces a number, or nothing, by a number, if a write is nothing but that.
    ///
    /// - Returns: whether it did so.
    @usableFromInline
    @inline(never)
    @_effects(releasenone)
    final func overwrite(_ value: Int64, _ slot: Int) -> Bool {
        let use = beginUse()
        defer { endUse(use) }
        guard isRecorded(slot) else { return false }
        switch slots[slot] {
        case .int, .null: (slots + slot).initialize(to: .int(value))
        default: return false
        }
        return true
    }

    /// Writes a value as a change, in whatever state the object is.
    @usableFromInline
    final func change(_ value: consuming GraphValue, _ slot: Int) {
        let use = beginUse()
        defer { endUse(use) }
        writeAndRecord(value, slot)
    }

    /// Whether a write is nothing but that: the change is recorded already, and the state is usual.
    @inline(__always)
    private final func isRecorded(_ slot: Int) -> Bool {
        if state.blocksWrite { return false }
        return state.isInsertedInEvent
            || slot < 64 && (changes?.recorded ?? 0) & (1 &<< UInt64(truncatingIfNeeded: slot)) != 0
    }

    /// Not inlined, as the rest of a setter then needs no register but those of its arguments.
    @inline(never)
    private final func writeAndRecord(_ value: consuming GraphValue, _ slot: Int) {
        if state.isTransforming { value = sealedOrRefused(value, slot) }
        if state.blocksWrite, writeSlowly(value, slot) { return }
        noteChange(slot)
        slots[slot] = value
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
