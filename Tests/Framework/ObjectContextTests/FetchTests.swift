import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore
import Testing

@Suite("Fetching with pending changes")
struct FetchTests {
    let context: ManagedObjectContext
    let alpha: ManagedObject
    let bravo: ManagedObject
    let charlie: ManagedObject

    init() throws {
        context = try TestGraph.context()
        alpha = try context.make("Employee", ["name": "alpha", "age": 22])
        bravo = try context.make("Employee", ["name": "bravo", "age": 25])
        charlie = try context.make("Employee", ["name": "charlie", "age": 10])
        try context.save()
    }

    /// alpha no longer matches, charlie does, bravo goes, two come.
    private func change() throws {
        alpha["age"] = 5
        charlie["age"] = 21
        context.delete(bravo)
        try context.make("Employee", ["name": "delta", "age": 30])
        try context.make("Employee", ["name": "echo", "age": 40])
    }

    private func request<Result>(_ type: Result.Type) throws -> FetchRequest<Result> {
        FetchRequest<Result>(
            FetchDescription(
                entityName: "Employee",
                predicate: try FetchPredicate(format: "age > 20"),
                sortDescriptors: [FetchSortDescriptor("age")]
            )
        )
    }

    @Test(.scenario("pending-object-fetch"))
    func objectsAreOverlaidAndSorted() throws {
        try change()
        let found = try context.fetch(try request(ManagedObject.self))
        #expect(found.values("name") == ["charlie", "delta", "echo"] && found[0]["age"] == 21)
        #expect(try context.count(for: try request(ManagedObject.self)) == 3)
        #expect(try context.fetch(try request(Int.self)) == [3])
        var distinct = try request(ManagedObject.self)
        distinct.returnsDistinctResults = true
        #expect(try context.fetch(distinct).count == 3)
    }

    @Test(.scenario("pending-objectIDs"))
    func idsAreOverlaidAndSorted() throws {
        try change()
        let ids = try context.fetch(try request(ManagedObjectID.self))
        #expect(ids.map { context.object(with: $0)["name"] } == ["charlie", "delta", "echo"])
        #expect(ids.filter(\.isTemporaryID).count == 2)
    }

    @Test(.scenario("window-dirty", deviation: "the overlay comes first, then the window"))
    func windowIsCutAfterTheOverlay() throws {
        try change()
        var request = try request(ManagedObject.self)
        request.offset = 1
        #expect(try context.fetch(request).values("name") == ["delta", "echo"])
        request.limit = 1
        #expect(try context.fetch(request).values("name") == ["delta"])
        request.offset = 0
        request.limit = 2
        #expect(try context.fetch(request).values("name") == ["charlie", "delta"])
        #expect(try context.count(for: request) == 2)
        request.offset = 9
        #expect(try context.fetch(request).isEmpty)
        request.limit = 0
        #expect(try context.count(for: request) == 0)
    }

    @Test(.scenario("pending-dictionary"))
    func dictionariesShowTheStore() throws {
        try change()
        var request = try request([String: GraphValue].self)
        request.propertiesToFetch = [.init("name")]
        #expect(try context.fetch(request) == [["name": "alpha"], ["name": "bravo"]])
        request.includesPendingChanges = false
        #expect(try context.fetch(request) == [["name": "alpha"], ["name": "bravo"]])
    }

    @Test func withoutPendingChangesTheStoreAnswers() throws {
        try change()
        var request = try request(ManagedObject.self)
        request.includesPendingChanges = false
        let found = try context.fetch(request)
        #expect(found == [alpha, bravo] && found.values("age") == [5, 25])
        #expect(try context.count(for: request) == 2)
        request.predicate = .and([
            try FetchPredicate(format: "age > 20"),
            .block(
                FetchBlock { object, _ in
                    guard case .object(let object) = object else { return false }
                    return (try? object.value(forKey: "age")) != 25
                }
            ),
        ])
        #expect(try context.fetch(request) == [alpha])
    }

    @Test func pendingChangesOfRelatedObjectsCount() throws {
        let home = try context.make("Department", ["title": "b"])
        let work = try context.make("Department", ["title": "d"])
        alpha["department"] = .object(home)
        bravo["department"] = .object(work)
        let plan = try context.make("Project", ["code": "p", "members": [.object(charlie)]])
        try context.save()
        var request = FetchRequest<ManagedObject>(
            entityName: "Employee",
            predicate: try FetchPredicate(format: "department.title == 'x'")
        )
        home["title"] = "x"
        #expect(try context.fetch(request) == [alpha])
        plan["code"] = "q"
        request.predicate = try FetchPredicate(format: "ANY projects.code == 'q'")
        #expect(try context.fetch(request) == [charlie])
        request.predicate = try FetchPredicate(format: "department != nil")
        request.sortDescriptors = [FetchSortDescriptor("department.title")]
        #expect(try context.fetch(request) == [bravo, alpha])
        request.predicate = .block(FetchBlock { _, _ in true })
        #expect(try context.fetch(request) == [charlie, bravo, alpha])
        request.predicate = try FetchPredicate(
            format: "SUBQUERY(projects, $p, $p.code == 'q' AND $p.members.@count == 1).@count > 0"
        )
        #expect(try context.fetch(request) == [charlie])
    }

