import TextSearch

/// A search in generated rows, always the same, for measuring the cost of one key press.
struct SearchWorkload {
    /// The cost of typing one key.
    struct Key: Sendable {
        let text: String
        let count: Int
        /// Until the first screenful.
        let first: Duration
        /// Until the exact count, without using the first result.
        let exact: Duration
    }

    let arena: SearchArena
    let order: SearchOrder
    private var random: Random
    private let vocabulary: [String]

    /// Rows of four fields and about 180 bytes, displayed in a shuffled order.
    init(rows: Int) {
        var random = Random(state: 7)
        let vocabulary = Self.vocabulary(20_000, &random)
        let arena = SearchArena(
            byteLimit: 1 << 30,
            expectedRows: rows,
            expectedBytes: rows * 200
        )
        var ids: [UInt64] = []
        for id in 0..<UInt64(rows) {
            arena.set(id) { writer in
                for count in [5, 18, 1, 2] {
                    var field = ""
                    for _ in 0..<count { field += random.word(of: vocabulary) + " " }
                    writer.add(field)
                }
            }
            ids.append(id)
            ids.swapAt(ids.count - 1, random.below(ids.count))
        }
        order = arena.order(ids)
        self.arena = arena
        self.vocabulary = vocabulary
        self.random = random
    }

    /// Types words key by key, each search with the previous result: frequent and rare words, two
    /// words, parts of words, and words without a match.
    mutating func type(words count: Int, threads: Int) -> [Key] {
        var keys: [Key] = []
        for _ in 0..<count {
            var text = random.word(of: vocabulary)
            switch random.below(4) {
            case 0: text += " " + vocabulary[random.below(vocabulary.count)]
            case 1: text = vocabulary[random.below(vocabulary.count)] + "q"
            case 2: text = String(text.dropFirst())
            default: break
            }
            var previous: SearchHits?
            for end in text.indices {
                let query = SearchQuery(String(text[...end]))
                guard !query.isEmpty, let key = measure(query, previous, threads) else { continue }
                keys.append(
                    Key(
                        text: String(text[...end]),
                        count: key.all.count ?? 0,
                        first: key.first,
                        exact: key.exact
                    )
                )
                previous = key.all
            }
        }
        return keys
    }

    /// The best of five runs: the others include the work of other programs.
    private func measure(
        _ query: SearchQuery,
        _ previous: SearchHits?,
        _ threads: Int
    ) -> (all: SearchHits, first: Duration, exact: Duration)? {
        let clock = ContinuousClock()
        var first: [Duration] = []
        var exact: [Duration] = []
        var hits: SearchHits?
        for _ in 0..<5 {
            let start = clock.now
            let screenful = arena.firstHits(
                query,
                in: order,
                limit: 60,
                after: previous,
                threads: threads
            )
            let middle = clock.now
            hits = arena.allHits(query, in: order, limit: 60, threads: threads)
            exact.append(clock.now - middle)
            first.append(middle - start)
            if screenful == nil { return nil }
        }
        guard let hits, let first = first.min(), let exact = exact.min() else { return nil }
        return (hits, first, exact)
    }

    private static func vocabulary(_ count: Int, _ random: inout Random) -> [String] {
        let letters =
            Array("eeeeeeeeeeeetttttttttaaaaaaaaoooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrr")
            + Array("ddddllllcccuuummmwwffggyyppbbvkjxqzéüÄß")
        return (0..<count).map { number in
            let length = 2 + random.below(number < 200 ? 3 : 9)
            return String((0..<length).map { _ in letters[random.below(letters.count)] })
        }
    }

    private struct Random {
        var state: UInt64

        /// A number below a bound (SplitMix64).
        mutating func below(_ bound: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((value ^ (value >> 31)) % UInt64(bound))
        }

        /// Words with low numbers are frequent, about as in a language.
        mutating func word(of vocabulary: [String]) -> String {
            let share = Double(below(1 << 20)) / Double(1 << 20)
            return vocabulary[Int(share * share * share * Double(vocabulary.count))]
        }
    }
}
