import Foundation
import VirtualTerminal

/// The demonstration on a terminal of its own.
enum DemoTerminal {
    static var path: String { VirtualTerminal.product("terminal-demo") }

    /// Starts the demonstration and waits for its first frame.
    static func open(
        environment: [String: String] = [:],
        rows: Int = 24,
        columns: Int = 80
    ) throws -> VirtualTerminal {
        let terminal = try VirtualTerminal(
            path,
            environment: environment,
            rows: rows,
            columns: columns
        )
        try terminal.wait(forText: "last: none")
        return terminal
    }
}

/// A folder for one test.
struct TestFolder {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("terminal-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// A shell script, as the command that runs it: started by name, it could still be open for
    /// writing in a process that a test beside this one has just forked.
    func script(_ name: String, _ text: String) throws -> String {
        let file = "\(path)/\(name)"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return "/bin/sh \(file)"
    }

    /// An editor that says when it reads, and reads to the end of its input.
    func reader() throws -> String {
        try script("reader", "echo editor ready\nexec cat\n")
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
