/// Rows of an arena, one bit each; rows that were added later are not in it.
public struct RowSet: Sendable {
    private(set) var bits: ContiguousArray<UInt64>
    /// The number of rows that the arena had.
    let rowCount: Int

    init(bits: ContiguousArray<UInt64>, rowCount: Int) {
        self.bits = bits
        self.rowCount = rowCount
    }

    /// No row, or all.
    init(all: Bool, rowCount: Int) {
        self.rowCount = rowCount
        bits = ContiguousArray(repeating: all ? .max : 0, count: (rowCount + 63) / 64)
    }

    /// The number of rows in the set.
    public var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

    public var isEmpty: Bool { bits.allSatisfy { $0 == 0 } }

    /// Whether a row is in the set.
    public func contains(_ row: Int) -> Bool {
        row < rowCount && bits[row / 64] >> UInt64(row % 64) & 1 == 1
    }

    mutating func insert(_ row: Int) { bits[row / 64] |= 1 << UInt64(row % 64) }

    public mutating func formIntersection(_ other: RowSet) {
        for word in bits.indices { bits[word] &= word < other.bits.count ? other.bits[word] : 0 }
    }

    public mutating func formUnion(_ other: RowSet) {
        for word in bits.indices where word < other.bits.count { bits[word] |= other.bits[word] }
    }

    public mutating func invert() {
        for word in bits.indices { bits[word] = ~bits[word] }
        let rest = rowCount % 64
        if rest > 0 { bits[bits.count - 1] &= 1 << UInt64(rest) - 1 }
    }

    /// The rows for which a test on their number holds.
    ///
    /// - Complexity: O(rows); without a branch for each row.
    @inline(__always)
    static func filtering(_ rowCount: Int, _ test: (Int) -> Bool) -> RowSet {
        var bits = ContiguousArray<UInt64>(repeating: 0, count: (rowCount + 63) / 64)
        for word in bits.indices {
            let first = word * 64
            var set: UInt64 = 0
            for bit in 0..<min(64, rowCount - first) {
                set |= (test(first + bit) ? 1 : 0) << UInt64(bit)
            }
            bits[word] = set
        }
        return RowSet(bits: bits, rowCount: rowCount)
    }
}
