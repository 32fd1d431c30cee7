import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import SQLiteStore
import Testing

/// Long and deep predicates, windows out of range, and the words of errors from SQL.
@Suite("Predicates and windows at their limits")
struct DeepPredicateTests {
    private static let stores: [StoreType] = [.sqlite, .inMemory]

    private func filled(_ store: StoreType) throws -> (StoreBench, ManagedObjectContext) {
        let bench = try StoreBench(store)
        let context = bench.context()
        for age in 0..<20 {
            try context.make("Employee", ["age": .int(Int64(age)), "name": .string("n\(age)")])
        }
        try context.save()
        return (bench, context)
    }

    private func age(
        _ test: FetchComparison.Operator,
        _ value: Int64
    ) -> FetchPredicate {
        .comparison(FetchComparison(.keyPath("age"), test, .constant(.int(value))))
    }

    private func nots(_ count: Int, _ predicate: FetchPredicate) -> FetchPredicate {
        (0..<count).reduce(predicate) { inner, _ in .not(inner) }
    }

    private func count(_ predicate: FetchPredicate, _ context: ManagedObjectContext) throws -> Int {
        try context.count(
            for: FetchRequest<ManagedObject>(entityName: "Employee", predicate: predicate)
        )
    }

    @Test(arguments: stores)
    func longListsOfConditionsFindWhatTheyShould(_ store: StoreType) throws {
        let (bench, context) = try filled(store)
        for length in [65, 1100, 8000] {
            let some = FetchPredicate.or((0..<length).map { age(.equal, Int64($0) + 15) })
            #expect(try count(some, context) == 5, "\(length) ORs")
            let all = FetchPredicate.and((0..<length).map { age(.notEqual, Int64($0) + 15) })
            #expect(try count(all, context) == 15, "\(length) ANDs")
        }
        let decimals = GraphValue.array((0..<1100).map { .decimal(Decimal($0) + 15) })
        #expect(try context.all("Employee", "age IN {}").isEmpty)
        let list = FetchPredicate.comparison(
            FetchComparison(.keyPath("salary"), .in, .constant(decimals))
        )
        #expect(try count(list, context) == 0)
        withExtendedLifetime(bench) {}
    }

    @Test(arguments: stores)
    func deepPredicatesFindWhatTheyShould(_ store: StoreType) throws {
        let (bench, context) = try filled(store)
        for depth in [2, 3, 30, 99, 600, 999] {
            let isEven = depth % 2 == 0
            #expect(try count(nots(depth, age(.less, 5)), context) == (isEven ? 5 : 15), "\(depth)")
            // a OR (b AND (a OR (b AND …
            var nested = age(.equal, 19)
            for level in 0..<(depth - 2) {
                nested =
                    level % 2 == 0
                    ? .and([age(.greater, 3), nested]) : .or([age(.equal, 5), nested])
            }
            let compiled = CompiledPredicate(nested)
            let expected = try context.all("Employee").filter {
                try compiled.evaluate(with: .object($0))
            }
            #expect(try count(nested, context) == expected.count, "\(depth) levels")
            var sum = FetchExpression.keyPath("age")
            for _ in 0..<(depth - 2) {
                sum = .function("add:to:", [.constant(.int(1)), sum])
            }
            let bound = FetchPredicate.comparison(
                FetchComparison(sum, .less, .constant(.int(Int64(depth))))
            )
            #expect(try count(bound, context) == 2, "\(depth) additions")
        }
        withExtendedLifetime(bench) {}
    }

