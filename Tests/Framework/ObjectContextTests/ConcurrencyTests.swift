import FoundationEssentials
import Glibc
import ObjectContext
import ObjectGraph
import ObjectModel
import Synchronization
import Testing

@Suite("Contexts on threads of their own")
struct ConcurrencyTests {
    @Test func onlyIdentitiesComeOut() async throws {
        let coordinator = try TestGraph.coordinator()
        let background = BackgroundContext(coordinator: coordinator, name: "import")
        let id = try await background.perform { context in
            let ana = try context.make("Employee", ["name": "Ana"])
            try context.save()
            return ana.objectID
        }
        let here = ManagedObjectContext(coordinator: coordinator)
        #expect(here.object(with: id)["name"] == "Ana")
    }

    @Test func workRunsOnOneThreadInOrder() async throws {
        let background = BackgroundContext(coordinator: try TestGraph.coordinator())
        let order = Mutex<[Int]>([])
        let threads = Mutex<Set<UInt>>([])
        for number in 0..<50 {
            background.performAndWait { _ in
                order.withLock { $0.append(number) }
                threads.withLock { _ = $0.insert(UInt(pthread_self())) }
            }
        }
        await background.perform { _ in
            threads.withLock { _ = $0.insert(UInt(pthread_self())) }
        }
        #expect(order.withLock { $0 } == Array(0..<50))
        #expect(threads.withLock { $0 }.count == 1)
    }

    @Test func blockingCallMayBeNested() async throws {
        let background = BackgroundContext(coordinator: try TestGraph.coordinator())
        let depth = background.performAndWait { _ in
            background.performAndWait { _ in background.performAndWait { _ in 3 } }
        }
        #expect(depth == 3)
        let inner = await background.perform { _ in background.performAndWait { _ in 2 } }
        #expect(inner == 2)
    }

