import Glibc
import ObjectContext
import ObjectModel
import ObjectStore
import Synchronization
import Testing

@Suite("Counters and trace")
struct TracingTests {
    @Test func countersSayWhatHappened() throws {
        let bench = try StoreBench(.sqlite)
        let writer = bench.context()
        let people = try (0..<10).map { try writer.make("Employee", ["age": .int($0)]) }
        try writer.save()
        let coordinator = bench.coordinator
        #expect(coordinator.counters == StackCounters())
        coordinator.startCounting()
        let reader = bench.context()
        var request = FetchRequest<ManagedObject>(entityName: "Employee")
        request.includesPropertyValues = false
        for object in try reader.fetch(request) { _ = object["age"] }
        let first = coordinator.counters
        #expect(first.fetches == 1 && first.saves == 0 && first.faultsFired == 10)
        // What was saved is in the row cache.
        #expect(first.rowCacheHits == 10 && first.rowCacheMisses == 0)
        #expect(first.statements == 1 && first.statementTime < .seconds(60))
        coordinator.forgetRows(people.map(\.objectID))
        let again = bench.context()
        for object in try again.fetch(request) { _ = object["age"] }
        let second = coordinator.counters
        // One read for the whole batch.
        #expect(second.rowCacheMisses == 1 && second.rowCacheHits == 19)
        people[0]["age"] = 99
        try writer.save()
        #expect(coordinator.counters.saves == 1)
        coordinator.stopCounting()
        let stopped = coordinator.counters
        #expect(try bench.context().all("Employee").count == 10)
        #expect(coordinator.counters == stopped)
        coordinator.startCounting()
        #expect(coordinator.counters == StackCounters())
    }

    @Test func traceTellsEachStatementWithoutValues() throws {
        let bench = try StoreBench(.sqlite)
        let lines = Mutex<[String]>([])
        bench.coordinator.startCounting { line in lines.withLock { $0.append(line) } }
        let context = bench.context()
        try context.make("Employee", ["name": "Private"])
        try context.save()
        #expect(try context.all("Employee", "name == 'Private'").count == 1)
        let text = lines.withLock { $0 }
        #expect(text.contains { $0.hasSuffix("µs  save of 1 objects") })
        #expect(text.contains { $0.hasSuffix("µs  fetch Employee") })
        #expect(text.contains { $0.contains("µs  INSERT INTO") })
        #expect(text.contains { $0.hasSuffix("µs  COMMIT") })
        #expect(!text.contains { $0.contains("Private") })
    }

    @Test func traceTellsWhichPartOfAPredicateWasLeftToMemory() throws {
        let bench = try StoreBench(.sqlite)
        let context = bench.context()
        try context.make("Employee", ["name": "Private", "age": 3])
        try context.save()
        let lines = Mutex<[String]>([])
        bench.coordinator.startCounting { line in lines.withLock { $0.append(line) } }
        func rest(_ body: () throws -> Void) throws -> [String] {
            lines.withLock { $0 = [] }
            try body()
            let mark = "left to memory of "
            return lines.withLock { $0 }.filter { $0.hasPrefix(mark) }
                .map { String($0.dropFirst(mark.count)) }
        }
        #expect(try rest { _ = try context.all("Employee", "age > 2") } == [])
        let mixed = "age > 2 AND name MATCHES 'P.*' AND (speed == 0 OR name == 'Private')"
        #expect(
            try rest { _ = try context.all("Employee", mixed) } == [
                "fetch Employee: name MATCHES ? AND (speed == ? OR name == ?)"
            ]
        )
        var request = FetchRequest<ManagedObject>(
            entityName: "Employee",
            sortDescriptors: [FetchSortDescriptor("age"), FetchSortDescriptor("speed")]
        )
        #expect(
            try rest { _ = try context.fetch(request) } == ["fetch Employee: order by age, speed"]
        )
        request.sortDescriptors = []
        request.predicate = .and([.block(FetchBlock { _, _ in true }), .constant(true)])
        #expect(
            try rest { _ = try context.fetch(request) } == ["fetch Employee: BLOCKPREDICATE"]
        )
        var columns = FetchRequest<[String: GraphValue]>(
            entityName: "Employee",
            predicate: try FetchPredicate(format: "name MATCHES 'P.*'")
        )
        columns.propertiesToFetch = [.init("name")]
        #expect(try rest { _ = try context.fetch(columns) } == ["fetch Employee: name MATCHES ?"])
        try context.make("Tag", ["name": "pending"])
        #expect(
            try rest { _ = try context.fetch(request) } == [
                "fetch Employee by pending changes: BLOCKPREDICATE AND TRUEPREDICATE"
            ]
        )
    }

    @Test func environmentSwitchesTheTraceOn() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            setTraceVariable("1")
            let bench = try StoreBench(.sqlite)
            let context = bench.context()
            try context.make("Tag")
            try context.save()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("ObjectGraph: ") && text.contains("µs  save of 1 objects"))
    }
}

private func setTraceVariable(_ value: String) { setenv("OBJECTGRAPH_TRACE", value, 1) }
