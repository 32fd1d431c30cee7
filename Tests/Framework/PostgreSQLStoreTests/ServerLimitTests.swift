import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import Testing

/// What an administrator limits, and what an address gets wrong: each is told by its sentence.
@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct ServerLimitTests {
    /// A context whose connection has a setting of the server.
    private func context(_ bench: ServerBench, _ setting: String) throws -> ManagedObjectContext {
        let coordinator = try PersistentStoreCoordinator(model: ServerBench.model())
        let option = URLQueryItem(name: "options", value: "-c \(setting)")
        let url = bench.url.appending(queryItems: [option])
        coordinator.add(try PostgreSQLStore(url: url, model: coordinator.model))
        return ManagedObjectContext(coordinator: coordinator)
    }

    @Test func aStatementThatTheServerStopsIsNotCancelledByTheUser() throws {
        let bench = try ServerBench()
        let (other, _) = try bench.context()
        try other.add("Item", ["title": "first"])
        let limited = try context(bench, "statement_timeout=1s")
        try limited.add("Item", ["title": "second"])
        // The lock of one save stops the other.
        other.beforeWriting = {
            let error = #expect(throws: ObjectGraphError.self) { try limited.save() }
            #expect(error?.code == .timedOut)
            #expect(error?.message.contains("longer than it allows") == true)
        }
        try other.save()
        try limited.save()
        #expect(try limited.found("Item").count == 2)
    }

    @Test func aConnectionThatTheServerHasEndedForBeingIdleIsOpenedAgain() throws {
        let bench = try ServerBench()
        let limited = try context(bench, "idle_session_timeout=500ms")
        for number in 0..<2 {
            try bench.server.execute("SELECT pg_sleep(1)")
            try limited.add("Item", ["rank": .int(Int64(number))])
            try limited.save()
            try bench.server.execute("SELECT pg_sleep(1)")
            #expect(try limited.found("Item").count == number + 1)
        }
    }

    @Test(arguments: [
        ("&nonsense=1", "a parameter"), ("pg_mine", "is not the name of a schema"),
        ("&schema=b", "gives \"schema\" twice"), ("&host=a&port=1&port=2", "gives \"host\" twice"),
    ])
    func anAddressThatIsWrongIsToldAsOne(
        _ rest: String,
        _ words: String
    ) throws {
        let server = try #require(PostgreSQLAtHand.shared)
        let text = server.url("PLACE").absoluteString
        let place = rest.hasPrefix("&") ? "test-address\(rest)" : rest
        let url = try #require(URL(string: text.replacing("PLACE", with: place)))
        let error = #expect(throws: ObjectGraphError.self) {
            try PostgreSQLStore(url: url, model: ServerBench.model())
        }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
}