    @Test func errorsComeOutOfBothForms() async throws {
        let background = BackgroundContext(coordinator: try TestGraph.coordinator())
        await #expect(throws: ObjectGraphError.self) {
            try await background.perform { _ = try $0.insert(entityNamed: "Nothing") }
        }
        #expect(throws: ObjectGraphError.self) {
            try background.performAndWait { _ = try $0.insert(entityNamed: "Nothing") }
        }
    }

    @Test func contextsOnTwoThreadsSaveTheSameStore() async throws {
        let coordinator = try TestGraph.coordinator()
        let contexts = (0..<4).map { BackgroundContext(coordinator: coordinator, name: "\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for context in contexts {
                group.addTask {
                    for _ in 0..<25 {
                        try await context.perform { context in
                            try context.make("Employee", ["name": .string(context.name ?? "")])
                            try context.save()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let here = ManagedObjectContext(coordinator: coordinator)
        #expect(try here.all("Employee").count == 100)
    }

    @Test func backgroundContextFollowsOthers() async throws {
        let coordinator = try TestGraph.coordinator()
        let background = BackgroundContext(coordinator: coordinator)
        await background.setMergesChangesAutomatically(true)
        let here = ManagedObjectContext(coordinator: coordinator)
        let ana = try here.make("Employee", ["name": "Ana"])
        try here.save()
        let id = ana.objectID
        let kept = await background.perform { context in
            context.retainsRegisteredObjects = true
            return context.object(with: id)["name"] == "Ana"
        }
        #expect(kept)
        ana["name"] = "Anna"
        try here.save()
        // The merge was put into the thread's queue by the save, so it comes first.
        let seen = await background.perform { $0.object(with: id)["name"] == "Anna" }
        #expect(seen)
    }

    // MARK: Misuse

    #if DEBUG
    @Test func useOnAnotherThreadNamesObjectContextAndThreads() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let context = try TestGraph.context()
            context.name = "screen"
            let ana = try context.make("Employee", ["name": "Ana"])
            context.confineToCurrentThread()
            nonisolated(unsafe) let smuggled = ana
            let other = BackgroundContext(coordinator: context.coordinator, name: "worker")
            other.performAndWait { _ in _ = smuggled["name"] }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("<Employee x-coredata:"))
        #expect(text.contains("context \"screen\" was used on thread \"worker\""))
        #expect(text.contains("its context belongs to thread"))
    }

    @Test func useOnTwoThreadsAtATimeIsFound() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let context = try TestGraph.context()
            nonisolated(unsafe) let smuggled = context
            let other = BackgroundContext(coordinator: context.coordinator, name: "worker")
            let token = context.notifications.addObserver(of: ContextWillSave.self, from: context) {
                _ in
                other.performAndWait { _ in smuggled.processPendingChanges() }
            }
            try context.make("Employee")
            try context.save()
            context.notifications.removeObserver(token)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("An operation of an unnamed context was used on thread \"worker\""))
        #expect(text.contains("while thread"))
    }

    private struct Smuggled: @unchecked Sendable {
        let body: () -> Void
    }

    /// Two threads use one context, each by one kind of operation, until the check finds them.
    private static func useOnTwoThreads(
        _ context: ManagedObjectContext,
        _ first: @escaping (ManagedObjectContext, ManagedObject) -> Void,
        _ second: @escaping (ManagedObjectContext, ManagedObject) -> Void
    ) throws {
        let objects = try ["Ana", "Bob"].map { try context.make("Employee", ["name": .string($0)]) }
        try context.save()
        let smuggled = Smuggled(body: { second(context, objects[1]) })
        let other = BackgroundContext(coordinator: context.coordinator, name: "worker")
        let isReady = Atomic(false)
        Task.detached {
            await other.perform { _ in
                isReady.store(true, ordering: .releasing)
                for _ in 0..<1_000_000 { smuggled.body() }
            }
        }
        while !isReady.load(ordering: .acquiring) {}
        for _ in 0..<1_000_000 { first(context, objects[0]) }
    }

    @Test func settersOnTwoThreadsAreFound() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let set: (ManagedObjectContext, ManagedObject) -> Void = { $1["age"] = 3 }
            try ConcurrencyTests.useOnTwoThreads(try TestGraph.context(), set, set)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("of an unnamed context was used on thread"), "\(text)")
        #expect(text.contains("while thread"), "\(text)")
    }

    @Test func insertsOnTwoThreadsAreFound() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let insert: (ManagedObjectContext, ManagedObject) -> Void = { context, _ in
                _ = try? context.insert(entityNamed: "Tag")
            }
            try ConcurrencyTests.useOnTwoThreads(try TestGraph.context(), insert, insert)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("of an unnamed context was used on thread"), "\(text)")
        #expect(text.contains("while thread"), "\(text)")
    }

    @Test func relationshipsAndDeletionsOnTwoThreadsAreFound() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            try ConcurrencyTests.useOnTwoThreads(try TestGraph.context()) { context, ana in
                ana["boss"] = .object(ana)
                ana["boss"] = .null
            } _: { context, bob in
                _ = try? bob.mutableSetValue(forKey: "friends").insert(.object(bob))
                context.delete(bob)
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("of an unnamed context was used on thread"), "\(text)")
    }

    @Test func viewContextStaysOnItsThread() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            try await MainActor.run {
                let container = try PersistentContainer(
                    model: TestGraph.model(),
                    options: .inMemory
                )
                nonisolated(unsafe) let smuggled = container.viewContext
                let other = BackgroundContext(coordinator: container.coordinator, name: "worker")
                other.performAndWait { _ in _ = try? smuggled.insert(entityNamed: "Tag") }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("was used on thread \"worker\""), "\(text)")
        #expect(text.contains("its context belongs to thread"), "\(text)")
    }

    /// The main actor of a program goes on on another thread after its first `await`.
    @Test func viewContextOfTheMainActorFollowsItToOtherThreads() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) { @MainActor in
            let container = try PersistentContainer(
                model: TestGraph.model(),
                options: .inMemory
            )
            for _ in 0..<20 {
                _ = try container.viewContext.insert(entityNamed: "Tag")
                await Task.yield()
                await Task.detached { _ = sched_yield() }.value
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.isEmpty, "\(text)")
    }

    @Test func viewContextOfATaskGoesWhereTheTaskGoes() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            let container = try PersistentContainer(
                model: TestGraph.model(),
                options: .inMemory
            )
            for _ in 0..<20 {
                _ = try container.viewContext.insert(entityNamed: "Tag")
                await Task.yield()
                await MainActor.run { _ = sched_yield() }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.isEmpty, "\(text)")
    }

    @Test func viewContextMovesWhereItIsConfinedAgain() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            let container = try PersistentContainer(
                model: TestGraph.model(),
                options: .inMemory
            )
            nonisolated(unsafe) let smuggled = container.viewContext
            let other = BackgroundContext(coordinator: container.coordinator, name: "worker")
            other.performAndWait { _ in
                smuggled.confineToCurrentThread()
                _ = try? smuggled.insert(entityNamed: "Tag")
                smuggled.endConfinement()
            }
            _ = try smuggled.insert(entityNamed: "Tag")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.isEmpty, "\(text)")
    }

    @Test func useAfterTheContextLetGoNamesObjectContextAndReason() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            let context = try TestGraph.context()
            context.name = "screen"
            let (ana, bob) = (try context.make("Employee"), try context.make("Employee"))
            try context.save()
            context.delete(bob)
            try context.save()
            bob["name"] = "Bob"
            context.reset()
            precondition(ana["name"] == .null)
            ana["age"] = 3
            precondition(!context.hasChanges)
            let eve: ManagedObject
            do {
                let passing = context.sibling()
                passing.name = "passing"
                eve = passing.object(with: ana.objectID)
            }
            precondition(eve["name"] == .null)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let reports = text.split(separator: "\n").filter { $0.hasPrefix("ObjectGraph: ") }
        #expect(reports.count == 4, "\(text)")
        #expect(reports.count { $0.contains("<Employee x-coredata:") } == 4)
        #expect(reports.count { $0.contains("was used on thread ") } == 4)
        let reasons = [
            ", key \"name\", was used", "its deletion was saved by context \"screen\"",
            "after context \"screen\" was reset", ", key \"age\", was used",
            "after context \"passing\" was released",
        ]
        for reason in reasons { #expect(text.contains(reason), "\(reason): \(text)") }
    }

    @Test func objectOfAnotherContextIsNamedWithBothContexts() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let context = try TestGraph.context()
            context.name = "screen"
            let ana = try context.make("Employee")
            let other = context.sibling()
            other.name = "import"
            ana["boss"] = .object(try other.make("Employee"))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Employee.boss: <Employee x-coredata:"))
        #expect(text.contains("belongs to context \"import\", not to context \"screen\" of <Empl"))
    }

    @Test func deletionByAnotherContextIsNamed() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let context = try TestGraph.context()
            context.name = "screen"
            let other = context.sibling()
            other.name = "import"
            other.delete(try context.make("Employee"))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("<Employee x-coredata:"))
        #expect(text.contains("belongs to context \"screen\", so context \"import\" cannot delete"))
    }
    #endif

    @Test func objectOfAnotherContextIsRefused() async throws {
        await #expect(processExitsWith: .failure) {
            let context = try TestGraph.context()
            let ana = try context.make("Employee")
            let bob = try context.sibling().make("Employee")
            ana["boss"] = .object(bob)
        }
    }
}
