import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import Testing

/// Results get the saves of others without a follower, and without
/// ``ManagedObjectContext/automaticallyMergesChangesFromParent``.
@Suite struct ResultsDeliveryTests {
    private func inFolder<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "delivery-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.path)
    }

    private static func request() -> FetchRequest<ManagedObject> {
        FetchRequest<ManagedObject>(
            entityName: "Tag",
            sortDescriptors: [FetchSortDescriptor("name")]
        )
    }

    private static func save(_ name: String, in folder: String) throws {
        let coordinator = try FollowingWorker.coordinator(in: folder)
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.make("Tag", ["name": .string(name)])
        try context.save()
        for store in coordinator.openStores { coordinator.remove(store) }
    }

    @Test func sequenceGivesTheRowsOfAnotherProcess() async throws {
        try await inFolder { folder in
            let coordinator = try FollowingWorker.coordinator(in: folder)
            let context = ManagedObjectContext(coordinator: coordinator)
            let sequence = try ResultsSequence(
                FetchedResultsController(request: Self.request(), context: context)
            )
            var iterator = sequence.makeAsyncIterator()
            #expect(await iterator.next()?.fetchedObjects.count == 0)
            await #expect(processExitsWith: .success) { [folder = folder as String] in
                let coordinator = try FollowingWorker.coordinator(in: folder)
                let context = ManagedObjectContext(coordinator: coordinator)
                try context.make("Tag", ["name": "theirs"])
                try context.save()
            }
            let rows = try #require(await iterator.next())
            #expect(rows.fetchedObjects.values("name") == ["theirs"])
            #expect(!context.automaticallyMergesChangesFromParent)
        }
    }

    @Test func controllerOnAThreadOfItsOwnHearsOfOtherContextsAndCoordinators() async throws {
        try await inFolder { folder in
            let coordinator = try FollowingWorker.coordinator(in: folder)
            let background = BackgroundContext(coordinator: coordinator)
            let (changes, told) = AsyncStream.makeStream(of: Int.self)
            let kept = try await background.perform { context in
                let controller = try FetchedResultsController(
                    request: Self.request(),
                    context: context
                )
                try controller.performFetch()
                controller.didChange = { [unowned controller] _ in
                    told.yield(controller.fetchedObjects.count)
                }
                return Kept(controller)
            }
            var iterator = changes.makeAsyncIterator()
            let sibling = ManagedObjectContext(coordinator: coordinator)
            try sibling.make("Tag", ["name": "a"])
            try sibling.save()
            #expect(await iterator.next() == 1)
            try Self.save("b", in: folder)
            #expect(await iterator.next() == 2)
            await background.perform { _ in kept.controller = nil }
        }
    }

    @Test func contextWithoutAnExecutorHearsAtItsNextEndOfEvent() async throws {
        try await inFolder { folder in
            let context = ManagedObjectContext(
                coordinator: try FollowingWorker.coordinator(in: folder)
            )
            let controller = try FetchedResultsController(
                request: Self.request(),
                context: context
            )
            try controller.performFetch()
            // Between the fetch and the beginning of tracking.
            try Self.save("a", in: folder)
            var counts: [Int] = []
            controller.didChange = { [unowned controller] _ in
                counts.append(controller.fetchedObjects.count)
            }
            #expect(counts == [1])
            let (woken, waker) = AsyncStream.makeStream(of: Void.self)
            let watching = try StoreFollower(
                ManagedObjectContext(coordinator: context.coordinator),
                scope: .otherCoordinators
            ) { waker.yield() }
            try Self.save("b", in: folder)
            for await _ in woken {
                context.processPendingChanges()
                if counts.count > 1 { break }
            }
            #expect(counts == [1, 2])
            controller.didChange = nil
            withExtendedLifetime(watching) {}
        }
    }

    @Test func aControllerThatReportsNothingMergesNothing() throws {
        let context = try TestGraph.context()
        let tag = try context.make("Tag", ["name": "old"])
        try context.save()
        let controller = try FetchedResultsController(request: Self.request(), context: context)
        try controller.performFetch()
        func rename(_ name: String) throws {
            let other = context.sibling()
            other.object(with: tag.objectID)["name"] = .string(name)
            try other.save()
            context.processPendingChanges()
        }
        try rename("new")
        #expect(tag["name"] == "old")
        controller.didChange = { _ in }
        try rename("newer")
        #expect(tag["name"] == "newer")
        controller.didChange = nil
        try rename("newest")
        #expect(tag["name"] == "newer")
    }
}

/// A controller that stays on its context's thread.
private final class Kept: @unchecked Sendable {
    var controller: FetchedResultsController<ManagedObject>?

    init(_ controller: FetchedResultsController<ManagedObject>) { self.controller = controller }
}
