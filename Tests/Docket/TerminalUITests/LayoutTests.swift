import SeededRandom
import Testing

@testable import TerminalUI

@Suite struct LayoutTests {
    @Test func weightsShareWhatFixedPartsLeave() {
        #expect(Layout.lengths(110, [.fixed(24), .weighted(3), .weighted(2)]) == [24, 52, 34])
        #expect(Layout.lengths(10, [.weighted(), .weighted(), .weighted()]).reduce(0, +) == 10)
    }

    @Test func minimumsAndMaximumsHold() {
        #expect(Layout.lengths(30, [.weighted(1, minimum: 20), .weighted(1)]) == [20, 10])
        #expect(Layout.lengths(30, [.weighted(1, maximum: 5), .weighted(1)]) == [5, 25])
        #expect(Layout.lengths(30, [.weighted(1, maximum: 5)]) == [5])
    }

    @Test func minimumIsHeldBeforeALargerPartGetsItsMaximum() {
        let shares: [Share] = [.weighted(10, maximum: 29), .weighted(1, minimum: 20)]
        #expect(Layout.lengths(40, shares) == [20, 20])
    }

    @Test func earlierPartsComeFirstWhenThereIsNoRoom() {
        #expect(Layout.lengths(5, [.fixed(3), .fixed(4), .weighted(1, minimum: 2)]) == [3, 2, 0])
        #expect(Layout.lengths(0, [.fixed(3), .weighted()]) == [0, 0])
        #expect(Layout.lengths(5, []) == [])
    }

    @Test func splitLeavesGaps() {
        let parts = Layout.split(
            Rect(row: 1, column: 2, rows: 3, columns: 11),
            .columns,
            [.fixed(4), .weighted()],
            gap: 1
        )
        #expect(parts[0] == Rect(row: 1, column: 2, rows: 3, columns: 4))
        #expect(parts[1] == Rect(row: 1, column: 7, rows: 3, columns: 6))
    }

    @Test(arguments: SeededRandom.seeds(4)) func partsNeverExceedTheWhole(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let length = Int.random(in: 0...50, using: &random)
            let shares = (0..<Int.random(in: 0...5, using: &random)).map { _ -> Share in
                let number = Int.random(in: 0...20, using: &random)
                let least = Int.random(in: 0...9, using: &random)
                return Bool.random(using: &random)
                    ? .fixed(number) : .weighted(number, minimum: least, maximum: number + 9)
            }
            let lengths = Layout.lengths(length, shares)
            #expect(lengths.allSatisfy { $0 >= 0 }, "seed \(seed)")
            #expect(lengths.reduce(0, +) <= length, "seed \(seed)")
        }
    }

    @Test func rectanglesMeetAndShrink() {
        let rect = Rect(row: 1, column: 1, rows: 4, columns: 4)
        #expect(
            rect.intersection(Rect(row: 3, column: 3, rows: 9, columns: 9)).size
                == Size(rows: 2, columns: 2)
        )
        #expect(rect.intersection(Rect(row: 9, column: 9, rows: 1, columns: 1)).isEmpty)
        #expect(rect.inset(3).isEmpty)
        #expect(
            rect.centered(Size(rows: 2, columns: 9)) == Rect(row: 2, column: 1, rows: 2, columns: 4)
        )
        #expect(rect.local(Position(row: 2, column: 4)) == Position(row: 1, column: 3))
        #expect(rect.local(Position(row: 0, column: 4)) == nil)
    }
}
