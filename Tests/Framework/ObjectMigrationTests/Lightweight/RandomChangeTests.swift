import Foundation
import ObjectGraph
import ObjectModel
import SQLiteStore
import SeededRandom
import Testing

/// Random models, randomly changed: what can be inferred is migrated exactly by the rules.
@Suite struct RandomChangeTests {
    @Test func anyChangeThatCanBeInferredKeepsWhatTheRulesKeep() throws {
        var outcomes: [String: Int] = [:]
        let seeds = SeededRandom.seeds(25)
        for seed in seeds {
            let random = SeededRandom(seed: seed)
            var models = RandomModel(random)
            let old = models.make()
            let new = try models.change(old)
            guard !new.check().contains(where: \.isError), !old.check().contains(where: \.isError)
            else {
                outcomes["not a model", default: 0] += 1
                continue
            }
            do {
                try checkAtomic(old, new, random, "seed \(seed)")
                try VersionPairTests.check(old, new, random, "seed \(seed)")
                outcomes["migrated", default: 0] += 1
            } catch let error as ObjectGraphError
                where [.inferredMapping, .migration].contains(error.code)
            {
                #expect(error.key != nil, "seed \(seed): \(error)")
                outcomes["refused: \(error.code.rawValue)", default: 0] += 1
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
        print("outcomes: \(outcomes)")
        #expect(outcomes["migrated", default: 0] > seeds.count / 3)
    }

    /// Stores of the other types end with the same objects, or refuse like an SQLite store.
    private func checkAtomic(
        _ old: ManagedObjectModel,
        _ new: ManagedObjectModel,
        _ random: SeededRandom,
        _ place: String
    ) throws {
        let folder = try MigrationFolder()
        let outcomes = try [StoreType.sqlite, .binary, .xml, .text].map { type in
            var options = StoreOptions()
            options.type = type
            options.migration.allowsLoss = true
            let url = folder.file(type.rawValue)
            var filling = GraphFilling(random)
            try filling.makeStore(url, old, options: options)
            let before = try GraphDump(url, old, options: options)
            do {
                let after = try GraphDump(url, new, options: options).withoutDerived(new)
                let wanted = before.migrated(by: try ModelCorrespondence(from: old, to: new))
                let differences = after.differences(from: wanted)
                #expect(differences.isEmpty, "\(place), \(type): \(differences.prefix(4))")
                var more = GraphFilling(random, from: 10_000)
                try more.makeStore(url, new, each: 2, options: options)
                return "migrated"
            } catch let error as ObjectGraphError {
                #expect(try GraphDump(url, old, options: options) == before, "\(place), \(type)")
                return "\(error.code) \(error.key ?? "")"
            }
        }
        #expect(Set(outcomes).count == 1, "\(place): \(outcomes)")
    }
}
