import Foundation
import ObjectModel
import PostgreSQLAtHand
import PostgreSQLStore
import Testing

/// Each reason for which there is no connection has a sentence of its own.
@Suite(.enabled(if: PostgreSQLAtHand.isThere))
struct RefusalTests {
    @Test func aRefusalSaysWhatIsWrong() throws {
        let server = try PostgreSQLAtHand()
        defer { server.remove() }
        try server.execute(
            """
            CREATE ROLE locked LOGIN PASSWORD 'right'; CREATE ROLE peered LOGIN;
            CREATE ROLE stranger LOGIN; CREATE ROLE resting; CREATE ROLE few LOGIN CONNECTION LIMIT 0
            """
        )
        try server.execute("CREATE DATABASE closed ALLOW_CONNECTIONS false")
        let rules = [
            "local all tests trust", "local all locked scram-sha-256", "local all peered peer",
            "local all nobody,resting,few trust",
        ]
        let rows = rules.map { "('\($0)')" }.joined(separator: ", ")
        try server.execute("COPY (VALUES \(rows)) TO '\(server.folder.path)/data/pg_hba.conf'")
        let loaded = try server.execute("SELECT pg_conf_load_time(), pg_reload_conf()")
        let end = ContinuousClock.now + .seconds(20)
        while try server.execute("SELECT pg_conf_load_time()") == loaded, ContinuousClock.now < end
        {}
        let host = "?host=\(server.folder.path)"
        let cases = [
            ("locked:wrong@/postgres\(host)", "without the right password"),
            ("locked@/postgres\(host)", "without the right password"),
            ("stranger@/postgres\(host)", "from this computer"),
            ("peered@/postgres\(host)", "the user of the same name"),
            ("nobody@/postgres\(host)", "has no user of this name"),
            ("resting@/postgres\(host)", "does not let them in"),
            ("few@/postgres\(host)", "takes no more connections"),
            ("tests@/none\(host)", "has no database of this name"),
            ("tests@/closed\(host)", "does not let anybody in there"),
            ("tests@/postgres?host=/nonexistent", "nothing listens there"),
            ("tests@localhost:1/postgres", "nothing listens there"),
            ("tests@nowhere.invalid/postgres?sslmode=disable", "a computer of this name"),
        ]
        for (address, words) in cases {
            let url = try #require(URL(string: "postgresql://\(address)"))
            let error = #expect(throws: ObjectGraphError.self, "\(address)") {
                try PostgreSQLStore(url: url, model: ServerBench.model())
            }
            let message = error?.message ?? ""
            #expect(message.contains(words), "\(address): \(message)")
            #expect(!message.contains("wrong") && error?.recovery.isEmpty == false)
        }
    }
}