    @Test(arguments: stores)
    func deeperPredicatesAreRefusedWithASentence(_ store: StoreType) throws {
        let (bench, context) = try filled(store)
        let deep = nots(5000, age(.less, 5))
        let error = try #require(failure { _ = try count(deep, context) })
        #expect(error.code == .invalidRequest)
        #expect(
            error.message
                == "The predicate of a fetch of Employee is nested more than 1000 levels deep."
        )
        let object = try #require(try context.all("Employee").first)
        #expect(failure { _ = try deep.evaluate(with: object) }?.code == .invalidRequest)
        withExtendedLifetime(bench) {}
    }

    @Test func longPathsOverManyTablesAreFollowed() throws {
        let (bench, context) = try filled(.sqlite)
        let path = String(repeating: "mentor.", count: 80) + "name"
        #expect(try context.all("Employee", "\(path) == nil").count == 20)
        var request = FetchRequest<ManagedObject>(entityName: "Employee")
        request.sortDescriptors = [FetchSortDescriptor(path), FetchSortDescriptor("age")]
        #expect(try context.fetch(request).map { $0["age"] }.first == 0)
        withExtendedLifetime(bench) {}
    }

    // MARK: Windows

    @Test(arguments: stores, [false, true])
    func negativeWindowIsRefusedInEveryFetch(_ store: StoreType, _ isPending: Bool) throws {
        let (bench, context) = try filled(store)
        if isPending { try context.make("Employee", ["age": 7]) }
        let changes: [(String, (inout FetchRequest<ManagedObject>) -> Void)] = [
            ("limit", { $0.limit = -1 }), ("offset", { $0.offset = -1 }),
            ("offset", { $0.offset = .min }), ("batch size", { $0.batchSize = -5 }),
        ]
        for (name, change) in changes {
            var request = FetchRequest<ManagedObject>(
                entityName: "Employee",
                sortDescriptors: [FetchSortDescriptor("age")]
            )
            change(&request)
            let asked = request
            let fetches: [() throws -> Void] = [
                { _ = try context.fetch(asked) },
                { _ = try context.count(for: asked) },
                { _ = try context.fetch(FetchRequest<ManagedObjectID>(asked)) },
                { _ = try context.fetch(FetchRequest<[String: GraphValue]>(asked)) },
                { _ = try context.fetch(FetchRequest<Int>(asked)) },
                {
                    _ = try FetchedResultsController(request: asked, context: context)
                        .performFetch()
                },
                { _ = try ManagedObjectContext(parent: context).fetch(asked) },
                {
                    var deletion = BatchDelete(entityName: "Employee")
                    deletion.request = asked.description
                    _ = try context.execute(deletion)
                },
            ]
            for (index, fetch) in fetches.enumerated() {
                let error = failure(fetch)
                #expect(error?.code == .invalidRequest, "\(name), \(index)")
                #expect(error?.message.contains("The \(name) of a fetch of Employee is -") == true)
            }
        }
        #expect(failure { _ = try context.search("x", entityName: "Employee", limit: -1) } != nil)
        var history = HistoryRequest()
        history.limit = -3
        #expect(failure { _ = try context.coordinator.history(history) }?.code == .invalidRequest)
        #expect(failure { _ = try context.undoSteps(limit: -1) }?.code == .invalidRequest)
        #expect(failure { _ = try context.redoSteps(limit: -1) }?.code == .invalidRequest)
        #expect(
            failure { try context.coordinator.deleteHistory(before: Date(), keepsSteps: -1) }?.code
                == .invalidRequest
        )
        withExtendedLifetime(bench) {}
    }

    @Test(arguments: stores, [false, true])
    func greatestWindowFindsAll(_ store: StoreType, _ isPending: Bool) throws {
        let (bench, context) = try filled(store)
        if isPending { try context.make("Employee", ["age": 7]) }
        let total = isPending ? 21 : 20
        var request = FetchRequest<ManagedObject>(
            entityName: "Employee",
            sortDescriptors: [FetchSortDescriptor("age")]
        )
        for (limit, offset, expected) in [
            (Int.max, 0, total), (Int.max, 3, total - 3), (Int.max, .max, 0), (5, .max, 0),
            (0, .max, 0),
        ] {
            (request.limit, request.offset) = (limit, offset)
            #expect(try context.fetch(request).count == expected)
            #expect(try context.count(for: request) == expected)
            #expect(
                try context.fetch(FetchRequest<[String: GraphValue]>(request)).count
                    == max(0, min(expected, 20 - min(offset, 20)))
            )
        }
        request = FetchRequest<ManagedObject>(entityName: "Employee")
        request.batchSize = .max
        #expect(try context.fetch(request).count == total)
        withExtendedLifetime(bench) {}
    }

    // MARK: Words

    @Test func uniqueRuleOverDuplicatesRefusesTheOpeningWithASentence() throws {
        let (bench, context) = try filled(.sqlite)
        try context.make("Employee", ["name": "n3"])
        try context.save()
        for store in bench.coordinator.openStores { store.close() }
        let model = TestGraph.model()
        model.entity(named: "Employee")?.uniquenessConstraints = [["name"]]
        try model.freeze()
        let url = bench.folder.appending(path: "store.sqlite")
        let error = try #require(failure { _ = try SQLiteStore(url: url, model: model) })
        #expect(error.code == .migrationConstraint)
        #expect(
            error.message
                == "Several objects of Employee have the same name, which must be unique now."
        )
        expectNoSQL(error)
        // Nothing was changed.
        let old = try PersistentStoreCoordinator(model: TestGraph.model())
        old.add(try SQLiteStore(url: url, model: old.model))
        #expect(try ManagedObjectContext(coordinator: old).all("Employee").count == 21)
    }

    @Test func duplicatesUnderAUniqueRuleAreToldWithoutSQL() throws {
        let model = TestGraph.model()
        model.entity(named: "Employee")?.uniquenessConstraints = [["name"], ["age", "code"]]
        let bench = try StoreBench(.sqlite, model: model)
        let context = bench.context()
        try context.make("Employee", ["name": "a", "age": 1, "code": "xx"])
        try context.save()
        for values in [["name": "a"], ["name": "b", "age": 1, "code": "xx"]]
            as [[String: GraphValue]]
        {
            try context.make("Employee", values)
            let error = try #require(failure { try context.save() })
            #expect(error.code == .constraintConflict)
            expectNoSQL(error)
            context.rollback()
        }
    }

    private func expectNoSQL(_ error: ObjectGraphError) {
        for text in ["\(error)", "\(error.underlying)", String(reflecting: error)] {
            for word in [
                "SELECT", "INSERT", "UNIQUE", "INDEX", "ZEMPLOYEE", "ZNAME", "constraint failed",
            ] {
                #expect(!text.contains(word), "\(text)")
            }
        }
    }
}
