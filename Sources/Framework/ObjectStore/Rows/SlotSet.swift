/// A set of slot indexes: which properties of an object changed.
///
/// The first 64 slots are in one word; entities with more need an array.
package struct SlotSet: Hashable, Sendable {
    package private(set) var low: UInt64 = 0
    private var high: [UInt64] = []

    @inline(__always)
    package init() {}

    @inline(__always)
    package var isEmpty: Bool { low == 0 && high.isEmpty }

    @inline(__always)
    package func contains(_ slot: Int) -> Bool {
        slot < 64 ? low & (1 << UInt64(slot)) != 0 : highContains(slot)
    }

    @inline(__always)
    package mutating func insert(_ slot: Int) {
        if slot < 64 { low |= 1 << UInt64(slot) } else { insertHigh(slot) }
    }

    package mutating func remove(_ slot: Int) {
        if slot < 64 {
            low &= ~(1 << UInt64(slot))
        } else if highContains(slot) {
            high[slot / 64 - 1] &= ~(1 << UInt64(slot % 64))
        }
    }

    package mutating func removeAll() {
        low = 0
        high = []
    }

    private func highContains(_ slot: Int) -> Bool {
        let word = slot / 64 - 1
        return word < high.count && high[word] & (1 << UInt64(slot % 64)) != 0
    }

    private mutating func insertHigh(_ slot: Int) {
        let word = slot / 64 - 1
        while high.count <= word { high.append(0) }
        high[word] |= 1 << UInt64(slot % 64)
    }
}

extension SlotSet: Sequence {
    package struct Iterator: IteratorProtocol {
        fileprivate var word: UInt64
        fileprivate var base = 0
        fileprivate let high: [UInt64]

        package mutating func next() -> Int? {
            while word == 0 {
                let index = base / 64
                if index >= high.count { return nil }
                word = high[index]
                base += 64
            }
            let bit = word.trailingZeroBitCount
            word &= word - 1
            return base + bit
        }
    }

    package func makeIterator() -> Iterator { Iterator(word: low, high: high) }

    package var underestimatedCount: Int { low.nonzeroBitCount }
}
