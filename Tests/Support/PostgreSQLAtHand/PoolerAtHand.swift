import ChildProcess
package import FoundationEssentials
import Glibc

/// PgBouncer before a server of the tests, in session mode, on a socket in a folder of its own.
package final class PoolerAtHand {
    private static let program = "/usr/sbin/pgbouncer"

    /// Whether the program is installed.
    package static var isThere: Bool {
        FileManager.default.isExecutableFile(atPath: program)
    }

    package let folder: URL
    private let process: ChildProcess

    /// - Throws: ``PostgreSQLAtHand/Problem`` if it does not start.
    package init(_ server: PostgreSQLAtHand) throws {
        folder = server.folder.appending(path: "pooler-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let settings = folder.appending(path: "pgbouncer.ini")
        let text = """
            [databases]
            postgres = host=\(server.folder.path) user=tests
            [pgbouncer]
            listen_addr =
            unix_socket_dir = \(folder.path)
            listen_port = 5432
            auth_type = any
            pool_mode = session
            default_pool_size = 20
            logfile = \(folder.path)/log

            """
        try Data(text.utf8).write(to: settings)
        if getuid() == 0 { chown(folder.path, PostgreSQLAtHand.user.0, PostgreSQLAtHand.user.1) }
        let words = PostgreSQLAtHand.unprivileged(Self.program) + ["-q", settings.path]
        process = try ChildProcess(
            words[0],
            Array(words.dropFirst()),
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"],
            errors: folder.appending(path: "errors").path
        )
        let socket = folder.appending(path: ".s.PGSQL.5432").path
        for _ in 0..<500 where access(socket, F_OK) != 0 { usleep(20_000) }
        guard access(socket, F_OK) == 0 else {
            throw PostgreSQLAtHand.Problem("pgbouncer does not start")
        }
    }

    deinit {
        kill(process.identifier, SIGKILL)
        _ = process.wait()
    }
}
