import CPostgreSQL
import ChildProcess
package import FoundationEssentials
import Glibc
import Synchronization

/// A PostgreSQL server of the tests' own: its files are in a folder of their own, it listens on a
/// socket there, and it ends with the tests.
package final class PostgreSQLAtHand: Sendable {
    /// The server that tests share, each with schemas of its own; `nil` if there is none.
    package static let shared: PostgreSQLAtHand? = {
        do {
            return try PostgreSQLAtHand()
        } catch {
            print("PostgreSQL is left out: \(error)")
            return nil
        }
    }()

    /// Whether a server could be started.
    package static var isThere: Bool { shared != nil }

    package let folder: URL
    private let programs: String
    /// Where it also listens on 127.0.0.1 and 127.0.0.2, with TLS; 0 for the socket alone.
    package let port: Int
    /// Safety: set while it is made, later by the one test that stops and starts it.
    private nonisolated(unsafe) var process: ChildProcess?

    /// The servers that run, which the end of the program stops.
    private static let running = Mutex<[ObjectIdentifier: (pid: pid_t, folder: String)]>([:])
    private static let stopsAtExit: Void = {
        _ = atexit {
            for (pid, folder) in PostgreSQLAtHand.running.withLock({ Array($0.values) }) {
                kill(pid, SIGQUIT)
                var status: Int32 = 0
                waitpid(pid, &status, 0)
                try? FileManager.default.removeItem(atPath: folder)
            }
        }
    }()

    /// Makes a server's files and starts it.
    ///
    /// - Parameters:
    ///   - host: the name for which it gets a certificate; `nil` for a server on a socket alone.
    ///   - primary: the server whose copy it is, which follows it until ``promote()``; by default it is
    ///     one of its own.
    /// - Throws: ``Problem`` if there is no server, or it does not start.
    package init(secureAs host: String? = nil, standbyOf primary: PostgreSQLAtHand? = nil) throws {
        _ = Self.stopsAtExit
        port = host == nil ? 0 : Int.random(in: 20_000..<30_000)
        programs = try Self.findPrograms()
        // The path of a socket has room for some hundred characters.
        let temporary = FileManager.default.temporaryDirectory
        let name = "\(Self.prefix)\(getpid())-\(UUID().uuidString.prefix(8))"
        let place = temporary.path.utf8.count < 60 ? temporary : URL(filePath: "/tmp")
        Self.removeLeft(in: place)
        folder = place.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if getuid() == 0 { chown(folder.path, Self.user.0, Self.user.1) }
        if let primary {
            try run("pg_basebackup", ["-D", data, "-h", primary.folder.path, "-U", "tests", "-R"])
        } else {
            try run(
                "initdb",
                [
                    "-D", data, "-U", "tests", "--auth=trust", "-E", "UTF8", "--no-locale",
                    "--no-sync", "--no-instructions",
                ]
            )
        }
        if let host {
            try Self.makeCertificate(host, at: certificate, key: key)
            if getuid() == 0 { _ = chown(key, Self.user.0, Self.user.1) }
            try append("host all all 127.0.0.0/8 trust", to: "pg_hba.conf")
            // A test may turn it off with ALTER SYSTEM, so it is not an argument.
            try append("ssl = on", to: "postgresql.conf")
        }
        try start()
    }

    private func append(_ line: String, to name: String) throws {
        let path = "\(data)/\(name)"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        // In place: the file keeps its owner.
        try "\(text)\(line)\n".write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// Runs a program of the server to its end.
    private func run(_ name: String, _ arguments: [String]) throws {
        let words = command(name)
        let process = try ChildProcess(
            words[0],
            words.dropFirst() + arguments,
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"],
            errors: folder.appending(path: "\(name).log").path
        )
        guard process.wait() == .code(0) else { throw Problem("\(name) has failed") }
    }

    /// Makes a server that follows another one a server of its own, once it has everything up to now.
    ///
    /// - Parameters:
    ///   - primary: the other one.
    ///   - crash: ends it.
    /// - Throws: ``Problem`` if it does not follow.
    package func promote(after primary: PostgreSQLAtHand, crash: () throws -> Void) throws {
        let place = try primary.execute("SELECT pg_current_wal_lsn()") ?? ""
        let end = ContinuousClock.now + .seconds(20)
        while try execute("SELECT pg_last_wal_replay_lsn() >= '\(place)'") != "t" {
            if ContinuousClock.now > end { throw Problem("the standby does not follow") }
        }
        try crash()
        try execute("SELECT pg_promote()")
    }

    // MARK: Certificates

    /// The file with the certificate of the server, which is its own authority.
    package var certificate: String { folder.appending(path: "server.crt").path }
    private var key: String { folder.appending(path: "server.key").path }

    private static let openssl = "/usr/bin/openssl"

    /// Whether this computer makes certificates.
    package static var makesCertificates: Bool {
        FileManager.default.isExecutableFile(atPath: openssl)
    }

    /// Makes a certificate of a host that is its own authority.
    package static func makeCertificate(_ host: String, at path: String, key: String) throws {
        let process = try ChildProcess(
            openssl,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=\(host)", "-keyout", key, "-out", path,
            ],
            environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
        )
        guard process.wait() == .code(0), chmod(key, 0o600) == 0 else {
            throw Problem("no certificate could be made")
        }
    }

    private static let prefix = "og-postgres-"

    /// Ends the servers of test runs that were killed.
    private static func removeLeft(in place: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let owner = name.dropFirst(prefix.count).split(separator: "-").first.flatMap {
                pid_t($0)
            }
            guard let owner, kill(owner, 0) != 0, errno == ESRCH else { continue }
            let folder = place.appending(path: name)
            let file = folder.appending(path: "data/postmaster.pid")
            if let text = try? String(contentsOf: file, encoding: .utf8),
                let server = text.split(separator: "\n").first.flatMap({ pid_t($0) })
            {
                kill(server, SIGQUIT)
            }
            try? FileManager.default.removeItem(at: folder)
        }
    }

    package struct Problem: Error, CustomStringConvertible {
        package let description: String
        init(_ description: String) { self.description = description }
    }

    private var data: String { folder.appending(path: "data").path }

    /// The address of a schema.
    package func url(_ schema: String) -> URL {
        var parts = URLComponents()
        parts.scheme = "postgresql"
        parts.user = "tests"
        parts.host = ""
        parts.path = "/postgres"
        parts.queryItems = [
            URLQueryItem(name: "host", value: folder.path),
            URLQueryItem(name: "schema", value: schema),
        ]
        guard let url = parts.url else { fatalError("no address for \(schema)") }
        return url
    }

    /// The path of the server's socket.
    package var socket: String { folder.appending(path: ".s.PGSQL.5432").path }

    // MARK: Running

    /// Starts the server again after ``stop(_:)``, and waits until it answers.
    package func start() throws {
        var arguments =
            command("postgres").dropFirst() + [
                "-D", data, "-k", folder.path, "-c", "fsync=off", "-c", "max_connections=120",
                "-c", "shared_buffers=32MB", "-c", "max_locks_per_transaction=256",
                "-c", "port=\(port == 0 ? 5432 : port)",
                "-c", "listen_addresses=\(port == 0 ? "" : "127.0.0.1,127.0.0.2")",
            ]
        if port != 0 {
            arguments += ["-c", "ssl_cert_file=\(certificate)", "-c", "ssl_key_file=\(key)"]
        }
        let started = try ChildProcess(
            command("postgres")[0],
            Array(arguments),
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"],
            errors: folder.appending(path: "server.log").path
        )
        process = started
        let entry = (pid: started.identifier, folder: folder.path)
        Self.running.withLock { $0[ObjectIdentifier(self)] = entry }
        for _ in 0..<500 {
            if (try? execute("SELECT 1")) != nil { return }
            usleep(20_000)
        }
        throw Problem("the server does not answer")
    }

    /// Stops the server: at once, as in a crash, or after it has ended its connections.
    package func stop(crashing: Bool = false) throws {
        guard let running = process else { return }
        process = nil
        kill(running.identifier, crashing ? SIGQUIT : SIGINT)
        _ = running.wait()
        _ = Self.running.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
    }

    /// Ends the server and deletes its files.
    package func remove() {
        try? stop(crashing: true)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs SQL on a connection of its own.
    ///
    /// - Returns: the first value of the result as text; `nil` for none.
    @discardableResult
    package func execute(_ sql: String) throws -> String? {
        if let reason = cpg_load() { throw Problem(String(cString: reason)) }
        let words = [
            "host", folder.path, "user", "tests", "dbname", "postgres",
            "port", "\(port == 0 ? 5432 : port)",
        ].map { (word: String) in strdup(word) }
        defer { for word in words { free(word) } }
        let keywords = stride(from: 0, to: 8, by: 2).map { UnsafePointer(words[$0]) } + [nil]
        let values = stride(from: 1, to: 8, by: 2).map { UnsafePointer(words[$0]) } + [nil]
        guard let connection = cpg_connect(keywords, values) else { throw Problem("no memory") }
        defer { cpg_finish(connection) }
        guard cpg_is_alive(connection) else {
            throw Problem(String(cString: cpg_error(connection)))
        }
        guard let result = cpg_execute(connection, sql) else { throw Problem("no result") }
        defer { cpg_clear(result) }
        if cpg_status(result) == Int32(CPG_FAILED) {
            throw Problem(String(cString: cpg_error(connection)))
        }
        guard cpg_rows(result) > 0, !cpg_is_null(result, 0, 0), let text = cpg_value(result, 0, 0)
        else { return nil }
        return String(cString: text)
    }

    /// Deletes a schema with everything in it.
    package func drop(_ schema: String) {
        _ = try? execute(
            "SET client_min_messages TO error; DROP SCHEMA IF EXISTS \"\(schema)\" CASCADE"
        )
    }

    // MARK: Programs

    /// A program of the server, run by somebody who is not root: it refuses root.
    private func command(_ name: String) -> [String] {
        Self.unprivileged("\(programs)/\(name)")
    }

    /// A program, run by somebody who is not root.
    static func unprivileged(_ path: String) -> [String] {
        if getuid() != 0 { return [path] }
        return [
            "/usr/bin/setpriv", "--reuid=\(user.0)", "--regid=\(user.1)",
            "--clear-groups", path,
        ]
    }

    static let user: (uid_t, gid_t) = {
        guard let entry = getpwnam("postgres") ?? getpwnam("nobody") else { return (65534, 65534) }
        return (entry.pointee.pw_uid, entry.pointee.pw_gid)
    }()

    /// The folder with the programs of the newest server.
    private static func findPrograms() throws -> String {
        let folder = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let found = versions.compactMap(Int.init).sorted().reversed()
            .map { "\(folder)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: "\($0)/postgres") }
        guard let found else { throw Problem("there is no server in \(folder)") }
        return found
    }
}
