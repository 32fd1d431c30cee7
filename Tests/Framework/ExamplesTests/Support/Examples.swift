import ChildProcess
import Foundation
import VirtualTerminal

/// The built program as a process, in a folder of its own.
final class Examples {
    /// How one run ended, and what it said.
    struct Outcome: Equatable {
        let end: ChildProcess.End
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }

        static func done(_ output: String) -> Outcome {
            Outcome(end: .code(0), output: output, errors: "")
        }
    }

    let folder: URL
    /// Where a run without a file keeps its own.
    var temporary: String { path("tmp") }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "examples-tests-\(UUID().uuidString)")
        let temporary = folder.appending(path: "tmp")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Runs the program to its end.
    func callAsFunction(_ arguments: String...) throws -> Outcome {
        try run(VirtualTerminal.product("examples"), arguments)
    }

    /// Runs a line of the shell, in which `$examples` is the program.
    func shell(_ line: String) throws -> Outcome {
        let program = VirtualTerminal.product("examples")
        return try run("/bin/sh", ["-c", "examples='\(program)'; \(line)"])
    }

    /// Starts the program without waiting for its end.
    func start(_ arguments: String...) throws -> ChildProcess {
        try process(VirtualTerminal.product("examples"), arguments, UUID().uuidString)
    }

    /// Runs `modelgen` to its end.
    func modelgen(_ arguments: [String]) throws -> Outcome {
        try run(VirtualTerminal.product("modelgen"), arguments)
    }

    /// What Debian's `sqlite3` says to a statement.
    func sqlite3(_ file: String, _ statement: String) throws -> [String] {
        try run("/usr/bin/sqlite3", [file, statement]).lines
    }

    private func run(_ program: String, _ arguments: [String]) throws -> Outcome {
        let name = UUID().uuidString
        let end = try process(program, arguments, name).wait()
        func text(_ file: String) throws -> String {
            String(decoding: try Data(contentsOf: URL(filePath: path(file))), as: UTF8.self)
        }
        return Outcome(end: end, output: try text("\(name).out"), errors: try text("\(name).err"))
    }

    private func process(
        _ program: String,
        _ arguments: [String],
        _ name: String
    ) throws -> ChildProcess {
        try ChildProcess(
            program,
            arguments,
            environment: ["PATH": "/usr/bin:/bin", "TMPDIR": temporary, "TZ": "UTC"],
            folder: folder.path,
            output: path("\(name).out"),
            errors: path("\(name).err")
        )
    }
}

/// Files of the repository.
enum Repository {
    static let folder = (0..<5).reduce(URL(filePath: #filePath)) { folder, _ in
        folder.deletingLastPathComponent()
    }

    /// The names of the examples' models.
    static let models: [String] = {
        let models = folder.appending(path: "Resources/Examples")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: models.path)) ?? []
        return files.filter { $0.hasSuffix(".xcdatamodeld") }.map { String($0.dropLast(13)) }
            .sorted()
    }()
}

/// The committed texts that the examples have to print.
enum Expected {
    /// The text of an example, or that of a store in which it prints another one.
    static func text(_ name: String, store: String = "") throws -> String {
        let folder = Repository.folder.appending(path: "Tests/Framework/ExamplesTests/Expected")
        let own = folder.appending(path: "\(name).\(store).txt")
        let hasOwn = FileManager.default.fileExists(atPath: own.path)
        let file = hasOwn ? own : folder.appending(path: "\(name).txt")
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}
