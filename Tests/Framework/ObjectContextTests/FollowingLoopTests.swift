import Foundation
import Glibc
import ObjectContext
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom
import Synchronization
import Testing

/// Contexts that follow each other, and processes beside them, all writing one store.
///
/// `OBJECTGRAPH_LOOP_SECONDS` (default 1) says how long.
@Suite("Following in a loop", .serialized)
struct FollowingLoopTests {
    static var seconds: Double {
        ProcessInfo.processInfo.environment["OBJECTGRAPH_LOOP_SECONDS"].flatMap(Double.init) ?? 1
    }

    @Test func nothingOfEightContextsAndTwoProcessesIsLost() async throws {
        let seed = SeededRandom.seeds(1).lowerBound
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "following-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let coordinator = try FollowingWorker.coordinator(in: folder.path)
        let setup = ManagedObjectContext(coordinator: coordinator)
        try setup.make("Employee", ["name": "counter", "salary": 0.0])
        try setup.save()
        let seconds = Self.seconds
        let path = folder.path
        let inside = try await withThrowingTaskGroup(of: FollowingWorker.Result.self) { group in
            for number in 0..<2 {
                group.addTask { try await Self.otherProcess(path, number, seconds, seed) }
            }
            for number in 0..<8 {
                group.addTask {
                    try await FollowingWorker.follower(coordinator, number, seconds, seed)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let fresh = ManagedObjectContext(coordinator: try FollowingWorker.coordinator(in: path))
        let counter = try #require(try fresh.all("Employee", "name == 'counter'").first)
        let done = inside.reduce(0) { $0 + $1.increments }
        let conflicts = inside.reduce(0) { $0 + $1.conflicts }
        #expect(counter["salary"] == .double(Double(done)), "seed \(seed)")
        let stored = try fresh.all("Employee", "name != 'counter'").map { object in
            "\(object.key) \(object["age"].integerValue ?? -1)"
        }
        let expected = inside.flatMap { result in result.rows.map { "\($0.key) \($0.value)" } }
        #expect(stored.sorted() == expected.sorted(), "seed \(seed)")
        #expect(inside.allSatisfy { $0.differences.isEmpty }, "\(inside.map(\.differences))")
        print("following: \(done) increments, \(stored.count) rows, \(conflicts) conflicts told")
    }

    /// Runs a worker in a process of its own.
    private static func otherProcess(
        _ path: String,
        _ number: Int,
        _ seconds: Double,
        _ seed: UInt64
    ) async throws -> FollowingWorker.Result {
        await #expect(processExitsWith: .success) { [path, number, seconds, seed] in
            let coordinator = try FollowingWorker.coordinator(in: path)
            let context = ManagedObjectContext(coordinator: coordinator)
            var worker = try FollowingWorker(
                context,
                "process\(number)",
                seed: seed &+ UInt64(100 + number)
            )
            try worker.run(seconds)
            let data = try JSONEncoder().encode(worker.result)
            try data.write(to: URL(filePath: path).appending(path: "result\(number)"))
        }
        let url = URL(filePath: path).appending(path: "result\(number)")
        return try JSONDecoder().decode(FollowingWorker.Result.self, from: Data(contentsOf: url))
    }

    /// The observer of a merge returns only when others have saved again, so every call finds news,
    /// and a call that went on as long as there are some would never return.
    @Test func slowObserverAndThreeWritersHoldNoCallLongerThanOneMerge() async throws {
        let coordinator = try TestGraph.coordinator()
        let setup = ManagedObjectContext(coordinator: coordinator)
        let counter = try setup.make("Employee", ["name": "counter"])
        try setup.save()
        let id = counter.objectID
        let progress = Progress(writers: 3)
        let slow = BackgroundContext(coordinator: coordinator, name: "slow")
        await slow.setMergesChangesAutomatically(true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                let writer = BackgroundContext(coordinator: coordinator, name: "writer \(number)")
                group.addTask {
                    // A bound, should the follower never come to its end.
                    for _ in 0..<20_000 where !progress.isOver.load(ordering: .relaxed) {
                        try await writer.perform { context in
                            try context.make("Employee", ["name": "new"])
                            try context.save()
                        }
                        progress.saves.add(1, ordering: .relaxed)
                    }
                    progress.writers.subtract(1, ordering: .relaxed)
                }
            }
            group.addTask {
                for call in 0..<40 {
                    let (merges, deepest) = try await slow.perform { context in
                        let count = MergeCount(context) {
                            let seen = progress.saves.load(ordering: .relaxed)
                            while progress.saves.load(ordering: .relaxed) == seen,
                                progress.writers.load(ordering: .relaxed) > 0
                            { sched_yield() }
                        }
                        defer { count.end(context) }
                        switch call % 4 {
                        case 0: context.processPendingChanges()
                        case 1: _ = try context.all("Employee", "name == 'counter'")
                        case 2: _ = context.hasChanges
                        default:
                            let counter = context.object(with: id)
                            counter["age"] = .int((counter["age"].integerValue ?? 0) + 1)
                            try context.save()
                        }
                        return (count.merges, count.deepest)
                    }
                    #expect(merges <= 1 && deepest <= 1, "call \(call): \(merges) merges")
                }
                progress.isOver.store(true, ordering: .relaxed)
            }
            try await group.waitForAll()
        }
        let fresh = ManagedObjectContext(coordinator: coordinator)
        #expect(try fresh.existingObject(with: id)["age"] == 10)
    }
}

/// What the writers beside a follower have done.
private final class Progress: Sendable {
    let saves = Atomic<Int>(0)
    let isOver = Atomic<Bool>(false)
    let writers: Atomic<Int>

