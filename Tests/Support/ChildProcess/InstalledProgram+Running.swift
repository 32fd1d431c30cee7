import FoundationEssentials

extension InstalledProgram {
    /// Runs a program to its end.
    ///
    /// - Returns: what it has written.
    @discardableResult
    package static func run(
        _ path: String,
        _ arguments: [String],
        environment: [String: String]
    ) throws -> String {
        let folder = FileManager.default.temporaryDirectory.path
        let output = "\(folder)/docket-program-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: output) }
        let process = try ChildProcess(
            path,
            arguments,
            environment: environment.merging(["PATH": "/usr/bin:/bin"]) { $1 },
            output: output
        )
        process.wait()
        return try String(contentsOfFile: output, encoding: .utf8)
    }
}

/// A folder of its own for one test.
package func withTemporaryFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/docket-core-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
}
