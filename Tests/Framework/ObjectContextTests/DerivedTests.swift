import FoundationEssentials
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import SQLiteStore
import Testing

/// Feeds with articles, and every form of derived attribute.
private func derivedModel() -> ManagedObjectModel {
    func derived(_ name: String, _ type: AttributeType, _ expression: String) -> PropertyDescription
    {
        let attribute = AttributeDescription(name, type)
        attribute.derivation = expression
        return attribute
    }
    let latest = FetchedPropertyDescription(
        "long",
        FetchDescription(
            entityName: "Article",
            predicate: try? FetchPredicate(
                format: "feed == $FETCH_SOURCE AND words > 10 AND $FETCHED_PROPERTY == 'long'"
            ),
            sortDescriptors: [FetchSortDescriptor("words")]
        )
    )
    let model = ManagedObjectModel([
        EntityDescription(
            "Feed",
            [
                AttributeDescription("title", .string),
                derived("copy", .string, "title"),
                derived("folded", .string, "canonical:(title)"),
                derived("upper", .string, "uppercase:(title)"),
                derived("lower", .string, "lowercase:(title)"),
                derived("saved", .date, "now()"),
                derived("count", .integer64, "articles.@count"),
                derived("words", .integer64, "articles.words.@sum"),
                derived("longest", .integer64, "articles.words.@max"),
                derived("titles", .string, "articles.words.@avg"),
                RelationshipDescription("articles", to: "Article", inverse: "feed", toMany: true),
                latest,
            ]
        ),
        EntityDescription(
            "Article",
            [
                AttributeDescription("words", .integer64, default: 0),
                derived("feedTitle", .string, "feed.title"),
                derived("feedWords", .integer64, "feed.words"),
                RelationshipDescription("feed", to: "Feed", inverse: "articles"),
            ]
        ),
    ])
    model.fetchRequestTemplates["Longer"] = FetchDescription(
        entityName: "Article",
        predicate: try? FetchPredicate(format: "words > $WORDS"),
        sortDescriptors: [FetchSortDescriptor("words")]
    )
    return model
}

enum DerivedStore: CaseIterable, CustomTestStringConvertible {
    case memory, sqlite

    var testDescription: String { "\(self)" }

    /// Runs a test with a context over an empty store of this kind.
    fileprivate func run(_ body: (ManagedObjectContext) throws -> Void) throws {
        let bench = try StoreBench(self == .memory ? .inMemory : .sqlite, model: derivedModel())
        try body(bench.context())
    }
}

@Suite struct DerivedTests {
    @discardableResult
    private func feed(_ context: ManagedObjectContext, _ words: [Int64]) throws -> ManagedObject {
        let feed = try context.make("Feed", ["title": "Ärger, Größe ǆ"])
        for words in words {
            try context.make("Article", ["words": .int(words), "feed": .object(feed)])
        }
        return feed
    }

