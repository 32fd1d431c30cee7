import Foundation
import SeededRandom
import Testing

@testable import DocketCore

@Suite struct KeyRunsTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func keyRunsComeBackAsTheyWere(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var keys: Set<Int64> = []
        for _ in 0..<Int.random(in: 0...300, using: &random) {
            let first = Int64.random(in: 1...2000, using: &random)
            keys.formUnion(first...first + Int64.random(in: 0...20, using: &random))
        }
        if Bool.random(using: &random) { keys.insert(.random(in: 1...(1 << 36), using: &random)) }
        #expect(KeyRuns.keys(KeyRuns.data(Array(keys))) == keys.sorted(), "seed \(seed)")
    }
}
