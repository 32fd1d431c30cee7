import Foundation
import Glibc
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

    @Test(arguments: [
        "the database system is starting up", "the database system is shutting down",
        "the database system is not yet accepting connections",
    ])
    func aServerThatStartsOrStopsIsAskedAgainLater(words: String) throws {
        let folder = URL(filePath: "/tmp/refusing-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let listener = try #require(Self.listen(at: "\(folder.path)/.s.PGSQL.5432"))
        defer { shutdown(listener, Int32(SHUT_RDWR)) }
        let fields = ["SFATAL", "VFATAL", "C57P03", "M\(words)"].map { $0 + "\0" }.joined() + "\0"
        let size = withUnsafeBytes(of: UInt32(fields.utf8.count + 4).bigEndian) { Array($0) }
        let answer = [UInt8(ascii: "E")] + size + Array(fields.utf8)
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                var request = [UInt8](repeating: 0, count: 4096)
                _ = read(client, &request, request.count)
                _ = write(client, answer, answer.count)
                close(client)
            }
            close(listener)
        }
        let url = try #require(URL(string: "postgresql://tests@/lib?host=\(folder.path)"))
        let error = #expect(throws: ObjectGraphError.self) {
            try PostgreSQLStore(url: url, model: ServerBench.model())
        }
        #expect(error?.message.contains("is starting or stopping") == true, "\(error as Any)")
        #expect(error?.code == .serverUnreachable)
    }

    /// A socket that takes connections at a path; `nil` if there is none.
    private static func listen(at path: String) -> Int32? {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        return isBound && Glibc.listen(socket, 8) == 0 ? socket : nil
    }
}
