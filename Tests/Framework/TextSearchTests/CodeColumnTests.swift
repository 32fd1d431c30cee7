import SeededRandom
import Testing

@testable import TextSearch

/// Columns of codes against an array of numbers.
@Suite struct CodeColumnTests {
    @Test(arguments: [0, CodeColumn.none])
    func keepsTheCodesOfAllWidths(empty: UInt32) {
        var random = SeededRandom()
        for greatest: UInt32 in [3, 200, 253, 254, 255, 256, 60_000, 65_533, 65_534, 70_000] {
            var column = CodeColumn(empty: empty, isWide: false)
            var model = [UInt32](repeating: empty, count: 600)
            for _ in 0..<2000 {
                let row = Int.random(in: 0..<model.count, using: &random)
                let code: UInt32 =
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0: CodeColumn.none
                    case 1: CodeColumn.greatest
                    case 2: empty
                    case 3: greatest
                    default: UInt32.random(in: 0...greatest, using: &random)
                    }
                #expect(column.set(code, row: row, expectedRows: 10) == (model[row] != code))
                model[row] = code
            }
            #expect(model.indices.allSatisfy { column[$0] == model[$0] })
            for code in [0, greatest, CodeColumn.greatest, CodeColumn.none, greatest + 7] {
                let below = column.rows(model.count) { $0 < code }
                #expect(model.indices.allSatisfy { below.contains($0) == (model[$0] < code) })
                let isThere = model.contains { $0 == code && $0 != empty }
                if code != empty { #expect(column.contains(code) == isThere) }
            }
            var seen = [UInt32](repeating: empty, count: model.count)
            column.forEachRow { seen[$0] = $1 }
            #expect(seen == model)
        }
    }
}