    /// The second part follows the path of the first one further and is then left to memory; the
    /// third needs what the second had begun.
    @Test func partLeftToMemoryLeavesNothingInTheStatement() throws {
        let bench = try StoreBench(.sqlite)
        let context = bench.context()
        let ana = try context.make("Employee", ["name": "Ana", "age": 40])
        let sales = try context.make("Department", ["title": "Sales", "head": .object(ana)])
        try context.make("Employee", ["name": "Bob", "department": .object(sales)])
        try context.save()
        let found = try context.all(
            "Employee",
            "department.title == 'Sales' AND department.head.name MATCHES 'A.*'"
                + " AND department.head.age > 30"
        )
        #expect(found.map { $0["name"] } == ["Bob"])
    }

    @Test func predicatesCompareObjects() throws {
        let home = try context.make("Department")
        alpha["department"] = .object(home)
        try context.save()
        var request = FetchRequest<ManagedObject>(entityName: "Employee")
        request.predicate = try FetchPredicate(format: "department == %@", GraphValue.object(home))
        #expect(try context.fetch(request) == [alpha])
        request.predicate = try FetchPredicate(
            format: "department == %@",
            GraphValue.objectID(home.objectID)
        )
        #expect(try context.fetch(request) == [alpha])
        request.predicate = try FetchPredicate(
            format: "SELF IN %@",
            GraphValue.array([.object(alpha), .objectID(bravo.objectID)])
        )
        #expect(try Set(context.fetch(request)) == [alpha, bravo])
        let new = try context.make("Department")
        charlie["department"] = .object(new)
        request.predicate = try FetchPredicate(format: "department == %@", GraphValue.object(new))
        #expect(try context.fetch(request) == [charlie])
        request.predicate = try FetchPredicate(
            format: "ANY projects == %@",
            GraphValue.object(try context.make("Project"))
        )
        #expect(try context.fetch(request).isEmpty)
    }

    @Test func subentitiesComeUnlessLeftOut() throws {
        let max = try context.make("Manager", ["name": "max", "budget": 4])
        try context.save()
        #expect(try context.all("Employee").count == 4)
        #expect(try context.all("Employee", "budget == 4") == [max])
        #expect(try context.all("Employee", "entity == 'Manager'") == [max])
        var request = FetchRequest<ManagedObject>(entityName: "Employee")
        request.includesSubentities = false
        #expect(try context.fetch(request).count == 3)
        try context.make("Manager")
        #expect(try context.fetch(request).count == 3)
        #expect(try context.all("Manager").count == 2)
    }

    @Test func equalKeysStandInTheOrderOfInsertion() throws {
        for object in [alpha, bravo, charlie] { object["age"] = 1 }
        let max = try context.make("Manager", ["age": 1])
        let eve = try context.make("Employee", ["age": 1])
        let request = FetchRequest<ManagedObject>(
            entityName: "Employee",
            sortDescriptors: [FetchSortDescriptor("age")]
        )
        let order = [alpha, bravo, charlie, max, eve]
        #expect(try context.fetch(request) == order)
        try context.save()
        #expect(try context.fetch(request) == order)
    }

    @Test func transientPropertyCanBeAsked() throws {
        bravo["speed"] = 9
        #expect(try context.all("Employee", "speed == 9 AND age > 1") == [bravo])
        let request = FetchRequest<ManagedObject>(
            entityName: "Employee",
            sortDescriptors: [FetchSortDescriptor("speed", ascending: false)]
        )
        #expect(try context.fetch(request).first === bravo)
    }

    @Test func badRequestsThrow() throws {
        let nobody = FetchRequest<ManagedObject>(entityName: "Nobody")
        #expect(failure { _ = try context.fetch(nobody) }?.code == .invalidRequest)
        #expect(failure { _ = try context.all("Employee", "nothing == 1") }?.code == .undefinedKey)
        let unsorted = FetchRequest<ManagedObject>(
            entityName: "Employee",
            sortDescriptors: [FetchSortDescriptor("projects")]
        )
        #expect(failure { _ = try context.fetch(unsorted) }?.code == .invalidRequest)
        try context.make("Employee")
        #expect(failure { _ = try context.fetch(unsorted) }?.code == .invalidRequest)
    }

