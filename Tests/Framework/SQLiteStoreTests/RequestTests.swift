import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom
import Testing

/// Order, windows, counts and dictionary results, the same in both stores.
@Suite struct RequestTests {
    private func pair(seed: UInt64) throws -> [TestBench] {
        let model = TestModel.make()
        return try StoreKind.allCases.map { kind in
            let bench = try TestBench(kind, model: model)
            var random = SeededRandom(seed: seed)
            try SampleData.fill(bench.session, using: &random)
            try bench.reopen()
            return bench
        }
    }

    @Test func everyOrderIsTheOneOfMemory() throws {
        let bench = try pair(seed: 5)[0]
        let view = StoredObjects(bench.session.store, bench.model)
        defer { withExtendedLifetime(view) {} }
        let comparisons: [FetchSortDescriptor.Comparison] = [
            .binary, .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard,
        ]
        var requests: [(String, [FetchSortDescriptor])] = []
        for comparison in comparisons {
            for ascending in [true, false] {
                requests.append(
                    (
                        "Item",
                        [
                            FetchSortDescriptor(
                                "title",
                                ascending: ascending,
                                comparison: comparison
                            )
                        ]
                    )
                )
                requests.append(
                    (
                        "Item",
                        [
                            FetchSortDescriptor(
                                "list.name",
                                ascending: ascending,
                                comparison: comparison
                            ),
                            FetchSortDescriptor("rank", ascending: !ascending),
                        ]
                    )
                )
            }
        }
        for key in ["short", "long", "decimal", "double", "flag", "date", "uuid", "uri", "data"] {
            requests.append(("Values", [FetchSortDescriptor(key)]))
            requests.append(("Values", [FetchSortDescriptor(key, ascending: false)]))
        }
        requests.append(("Item", [FetchSortDescriptor("tags.@count", ascending: false)]))
        for (entity, descriptors) in requests {
            let answer = try bench.session.fetch(
                FetchDescription(entityName: entity, sortDescriptors: descriptors)
            )
            #expect(answer.isSorted, "\(descriptors)")
            let objects = answer.ids.compactMap { view.object($0) }
            for (left, right) in zip(objects, objects.dropFirst()) {
                var order = Order.same
                for descriptor in descriptors where order == .same {
                    order = try descriptor.order(
                        left.value(forKeyPath: descriptor.keyPath),
                        right.value(forKeyPath: descriptor.keyPath)
                    )
                }
                #expect(order != .after, "\(descriptors[0].keyPath) \(descriptors[0].comparison)")
            }
        }
    }

    @Test func windowsCountsAndIDsFollowTheOrder() throws {
        let bench = try pair(seed: 6)[0]
        var request = FetchDescription(
            entityName: "Task",
            sortDescriptors: [FetchSortDescriptor("title"), FetchSortDescriptor("rank")]
        )
        let all = try bench.session.fetch(request).ids
        request.offset = 3
        request.limit = 5
        #expect(try bench.session.fetch(request).ids == Array(all[3..<8]))
        request.limit = 0
        #expect(try bench.session.fetch(request).ids == Array(all[3...]))
        let whole = try bench.session.fetch(request, window: false)
        #expect(whole.ids == all)
        #expect(!whole.isWindowed)
        request.resultType = .count
        #expect(try bench.session.fetch(request).count == all.count - 3)
        request.offset = 0
        #expect(try bench.session.fetch(request).count == all.count)
    }

    @Test func whatSQLCannotSayComesBackAndTheRestIsApplied() throws {
        let bench = try pair(seed: 7)[0]
        let block = FetchPredicate.block(FetchBlock { _, _ in true })
        let simple = try FetchPredicate(format: "rank > 1")
        let request = FetchDescription(entityName: "Item", predicate: .and([simple, block]))
        let answer = try bench.session.fetch(request)
        #expect(answer.remainder == block)
        let narrow = try bench.session.fetch(
            FetchDescription(entityName: "Item", predicate: simple)
        )
        #expect(answer.ids == narrow.ids)
        #expect(narrow.remainder == nil)
        let transient = try FetchPredicate(format: "passing == 'x'")
        let all = try bench.session.fetch(
            FetchDescription(entityName: "Values", predicate: transient)
        )
        #expect(all.remainder == transient)
        #expect(all.ids.count == 30)
    }

