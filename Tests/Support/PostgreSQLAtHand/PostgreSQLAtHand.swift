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
    private let port: Int
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
    /// - Parameter port: where it also listens on 127.0.0.1; 0 for the socket alone.
    /// - Throws: ``Problem`` if there is no server, or it does not start.
    package init(port: Int = 0) throws {
        _ = Self.stopsAtExit
        self.port = port
        programs = try Self.findPrograms()
        // The path of a socket has room for some hundred characters.
        let temporary = FileManager.default.temporaryDirectory
        let name = "\(Self.prefix)\(getpid())-\(UUID().uuidString.prefix(8))"
        let place = temporary.path.utf8.count < 60 ? temporary : URL(filePath: "/tmp")
        Self.removeLeft(in: place)
        folder = place.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if getuid() == 0 { chown(folder.path, Self.user.0, Self.user.1) }
        let initialisation = try ChildProcess(
            command("initdb")[0],
            command("initdb").dropFirst() + [
                "-D", data, "-U", "tests", "--auth=trust", "-E", "UTF8", "--no-locale",
                "--no-sync", "--no-instructions",
            ],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"],
            errors: folder.appending(path: "initdb.log").path
        )
        guard initialisation.wait() == .code(0) else {
            throw Problem("initdb has failed")
        }
        try start()
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
        let arguments =
            command("postgres").dropFirst() + [
                "-D", data, "-k", folder.path, "-c", "fsync=off", "-c", "max_connections=120",
                "-c", "listen_addresses=\(port == 0 ? "" : "127.0.0.1")", "-c", "port=5432",
                "-c", "shared_buffers=32MB", "-c", "max_locks_per_transaction=256",
            ]
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
        let words = ["host", folder.path, "user", "tests", "dbname", "postgres"]
            .map { (word: String) in strdup(word) }
        defer { for word in words { free(word) } }
        let keywords: [UnsafePointer<CChar>?] = [0, 2, 4].map { UnsafePointer(words[$0]) } + [nil]
        let values: [UnsafePointer<CChar>?] = [1, 3, 5].map { UnsafePointer(words[$0]) } + [nil]
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