    @Test func overlayOfOneAmongManyLooksAtFew() throws {
        let coordinator = try PersistentStoreCoordinator(model: TestGraph.model())
        let store = try CountingStore(model: coordinator.model)
        coordinator.add(store)
        let setup = ManagedObjectContext(coordinator: coordinator)
        for index in 0..<2000 { try setup.make("Employee", ["age": .int(Int64(index))]) }
        try setup.save()
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.make("Employee", ["age": 1000])
        let request = FetchRequest<ManagedObjectID>(
            entityName: "Employee",
            sortDescriptors: [FetchSortDescriptor("age")]
        )
        let ids = try context.fetch(request)
        #expect(ids.count == 2001 && ids[1001].isTemporaryID)
        #expect(context.registeredObjects.count == 1 && store.fetches == 1)
    }
}

@Suite("Dictionary results in memory")
struct DictionaryFetchTests {
    let context: ManagedObjectContext
    let home: ManagedObject

    init() throws {
        context = try TestGraph.context()
        home = try context.make("Department", ["title": "home"])
        let work = try context.make("Department", ["title": "work"])
        for (name, age, owner) in [("a", 1, home), ("b", 2, home), ("c", 6, work), ("a", 1, home)] {
            try context.make(
                "Employee",
                ["name": .string(name), "age": .int(Int64(age)), "department": .object(owner)]
            )
        }
        try context.save()
    }

    private func fetch(
        _ columns: [FetchDescription.Column],
        _ change: (inout FetchRequest<[String: GraphValue]>) throws -> Void = { _ in }
    ) throws -> [[String: GraphValue]] {
        var request = FetchRequest<[String: GraphValue]>(entityName: "Employee")
        request.propertiesToFetch = columns
        try change(&request)
        return try context.fetch(request)
    }

    private func function(_ name: String, _ path: String) -> FetchExpression {
        .function(name, [.keyPath(path)])
    }

    @Test(.scenario("to-one-in-propertiesToFetch"))
    func columnsAndPathsAreReadFromTheStore() throws {
        try context.make("Employee", ["name": "pending"])
        let rows = try fetch([.init("name"), .init("department.title"), .init("department")]) {
            $0.sortDescriptors = [FetchSortDescriptor("age", ascending: false)]
            $0.limit = 2
        }
        #expect(rows.count == 2 && rows[0]["name"] == "c")
        #expect(rows[0]["department.title"] == "work")
        #expect(rows[1]["department"] == .objectID(home.objectID))
    }

    @Test func withoutColumnsEveryAttributeComes() throws {
        let rows = try fetch([])
        #expect(rows.count == 4 && rows[0]["age"] == 1 && rows[0]["department"] == nil)
        #expect(rows[0]["speed"] == nil && rows[0].keys.contains("salary"))
    }

    @Test(.scenario("aggregate-no-group"))
    func aggregateWithoutGroupsIsOneRow() throws {
        let rows = try fetch([
            .init("total", function("sum:", "age")), .init("least", function("min:", "age")),
            .init("number", function("count:", "name")),
            .init("mean", function("average:", "age")),
        ])
        #expect(rows == [["total": 10, "least": 1, "number": 4, "mean": 2.5]])
    }

    @Test func groupsAreFilteredByHaving() throws {
        let title = FetchDescription.Column("department.title")
        let total = FetchDescription.Column("total", function("sum:", "age"))
        var rows = try fetch([title, total]) {
            $0.propertiesToGroupBy = [title]
            $0.sortDescriptors = [FetchSortDescriptor("total", ascending: false)]
        }
        #expect(rows.map { $0["total"] } == [6, 4])
        rows = try fetch([title, total]) {
            $0.propertiesToGroupBy = [title]
            $0.having = try FetchPredicate(format: "total > 5")
        }
        #expect(rows == [["department.title": "work", "total": 6]])
        rows = try fetch([title]) {
            $0.propertiesToGroupBy = [title]
            $0.predicate = try FetchPredicate(format: "age < 5")
            $0.having = try FetchPredicate(format: "sum(age) > 1")
        }
        #expect(rows == [["department.title": "home"]])
    }

    @Test(.scenario("distinct-dictionary"))
    func distinctRowsAreTold() throws {
        let columns: [FetchDescription.Column] = [.init("name"), .init("age")]
        #expect(try fetch(columns).count == 4)
        #expect(try fetch(columns) { $0.returnsDistinctResults = true }.count == 3)
    }

    @Test func badColumnsThrow() throws {
        for wrong in ["projects", "department.staff", "department.staff.name", "nobody"] {
            let error = failure { _ = try fetch([.init(wrong)]) }
            #expect(error?.code == .invalidRequest && error?.key == wrong)
        }
        #expect(failure { _ = try fetch([.init("department.color")]) }?.code == .invalidRequest)
        let error = failure {
            _ = try fetch([.init("name"), .init("total", function("sum:", "age"))])
        }
        #expect(error?.code == .invalidRequest)
    }
}
