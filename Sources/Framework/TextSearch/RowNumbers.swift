/// Numbers for IDs, from zero up; an ID keeps its number.
///
/// An open hash table of the numbers only: the IDs themselves are compared in the existing list.
struct RowNumbers {
    private(set) var ids: ContiguousArray<UInt64> = []
    private var table: ContiguousArray<UInt32>
    private var shift: UInt64

    private static let free = UInt32.max

    init(expecting count: Int) {
        var bits: UInt64 = 4
        while 1 << bits < 2 * count { bits += 1 }
        shift = 64 - bits
        table = ContiguousArray(repeating: Self.free, count: 1 << bits)
        ids.reserveCapacity(count)
    }

    func number(of id: UInt64) -> UInt32? {
        let number = table[place(of: id)]
        return number == Self.free ? nil : number
    }

    mutating func assign(_ id: UInt64) -> UInt32 {
        let place = place(of: id)
        if table[place] != Self.free { return table[place] }
        let number = UInt32(ids.count)
        table[place] = number
        ids.append(id)
        if 2 * ids.count > table.count { grow() }
        return number
    }

    private func place(of id: UInt64) -> Int {
        // The multiplication spreads neighbouring keys over the table.
        var place = Int(truncatingIfNeeded: (id &* 0x9E37_79B9_7F4A_7C15) >> shift)
        while table[place] != Self.free, ids[Int(table[place])] != id {
            place = (place + 1) & (table.count - 1)
        }
        return place
    }

    private mutating func grow() {
        shift -= 1
        table = ContiguousArray(repeating: Self.free, count: 2 * table.count)
        for number in ids.indices { table[place(of: ids[number])] = UInt32(number) }
    }
}
