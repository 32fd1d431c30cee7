import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import Testing

@Suite(.enabled(if: PostgreSQLAtHand.isThere), .serialized)
struct LostConnectionTests {
    /// A save takes two round trips, of which the last one is the writing with its COMMIT.
    @Test(arguments: [1, 2], CuttingProxy.Moment.allCases)
    func aSaveWhoseConnectionIsCutIsWrittenOnce(
        _ roundTrip: Int,
        _ moment: CuttingProxy.Moment
    ) throws {
        let server = try #require(PostgreSQLAtHand.shared)
        let proxy = try CuttingProxy(to: server.socket)
        defer { proxy.stop() }
        let bench = try ServerBench(through: proxy.folder)
        let (context, store) = try bench.context()
        let first = try context.add("Item", ["title": "first", "rank": 0])
        try context.save()
        try first.setValue(.int(1), forKey: "rank")
        try context.add("Item", ["title": "second"])
        proxy.cut(at: roundTrip, moment)
        try context.save()
        #expect(proxy.cutCount == 1)
        #expect(!context.hasChanges)
        let others = try ServerBench.reading(bench)
        #expect(try others.found("Item", by: "title").count == 2)
        #expect(try store.history(after: 0, limit: 10).map(\.number) == [1, 2])
        // The saved object is what the database has.
        try first.setValue(.int(2), forKey: "rank")
        try context.save()
        #expect(try store.latestTransaction() == 3)
    }

    @Test(arguments: CuttingProxy.Moment.allCases)
    func aReadWhoseConnectionIsCutIsRepeated(_ moment: CuttingProxy.Moment) throws {
        let server = try #require(PostgreSQLAtHand.shared)
        let proxy = try CuttingProxy(to: server.socket)
        defer { proxy.stop() }
        let bench = try ServerBench(through: proxy.folder)
        let (context, _) = try bench.context()
        try context.add("Item", ["title": "only"])
        try context.save()
        proxy.cut(at: 1, moment)
        #expect(try context.found("Item").count == 1)
        #expect(proxy.cutCount == 1)
    }

    /// Others with this protocol have none, and a standby refuses to listen.
    @Test func withoutNotificationsASaveIsDoneAndOthersSeeIt() throws {
        let server = try #require(PostgreSQLAtHand.shared)
        let proxy = try CuttingProxy(to: server.socket, without: ["NOTIFY", "LISTEN"])
        defer { proxy.stop() }
        let bench = try ServerBench(through: proxy.folder)
        let (context, store) = try bench.context(searched: true)
        let (others, _, follower) = try bench.following()
        #expect(try others.found("Item").isEmpty)
        try context.add("Item", ["title": "one"])
        try context.save()
        #expect(try store.history(after: 0, limit: 10).map(\.number) == [1])
        let end = ContinuousClock.now + .seconds(20)
        while try others.found("Item").isEmpty, ContinuousClock.now < end { sched_yield() }
        #expect(try others.found("Item", by: "title").count == 1)
        withExtendedLifetime(follower) {}
    }

    /// The server goes between the COMMIT and the question what became of it.
    @Test func anUnknownSaveIsSettledBeforeTheNextOne() throws {
        let server = try PostgreSQLAtHand()
        defer { server.remove() }
        let proxy = try CuttingProxy(to: server.socket)
        let bench = try ServerBench(server, through: proxy.folder)
        let (context, _) = try bench.context()
        try context.add("Item", ["title": "one"])
        try context.save()
        try context.add("Item", ["title": "two"])
        proxy.cut(at: 2, .afterServer)
        // Nobody answers on the socket any more; the connection that is open stays.
        try FileManager.default.removeItem(atPath: proxy.folder + "/.s.PGSQL.5432")
        let unknown = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(unknown?.code == .serverUnreachable)
        #expect(unknown?.message.contains("nobody knows") == true)
        proxy.stop()
        let second = try CuttingProxy(to: server.socket, in: proxy.folder)
        defer { second.stop() }
        let settled = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(settled?.code == .incompleteSave)
        context.reset()
        #expect(try context.found("Item").count == 2)
        try context.add("Item", ["title": "three"])
        try context.save()
        #expect(try context.found("Item").count == 3)
    }

    @Test(arguments: [false, true])
    func aStoreFindsItsServerAfterARestart(_ crashing: Bool) throws {
        let server = try PostgreSQLAtHand()
        defer { server.remove() }
        let bench = try ServerBench(server)
        let (context, _) = try bench.context()
        let item = try context.add("Item", ["title": "before"])
        try context.save()
        try server.stop(crashing: crashing)
        let missing = #expect(throws: ObjectGraphError.self) { try context.found("Item") }
        #expect(missing?.code == .serverUnreachable)
        try item.setValue("after", forKey: "title")
        let refused = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(refused?.code == .serverUnreachable)
        #expect(context.hasChanges)
        try server.start()
        try context.save()
        #expect(try context.found("Item").count == 1)
    }

    @Test func aServerThatIsNotThereIsNamed() throws {
        let url = try #require(URL(string: "postgresql://nobody@localhost:1/none"))
        let error = #expect(throws: ObjectGraphError.self) {
            try PostgreSQLStore(url: url, model: ServerBench.model())
        }
        #expect(error?.code == .serverUnreachable)
        let words = "The database server localhost:1 cannot be reached: nothing listens there."
        #expect(error?.message == words)
    }
}

extension ServerBench {
    /// A context on a connection that no proxy cuts.
    fileprivate static func reading(_ bench: ServerBench) throws -> ManagedObjectContext {
        let coordinator = try PersistentStoreCoordinator(model: model())
        coordinator.add(
            try PostgreSQLStore(
                url: bench.server.url(bench.schema),
                model: coordinator.model
            )
        )
        return ManagedObjectContext(coordinator: coordinator)
    }
}
