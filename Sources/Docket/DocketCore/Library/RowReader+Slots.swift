public import FoundationEssentials
public import ObjectGraph

// A cached row by the slots of its entity; slot -1 is a property that the entity does not have.

extension RowReader {
    /// The column of a slot, unless the row has no value there.
    @inline(__always)
    private func column(_ slot: Int) -> Int? {
        guard slot >= 0 else { return nil }
        let column = layout.columnBySlot[slot]
        return column < 0 || isNull(column) ? nil : column
    }

    public func lacks(_ slot: Int) -> Bool { column(slot) == nil }

    public func string(_ slot: Int) -> String? {
        column(slot).map { String(decoding: bytes($0), as: UTF8.self) }
    }

    /// The bytes of a text; none where there is no text.
    func text(_ slot: Int) -> UnsafeBufferPointer<UInt8> {
        guard let column = column(slot) else { return UnsafeBufferPointer(start: nil, count: 0) }
        return bytes(column).assumingMemoryBound(to: UInt8.self)
    }

    /// Whether a text is empty; `nil` without one.
    public func isEmptyText(_ slot: Int) -> Bool? { column(slot).map { bytes($0).isEmpty } }

    public func number(_ slot: Int) -> Int64? { column(slot).map { integer($0) } }

    public func date(_ slot: Int) -> Date? {
        column(slot).map { Date(timeIntervalSinceReferenceDate: real($0)) }
    }

    public func reference(_ slot: Int) -> ManagedObjectID? {
        column(slot).map { ManagedObjectID(raw: UInt64(bitPattern: integer($0))) }
    }

    func uuid(_ slot: Int) -> UUID? {
        guard let column = column(slot) else { return nil }
        let bytes = bytes(column)
        return bytes.count == 16 ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : nil
    }
}
