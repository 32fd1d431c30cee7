import ObjectModel

extension ManagedObject {
    /// Keeps what was made for a new object.
    @inline(never)
    final func noteMadeDefaults() {
        let changes = ObjectChanges(count: slotCount)
        self.changes = changes
        changes.made = layout.upsertDefaults.map { ($0, slots[$0]) }
    }

    /// Whether an attribute of a new object has a value, and another one than its default.
    final func hasOwnValue(at slot: Int) -> Bool {
        let value = read(slot)
        let made = changes?.made.first { $0.slot == slot }?.value
        return !value.isNull && !value.isIdentical(to: made ?? entity.defaults[slot])
    }

    /// The slot of the property whose wrapper has an address, which keeps it from now on.
    ///
    /// Traps for an object whose class was not given to its container.
    @usableFromInline
    final func findSlot(_ wrapper: UnsafeMutableRawPointer) -> UInt8 {
        // Safety: addresses alone; nothing is read through them.
        let offset =
            UnsafeRawPointer(wrapper)
            - UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        let slot = layout.slot(at: offset)
        if slot == .max { trapForClass() }
        wrapper.storeBytes(of: slot, as: UInt8.self)
        return slot
    }

    @inline(never)
    private final func trapForClass() -> Never {
        Misuse.trap("\(type(of: self)) is not the class of \(entity.name)")
    }
}
