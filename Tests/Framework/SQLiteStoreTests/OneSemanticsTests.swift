import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import SeededRandom
import Testing

/// One semantics: the same request selects the same objects, in the same order, in memory and in
/// every store, with and without pending changes.
///
/// `DOCKET_SEEDS` asks for more seeds than the one of an ordinary run; each makes 400 predicates then.
@Suite struct OneSemanticsTests {
    private static let predicatesPerSeed = SeededRandom.rounds(240, long: 400)

    @Test(arguments: SeededRandom.seeds(1))
    func storesAndMemoryAnswerAlike(_ seed: UInt64) throws {
        let sides = try StoreKind.allCases.map { try StoreSide($0, seed) }
        var tally = Tally()
        for isItem in [true, false] {
            let entity = isItem ? "Item" : "Values"
            var generators = sides.map { $0.generator(isItem, seed) }
            var random = SeededRandom(seed: seed ^ 0xFEED)
            for number in 0..<(Self.predicatesPerSeed / 2) {
                let predicates = generators.indices.map { generators[$0].predicate() }
                let order = SortGenerator.descriptors(isItem, &random)
                let window = (limit: random.below(6), offset: random.below(4))
                // What memory says of the objects themselves is what every store has to say.
                let refusals = zip(sides, predicates).map { $0.refuses($1, entity) }
                #expect(Set(refusals).count == 1, "\(predicates[0].format)")
                guard !refusals[1],
                    let expected = try sides[1].evaluated(predicates[1], entity)
                else {
                    tally.failing += 1
                    continue
                }
                tally.compared += 1
                if !expected.isEmpty, expected.count < sides[1].all(entity).count {
                    tally.selective += 1
                }
                let sorted = try sides[1].sorted(expected, by: order)
                for (side, predicate) in zip(sides, predicates) {
                    let request = FetchDescription(entityName: entity, predicate: predicate)
                    let difference = try side.difference(request, expected, sorted, order, window)
                    if let difference {
                        Issue.record(
                            "seed \(seed), \(side.kind) \(number): \(predicate.format): \(difference)"
                        )
                    }
                }
            }
        }
        print("one semantics, seed \(seed): \(tally)")
        #expect(
            tally.compared > Self.predicatesPerSeed / 2
                && tally.selective > Self.predicatesPerSeed / 8,
            "\(tally)"
        )
    }

    @Test(arguments: SeededRandom.seeds(1))
    func pendingChangesAreSeenAsInMemory(_ seed: UInt64) throws {
        var tally = Tally()
        for kind in StoreKind.allCases {
            let side = try StoreSide(kind, seed)
            var random = SeededRandom(seed: seed)
            var generator = side.generator(true, seed)
            for number in 0..<SeededRandom.rounds(50, long: 100) {
                if number % 10 == 0 { try side.edit(&random) }
                let predicate = generator.predicate()
                let order = SortGenerator.descriptors(true, &random)
                let window = (limit: random.below(6), offset: random.below(4))
                guard !side.refuses(predicate, "Item"),
                    let expected = try side.evaluated(predicate, "Item")
                else {
                    tally.failing += 1
                    continue
                }
                tally.compared += 1
                if !expected.isEmpty, expected.count < side.all("Item").count {
                    tally.selective += 1
                }
                let sorted = try side.sorted(expected, by: order)
                let request = FetchDescription(entityName: "Item", predicate: predicate)
                let difference: String?
                do {
                    difference = try side.difference(request, expected, sorted, order, window)
                } catch {
                    difference = "the store says: \(error)"
                }
                if let difference {
                    Issue.record(
                        "seed \(seed), \(kind) \(number): \(predicate.format): \(difference)"
                    )
                }
            }
            #expect(side.context.hasChanges)
        }
        print("one semantics with pending changes, seed \(seed): \(tally)")
        #expect(tally.compared > 100 && tally.selective > 30, "\(tally)")
    }

    @Test(arguments: StoreKind.allCases)
    func orderOfOnesOwnIsMadeInMemory(_ kind: StoreKind) throws {
        let side = try StoreSide(kind, 1)
        let backwards = FetchComparator { left, right in
            guard case .int(let a) = left, case .int(let b) = right else { return .orderedSame }
            return a < b ? .orderedDescending : a > b ? .orderedAscending : .orderedSame
        }
        var request = FetchRequest<ManagedObject>(
            entityName: "Item",
            predicate: try FetchPredicate(format: "rank != nil"),
            sortDescriptors: [FetchSortDescriptor("rank", comparator: backwards)]
        )
        let all = try side.context.fetch(request).compactMap { try $0.value(forKey: "rank").number }
        #expect(all.count > 10 && all == all.sorted(by: >))
        request.limit = 3
        request.offset = 1
        let some = try side.context.fetch(request)
            .compactMap { try $0.value(forKey: "rank").number }
        #expect(some == Array(all[1..<4]))
    }

    private struct Tally: CustomStringConvertible {
        var compared = 0
        /// Predicates that neither all nor no object met.
        var selective = 0
        /// Predicates that memory refuses, as for an order of a text and a number.
        var failing = 0

        var description: String {
            "\(compared) predicates compared, \(selective) selective, \(failing) refused by memory"
        }
    }
}

extension GraphValue {
    fileprivate var number: Int64? {
        if case .int(let number) = self { return number }
        return nil
    }
}
