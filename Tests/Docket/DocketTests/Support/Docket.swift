import ChildProcess
import Foundation
import Synchronization
import Testing
import VirtualTerminal

/// The built program as a process, on a store in a folder of its own.
final class Docket {
    /// How one run ended.
    struct Outcome {
        let end: ChildProcess.End
        /// The exit code; `nil` if a signal ended it.
        var code: Int32? { if case .code(let code) = end { code } else { nil } }
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

    private static let made = Mutex<[String: [MadeFile]]>([:])

    private struct MadeFile {
        let name: String
        let bytes: Data
        let permissions: Int
    }

    /// A folder of its own with the files that `make` leaves, which runs once in the process.
    ///
    /// `key` is other for each way of making. Stores of one key have the same identity.
    static func copy(_ key: String, _ make: (Docket) throws -> Void) throws -> Docket {
        let docket = try Docket()
        let files = try made.withLock { made in
            if let files = made[key] { return files }
            let first = try Docket()
            try make(first)
            let files = try first.files()
            made[key] = files
            return files
        }
        for file in files {
            try docket.write(file.bytes, to: file.name)
            #expect(chmod(docket.path(file.name), mode_t(file.permissions)) == 0)
        }
        return docket
    }

    /// The program after it has added some items, which is done once in the process.
    static func adding(_ lines: String...) throws -> Docket {
        try copy(lines.joined(separator: "\n")) { docket in
            for line in lines {
                let added = try docket("add", line)
                #expect(added.code == 0, "\(added)")
            }
        }
    }

    private func files() throws -> [MadeFile] {
        let files = FileManager.default
        return try files.subpathsOfDirectory(atPath: folder.path).compactMap { name in
            let attributes = try files.attributesOfItem(atPath: path(name))
            guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
            let permissions = try #require(attributes[.posixPermissions] as? NSNumber)
            return MadeFile(
                name: name,
                bytes: try read(name),
                permissions: permissions.intValue
            )
        }
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

    func write(_ bytes: Data, to name: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try bytes.write(to: file)
    }

    func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

    /// Runs the program to its end.
    @discardableResult
    func callAsFunction(_ arguments: String..., input: Data = Data()) throws -> Outcome {
        try run(Self.program, arguments, input: input)
    }

    /// Runs the program with a list of arguments.
    @discardableResult
    func run(_ arguments: [String]) throws -> Outcome {
        try run(Self.program, arguments, input: Data())
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
    ) throws -> ChildProcess {
        try input.write(to: folder.appending(path: "\(name).in"))
        return try ChildProcess(
            program,
            arguments,
            environment: environment.merging(["docket": Self.program]) { $1 },
            folder: folder.path,
            input: path("\(name).in"),
            output: path("\(name).out"),
            errors: path("\(name).err")
        )
    }

    private func run(_ program: String, _ arguments: [String], input: Data) throws -> Outcome {
        let name = "run-\(UUID().uuidString)"
        return try outcome(of: start(program, arguments, input: input, name), name)
    }

    /// Waits for a process that was started under a name.
    func outcome(of process: ChildProcess, _ name: String) throws -> Outcome {
        let end = process.wait()
        defer {
            for end in ["in", "out", "err"] {
                try? FileManager.default.removeItem(atPath: path("\(name).\(end)"))
            }
        }
        return Outcome(
            end: end,
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
}
