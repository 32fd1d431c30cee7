public import FoundationEssentials
public import ObjectModel

// Typed access by slot, for generated accessors. A getter costs a flag test and a load; a setter
// also records the change once per event. Setters take over what is counted, as the accessors that
// call them own it: no count is raised to be lowered again.

extension ManagedObject {
    /// The value of an integer slot; 0 for none.
    @usableFromInline
    package final func integer(at slot: Int) -> Int64 {
        checkUse()
        if !state.blocksRead, case .int(let value) = slots[slot] { return value }
        return optionalInteger(at: slot) ?? 0
    }

    @inlinable
    package final func setInteger(_ value: Int64, at slot: Int) { set(value, slot) }

    // Not inlined, as the rest of the getter above then needs no register but those of its arguments.
    @usableFromInline
    @inline(never)
    package final func optionalInteger(at slot: Int) -> Int64? {
        willRead(slot)
        if case .int(let value) = slots[slot] { return value }
        return opened(at: slot).flatMap { Int64(value: $0) }
    }

    @inlinable
    package final func setOptionalInteger(_ value: Int64?, at slot: Int) {
        set(value.map { .int($0) } ?? .null, slot)
    }

    /// The value of a double slot; 0 for none.
    @usableFromInline
    package final func double(at slot: Int) -> Double {
        willRead(slot)
        if case .double(let value) = slots[slot] { return value }
        return opened(at: slot).flatMap { Double(value: $0) } ?? 0
    }

    @inlinable
    package final func setDouble(_ value: Double, at slot: Int) {
        set(.double(value), slot)
    }

    @usableFromInline
    package final func optionalDouble(at slot: Int) -> Double? {
        willRead(slot)
        if case .double(let value) = slots[slot] { return value }
        return opened(at: slot).flatMap { Double(value: $0) }
    }

    @inlinable
    package final func setOptionalDouble(_ value: Double?, at slot: Int) {
        set(value.map { .double($0) } ?? .null, slot)
    }

    /// The value of a bool slot; false for none.
    @usableFromInline
    package final func bool(at slot: Int) -> Bool {
        willRead(slot)
        if case .bool(let value) = slots[slot] { return value }
        return opened(at: slot).flatMap { Bool(value: $0) } ?? false
    }

    @inlinable
    package final func setBool(_ value: Bool, at slot: Int) {
        set(.bool(value), slot)
    }

    @usableFromInline
    package final func optionalBool(at slot: Int) -> Bool? {
        willRead(slot)
        if case .bool(let value) = slots[slot] { return value }
        return opened(at: slot).flatMap { Bool(value: $0) }
    }

    @inlinable
    package final func setOptionalBool(_ value: Bool?, at slot: Int) {
        set(value.map { .bool($0) } ?? .null, slot)
    }

    public final func string(at slot: Int) -> String? {
        checkUse()
        if !state.blocksRead, case .string(let value) = slots[slot] { return value }
        return stringSlowly(slot)
    }

    @inline(never)
    private final func stringSlowly(_ slot: Int) -> String? {
        if state.blocksRead { readSlowly(slot) }
        if case .string(let value) = slots[slot] { return value }
        return opened(at: slot).flatMap { String(value: $0) }
    }

    @inlinable
    package final func setString(_ value: consuming String?, at slot: Int) {
        if let value { set(.string(value), slot) } else { set(.null, slot) }
    }

    package final func date(at slot: Int) -> Date? {
        willRead(slot)
        if case .date(let value) = slots[slot] { return value }
        return opened(at: slot).flatMap { Date(value: $0) }
    }

    @inlinable
    package final func setDate(_ value: Date?, at slot: Int) {
        set(value.map { .date($0) } ?? .null, slot)
    }

    package final func data(at slot: Int) -> Data? {
        willRead(slot)
        if case .data(let value) = slots[slot] { return value }
        return opened(at: slot).flatMap { Data(value: $0) }
    }

    package final func setData(_ value: consuming Data?, at slot: Int) {
        if let value { write(.data(value), slot) } else { write(.null, slot) }
    }

    package final func uuid(at slot: Int) -> UUID? {
        willRead(slot)
        if case .uuid(let value) = slots[slot] { return value }
        return opened(at: slot).flatMap { UUID(value: $0) }
    }

    @inlinable
    package final func setUUID(_ value: UUID?, at slot: Int) {
        set(value.map { .uuid($0) } ?? .null, slot)
    }

    package final func url(at slot: Int) -> URL? {
        willRead(slot)
        if case .url(let value) = slots[slot] { return value }
        return opened(at: slot).flatMap { URL(value: $0) }
    }

    package final func setURL(_ value: consuming URL?, at slot: Int) {
        // Stores keep no base.
        if let value { write(.url(value.absoluteURL), slot) } else { write(.null, slot) }
    }

    package final func decimal(at slot: Int) -> Decimal? {
        willRead(slot)
        if case .decimal(let value) = slots[slot] { return value }
        return opened(at: slot).flatMap { Decimal(value: $0) }
    }

    package final func setDecimal(_ value: consuming Decimal?, at slot: Int) {
        if let value { write(.decimal(value), slot) } else { write(.null, slot) }
    }
}
