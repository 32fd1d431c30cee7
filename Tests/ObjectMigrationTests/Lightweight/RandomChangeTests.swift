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
        for seed in SeededRandom.seeds(60) {
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
        #expect(outcomes["migrated", default: 0] > 30)
    }
}
