import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import PostgreSQLAtHand
import PostgreSQLStore
import Testing

/// A server with a certificate that was made for it, for the host `db.test`.
@Suite(.enabled(if: PostgreSQLAtHand.isThere && PostgreSQLAtHand.makesCertificates), .serialized)
struct TLSTests {
    private let server = Result { try PostgreSQLAtHand(secureAs: "db.test") }

    /// The store at an address that is not one of this computer, as far as anybody can see.
    private func open(
        _ parameters: [String: String],
        host: String = "db.test"
    ) throws
        -> PostgreSQLStore
    {
        let server = try server.get()
        var parts = URLComponents()
        (parts.scheme, parts.user, parts.host) = ("postgresql", "tests", host)
        (parts.port, parts.path) = (server.port, "/postgres")
        parts.queryItems = parameters.merging(["hostaddr": "127.0.0.2"]) { $1 }
            .map { URLQueryItem(name: $0.key, value: $0.value) }
        return try PostgreSQLStore(
            url: try #require(parts.url),
            model: ServerBench.model(),
            options: PostgreSQLStoreOptions()
        )
    }

    private func refusal(
        _ parameters: [String: String],
        host: String = "db.test"
    ) -> ObjectGraphError? {
        #expect(throws: ObjectGraphError.self) { try open(parameters, host: host) }
    }

    @Test func aServerThatProvesWhoItIsIsUsedByDefault() throws {
        let server = try server.get()
        defer { server.remove() }
        let coordinator = try PersistentStoreCoordinator(model: ServerBench.model())
        coordinator.add(try open(["sslrootcert": server.certificate]))
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.add("Item", ["title": "safe"])
        try context.save()
        let encrypted = "SELECT count(*) FROM pg_stat_ssl WHERE ssl AND version LIKE 'TLS%'"
        #expect(try server.execute(encrypted) == "1")
        // A crash is told as one, not as a wrong certificate, and the store goes on after it.
        try server.stop(crashing: true)
        try context.add("Item", ["title": "later"])
        let lost = #expect(throws: ObjectGraphError.self) { try context.save() }
        #expect(lost?.code == .serverUnreachable)
        try server.start()
        try context.save()
        #expect(try context.found("Item").count == 2)
    }

    @Test func aServerThatDoesNotProveWhoItIsIsRefusedWithTheReason() throws {
        let server = try server.get()
        defer { server.remove() }
        let other = server.folder.appending(path: "other.crt").path
        try PostgreSQLAtHand.makeCertificate("db.test", at: other, key: other + ".key")
        let cases: [(parameters: [String: String], host: String, reason: String)] = [
            (["sslrootcert": other], "db.test", "not of an authority that is trusted here"),
            (["sslrootcert": server.certificate], "other.test", "is for another name"),
            (["sslrootcert": "/nonexistent"], "db.test", "no file with the certificate"),
        ]
        for (parameters, host, reason) in cases {
            let error = refusal(parameters, host: host)
            #expect(error?.code == .serverAccess)
            #expect(error?.message.contains("has not proved who it is") == true)
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        }
        #expect(throws: Never.self) { try open(["sslmode": "require"]) }
        try server.execute("ALTER SYSTEM SET ssl = off")
        try server.execute("SELECT pg_reload_conf()")
        let end = ContinuousClock.now + .seconds(20)
        while try server.execute("SHOW ssl") == "on", ContinuousClock.now < end {}
        let plain = refusal(["sslrootcert": server.certificate])
        #expect(
            plain?.message
                == "The database server db.test:\(server.port) does not encrypt its connections."
        )
        #expect(throws: Never.self) { try open(["sslmode": "disable"]) }
    }
}