    init(writers: Int) { self.writers = Atomic(writers) }
}

/// Counts the merges of a context and how deep they nest.
private final class MergeCount {
    private(set) var merges = 0
    private(set) var deepest = 0
    private var depth = 0
    private var token: GraphNotificationCenter.Token?

    init(_ context: ManagedObjectContext, _ body: @escaping () -> Void) {
        token = context.notifications.addObserver(of: ObjectsDidChange.self, from: context) {
            [unowned self] change in
            depth += 1
            deepest = max(deepest, depth)
            // Its own edit is not a merge.
            if !change.inserted.isEmpty || !change.refreshed.isEmpty {
                merges += 1
                body()
            }
            depth -= 1
        }
    }

    func end(_ context: ManagedObjectContext) {
        if let token { context.notifications.removeObserver(token) }
    }
}

/// Counts up, inserts, changes and deletes, and notes what must be in the store at the end.
struct FollowingWorker {
    struct Result: Codable, Sendable {
        var increments = 0
        var conflicts = 0
        /// The rows that were inserted and not deleted, with their numbers.
        var rows: [String: Int] = [:]
        /// Where a follower sees something else than the store holds.
        var differences: [String] = []
    }

    private let context: ManagedObjectContext
    private let name: String
    private var random: SeededRandom
    private let counter: ManagedObject
    private var own: [ManagedObject] = []
    private var made = 0
    private(set) var result = Result()

    init(_ context: ManagedObjectContext, _ name: String, seed: UInt64) throws {
        self.context = context
        self.name = name
        random = SeededRandom(seed: seed)
        counter = try #require(try context.all("Employee", "name == 'counter'").first)
    }

    static func coordinator(in folder: String) throws -> PersistentStoreCoordinator {
        let coordinator = try PersistentStoreCoordinator(model: TestGraph.model())
        let url = URL(filePath: folder).appending(path: "store.sqlite")
        coordinator.add(try SQLiteStore(url: url, model: coordinator.model))
        return coordinator
    }

    /// A context that follows the others, on a thread of its own; `differences` tell where it sees
    /// something else than the store holds at the end.
    static func follower(
        _ coordinator: PersistentStoreCoordinator,
        _ number: Int,
        _ seconds: Double,
        _ seed: UInt64
    ) async throws -> Result {
        let background = BackgroundContext(coordinator: coordinator, name: "follower \(number)")
        await background.setMergesChangesAutomatically(true)
        return try await background.perform { context in
            context.retainsRegisteredObjects = true
            var worker = try FollowingWorker(
                context,
                "context\(number)",
                seed: seed &+ UInt64(number)
            )
            try worker.run(seconds)
            return worker.result
        }
    }

    mutating func run(_ seconds: Double) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end { try step() }
        for object in own {
            let key = object.key
            if object["age"].integerValue.map({ Int($0) }) != result.rows[key] {
                result.differences.append(key)
            }
        }
    }

    private mutating func step() throws {
        switch random.next() % 6 {
        case 0, 1: try countUp()
        case 2, 3:
            made += 1
            let key = "\(name).\(made)"
            let object = try context.make("Employee", ["name": .string(key), "age": 0])
            try context.save()
            own.append(object)
            result.rows[key] = 0
        case 4:
            guard let object = own.randomElement(using: &random) else { return }
            let key = object.key
            let age = (object["age"].integerValue ?? 0) + 1
            object["age"] = .int(age)
            try context.save()
            result.rows[key] = Int(age)
        default:
            guard own.count > 4 else { return }
            let object = own.remove(at: Int(random.next() % UInt64(own.count)))
            result.rows[object.key] = nil
            context.delete(object)
            try context.save()
        }
    }

    /// Adds one to what everybody counts up, until no conflict comes in between.
    private mutating func countUp() throws {
        while true {
            counter["salary"] = .double((counter["salary"].doubleValue ?? 0) + 1)
            // What others save meanwhile is taken over here, under the pending change.
            context.processPendingChanges()
            do {
                try context.save()
                result.increments += 1
                return
            } catch let error as ObjectGraphError where error.code == .mergeConflict {
                result.conflicts += 1
                context.refresh(counter, mergeChanges: false)
            }
        }
    }
}

extension ManagedObject {
    /// The name, which says who made it.
    fileprivate var key: String {
        if case .string(let name) = self["name"] { name } else { "" }
    }
}
