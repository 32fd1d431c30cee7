import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom
import Testing

/// A predicate means the same in SQL and in memory.
@Suite struct PredicateTranslationTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func randomPredicatesSelectTheSameObjectsAsInMemory(_ seed: UInt64) throws {
        let bench = try TestBench(.sqlite)
        var random = SeededRandom(seed: seed)
        try SampleData.fill(bench.session, using: &random)
        try bench.reopen()
        var translated = 0
        var evaluated = 0
        for isItem in [true, false] {
            let check = try Check(bench, entity: isItem ? "Item" : "Values")
            var generator = PredicateGenerator(
                random: random,
                isItem: isItem,
                lists: try bench.ids("List"),
                tags: try bench.ids("Tag"),
                items: try bench.ids("Item")
            )
            for number in 0..<400 {
                let predicate = generator.predicate()
                guard let outcome = try check.compare(predicate) else { continue }
                evaluated += 1
                if outcome.isTranslated { translated += 1 }
                if outcome.agrees { continue }
                let smallest = try check.smallestFailure(in: predicate)
                let report = try check.compare(smallest)?.difference ?? ""
                Issue.record("seed \(seed), predicate \(number): \(smallest.format): \(report)")
            }
        }
        // Most predicates that memory can evaluate must have reached SQL.
        #expect(translated > evaluated * 2 / 3, "\(translated) of \(evaluated), seed \(seed)")
        #expect(evaluated > 400, "seed \(seed)")
    }

    private struct Outcome {
        let found: [ManagedObjectID]
        let expected: [ManagedObjectID]
        let isTranslated: Bool

        var agrees: Bool { found == expected }

        var difference: String {
            let more = Set(found).subtracting(expected).map { "\($0.entityName)\($0.key)" }
            let less = Set(expected).subtracting(found).map { "\($0.entityName)\($0.key)" }
            return "too many \(more.sorted().prefix(3)), missing \(less.sorted().prefix(3))"
        }
    }

    private struct Check {
        let bench: TestBench
        let entity: String
        let all: [StoredObject]
        let view: StoredObjects

        init(_ bench: TestBench, entity: String) throws {
            self.bench = bench
            self.entity = entity
            view = StoredObjects(bench.session.store, bench.model)
            all = try bench.ids(entity).compactMap { [view] in view.object($0) }
        }

        /// The part of a predicate that is to blame.
        func smallestFailure(in predicate: FetchPredicate) throws -> FetchPredicate {
            let parts: [FetchPredicate] =
                switch predicate {
                case .and(let parts), .or(let parts): parts
                case .not(let part): [part]
                default: []
                }
            for part in parts {
                if let outcome = try compare(part), !outcome.agrees {
                    return try smallestFailure(in: part)
                }
            }
            return predicate
        }

        /// `nil` for a predicate that cannot be evaluated in memory.
        func compare(_ predicate: FetchPredicate) throws -> Outcome? {
            let compiled = CompiledPredicate(predicate)
            guard
                let expected = try? all.filter({ try compiled.evaluate(with: .object($0)) })
            else { return nil }
            let answer = try bench.session.fetch(
                FetchDescription(entityName: entity, predicate: predicate)
            )
            var found = answer.ids
            if let remainder = answer.remainder {
                let rest = CompiledPredicate(remainder)
                found = try found.filter { id in
                    try rest.evaluate(with: view.object(id).map { .object($0) } ?? .null)
                }
            }
            return Outcome(
                found: found.sorted { $0.key < $1.key },
                expected: expected.map(\.id).sorted { $0.key < $1.key },
                isTranslated: answer.remainder == nil
            )
        }
    }
}

extension TestBench {
    /// The IDs of an entity's objects, subentities' included.
    func ids(_ entity: String) throws -> [ManagedObjectID] {
        try session.fetch(FetchDescription(entityName: entity)).ids
    }
}
