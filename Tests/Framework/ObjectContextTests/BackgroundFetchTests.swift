import ObjectContext
import ObjectModel
import ObjectStore
import Synchronization
import Testing

@Suite("Fetches in the background", .serialized)
struct BackgroundFetchTests {
    private func fill(_ bench: StoreBench, _ count: Int) throws {
        let sales = BatchInsert(entityName: "Department", objects: [["title": "Sales"]])
        let id = try bench.context().execute(sales).objectIDs[0]
        let people = (0..<count).map { number -> [String: GraphValue] in
            ["name": .string("\(number)"), "age": .int(Int64(number)), "department": .objectID(id)]
        }
        _ = try bench.context().execute(BatchInsert(entityName: "Employee", objects: people))
    }

    private func request(_ format: String) throws -> FetchRequest<ManagedObject> {
        FetchRequest(
            entityName: "Employee",
            predicate: try FetchPredicate(format: format),
            sortDescriptors: [FetchSortDescriptor("age")]
        )
    }

    @Test(arguments: [StoreType.sqlite, .inMemory])
    func resultIsThatOfAnOrdinaryFetch(_ kind: StoreType) async throws {
        let bench = try StoreBench(kind)
        try fill(bench, 2500)
        let context = bench.context()
        let child = ManagedObjectContext(parent: context)
        try context.all("Employee", "age == 30").first?["age"] = 5000
        try context.make("Employee", ["age": 15])
        var request = try request("age >= 10")
        for (limit, offset) in [(0, 0), (7, 3), (0, 2490)] {
            (request.limit, request.offset) = (limit, offset)
            let expected = try context.fetch(request)
            #expect(try await context.fetchInBackground(request) == expected)
            let ids = try await child.fetchInBackground(request).map(\.objectID)
            #expect(ids == expected.map(\.objectID))
        }
    }

    @Test func progressComesInThousands() async throws {
        let bench = try StoreBench(.sqlite)
        try fill(bench, 2500)
        let steps = Mutex<[Int]>([])
        _ = try await bench.context().fetchInBackground(try request("age >= 0")) { found in
            steps.withLock { $0.append(found) }
        }
        #expect(steps.withLock { $0 } == [1, 1000, 2000])
    }

    @Test func otherFetchesGoOnMeanwhile() async throws {
        let bench = try StoreBench(.sqlite)
        try fill(bench, 100)
        let coordinator = bench.coordinator
        let count = Mutex(0)
        let found = try await bench.context().fetchInBackground(try request("age >= 0")) { _ in
            // In the middle of the background fetch the stores are free, for a save even.
            let other = ManagedObjectContext(coordinator: coordinator)
            _ = try? other.make("Tag")
            try? other.save()
            count.withLock { $0 = (try? other.all("Tag").count) ?? 0 }
        }
        #expect(found.count == 100 && count.withLock { $0 } == 1)
    }

    /// The first row meets it at once; each of the others would look at all pairs of rows, which
    /// takes hours: what ends has been interrupted.
    private func endlessPredicate() throws -> FetchPredicate {
        try FetchPredicate(
            format: "name == '0' OR SUBQUERY(department.staff, $x, "
                + "SUBQUERY($x.department.staff, $y, $y.age < 0).@count > 0).@count > 0"
        )
    }

    @Test(.timeLimit(.minutes(2))) func cancelledFetchEnds() async throws {
        let bench = try StoreBench(.sqlite)
        try fill(bench, 4000)
        let coordinator = bench.coordinator
        nonisolated(unsafe) let predicate = try endlessPredicate()
        let begun = AsyncStream<Void>.makeStream()
        let task = Task {
            let context = ManagedObjectContext(coordinator: coordinator)
            let request = FetchRequest<ManagedObjectID>(
                entityName: "Employee",
                predicate: predicate
            )
            do {
                _ = try await context.fetchInBackground(request) { _ in
                    begun.continuation.yield()
                }
                return false
            } catch let error as ObjectGraphError {
                return error.code == .cancelled
            }
        }
        for await _ in begun.stream { break }
        task.cancel()
        #expect(try await task.value)
    }

    @Test(.timeLimit(.minutes(2))) func cancelledMonitorStopsTheRunningStatement() throws {
        let bench = try StoreBench(.sqlite)
        try fill(bench, 4000)
        let store = try #require(bench.coordinator.openStores.first)
        let entity = try #require(bench.coordinator.model.entity(named: "Employee"))
        var plan = FetchPlan(
            request: FetchDescription(entityName: "Employee", predicate: try endlessPredicate()),
            entity: entity,
            appliesWindow: true,
            loadsRows: false
        )
        let cancel = Mutex<(@Sendable () -> Void)?>(nil)
        let monitor = FetchMonitor { _ in cancel.withLock { $0 }?() }
        cancel.withLock { $0 = { monitor.cancel() } }
        plan.monitor = monitor
        #expect(failure { _ = try store.fetch(plan) }?.code == .cancelled)
        cancel.withLock { $0 = nil }
        plan.monitor = nil
        plan.request.predicate = try FetchPredicate(format: "age == 1")
        #expect(try store.fetch(plan).ids.count == 1)
    }
}
