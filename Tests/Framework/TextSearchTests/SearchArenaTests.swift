import SeededRandom
import Testing

@testable import TextSearch

@Suite("Search arena")
struct SearchArenaTests {
    private func arena(_ texts: [[String]]) -> (SearchArena, SearchOrder) {
        let arena = SearchArena()
        for (id, fields) in texts.enumerated() { arena.set(UInt64(id), fields: fields) }
        return (arena, arena.order((0..<texts.count).map(UInt64.init)))
    }

    private func find(
        _ text: String,
        fields: SearchFields = .all,
        in texts: [[String]]
    )
        -> [UInt64]?
    {
        let (arena, order) = arena(texts)
        return arena.allHits(SearchQuery(text, fields: fields), in: order, limit: 100)?.ids
    }

    @Test func everyWordIsFoundInSomeField() {
        let songs = [
            ["Yesterday", "The Beatles", "Help!"], ["Yesterday", "Ray Charles"],
            ["Help!", "The Beatles"], ["Bésame mucho", "BEATLES"],
        ]
        #expect(find("yesterday beatles", in: songs) == [0])
        #expect(find("  beatles\t\u{A0}YESTER ", in: songs) == [0])
        #expect(find("beat", in: songs) == [0, 2, 3])
        #expect(find("besame", in: songs) == [3])
        #expect(find("help", fields: SearchFields([0]), in: songs) == [2])
        #expect(find("help", fields: SearchFields([2]), in: songs) == [0])
        #expect(find("help", fields: [], in: songs) == [])
        #expect(find("dayt", in: songs) == [])
        #expect(find("", in: songs) == [0, 1, 2, 3])
        #expect(find(" \n ", in: songs) == [0, 1, 2, 3])
    }

    @Test func manyAndLongWordsAreFound() {
        let long = String(repeating: "abcdefghij", count: 200)
        let words = (0..<300).map { "word\($0)" }.joined(separator: " ")
        let rows = [[long, words], [String(long.dropLast()), words], [long, "word1"]]
        #expect(find(long + " " + words, in: rows) == [0])
        #expect(find(long, in: rows) == [0, 2])
    }

    @Test func hitsComeInDisplayOrder() throws {
        let (arena, _) = arena((0..<500).map { ["item \($0)"] })
        var order = arena.order(Array((0..<500).reversed()))
        let hits = try #require(arena.firstHits(SearchQuery("item"), in: order, limit: 3))
        #expect(hits.ids == [499, 498, 497])
        order.remove(at: 0)
        order.insert(499, at: 2, in: arena)
        order.remove(at: 0)
        order.insert(7, at: 0, in: arena)
        let moved = try #require(arena.firstHits(SearchQuery("item"), in: order, limit: 3))
        #expect(moved.ids == [7, 497, 499])
        let all = try #require(arena.allHits(SearchQuery("item 1"), in: order, limit: 2))
        #expect(all.ids == [497, 499].filter { "\($0)".contains("1") } + [491, 481])
    }

    @Test(arguments: SeededRandom.seeds(6))
    func countsByFieldAreThoseOfSearchesInFewerFields(seed: UInt64) throws {
        var random = RandomRows(seed: seed)
        let (arena, _) = arena((0..<400).map { _ in random.fields() })
        let order = arena.order((0..<400).filter { $0 % 7 != 3 }.map(UInt64.init))
        for _ in 0..<50 {
            let text = random.query().words.joined(separator: " ")
            guard !SearchQuery(text).isEmpty else { continue }
            let hits = try #require(arena.allHits(SearchQuery(text), in: order, limit: 0))
            let counts = try #require(arena.countsByField(hits, in: order))
            let middle = Int(seed % UInt64(order.count))
            let parts = [0..<middle, middle..<order.count].compactMap {
                arena.countsByField(hits, in: order, places: $0)
            }
            #expect(zip(parts[0], parts[1]).map(+) == counts)
            var sum = 0
            for field in 0..<SearchFields.limit {
                sum += counts[field]
                let query = SearchQuery(text, fields: SearchFields(0...field))
                let expected = arena.allHits(query, in: order, limit: 0)?.count
                #expect(sum == expected, "seed \(seed), \(text), field \(field)")
            }
        }
    }

    @Test func onlyRowsOfTheOrderAreFound() {
        let (arena, _) = arena([["a"], ["a"], ["a"]])
        let order = arena.order([2, 9, 0])
        #expect(arena.allHits(SearchQuery("a"), in: order, limit: 9)?.ids == [2, 0])
        #expect(arena.allHits(SearchQuery("a"), in: order, limit: 1)?.count == 2)
        #expect(arena.allHits(SearchQuery(""), in: order, limit: 9)?.ids == [2, 9, 0])
        arena.set(9, fields: ["a"])
        #expect(arena.firstHits(SearchQuery("a"), in: order, limit: 9)?.ids == [2, 9, 0])
    }