    @Test func sortingByAToManyRelationshipIsRefused() throws {
        let bench = try pair(seed: 8)[0]
        let error = #expect(throws: ObjectGraphError.self) {
            try bench.session.fetch(
                FetchDescription(entityName: "Item", sortDescriptors: [FetchSortDescriptor("tags")])
            )
        }
        #expect(error?.code == .invalidRequest)
    }

    private func dictionaries(
        _ entity: String,
        _ change: (inout FetchDescription) throws -> Void
    ) throws -> [[[String: GraphValue]]] {
        var request = FetchDescription(entityName: entity)
        request.resultType = .dictionaries
        try change(&request)
        return try pair(seed: 9).map { try $0.session.fetch(request).dictionaries }
    }

    private func aggregate(_ name: String, _ key: String) throws -> FetchExpression {
        .function(name, [.keyPath(key)])
    }

    @Test func dictionaryResultsAreTheSameInBothStores() throws {
        typealias Column = FetchDescription.Column
        let results: [[[[String: GraphValue]]]] = [
            try dictionaries("Values") { request in
                request.sortDescriptors = [
                    FetchSortDescriptor("long"), FetchSortDescriptor("date"),
                ]
                request.propertiesToFetch = ["long", "decimal", "flag", "date", "uuid", "string"]
                    .map { Column($0) }
                request.sortDescriptors += ["decimal", "flag", "uuid", "string"].map {
                    FetchSortDescriptor($0)
                }
            },
            try dictionaries("Item") { request in
                request.propertiesToFetch = [
                    Column("list.name"), Column("count", .function("count:", [.evaluatedObject])),
                    Column("sum", .function("sum:", [.keyPath("rank")])),
                    Column("average", .function("average:", [.keyPath("rank")])),
                    Column("latest", .function("max:", [.keyPath("created")])),
                ]
                request.propertiesToGroupBy = [Column("list.name")]
                request.having = try FetchPredicate(format: "count > 2")
                request.sortDescriptors = [FetchSortDescriptor("list.name")]
            },
            try dictionaries("Values") { request in
                request.propertiesToFetch = [
                    Column("total", .function("sum:", [.keyPath("decimal")])),
                    Column("mean", .function("average:", [.keyPath("decimal")])),
                    Column("floating", .function("average:", [.keyPath("double")])),
                    Column("least", .function("min:", [.keyPath("short")])),
                ]
                request.predicate = try FetchPredicate(format: "double < 1e100 OR double == nil")
            },
            try dictionaries("Item") { request in
                request.propertiesToFetch = [Column("title"), Column("done")]
                request.returnsDistinctResults = true
                request.sortDescriptors = [
                    FetchSortDescriptor("title"), FetchSortDescriptor("done"),
                ]
                request.offset = 2
                request.limit = 10
            },
            try dictionaries("Item") { request in
                // Groups by values that are not columns, filtered by aggregates that are not
                // columns either.
                request.propertiesToFetch = [Column("n", .function("count:", [.evaluatedObject]))]
                request.propertiesToGroupBy = [Column("list.name"), Column("entity")]
                request.having = try FetchPredicate(
                    format: "sum(rank) > 0 AND list.name != nil AND max(created) != nil"
                )
                request.sortDescriptors = [
                    FetchSortDescriptor("list.name"), FetchSortDescriptor("entity"),
                ]
            },
            try dictionaries("Task") { request in
                request.propertiesToFetch = [
                    Column("parent.list.name"), Column("parent.parent"), Column("title"),
                    Column("length", .function("length:", [.keyPath("parent.title")])),
                ]
                request.predicate = try FetchPredicate(format: "title MATCHES '.*' AND rank >= 0")
                request.sortDescriptors = ["title", "rank", "size", "created"]
                    .map { FetchSortDescriptor($0) }
                request.limit = 7
                request.offset = 1
            },
            try dictionaries("Item") { request in
                // Groups by a computed value.
                let origin = Date(timeIntervalSinceReferenceDate: 900)
                let passed = FetchExpression.function(
                    "from:subtract:",
                    [.keyPath("created"), .constant(.date(origin))]
                )
                let day = Column(
                    "day",
                    .function(
                        "floor:",
                        [.function("divide:by:", [passed, .constant(.int(86_400))])]
                    ),
                    type: .double
                )
                request.propertiesToFetch = [
                    day, Column("n", .function("count:", [.evaluatedObject])),
                ]
                request.propertiesToGroupBy = [day]
                request.sortDescriptors = [FetchSortDescriptor("day")]
            },
            try dictionaries("Task") { request in
                request.propertiesToFetch = [
                    Column("parent"), Column("tags", .keyPath("tags.@count")),
                ]
                request.sortDescriptors = [
                    FetchSortDescriptor("title"), FetchSortDescriptor("rank"),
                ]
                request.sortDescriptors += [
                    FetchSortDescriptor("size"), FetchSortDescriptor("created"),
                ]
            },
        ]
        for (index, pair) in results.enumerated() {
            #expect(pair[0].count == pair[1].count, "request \(index)")
            #expect(!pair[0].isEmpty, "request \(index)")
            for (one, other) in zip(pair[0], pair[1]) {
                #expect(plain(one) == plain(other), "request \(index)")
            }
        }
    }

    /// A result without the identity of the store.
    private func plain(_ result: [String: GraphValue]) -> [String: GraphValue] {
        result.mapValues { value in
            if case .objectID(let id) = value { return .string("\(id.entityName) \(id.key)") }
            return value
        }
    }

    @Test func columnsThatMakeNoSenseAreRefused() throws {
        typealias Column = FetchDescription.Column
        for columns in [
            [Column("tags")],
            [Column("title"), Column("n", .function("count:", [.keyPath("rank")]))],
        ] {
            let error = #expect(throws: ObjectGraphError.self) {
                _ = try dictionaries("Item") { $0.propertiesToFetch = columns }
            }
            #expect(error?.code == .invalidRequest)
        }
    }
}
