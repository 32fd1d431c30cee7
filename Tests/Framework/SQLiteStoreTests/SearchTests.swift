import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom
import Testing

/// Text search: every word in one of the searched texts, own or related.
@Suite struct SearchTests {
    static let syllables = [
        "ga", "rden", "be", "at", "les", "Äm", "ter", "é", "ss", "x", "the ", " ",
    ]

    private func naive(_ bench: TestBench, _ text: String) throws -> Set<ManagedObjectID> {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let view = StoredObjects(bench.session.store, bench.model)
        defer { withExtendedLifetime(view) {} }
        var result: Set<ManagedObjectID> = []
        for id in try bench.ids("Item") {
            guard let object = view.object(id) else { continue }
            var texts: [GraphValue] = []
            for key in ["title", "notes", "body"] {
                texts.append(try object.value(forKey: key))
            }
            texts.append(try object.value(forKeyPath: "list.name"))
            texts += try object.value(forKeyPath: "tags.name").elements ?? []
            let found = words.allSatisfy { word in
                let pattern = FoldedPattern(
                    word,
                    options: [.caseInsensitive, .diacriticInsensitive]
                )
                return texts.contains {
                    if case .string(let text) = $0 { return pattern.isContained(in: text) }
                    return false
                }
            }
            if found { result.insert(id) }
        }
        return result
    }