    @Test(.scenario("derived-1", "derived-3"), arguments: DerivedStore.allCases)
    func saveComputesEveryForm(_ store: DerivedStore) throws {
        try store.run { context in
            let feed = try feed(context, [3, 4])
            #expect(feed["count"] == .null)
            let before = Date()
            try context.save()
            let other = context.sibling()
            let stored = try other.all("Feed")[0]
            for feed in [feed, stored] {
                #expect(feed["copy"] == "Ärger, Größe ǆ")
                #expect(feed["folded"] == "arger, grosse ǆ")
                #expect(feed["upper"] == "ÄRGER, GRÖSSE Ǆ")
                #expect(feed["lower"] == "ärger, größe ǆ")
                #expect(feed["count"] == 2)
                #expect(feed["words"] == 7)
                #expect(feed["longest"] == 4)
                #expect(feed["titles"] == .null)
                guard case .date(let date) = feed["saved"] else {
                    Issue.record("no date")
                    return
                }
                #expect(date.timeIntervalSince(before) > -0.001)
            }
            #expect(
                try context.stored("Article", "feedTitle") == ["Ärger, Größe ǆ", "Ärger, Größe ǆ"]
            )
            #expect(try context.stored("Article", "feedWords") == [7, 7])
        }
    }

    @Test(.scenario("derived-5"), arguments: DerivedStore.allCases)
    func changeOfARelatedObjectReachesWhatIsDerivedFromIt(_ store: DerivedStore) throws {
        try store.run { context in
            let id = try feed(context, [3, 4]).objectID
            try context.save()
            let feedID = context.object(with: id).objectID
            let other = context.sibling()
            let article = try other.all("Article", "words == 3")[0]
            article["words"] = 10
            try other.save()
            #expect(try context.stored("Feed", "words") == [14])
            #expect(try context.stored("Article", "feedWords") == [14, 14])
            other.object(with: feedID)["title"] = "New"
            try other.save()
            #expect(try context.stored("Article", "feedTitle") == ["New", "New"])
            other.delete(article)
            try other.save()
            #expect(try context.stored("Feed", "count") == [1])
            #expect(try context.stored("Feed", "words") == [4])
        }
    }

    @Test(.scenario("derived-7"), arguments: DerivedStore.allCases)
    func timeOfTheSaveMovesWithEachSaveOfTheObject(_ store: DerivedStore) throws {
        try store.run { context in
            let (feed, still) = (try feed(context, []), try feed(context, []))
            try context.save()
            var times = [feed["saved"]]
            let untouched = still["saved"]
            for title in ["b", "c"] {
                feed["title"] = .string(title)
                try context.save()
                times.append(feed["saved"])
            }
            let dates = times.compactMap { value -> Date? in
                if case .date(let date) = value { return date }
                return nil
            }
            #expect(dates.count == 3 && dates[0] < dates[1] && dates[1] < dates[2])
            #expect(still["saved"] == untouched)
            let fresh = context.sibling()
            #expect(try fresh.all("Feed", "title == 'c'").values("saved") == [times[2]])
        }
    }

    @Test(
        .scenario("derived-atomic-store", deviation: "computed in memory too, not refused")
    )
    func storeWithoutAFileDerivesToo() throws {
        try DerivedStore.memory.run { context in
            try feed(context, [2, 3])
            try context.save()
            #expect(try context.stored("Feed", "words") == [5])
        }
    }

    @Test(arguments: DerivedStore.allCases)
    func unrelatedSaveWritesNoDerivedValue(_ store: DerivedStore) throws {
        try store.run { context in
            let feed = try feed(context, [3])
            try context.save()
            let saved = feed["saved"]
            let article = try context.all("Article")[0]
            feed["title"] = "Other"
            feed["title"] = "Ärger, Größe ǆ"
            article["words"] = 3
            try context.save()
            #expect(feed["saved"] == saved)
        }
    }

    @Test(arguments: DerivedStore.allCases)
    func savesThatMeetInADerivedValueAloneDoNotConflict(_ store: DerivedStore) throws {
        try store.run { context in
            let feed = try feed(context, [])
            try context.save()
            let contexts = [context.sibling(), context.sibling()]
            for context in contexts {
                let feed = context.object(with: feed.objectID)
                _ = feed["count"]
                try context.make("Article", ["words": 5, "feed": .object(feed)])
            }
            for context in contexts { try context.save() }
            #expect(try context.stored("Feed", "count") == [2])
            #expect(try context.stored("Feed", "words") == [10])
        }
    }

    @Test func undoChangesWhatIsDerivedAtTheNextSave() throws {
        try DerivedStore.memory.run { context in
            let feed = try feed(context, [])
            try context.save()
            context.undoManager = UndoManager()
            feed["title"] = "Next"
            try context.save()
            #expect(feed["lower"] == "next")
            try context.undo()
            try context.save()
            #expect(feed["lower"] == "ärger, größe ǆ")
        }
    }

    @Test func failedSaveLeavesDerivedValuesAsTheyWere() throws {
        let coordinator = try PersistentStoreCoordinator(model: derivedModel())
        let store = try CountingStore(model: coordinator.model)
        coordinator.add(store)
        let context = ManagedObjectContext(coordinator: coordinator)
        let feed = try feed(context, [3, 4])
        try context.save()
        let before = ["lower", "count", "words", "saved", "longest"].map { feed[$0] }
        let articles = try context.all("Article")
        articles[0]["words"] = 10
        let new = try context.make("Article", ["words": 5])
        store.saveFailure = ObjectGraphError(.cannotWrite, "The disk is full.")
        #expect(failure { try context.save() }?.code == .cannotWrite)
        // The feed and the other article depend on the change, but nobody touched them.
        #expect(context.updatedObjects == [articles[0]] && context.insertedObjects == [new])
        #expect(articles[0].changedValues() == ["words": 10] && !feed.hasChanges)
        #expect(["lower", "count", "words", "saved", "longest"].map { feed[$0] } == before)
        new["feed"] = .object(feed)
        feed["title"] = "Next"
        #expect(failure { try context.save() }?.code == .cannotWrite)
        #expect(Set(feed.changedValues().keys) == ["title", "articles"])
        #expect(["lower", "count", "words", "saved", "longest"].map { feed[$0] } == before)
        #expect(new["feedTitle"] == .null)
        store.saveFailure = nil
        try context.save()
        #expect(feed["lower"] == "next" && feed["count"] == 3 && new["feedTitle"] == "Next")
        #expect(try context.stored("Feed", "words") == [19] && !context.hasChanges)
    }

    @Test func requiredDerivedAttributeFailsValidation() throws {
        let attribute = AttributeDescription("size", .integer64, optional: false)
        attribute.derivation = "parts.@count"
        let model = ManagedObjectModel([
            EntityDescription(
                "Whole",
                [attribute, RelationshipDescription("parts", to: "Whole", toMany: true)]
            )
        ])
        let coordinator = try PersistentStoreCoordinator(model: model)
        coordinator.add(try InMemoryStore(model: model))
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.make("Whole")
        #expect(failure { try context.save() }?.code == .missingMandatory)
    }

    @Test(arguments: [
        "", "a.", "f:(a)", "@count", "a.@nothing", "a.@count.@sum", "a b +", "@sum.a", "a.@sum",
    ])
    func whatIsNoDerivationIsRefused(expression: String) {
        #expect(Derivation(expression) == nil)
        let attribute = AttributeDescription("a", .string)
        attribute.derivation = expression
        let issues = ManagedObjectModel([EntityDescription("E", [attribute])]).check()
        #expect(issues.map(\.isError) == [false])
    }

    @Test(arguments: [
        "parts.@sum.size", "parts.@max.size", "parts.@count.size", "owner.owned.parts.@avg.size",
    ])
    func operatorThatIsNotLastIsRefused(expression: String) throws {
        let issues = whole(derivation: expression).check()
        let issue = try #require(issues.first)
        #expect(issues.count == 1 && issue.isError && issue.place == "Whole.a")
        #expect(issue.message.contains(expression))
    }

    @Test(arguments: ["parts.size.@sum", "parts.@count", "owner.owned.parts.size.@avg"])
    func operatorAtTheEndIsTaken(expression: String) {
        #expect(whole(derivation: expression).check().isEmpty)
    }

    /// A whole with parts, one of which owns it.
    private func whole(derivation: String) -> ManagedObjectModel {
        let attribute = AttributeDescription("a", .integer64)
        attribute.derivation = derivation
        return ManagedObjectModel([
            EntityDescription(
                "Whole",
                [
                    attribute,
                    RelationshipDescription("parts", to: "Part", inverse: "whole", toMany: true),
                    RelationshipDescription("owner", to: "Part", inverse: "owned"),
                ]
            ),
            EntityDescription(
                "Part",
                [
                    AttributeDescription("size", .integer64),
                    RelationshipDescription("whole", to: "Whole", inverse: "parts"),
                    RelationshipDescription("owned", to: "Whole", inverse: "owner"),
                ]
            ),
        ])
    }

    @Test(arguments: DerivedStore.allCases)
    func fetchedPropertyIsKeptUntilRefresh(_ store: DerivedStore) throws {
        try store.run { context in
            let feed = try feed(context, [30, 20, 5])
            try context.save()
            #expect(feed.list("long").values("words") == [20, 30])
            let new = try context.make("Article", ["words": 40, "feed": .object(feed)])
            #expect(feed.list("long").values("words") == [20, 30])
            #expect(feed.changedValues().keys.contains("long") == false)
            try context.save()
            context.refresh(feed, mergeChanges: true)
            #expect(feed.list("long").values("words") == [20, 30, 40])
            context.delete(new)
            try context.save()
            #expect(feed.list("long").values("words") == [20, 30])
            context.refresh(feed, mergeChanges: false)
            #expect(feed.list("long").values("words") == [20, 30])
        }
    }

    @Test func newObjectFetchesToo() throws {
        try DerivedStore.memory.run { context in
            let feed = try feed(context, [30])
            #expect(feed.list("long").count == 1)
            #expect(Set(feed.changedValues().keys) == ["title", "articles"])
        }
    }

    @Test func templateTakesItsVariables() throws {
        try DerivedStore.sqlite.run { context in
            _ = try feed(context, [30, 20, 5])
            try context.save()
            let request = try FetchRequest<ManagedObject>(
                template: "Longer",
                of: context.model,
                variables: ["WORDS": 10]
            )
            #expect(try context.fetch(request).values("words") == [20, 30])
            let error = failure { _ = try context.model.fetchRequest(fromTemplate: "Nothing") }
            #expect(error?.recovery == "It has: Longer.")
        }
    }
}
