import Dispatch
import ObjectContext
import ObjectModel
import ObjectStore
import SeededRandom
import Testing

/// Rows that another thread fetches, while this one goes on.
@Suite("Rows that are fetched elsewhere")
struct ResultsLoadingTests {
    private static let shapes = [
        ResultsPropertyTests.Shape(format: nil, keys: ["name"], section: nil),
        ResultsPropertyTests.Shape(format: "age > 1", keys: ["name", "age"], section: nil),
        ResultsPropertyTests.Shape(
            format: "department.title != 'd1'",
            keys: ["name"],
            section: nil
        ),
        ResultsPropertyTests.Shape(
            format: nil,
            keys: ["department.title", "name"],
            section: "department.title"
        ),
    ]

    private func request(_ shape: ResultsPropertyTests.Shape) throws -> FetchRequest<ManagedObject>
    {
        FetchRequest(
            entityName: "Employee",
            predicate: try shape.format.map { try FetchPredicate(format: $0) },
            sortDescriptors: shape.keys.map { FetchSortDescriptor($0) }
        )
    }

    @Test(arguments: shapes, SeededRandom.seeds(12))
    func whatHappensMeanwhileIsAmongTheRows(
        _ shape: ResultsPropertyTests.Shape,
        _ seed: UInt64
    ) throws {
        let bench = try StoreBench(.sqlite)
        let (context, other) = (bench.context(), bench.context())
        context.mergePolicy = .mergeByPropertyObjectTrump
        other.mergePolicy = .mergeByPropertyObjectTrump
        var random = SeededRandom(seed: seed)
        var here = PeopleHistory(context)
        var there = PeopleHistory(other)
        for _ in 0..<12 { try here.edit(&random) }
        try context.save()
        for _ in 0..<random.below(3) { try here.edit(&random) }
        context.processPendingChanges()

        let controller = try FetchedResultsController(
            request: try request(shape),
            context: context,
            sectionNameKeyPath: shape.section
        )
        controller.didChange = { _ in Issue.record("seed \(seed): a change before the rows") }
        controller.beginLoading()
        let task = SnapshotTask(bench.coordinator, name: "rows") { [self] in
            try FetchedRows(try request(shape), sectionNameKeyPath: shape.section, in: $0)
        }
        if random.below(2) == 0 { task.wait() }
        for _ in 0..<random.below(12) {
            switch random.below(6) {
            case 0: try context.save()
            case 1:
                for _ in 0..<3 { try there.edit(&random) }
                try here.take(try there.save())
            default: try here.edit(&random)
            }
            context.processPendingChanges()
        }
        task.wait()
        let rows = try #require(task.result).get()
        controller.didChange = nil
        try controller.finishLoading(rows)

        let fresh = try FetchedResultsController(
            request: try request(shape),
            context: context,
            sectionNameKeyPath: shape.section
        )
        try fresh.performFetch()
        #expect(controller.objectIDs == fresh.objectIDs, "seed \(seed)")
        #expect(controller.snapshot == fresh.snapshot, "seed \(seed)")
    }

    @Test func aResetMeanwhileFetchesAgain() throws {
        let bench = try StoreBench(.sqlite)
        let context = bench.context()
        for name in ["b", "a"] { try context.make("Employee", ["name": .string(name)]) }
        try context.save()
        let controller = try FetchedResultsController(
            request: FetchRequest<ManagedObject>(
                entityName: "Employee",
                sortDescriptors: [FetchSortDescriptor("name")]
            ),
            context: context
        )
        controller.beginLoading()
        let task = SnapshotTask(bench.coordinator, name: "rows") {
            try FetchedRows(
                FetchRequest<ManagedObject>(
                    entityName: "Employee",
                    sortDescriptors: [FetchSortDescriptor("name")]
                ),
                in: $0
            )
        }
        task.wait()
        context.reset()
        try controller.finishLoading(try #require(task.result).get())
        #expect(controller.fetchedObjects.values("name") == ["a", "b"])
        #expect(!controller.isLoading)
    }

    @Test func theSnapshotIsOfTheMomentAtWhichTheTaskBegan() throws {
        let bench = try StoreBench(.sqlite)
        let context = bench.context()
        try context.make("Employee", ["name": "first"])
        try context.save()
        let (began, gate) = (Gate(), Gate())
        let task = SnapshotTask(bench.coordinator, name: "count") { context in
            began.open()
            gate.wait()
            return try context.count(for: FetchRequest<ManagedObject>(entityName: "Employee"))
        }
        began.wait()
        try context.make("Employee", ["name": "second"])
        try context.save()
        #expect(task.result == nil && !task.wait(atMost: .zero))
        gate.open()
        task.wait()
        #expect(try task.result?.get() == 1)
    }

    @Test func aCancelledTaskWakesNobody() throws {
        let bench = try StoreBench(.sqlite)
        let (began, gate) = (Gate(), Gate())
        let task = SnapshotTask(
            bench.coordinator,
            name: "count",
            wake: { Issue.record("woken by a cancelled task") },
            { _ in
                began.open()
                gate.wait()
            }
        )
        began.wait()
        task.cancel()
        gate.open()
        task.wait()
        #expect(task.isDone && task.isCancelled)
    }

    @Test func idsShareTheRowsAndFindTheirPlaces() throws {
        let context = try TestGraph.context()
        for index in 0..<3000 { try context.make("Employee", ["age": .int(Int64(index))]) }
        let controller = try FetchedResultsController(
            request: FetchRequest<ManagedObject>(
                entityName: "Employee",
                sortDescriptors: [FetchSortDescriptor("age")]
            ),
            context: context
        )
        try controller.performFetch()
        controller.didChange = { _ in }
        let before = controller.ids
        #expect(Array(before) == controller.objectIDs)
        #expect(before.firstIndex(of: before[2500]) == 2500)
        let gone = controller.object(at: ResultIndexPath(section: 0, item: 1200))
        context.delete(gone)
        context.processPendingChanges()
        #expect(before.count == 3000 && controller.ids.count == 2999)
        #expect(before.firstIndex(of: gone.objectID) == 1200)
        #expect(controller.ids.firstIndex(of: gone.objectID) == nil)
        #expect(before.indexes(of: [before[0], before[2999], gone.objectID]) == [0, 1200, 2999])
    }
}

/// Something that one thread waits for.
private struct Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    func wait() { semaphore.wait() }
}
