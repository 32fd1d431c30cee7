import ChildProcess
import Foundation
import Glibc

/// A real server of calendars, in a process of its own.
final class ServerAtHand {
    enum Kind: String, CaseIterable, Sendable {
        case radicale
        case xandikos
    }

    let url: String
    let data: URL
    private let folder: URL
    private let port: UInt16
    private let kind: Kind
    private var words: [String] = []
    private var process: ChildProcess?

    struct Problem: Error { let description: String }

    /// The servers that are installed; the others are named once.
    static let installed: [Kind] = Kind.allCases.filter { kind in
        if InstalledProgram.path(of: kind.rawValue) != nil { return true }
        print("Synchronizing with \(kind.rawValue) is left out: it is not installed.")
        return false
    }

    init(_ kind: Kind) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "\(kind)-\(UUID().uuidString)")
        data = folder.appending(path: "data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        port = try ServerAtHand.freePort()
        self.kind = kind
        url = "http://127.0.0.1:\(port)/"
        switch kind {
        case .radicale:
            let users = folder.appending(path: "users")
            try Data("ada:secret\n".utf8).write(to: users)
            let config = folder.appending(path: "config")
            let text = """
                [server]
                hosts = 127.0.0.1:\(port)
                max_connections = 20
                [auth]
                type = htpasswd
                htpasswd_filename = \(users.path)
                htpasswd_encryption = plain
                delay = 0
                [storage]
                filesystem_folder = \(data.path)
                """
            try Data(text.utf8).write(to: config)
            words = ["--config", config.path]
        case .xandikos:
            words = [
                "-d", data.path, "-l", "127.0.0.1", "-p", "\(port)", "--defaults",
                "--current-user-principal", "/ada/",
            ]
        }
        try start(InstalledProgram.path(of: kind.rawValue) ?? "", words)
    }

    private func start(_ program: String, _ words: [String]) throws {
        process = try ChildProcess(
            program,
            words,
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path],
            output: folder.appending(path: "output").path,
            errors: folder.appending(path: "errors").path
        )
        try ServerAtHand.waitUntilItListens(port) {
            let errors = try? Data(contentsOf: folder.appending(path: "errors"))
            return String(decoding: errors ?? Data(), as: UTF8.self)
        }
    }

    /// Starts the server again.
    ///
    /// - Parameters:
    ///   - request: the number of the request at which it kills itself; `nil` for none.
    ///   - isLate: whether it has done what that asks for.
    /// - Throws: ``Problem`` if it does not listen.
    func restart(dyingAt request: Int? = nil, isLate: Bool = false) throws {
        stop()
        guard let request else {
            return try start(InstalledProgram.path(of: kind.rawValue) ?? "", words)
        }
        let program = """
            import os, signal, sys
            import radicale.app
            number, is_late = int(sys.argv[1]), sys.argv[2] == "true"
            del sys.argv[1:3]
            call, count = radicale.app.Application.__call__, 0
            def counted(*words):
                global count
                count += 1
                if count < number: return call(*words)
                if is_late: call(*words)
                os.kill(os.getpid(), signal.SIGKILL)
            radicale.app.Application.__call__ = counted
            from radicale.__main__ import run
            run()
            """
        try start("/usr/bin/python3", ["-c", program, "\(request)", "\(isLate)"] + words)
    }

    func stop() { process?.killGroup() }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func with<Result>(
        _ port: UInt16,
        _ body: (Int32, UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        var address = address(port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body(file, $0, size) }
        }
    }

    static func freePort() throws -> UInt16 {
        let port = with(0) { file, address, size -> UInt16? in
            var size = size
            guard bind(file, address, size) == 0, getsockname(file, address, &size) == 0 else {
                return nil
            }
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
        guard let port else { throw Problem(description: "no port is free") }
        return port
    }

    /// Waits until a server listens, and reports what it has written if it does not.
    static func waitUntilItListens(_ port: UInt16, errors: () -> String) throws {
        for _ in 0..<600 {
            if ServerAtHand.with(port, { connect($0, $1, $2) == 0 }) { return }
            poll(nil, 0, 50)
        }
        throw Problem(description: errors())
    }
}

/// `docket-sync` as a process.
struct SyncProcess {
    let store: URL
    let url: String
    var zone = "UTC"

    init(store: URL, server: ServerAtHand, zone: String = "UTC") {
        self.init(store: store, url: server.url, zone: zone)
    }

    init(store: URL, url: String, zone: String = "UTC") {
        (self.store, self.url, self.zone) = (store, url, zone)
    }

    /// The program beside the tests.
    static var program: String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "docket-sync").path
    }

    func start(_ words: [String] = [], password: String? = "secret") throws -> ChildProcess {
        try ChildProcess(
            SyncProcess.program,
            [
                "test", "--store", store.path, "--url", url, "--user", "ada",
            ] + (password.map { ["--password-command", "echo \($0)"] } ?? []) + words,
            environment: ["PATH": "/usr/bin:/bin", "TZ": zone, "HOME": "/nonexistent"],
            output: store.path + ".output",
            errors: store.path + ".errors"
        )
    }

    /// Runs it to its end.
    ///
    /// - Returns: its exit code and what it has written.
    func run(_ words: [String] = [], password: String? = "secret") throws -> (Int32, String) {
        let end = try start(words, password: password).wait()
        let text = try ["output", "errors"].map {
            let data = try Data(contentsOf: URL(filePath: "\(store.path).\($0)"))
            return String(decoding: data, as: UTF8.self)
        }
        guard case .code(let code) = end else { return (-1, text.joined()) }
        return (code, text.joined())
    }
}