    private func search(_ bench: TestBench, _ text: String) throws -> [ManagedObjectID] {
        var plan = SearchPlan(bench.session.entity("Item"), text)
        plan.relatedKeyPaths = ["list.name", "tags.name"]
        return try bench.sqlite.search(plan).ids
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func randomEditsNeverLeaveTheIndexBehind(_ seed: UInt64) throws {
        let bench = try TestBench(.sqlite)
        let session = bench.session
        var random = SeededRandom(seed: seed)
        func text() -> GraphValue {
            let count = Int.random(in: 0..<8, using: &random)
            return .string((0..<count).map { _ in random.pick(Self.syllables) }.joined())
        }
        let lists = (0..<3).map { _ in session.insert("List", ["name": text()]) }
        let tags = (0..<4).map { session.insert("Tag", ["name": .string("tag\($0)")]) }
        var items: [TestObject] = []
        for index in 0..<60 {
            let item = session.insert(index % 2 == 0 ? "Task" : "Note", ["title": text()])
            if random.chance(2) { item["notes"] = text() }
            if random.chance(2) { item["list"] = random.pick(lists).reference }
            if random.chance(3) { session.link(item, "tags", add: [random.pick(tags)]) }
            items.append(item)
        }
        try session.save()
        for round in 0..<30 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                let index = Int.random(in: 0..<items.count, using: &random)
                session.delete(items.remove(at: index))
            case 1: session.update(random.pick(lists), ["name": text()])
            case 2: items.append(session.insert("Note", ["body": text()]))
            default: session.update(random.pick(items), ["title": text(), "notes": .null])
            }
            try session.save()
            if round == 15 {
                try bench.raw().rows(
                    "INSERT INTO OG_SEARCH_ZITEM(OG_SEARCH_ZITEM) VALUES('integrity-check')"
                )
            }
            for query in ["garden", "BEATLES", "amter", "e", "ss x", "rden the", "tag1", "  tag "] {
                let found = try search(bench, query)
                let expected = try naive(bench, query)
                #expect(Set(found) == expected, "seed \(seed), round \(round), \(query)")
                #expect(found.count == expected.count)
            }
        }
    }

    @Test func emptyTextFindsEverythingAndALimitKeepsTheOrder() throws {
        let bench = try TestBench(.sqlite)
        for index in 0..<50 {
            bench.session.insert("Task", ["title": "common word", "rank": .int(Int64(50 - index))])
        }
        try bench.session.save()
        var plan = SearchPlan(bench.session.entity("Item"), "  ")
        #expect(try bench.sqlite.search(plan).ids.count == 50)
        plan.text = "word com"
        plan.limit = 3
        plan.sortDescriptors = [FetchSortDescriptor("rank")]
        let found = try bench.sqlite.search(plan).ids
        #expect(try found.map { try bench.session.value($0, "rank") } == [1, 2, 3])
    }

    @Test(arguments: [true, false])
    func allResultsComeInTheOrderOfANumber(_ isAscending: Bool) throws {
        let bench = try TestBench(.sqlite)
        var random = SeededRandom()
        let ranks: [GraphValue] = [
            .null, .int(0), .int(.max), .int(.min), .int(-1), .int(1), .int(2), .int(3),
        ]
        for _ in 0..<60 {
            bench.session.insert("Task", ["title": "common", "rank": random.pick(ranks)])
        }
        try bench.session.save()
        var plan = SearchPlan(bench.session.entity("Item"), "common")
        plan.sortDescriptors = [FetchSortDescriptor("rank", ascending: isAscending)]
        plan.loadsRows = false
        var request = FetchDescription(entityName: "Item")
        request.sortDescriptors = plan.sortDescriptors
        let expected = try bench.session.fetch(request).ids
        #expect(try bench.sqlite.search(plan).ids == expected)
    }

    /// In a large index only some trigrams of the words are looked up.
    @Test func aLargeIndexFindsWhatTheTextsHave() throws {
        let bench = try TestBench(.sqlite)
        var random = SeededRandom()
        let words = ["garden", "garlic", "lesson", "lessen", "market", "target", "rare\"st"]
        func add(_ count: Int) throws {
            let tag = bench.session.insert("Tag", ["name": .string("target\(count)")])
            for _ in 0..<count {
                let title = (0..<3).map { _ in random.pick(words) }.joined(separator: " ")
                let item = bench.session.insert("Task", ["title": .string(title)])
                if random.chance(20) { bench.session.link(item, "tags", add: [tag]) }
            }
            try bench.session.save()
        }
        try add(200)
        try bench.raw().rows("UPDATE Z_PRIMARYKEY SET Z_MAX = 100000 WHERE Z_NAME = 'Item'")
        try bench.reopen()
        try add(201)
        for query in [
            "garden", "garlic lesson", "gar les", "market target", "target200", "target201 garden",
            "RARE\"ST lessen", "absent garden", "ga lesson",
        ] {
            #expect(
                try Set(search(bench, query)) == naive(bench, query),
                "\(query)"
            )
        }
    }

    @Test func renamingARelatedObjectNeedsNoReindexing() throws {
        let bench = try TestBench(.sqlite)
        let session = bench.session
        let list = session.insert("List", ["name": "Garden"])
        let item = session.insert("Task", ["title": "Dig", "list": list.reference])
        try session.save()
        session.update(list, ["name": "Kitchen"])
        var statements: [String] = []
        try bench.sqlite.trace { sql, _ in statements.append(sql) }
        try session.save()
        try bench.sqlite.trace(nil)
        #expect(!statements.contains { $0.contains("OG_SEARCH_ZITEM") })
        #expect(try search(bench, "kitchen dig") == [item.id])
        #expect(try search(bench, "garden") == [])
    }

    @Test func anIndexOfOtherAttributesIsBuiltAnewWhenOpening() throws {
        let bench = try TestBench(.sqlite)
        bench.session.insert("List", ["name": "Garden"])
        bench.session.insert("Task", ["title": "Plant", "notes": "Beans"])
        try bench.session.save()
        bench.session.store.close()
        let other = TestModel.make { model in
            model.entity(named: "Item")?.property(own: "notes")?.isSearched = false
        }
        let store = try SQLiteStore(url: bench.folder.file(), model: other)
        let item = try #require(other.entity(named: "Item"))
        #expect(try store.search(SearchPlan(item, "beans")).ids.count == 0)
        #expect(try store.search(SearchPlan(item, "plant")).ids.count == 1)
        store.close()
        var bare = SQLiteStoreOptions()
        bare.keepsSearchIndex = false
        let without = try SQLiteStore(url: bench.folder.file(), model: other, options: bare)
        #expect(try without.search(SearchPlan(item, "plant")).ids.count == 1)
        without.close()
        let tables = try bench.raw().rows(
            "SELECT name FROM sqlite_master WHERE name LIKE 'OG_SEARCH%'"
        )
        #expect(tables.isEmpty)
    }
}