    @Test func cancelledSearchReturnsNothing() {
        let (arena, order) = arena((0..<20_000).map { ["item \($0)"] })
        let cancellation = SearchCancellation()
        let query = SearchQuery("nowhere")
        #expect(arena.firstHits(query, in: order, limit: 9, cancellation: cancellation) != nil)
        cancellation.cancel()
        #expect(cancellation.isCancelled)
        #expect(arena.firstHits(query, in: order, limit: 9, cancellation: cancellation) == nil)
        #expect(arena.allHits(query, in: order, limit: 9, cancellation: cancellation) == nil)
    }

    @Test func textBeyondTheLimitIsRefused() {
        let arena = SearchArena(byteLimit: 100)
        #expect(arena.set(1, fields: [String(repeating: "a", count: 60)]))
        #expect(arena.isComplete)
        #expect(!arena.set(2, fields: [String(repeating: "b", count: 60)]))
        #expect(!arena.isComplete)
        #expect(!arena.set(1, fields: [String(repeating: "a", count: 10_000)]))
        #expect(arena.rowCount == 0)
        #expect(arena.byteCount == 0)
        #expect(arena.set(3, fields: ["c"]))
        let order = arena.order([1, 2, 3])
        #expect(arena.allHits(SearchQuery("a"), in: order, limit: 9)?.ids == [])
        #expect(arena.allHits(SearchQuery("c"), in: order, limit: 9)?.ids == [3])
    }

    @Test func changesDoNotPileUp() {
        let arena = SearchArena()
        for round in 0..<40 {
            for id in 0..<200 {
                let text = String(repeating: "\(round) ", count: 500 + round + id)
                arena.set(UInt64(id), fields: [text])
            }
        }
        #expect(arena.rowCount == 200)
        #expect(arena.bytesInUse < 4 * arena.byteCount)
        let order = arena.order(Array(0..<200))
        #expect(arena.allHits(SearchQuery("39"), in: order, limit: 1)?.count == 200)
        #expect(arena.allHits(SearchQuery("38"), in: order, limit: 1)?.count == 0)
    }

    /// Enough rows for all stages: the search in order gives up, blocks are scanned by two threads.
    @Test func stagesAndThreadsAgree() throws {
        var workload = SearchWorkload(rows: 26_000)
        #expect(workload.arena.byteCount > 4 << 20)
        for key in workload.type(words: 6, threads: 2) {
            let query = SearchQuery(key.text)
            let (arena, order) = (workload.arena, workload.order)
            let one = try #require(arena.allHits(query, in: order, limit: 60))
            let two = try #require(arena.allHits(query, in: order, limit: 60, threads: 2))
            let first = try #require(arena.firstHits(query, in: order, limit: 60))
            #expect(one.count == key.count)
            #expect(two.count == key.count)
            #expect(two.ids == one.ids)
            #expect(first.ids == one.ids)
            #expect(first.count == nil || first.count == key.count)
        }
    }

    @Test(arguments: SeededRandom.seeds(6))
    func arenaFindsWhatTheDefinitionFinds(seed: UInt64) throws {
        var random = RandomRows(seed: seed)
        let arena = SearchArena(byteLimit: 1 << 20, expectedRows: 4, expectedBytes: 16)
        var texts: [UInt64: [String]] = [:]
        var ids: [UInt64] = []
        var order = arena.order(ids)
        var previous: SearchHits?
        for step in 0..<800 {
            let note = Comment(rawValue: "seed \(seed), step \(step)")
            switch random.below(8) {
            case 0:
                let id = UInt64(random.below(60)) << 32 | 5
                texts[id] = nil
                arena.remove(id)
            case 1 where !ids.isEmpty:
                let (source, destination) = (random.below(ids.count), random.below(ids.count))
                let id = ids.remove(at: source)
                ids.insert(id, at: destination)
                order.remove(at: source)
                order.insert(id, at: destination, in: arena)
            case 2, 3, 4:
                let id = UInt64(random.below(60)) << 32 | 5
                let fields = random.fields()
                texts[id] = fields
                #expect(arena.set(id, fields: fields))
                if !ids.contains(id) {
                    let place = random.below(ids.count + 1)
                    ids.insert(id, at: place)
                    order.insert(id, at: place, in: arena)
                }
            default:
                let query = random.query()
                let expected = ids.filter { id in
                    query.isEmpty || texts[id].map { isFound(query, in: $0) } == true
                }
                let limit = 1 + random.below(12)
                let first = try #require(
                    arena.firstHits(query, in: order, limit: limit, after: previous)
                )
                let all = try #require(
                    arena.allHits(query, in: order, limit: limit, after: previous)
                )
                #expect(first.ids == Array(expected.prefix(limit)), note)
                #expect(all.ids == first.ids, note)
                #expect(all.count == expected.count, note)
                #expect(first.count == nil || first.count == expected.count, note)
                previous = all
            }
            #expect(arena.rowCount == texts.count, note)
        }
    }
}
