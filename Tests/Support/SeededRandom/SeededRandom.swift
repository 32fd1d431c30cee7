import FoundationEssentials

/// Random numbers that a seed repeats (SplitMix64).
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// The numbers of the seed in `DOCKET_SEED`, else of the seed 1, which is printed.
    package init(_ test: String = #function) {
        let seed = SeededRandom.environment("DOCKET_SEED") ?? 1
        print("seed \(seed) in \(test)")
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to one below a limit.
    package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    /// An element of a list that is not empty.
    package mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

    /// An element of a list; `nil` of an empty one.
    package mutating func draw<Element>(_ list: [Element]) -> Element? {
        list.randomElement(using: &self)
    }

    /// True once in so many times.
    package mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }

    /// Seeds for a parameterised test, whose report names them; the same in every run.
    ///
    /// As many as the test wants, or as `DOCKET_SEEDS` asks for.
    package static func seeds(_ count: Int) -> ClosedRange<UInt64> {
        1...max(1, environment("DOCKET_SEEDS") ?? UInt64(count))
    }

    /// How often a test repeats what it does: less often unless `DOCKET_SEEDS` asks for long tests.
    package static func rounds(_ few: Int, long many: Int) -> Int {
        environment("DOCKET_SEEDS") == nil ? few : many
    }

    /// One of so many neighbours in a list, over all of it; everything if `DOCKET_SEEDS` asks for
    /// long tests.
    package mutating func share<List: RandomAccessCollection>(
        of list: List,
        oneIn count: Int
    ) -> [List.Element] {
        let count = SeededRandom.rounds(count, long: 1)
        return stride(from: 0, to: list.count, by: count).map { start in
            let place = start + below(min(count, list.count - start))
            return list[list.index(list.startIndex, offsetBy: place)]
        }
    }

    private static func environment(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}
