import ChildProcess
import Foundation

@testable import DocketSync

/// Another client of the same calendars: vdirsyncer with a folder, and todoman.
final class Phone {
    static let programs = ["vdirsyncer", "todoman"]
    static var isInstalled: Bool { programs.allSatisfy(InstalledProgram.has) }

    private let folder: URL
    private var calendars: URL { folder.appending(path: "calendars") }

    init(server: ServerAtHand) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "phone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: calendars, withIntermediateDirectories: true)
        let sync = """
            [general]
            status_path = "\(folder.path)/status"
            [pair phone]
            a = "here"
            b = "there"
            collections = ["from b"]
            conflict_resolution = "b wins"
            [storage here]
            type = "filesystem"
            path = "\(calendars.path)"
            fileext = ".ics"
            [storage there]
            type = "caldav"
            url = "\(server.url)"
            username = "ada"
            password = "secret"
            """
        try Data(sync.utf8).write(to: folder.appending(path: "sync"))
        let todo = """
            path = "\(calendars.path)/*"
            date_format = "%Y-%m-%d"
            time_format = "%H:%M"
            cache_path = "\(folder.path)/cache.sqlite3"
            """
        try Data(todo.utf8).write(to: folder.appending(path: "todo.py"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    struct Problem: Error { let text: String }

    private func run(_ program: String, _ words: [String], input: String? = nil) throws -> String {
        let output = folder.appending(path: "output")
        if let input { try Data(input.utf8).write(to: folder.appending(path: "input")) }
        let end = try ChildProcess(
            InstalledProgram.path(of: program) ?? "",
            words,
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8", "TZ": "UTC",
                "TODOMAN_CONFIG": folder.appending(path: "todo.py").path,
            ],
            input: input == nil ? "/dev/null" : folder.appending(path: "input").path,
            output: output.path,
            errors: folder.appending(path: "errors").path
        ).wait()
        let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        if end != .code(0) {
            let errors = try Data(contentsOf: folder.appending(path: "errors"))
            throw Problem(text: "\(words) \(text) \(String(decoding: errors, as: UTF8.self))")
        }
        return text
    }

    /// Finds the collections that the server has.
    func discover() throws {
        let answers = String(repeating: "y\n", count: 50)
        _ = try run(
            "vdirsyncer",
            ["-c", folder.appending(path: "sync").path, "discover"],
            input: answers
        )
    }

    func sync() throws {
        // A list whose last item is elsewhere now is no mistake.
        let emptied = lists.flatMap { ["--force-delete", "phone/\($0)"] }
        _ = try run("vdirsyncer", ["-c", folder.appending(path: "sync").path, "sync"] + emptied)
    }

    struct Todo: Codable {
        var id: Int
        var summary: String
        var completed: Bool
        var list: String
    }

    func todos() throws -> [Todo] {
        let text = try run("todoman", ["--porcelain", "list", "--status", "ANY"])
        return try JSONDecoder().decode([Todo].self, from: Data(text.utf8))
    }

    var lists: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: calendars.path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    func add(_ title: String, list: String) throws {
        _ = try run("todoman", ["new", "--list", list, title])
    }

    func complete(_ todo: Todo) throws { _ = try run("todoman", ["done", "\(todo.id)"]) }

    func delete(_ todo: Todo) throws { _ = try run("todoman", ["delete", "--yes", "\(todo.id)"]) }

    func prioritize(_ todo: Todo, _ priority: String) throws {
        _ = try run("todoman", ["edit", "--priority", priority, "\(todo.id)"])
    }
}
