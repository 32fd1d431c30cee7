import ObjectContext
import SeededRandom
import Testing

@Suite struct RanksTests {
    /// A list in memory that counts what a move writes.
    private struct Ordered {
        var ranks: [Int64]
        var writes = 0
        var largest = 0

        /// Places `count` items before the one at `index`.
        mutating func insert(_ count: Int = 1, at index: Int) {
            let placement = Ranks.place(
                count,
                before: { n in Array(ranks[..<index].suffix(n).reversed()) },
                after: { n in Array(ranks[index...].prefix(n)) }
            )
            for (offset, rank) in placement.before.enumerated() { ranks[index - 1 - offset] = rank }
            for (offset, rank) in placement.after.enumerated() { ranks[index + offset] = rank }
            ranks.insert(contentsOf: placement.placed, at: index)
            writes += placement.writes
            largest = max(largest, placement.writes - count)
            // Everything that was touched, and its neighbours.
            let low = max(1, index - placement.before.count)
            let high = min(ranks.count, index + count + placement.after.count + 1)
            for place in low..<max(low, high) {
                precondition(ranks[place - 1] < ranks[place], "out of order at \(place)")
            }
        }

        var isOrdered: Bool { zip(ranks, ranks.dropFirst()).allSatisfy { $0 < $1 } }
    }

    @Test func randomMovesKeepTheOrderWithOneWriteEach() {
        var random = SeededRandom()
        var list = Ordered(ranks: Ranks.initial(count: 2000))
        let moves = 100_000
        for _ in 0..<moves {
            list.ranks.remove(at: Int.random(in: 0..<list.ranks.count, using: &random))
            list.insert(at: Int.random(in: 0...list.ranks.count, using: &random))
        }
        #expect(list.isOrdered)
        #expect(Set(list.ranks).count == 2000)
        #expect(list.writes < moves * 11 / 10, "\(list.writes) writes for \(moves) moves")
        #expect(list.largest <= 512, "window of \(list.largest)")
        print("random moves: \(list.writes) writes, largest window \(list.largest)")
    }

    @Test func insertingAtOnePlaceStaysCheap() {
        for place in [0, 500, 1000] {
            var list = Ordered(ranks: Ranks.initial(count: 1000))
            let moves = 20_000
            for _ in 0..<moves { list.insert(at: place) }
            #expect(list.isOrdered)
            #expect(list.writes < moves * 3, "\(list.writes) writes for \(moves) moves")
            #expect(list.largest <= 512, "window of \(list.largest)")
            print("at \(place): \(list.writes) writes, largest window \(list.largest)")
        }
    }

    @Test func blocksGoInAtOnce() {
        var random = SeededRandom()
        var list = Ordered(ranks: Ranks.initial(count: 3000))
        for _ in 0..<5000 {
            let count = Int.random(in: 1...50, using: &random)
            for _ in 0..<count {
                list.ranks.remove(at: Int.random(in: 0..<list.ranks.count, using: &random))
            }
            list.insert(count, at: Int.random(in: 0...list.ranks.count, using: &random))
        }
        #expect(list.isOrdered)
        #expect(list.ranks.count == 3000)
    }

    @Test func blockLargerThanEveryGapIsPlaced() {
        var list = Ordered(ranks: Ranks.initial(count: 10))
        list.insert(1_200_000, at: 5)
        #expect(list.isOrdered)
        #expect(list.ranks.count == 1_200_010)
    }

    @Test func equalRanksAreMended() {
        var ranks: [Int64] = [10, 10, 10, 10]
        let placement = Ranks.place(
            before: { n in Array(ranks[..<2].suffix(n).reversed()) },
            after: { n in Array(ranks[2...].prefix(n)) }
        )
        for (offset, rank) in placement.before.enumerated() { ranks[1 - offset] = rank }
        for (offset, rank) in placement.after.enumerated() { ranks[2 + offset] = rank }
        ranks.insert(contentsOf: placement.placed, at: 2)
        #expect(zip(ranks, ranks.dropFirst()).allSatisfy { $0 < $1 }, "\(ranks)")
    }

    @Test func ranksAtTheEdgeOfTheRangeAreMended() {
        var list = Ordered(ranks: [Ranks.limit - 1, Ranks.limit])
        for _ in 0..<100 { list.insert(at: list.ranks.count) }
        #expect(list.isOrdered)
        list = Ordered(ranks: [Int64.max - 1, Int64.max])
        for _ in 0..<100 { list.insert(at: list.ranks.count) }
        #expect(list.isOrdered)
        list = Ordered(ranks: [Int64.min, Int64.min + 1])
        for _ in 0..<100 { list.insert(at: 0) }
        #expect(list.isOrdered)
    }

    @Test func emptyListAndEndsNeedOneWrite() {
        var list = Ordered(ranks: [])
        list.insert(at: 0)
        list.insert(at: 1)
        list.insert(at: 0)
        #expect(list.writes == 3)
        #expect(list.isOrdered)
    }
}

extension Ranks.Placement {
    /// Rows to write.
    fileprivate var writes: Int { placed.count + before.count + after.count }
}
