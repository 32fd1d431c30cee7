import Foundation
import ObjectContext
import ObjectGraph
import SeededRandom
import Testing

final class SeedVersion: ManagedObject {
    @Managed(unique: true) var name: String
    @Managed var version: Int
}

final class Category: ManagedObject {
    @Managed(unique: true) var name: String
    @Managed var order: Int?
    @Managed var note: String?
    @Managed(inverse: \.category) var entries: Set<Entry>
    @Managed(inverse: \.categories) var tags: Set<Label>
}

final class Entry: ManagedObject {
    @Managed var title: String
    @Managed var made: Date?
    @Managed var category: Category?
    @Managed(inverse: \.parts) var whole: Entry?
    @Managed var parts: Set<Entry>
}

final class Label: ManagedObject {
    @Managed var text: String
    @Managed var categories: Set<Category>
}

@Suite struct SeedPlanTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private var url: URL { folder.url.appending(path: "a.sqlite") }

    private func container() throws -> PersistentContainer {
        try PersistentContainer(for: Category.self, SeedVersion.self, url: url)
    }

    private static func plan(_ version: Int) -> SeedPlan {
        let csv = """
            name,order,note,since
            Login,1,,
            Bank,2,"",
            "Mail, post",3,"two\r\nlines",1
            Server,4,,2
            Note,5,,3

            """
        let rows = csv.split(separator: "\n", omittingEmptySubsequences: false)
        let kept = rows.filter { row in
            row.last.flatMap(\.wholeNumberValue).map { $0 <= version } ?? true
        }
        return SeedPlan(
            "categories",
            version: version,
            [SeedTable("Category", csv: kept.joined(separator: "\n").utf8)]
        )
    }

    private func names(_ container: PersistentContainer) throws -> [String] {
        let context = container.newContext()
        return try withExtendedLifetime(context) {
            try Category.all(in: context, sortedBy: \.order).map(\.name)
        }
    }

    @Test func planIsRunOnce() throws {
        let container = try container()
        #expect(try Self.plan(1).run(in: container.coordinator) == 3)
        #expect(try Self.plan(1).run(in: container.coordinator) == 0)
        #expect(try names(container) == ["Login", "Bank", "Mail, post"])
        let context = container.newContext()
        let all = try Category.all(in: context, sortedBy: \.order)
        #expect(all.map(\.note) == [nil, "", "two\r\nlines"])
        #expect(all.map(\.order) == [1, 2, 3])
        #expect(try SeedVersion.all(in: context).map(\.version) == [1])
        #expect(try context.undoSteps().isEmpty, "undo skips seeds")
    }

    @Test func newerVersionAddsOnlyItsRowsAndDeletedOnesStayDeleted() throws {
        let container = try container()
        try Self.plan(1).run(in: container.coordinator)
        let context = container.viewContext
        for category in try Category.all(in: context) where category.name != "Bank" {
            context.delete(category)
        }
        try context.save()
        #expect(try Self.plan(1).run(in: container.coordinator) == 0)
        #expect(try Self.plan(3).run(in: container.coordinator) == 2)
        #expect(try names(container) == ["Bank", "Server", "Note"])
        #expect(try Self.plan(2).run(in: container.coordinator) == 0, "an older program")
        #expect(try Self.plan(3).version(in: container.viewContext) == 3)
    }

    @Test func rowThatTheUserHasMadeIsNotMadeTwice() throws {
        let container = try container()
        let own = container.viewContext.insert(Category.self)
        own.name = "Bank"
        own.order = 9
        try container.viewContext.save()
        #expect(try Self.plan(1).run(in: container.coordinator) == 2)
        #expect(try names(container).sorted() == ["Bank", "Login", "Mail, post"])
        #expect(own.order == 9)
    }

    @Test func severalStartsAtOnceAddOnce() async throws {
        try container().close()
        let path = url.path
        func start() async {
            await #expect(processExitsWith: .success) { [path = path as String] in
                let container = try PersistentContainer(
                    for: Category.self,
                    SeedVersion.self,
                    url: URL(filePath: path)
                )
                for version in 1...3 {
                    try SeedPlanTests.plan(version).run(in: container.coordinator)
                }
                container.close()
            }
        }
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { await start() } }
        }
        let container = try container()
        #expect(try names(container) == ["Login", "Bank", "Mail, post", "Server", "Note"])
        #expect(try SeedVersion.all(in: container.viewContext).map(\.version) == [3])
    }

    @Test func otherStackThatIsQuickerWins() throws {
        let (ours, theirs) = (try container(), try container())
        let context = ours.newContext()
        let added = try Self.plan(1).apply(to: context)
        #expect(added.count == 3)
        try Self.plan(1).run(in: theirs.coordinator)
        let error = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(error?.code == .constraintConflict)
        #expect(try Self.plan(1).run(in: ours.coordinator) == 0)
        #expect(try names(ours).count == 3)
    }

    @Test(arguments: [StoreType.inMemory, .binary, .xml, .text])
    func otherStoresAreSeededToo(_ type: StoreType) throws {
        var options = StoreOptions()
        options.type = type
        let container = try PersistentContainer(
            for: Category.self,
            SeedVersion.self,
            url: url,
            options: options
        )
        #expect(try Self.plan(2).run(in: container.coordinator) == 4)
        #expect(try Self.plan(2).run(in: container.coordinator) == 0)
    }

    @Test func relationshipsLeadToKeysLabelsAndSeveralObjects() throws {
        let container = try container()
        let plan = SeedPlan(
            "library",
            [
                SeedTable(
                    "Category",
                    csv: "name,tags\nHome,red; blue\nWork,\n".utf8,
                    columns: [
                        "tags": .object("tags", by: "text", creates: true)
                    ]
                ),
                SeedTable(
                    "Entry",
                    json: Data(
                        #"""
                        [{"title": "part", "in": "all", "category": "Home"},
                         {"title": "whole", "id": "all", "made": "2026-01-31T12:00:00Z"}]
                        """#.utf8
                    ),
                    columns: [
                        "id": .label, "in": .row("whole"),
                        "category": .object("category", by: "name"),
                    ]
                ),
            ]
        )
        #expect(try plan.run(in: container.coordinator) == 4)
        let context = container.viewContext
        let part = try #require(try Entry.first(in: context, where: \.title == "part"))
        #expect(part.category?.name == "Home" && part.whole?.title == "whole")
        #expect(part.category?.tags.map(\.text).sorted() == ["blue", "red"])
        #expect(part.whole?.made == Date(timeIntervalSince1970: 1_769_860_800))
        #expect(try Label.count(in: context) == 2)
    }

    @Test(arguments: [
        ("name,order\nA,x", "line 2, column 3"), ("name,colour\nA,red", "line 2, column 3"),
        ("name,since\nA,9", "line 2, column 3"), ("name,since\nA,0", "line 2, column 3"),
        ("name,name\nA,B", "line 1, column 6"), ("name,\nA,B", "line 1, column 6"),
        ("name\n\"A", "line 2, column 1"), ("name,entry\nA,\n\"B\nB\",E", "line 4, column 4"),
    ])
    func mistakeIsToldWithItsPlaceAndNothingIsAdded(_ csv: String, _ place: String) throws {
        let container = try container()
        let plan = SeedPlan(
            "wrong",
            [
                SeedTable(
                    "Category",
                    csv: csv.utf8,
                    columns: ["entry": .object("entries", by: "title")]
                )
            ]
        )
        let error = #expect(throws: ObjectGraphError.self) {
            try plan.run(in: container.coordinator)
        }
        #expect(error?.code == .invalidFormat)
        #expect(error?.message.contains(place) == true, "\(String(describing: error))")
        #expect(try names(container) == [])
        #expect(try plan.version(in: container.viewContext) == 0)
    }

    @Test(arguments: [
        "", "{", "{}", "[1]", "[{\"name\": {}}]", "[{\"order\": \"x\"}]", "[{\"nome\": \"A\"}]",
    ])
    func wrongJSONIsRefused(_ json: String) throws {
        let container = try container()
        let plan = SeedPlan("wrong", [SeedTable("Category", json: json.utf8)])
        #expect(throws: ObjectGraphError.self) { try plan.run(in: container.coordinator) }
        #expect(try names(container) == [])
    }

    @Test func modelWithoutVersionsIsRefusedWithAnError() throws {
        let container = try PersistentContainer(for: Category.self, url: url)
        let error = #expect(throws: ObjectGraphError.self) {
            try Self.plan(1).run(in: container.coordinator)
        }
        #expect(error?.message.contains("SeedVersion") == true)
    }

    @Test func tenThousandRowsAreOneTransaction() throws {
        let container = try container()
        let csv = "name\n" + (0..<10_000).map { "c\($0)" }.joined(separator: "\n")
        let plan = SeedPlan("many", [SeedTable("Category", csv: csv.utf8)])
        #expect(try plan.run(in: container.coordinator) == 10_000)
        let history = try container.coordinator.history(HistoryRequest())
        #expect(history.transactions.count == 1)
    }
}
