import ChildProcess
import Foundation
import Testing
import VirtualTerminal

/// The life of a repeating task, in a real terminal and beside it in the shell.
@Suite struct SeriesStoryTests {
    private let home: String

    init() throws {
        home = FileManager.default.temporaryDirectory.path + "/docket-series-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: home,
            withIntermediateDirectories: true
        )
    }

    /// Runs a subcommand to its end.
    @discardableResult
    private func docket(_ arguments: String...) throws -> String {
        try InstalledProgram.run(
            VirtualTerminal.product("docket"),
            arguments,
            environment: ["HOME": home, "LC_ALL": "C.UTF-8", "TZ": "UTC"]
        )
    }

    private func open() throws -> VirtualTerminal {
        let terminal = try VirtualTerminal(
            VirtualTerminal.product("docket"),
            environment: ["HOME": home, "COLORFGBG": "15;0"],
            rows: 24,
            columns: 120
        )
        try terminal.wait(forText: "Water plants")
        return terminal
    }

    private func plants() throws {
        try docket("add", "Water plants 2030-01-01 every week")
        for (number, title) in [(2, "Fill the can"), (3, "Look for lice")] {
            try docket("add", title)
            try docket("edit", "\(number)", "parent=1")
        }
        try docket("done", "2")
    }

    @Test func onTheScreen() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        try plants()
        var terminal = try open()
        /// Types, and waits for what the footer says and for how many subtasks are done.
        func act(_ keys: String, _ footer: String, _ progress: String? = nil) throws {
            try terminal.type(keys)
            try terminal.wait(forText: footer)
            guard let progress else { return }
            try terminal.wait(forText: progress)
        }
        try terminal.wait(forText: "1/2")
        try act(" ", "has 1 open subtask")
        // Left open, it moves to the next occurrence.
        try act("l", "Completed \"Water plants\", next 8 Jan 2030", "0/2")
        #expect(!terminal.screen.contains { $0.contains("1/2") })
        try act("u", "Undid: completed \"Water plants\"", "1/2")
        try act("\u{12}", "Redid: completed \"Water plants\"", "0/2")
        try act("\u{1B}[H:skip this\r", "Skipped \"Water plants\", next 15 Jan 2030", "0/2")
        try act(
            ":change only\r",
            "Separated \"Water plants\" from its series, next 22 Jan 2030"
        )
        try act("e\u{1B}[F alone\u{13}", "Edited \"Water plants alone\": title")
        // Below it are its subtasks, then the next occurrence.
        try act("jjje\u{1B}[F twice\u{13}", "Edited \"Water plants twice\": title")
        #expect(terminal.screen.contains { $0.contains("Water plants alone") })
        try act(" ", "has 2 open subtasks")
        try act("l", "Completed \"Water plants twice\", next 29 Jan 2030")
        try act("u", "Undid: completed \"Water plants twice\"")
        try act("\u{1B}[Hjjj:end the\r", "Ended the series of \"Water plants twice\"")
        try act(" ", "has 2 open subtasks")
        try act("l", "Completed \"Water plants twice\"")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        // Everything can be undone after a restart.
        terminal = try open()
        try act("u", "Undid: completed \"Water plants twice\"")
        try act("u", "Undid: ended the series of \"Water plants twice\"")
        try act("u", "Undid: edited \"Water plants twice\": title")
        try act("u", "Undid: edited \"Water plants alone\": title")
        try act("u", "Undid: separated \"Water plants\" from its series")
        try act("u", "Undid: skipped \"Water plants\"")
        try act("u", "Undid: completed \"Water plants\"", "1/2")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        #expect(try docket("list").contains("1 Jan 2030"))
    }

    @Test func inTheShellBesideTheScreen() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        try plants()
        let terminal = try open()
        try terminal.wait(forText: "1/2")
        /// Runs a command, and waits until the screen has its result.
        func act(_ arguments: [String], _ said: String, _ shown: String) throws {
            let output = try InstalledProgram.run(
                VirtualTerminal.product("docket"),
                arguments,
                environment: ["HOME": home, "LC_ALL": "C.UTF-8", "TZ": "UTC"]
            )
            #expect(output.contains(said), "\(arguments): \(output)")
            try terminal.wait(forText: shown)
        }
        try act(["done", "1"], "Completed \"Water plants\", next 8 Jan 2030", "8 Jan 2030")
        try act(["undo"], "Undid: completed \"Water plants\"", "1 Jan 2030")
        try act(["redo"], "Redid: completed \"Water plants\"", "8 Jan 2030")
        try act(["skip", "4"], "Skipped \"Water plants\", next 15 Jan 2030", "15 Jan 2030")
        try act(
            ["edit", "4", "title=Drown plants", "--only-this"],
            "Edited \"Drown plants\": title",
            "22 Jan 2030"
        )
        let list = try docket("list")
        let next = try #require(list.split(separator: "\n").first { $0.contains("22 Jan 2030") })
        let id = try #require(next.split(separator: " ").first.map(String.init))
        try act(["edit", id, "title=Water the cactus"], "Edited", "Water the cactus")
        try act(["done", id], "Completed \"Water the cactus\", next 29 Jan 2030", "29 Jan 2030")
        try act(["undo"], "Undid: completed \"Water the cactus\"", "22 Jan 2030")
        try act(["edit", id, "repeats="], "Edited \"Water the cactus\": repeats", "Edited")
        let done = try docket("done", id)
        #expect(done.hasPrefix("Completed \"Water the cactus\"; 2 open subtasks"))
        for _ in 0..<6 { try docket("undo") }
        try terminal.wait(forText: "1 Jan 2030")
        #expect(try docket("show", "1").contains("every week"))
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }
}
