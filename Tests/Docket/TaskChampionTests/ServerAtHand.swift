import ChildProcess
import Foundation
import Glibc

@testable import TaskChampion

/// A server of the tests' own, and the real client where it is installed.
///
/// `TASKCHAMPION_PYTHON` names a Python that has the package taskchampion-py.
final class ServerAtHand {
    private let folder: URL
    private let process: ChildProcess
    let url: String

    private static let python = InstalledProgram.path(of: "python3")
    private static let curl = InstalledProgram.path(of: "curl")
    /// Whether a server can be started and asked.
    static let isThere: Bool = {
        if python != nil, curl != nil { return true }
        print("The protocol of TaskChampion is left out: python3 or curl is not installed.")
        return false
    }()
    private static let client = ProcessInfo.processInfo.environment["TASKCHAMPION_PYTHON"]
    /// Whether the real client can be run.
    static let hasClient: Bool = {
        if client != nil { return isThere }
        print("The real client of TaskChampion is left out: TASKCHAMPION_PYTHON is not set.")
        return false
    }()

    struct Problem: Error { let description: String }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "taskchampion-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A pipe with a name, open on both sides: reading its line waits until the server listens.
        let place = folder.appending(path: "port").path
        mkfifo(place, 0o600)
        guard let pipe = FileHandle(forUpdatingAtPath: place) else {
            throw Problem(description: "\(place) cannot be read")
        }
        process = try ChildProcess(
            ServerAtHand.python ?? "",
            [ServerAtHand.script("server.py")],
            output: place
        )
        var port = ""
        while let byte = try pipe.read(upToCount: 1), byte != Data([10]) {
            port += String(decoding: byte, as: UTF8.self)
        }
        url = "http://127.0.0.1:\(port)"
    }

    deinit {
        process.killGroup()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func script(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: name).path
    }

    /// Makes a request with curl.
    func send(_ request: TaskServerRequest) throws -> TaskServerResponse {
        let (body, head, sent) = (file("body"), file("head"), file("sent"))
        var arguments = ["-s", "-X", request.method, "-o", body.path, "-D", head.path]
        for (name, value) in request.headers { arguments += ["-H", "\(name): \(value)"] }
        if let data = request.body {
            try Data(data).write(to: sent)
            arguments += ["--data-binary", "@\(sent.path)"]
        }
        try Data().write(to: body)
        let end = try ChildProcess(ServerAtHand.curl ?? "", arguments + [request.url]).wait()
        guard end == .code(0) else { throw Problem(description: "curl has ended with \(end)") }
        let lines = try String(contentsOf: head, encoding: .utf8).split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let status = lines.first?.split(separator: " ")[1]
        return TaskServerResponse(
            status: status.flatMap { Int($0) } ?? 0,
            headers: headers,
            body: Array(try Data(contentsOf: body))
        )
    }

    /// Asks the server to do something that only tests need.
    func tell(_ what: String) throws {
        _ = try send(TaskServerRequest(method: "GET", url: "\(url)/\(what)", headers: [:]))
    }

    private func file(_ name: String) -> URL { folder.appending(path: name) }

    /// Runs commands in a replica of the real client.
    ///
    /// - Returns: the answers, a line each.
    func client(_ replica: String, _ commands: [[String: Any]]) throws -> [[String: Any]] {
        let (input, output, errors) = (file("input"), file("output"), file("errors"))
        let lines = try commands.map { try JSONSerialization.data(withJSONObject: $0) }
        try Data(lines.joined(separator: [10]) + [10]).write(to: input)
        let end = try ChildProcess(
            ServerAtHand.client ?? "",
            [ServerAtHand.script("client.py"), file(replica).path],
            input: input.path,
            output: output.path,
            errors: errors.path
        ).wait()
        guard end == .code(0) else {
            let text = try String(contentsOf: errors, encoding: .utf8)
            throw Problem(description: "the client has ended with \(end): \(text)")
        }
        return try Data(contentsOf: output).split(separator: 10).map {
            let answer = try JSONSerialization.jsonObject(with: $0) as? [String: Any] ?? [:]
            if let error = answer["error"] { throw Problem(description: "the client: \(error)") }
            return answer
        }
    }
}
