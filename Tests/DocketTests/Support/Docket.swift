import Foundation
import VirtualTerminal

/// The built program as a process, on a store in a folder of its own.
final class Docket {
    /// How one run ended.
    struct Outcome {
        let code: Int32
        /// Whether a signal ended it.
        let isKilled: Bool
        let bytes: Data
        let errors: String

        var output: String { String(decoding: bytes, as: UTF8.self) }
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    static var program: String { VirtualTerminal.product("docket") }

    let folder: URL
    var store: String { path("docket.sqlite") }
    /// The environment of every run, and nothing else.
    var environment: [String: String]

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "docket-cli-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder.path, "TZ": "UTC",
            "LC_ALL": "C.UTF-8", "DOCKET_STORE": "\(folder.path)/docket.sqlite",
        ]
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

    /// Runs the program to its end.
    @discardableResult
    func callAsFunction(_ arguments: String..., input: Data = Data()) throws -> Outcome {
        try run(Self.program, arguments, input: input)
    }

    /// Runs a shell script in which `$docket` is the program.
    func shell(_ script: String, input: Data = Data()) throws -> Outcome {
        try run("/bin/sh", ["-c", script], input: input)
    }

    /// Starts a process without waiting; its output goes to two files.
    func start(
        _ program: String,
        _ arguments: [String],
        input: Data = Data(),
        _ name: String
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = environment.merging(["docket": Self.program]) { $1 }
        process.currentDirectoryURL = folder
        try input.write(to: folder.appending(path: "\(name).in"))
        for end in ["out", "err"] {
            _ = FileManager.default.createFile(atPath: path("\(name).\(end)"), contents: nil)
        }
        process.standardInput = try FileHandle(forReadingFrom: folder.appending(path: "\(name).in"))
        process.standardOutput = try FileHandle(forWritingTo: folder.appending(path: "\(name).out"))
        process.standardError = try FileHandle(forWritingTo: folder.appending(path: "\(name).err"))
        try process.run()
        return process
    }

    private func run(_ program: String, _ arguments: [String], input: Data) throws -> Outcome {
        let name = "run-\(UUID().uuidString)"
        let process = try start(program, arguments, input: input, name)
        process.waitUntilExit()
        return try outcome(of: process, name)
    }

    func outcome(of process: Process, _ name: String) throws -> Outcome {
        defer {
            for end in ["in", "out", "err"] {
                try? FileManager.default.removeItem(atPath: path("\(name).\(end)"))
            }
        }
        return Outcome(
            code: process.terminationStatus,
            isKilled: process.terminationReason == .uncaughtSignal,
            bytes: try read("\(name).out"),
            errors: String(decoding: try read("\(name).err"), as: UTF8.self)
        )
    }

    /// The items of `list --all --json`, or of other arguments.
    func items(_ arguments: [String] = ["list", "--all", "--json"]) throws -> [[String: Any]] {
        let outcome = try run(Self.program, arguments, input: Data())
        return try JSONSerialization.jsonObject(with: outcome.bytes) as? [[String: Any]] ?? []
    }

    func titles(_ arguments: String...) throws -> [String] {
        try items(["list"] + arguments + ["--json"]).map { $0["title"] as? String ?? "" }
    }

    static func has(_ tool: String) -> Bool {
        ["/usr/bin", "/bin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
        }
    }

    /// What SQLite itself says of a file; "ok" where its shell is not installed.
    func integrity(_ file: String? = nil) throws -> String {
        guard Docket.has("sqlite3") else { return "ok" }
        return try run(
            "/usr/bin/sqlite3",
            [file ?? store, "PRAGMA integrity_check"],
            input: Data()
        ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
