import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import SeededRandom
import Testing

/// Folded texts in tables of their own.
@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct TextSearchTests {
    /// Letters with marks that folding leaves and takes away, patterns of LIKE, escapes, and what the
    /// folded form is made of.
    private static let texts = [
        "", "Straße", "STRASSE", "é", "e\u{301}", "e", "क", "कि", "किक", "1\u{20e3}", "1", "각", "ᄀ",
        "a%b_c\\d", "a%", "%", "_", "\\", "\u{1e}x", "x", "\u{1e}", "\u{1f}", "\u{F0031}\u{F20E3}",
        "\u{F0915}", "\u{100001}", "\u{1D15E}", "\0a", "\u{1}", "İi", "ΟΔΟΣ", "οδος", "\u{301}",
        "\u{301}a", "़क", "👍🏽", "👍", "🇩🇪🇫🇷",
    ]

    @Test func everyTextIsFoundAsInMemory() throws {
        let bench = try ServerBench()
        let (context, store) = try bench.context(searched: true)
        for text in Self.texts { try context.add("Item", ["title": .string(text)]) }
        try context.add("Item")
        try context.save()
        let items = try context.found("Item")
        let entity = try #require(store.schema.model.entity(named: "Item"))
        let operators: [FetchComparison.Operator] = [
            .equal, .notEqual, .contains, .beginsWith, .endsWith,
        ]
        for text in Self.texts + ["z"] {
            for test in operators {
                let predicate = FetchPredicate.comparison(
                    FetchComparison(
                        .keyPath("title"),
                        test,
                        .constant(.string(text)),
                        options: [.caseInsensitive, .diacriticInsensitive]
                    )
                )
                for predicate in [predicate, .not(predicate)] {
                    let answer = try store.fetch(
                        FetchPlan(
                            request: FetchDescription(entityName: "Item", predicate: predicate),
                            entity: entity
                        )
                    )
                    #expect(answer.remainder == nil)
                    let expected = try items.filter { try predicate.evaluate(with: .object($0)) }
                    #expect(
                        Set(answer.ids) == Set(expected.map(\.objectID)),
                        "\(predicate) \(text.debugDescription)"
                    )
                }
            }
        }
    }

    /// A text of an object that is reached through others is found in its own table.
    @Test func aTextBehindARelationshipIsFound() throws {
        let bench = try ServerBench()
        let (context, _) = try bench.context(searched: true)
        let list = try context.add("List", ["name": "Großes Haus"])
        let item = try context.add("Item", ["title": "Dach", "list": .object(list)])
        let alone = try context.add("Item", ["title": "haus"])
        try context.save()
        let (other, _) = try bench.context(searched: true)
        let named = try FetchPredicate(format: "list.name CONTAINS[cd] \"GROSSES\"")
        #expect(try other.found("Item", named).map(\.objectID) == [item.objectID])
        let others = try FetchPredicate(format: "NOT list.name CONTAINS[cd] \"GROSSES\"")
        #expect(try other.found("Item", others).map(\.objectID) == [alone.objectID])
        let any = try FetchPredicate(format: "ANY items.title ==[cd] \"DACH\"")
        #expect(try other.found("List", any).map(\.objectID) == [list.objectID])
        let found = try other.search("haus", entityName: "Item", relatedKeyPaths: ["list.name"])
        #expect(Set(found) == [item.objectID, alone.objectID])
        let both = try other.search("haus dach", entityName: "Item", relatedKeyPaths: ["list.name"])
        #expect(both == [item.objectID])
    }

    @Test(arguments: SeededRandom.seeds(2))
    func savesKeepTheFoldedTextsInStep(_ seed: UInt64) throws {
        let bench = try ServerBench()
        let (context, store) = try bench.context(searched: true)
        var random = SeededRandom(seed: seed)
        func text() -> GraphValue {
            if random.chance(6) { return .null }
            let parts = (0..<random.pick([0, 1, 3])).map { _ in random.pick(Self.texts) }
            return .string(parts.joined(separator: random.pick(["", " "])))
        }
        for round in 0..<12 {
            // Some rounds are large enough for COPY.
            for _ in 0..<random.pick([3, 140]) { try context.add("Item", ["title": text()]) }
            for item in try context.found("Item") where random.chance(9) {
                if random.chance(2) {
                    context.delete(item)
                } else {
                    try item.setValue(text(), forKey: "title")
                }
            }
            try context.save()
            let word = random.pick(Self.texts)
            var plan = SearchPlan(try #require(store.schema.model.entity(named: "Item")), word)
            plan.loadsRows = false
            let found = try store.search(plan)
            let condition = plan.condition
            let expected = try context.found("Item").filter {
                try condition.evaluate(with: .object($0))
            }
            #expect(found.isComplete)
            #expect(
                Set(found.ids) == Set(expected.map(\.objectID)),
                "seed \(seed), round \(round), \(word.debugDescription)"
            )
        }
        let rows = try bench.server.execute(
            "SELECT COUNT(*) FROM \"\(bench.schema)\".og_search_zitem"
        )
        #expect(rows == String(try context.found("Item").count))
    }

    /// The first program with searched attributes makes their tables; who has the store open without
    /// writing them is refused.
    @Test func attributesThatAreSearchedFromNowOnAreFound() throws {
        let bench = try ServerBench()
        let (former, _) = try bench.context()
        try former.add("Item", ["title": "Überall"])
        try former.save()
        let (context, store) = try bench.context(searched: true)
        #expect(store.foldedColumn(try #require(attribute(store))) != nil)
        #expect(try context.search("UBERALL", entityName: "Item").count == 1)
        try context.add("Item", ["title": "überall"])
        try context.save()
        #expect(try context.search("uberall", entityName: "Item").count == 2)
        try former.add("Item", ["title": "überall, unbemerkt"])
        let error = #expect(throws: ObjectGraphError.self) { try former.save() }
        #expect(error?.code == .incompatibleVersion)
        // Only reading, a store without the tables is searched as well.
        let plain = try ServerBench()
        let (first, _) = try plain.context()
        try first.add("Item", ["title": "Überall"])
        try first.save()
        var options = PostgreSQLStoreOptions()
        options.isReadOnly = true
        let reader = try plain.store(options, searched: true)
        #expect(reader.foldedColumn(try #require(attribute(reader))) == nil)
        let plan = SearchPlan(try #require(reader.schema.model.entity(named: "Item")), "uberall")
        let answer = try reader.search(plan)
        #expect(answer.ids.count == 1 && answer.remainder != nil)
    }

    private func attribute(_ store: PostgreSQLStore) -> AttributeDescription? {
        store.schema.model.entity(named: "Item")?.property(named: "title") as? AttributeDescription
    }

    /// A search does not read all texts, nor does the number of the last item read all numbers.
    @Test func trigramsLeadToTheRows() throws {
        let bench = try ServerBench()
        let (context, store) = try bench.context(searched: true)
        for number in 0..<200 { try context.add("Item", ["title": .string("item \(number)")]) }
        try context.save()
        let plan = try bench.server.execute(
            "SET search_path TO \"\(bench.schema)\"; SET enable_seqscan TO off; EXPLAIN (FORMAT JSON)"
                + " SELECT k FROM og_search_zitem WHERE ztitle LIKE '%item 17%'"
        )
        #expect(plan?.contains("og_trigrams_zitem") == true, "\(plan ?? "no plan")")
        #expect(store.metadata["OGSearch"] != nil)
    }
}
