import ChildProcess
import Foundation
import Testing
import VirtualTerminal

/// Subtasks, dependencies and marks in a real terminal, while the shell changes the store beside it.
@Suite struct TreeStoryTests {
    private let home: String

    init() throws {
        home = FileManager.default.temporaryDirectory.path + "/docket-tree-\(UUID().uuidString)"
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

    @Test func aProjectIsPlannedAndItsFirstStepsAreDone() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        for title in ["Plan the garden", "order seeds", "measure the beds", "Sow"] {
            try docket("add", title)
        }
        let terminal = try VirtualTerminal(
            VirtualTerminal.product("docket"),
            environment: ["HOME": home, "COLORFGBG": "15;0"],
            rows: 24,
            columns: 130
        )
        try terminal.wait(forText: "measure the beds")
        func act(_ keys: String, _ texts: String...) throws {
            try terminal.type(keys)
            for text in texts { try terminal.wait(forText: text) }
        }
        // A tree.
        try act("ji", "Put \"order seeds\" under \"Plan the garden\"", "0/1")
        try act("ji", "Put \"measure the beds\" under \"Plan the garden\"", "0/2")
        // What waits for what.
        try act("Gw", "\"Sow\" waits for")
        try act("seed", "☐ order seeds")
        try act("\r", "Made \"Sow\" wait for \"order seeds\"", "⊘ Sow  waits for order seeds")
        try act("gw", "All › Dependencies", "└─ ⊘ Sow")
        #expect(try docket("done", "2").contains("; \"Sow\" can start now"))
        try terminal.wait(forText: "No open task here waits for another one.")
        try act("\u{1B}", "✓ order seeds", "1/2")
        try act("u", "Undid: completed \"order seeds\"", "0/2")
        // Marks stay in a list that shows none of the items.
        try act("V", "4 marked")
        try act("gh", "4 marked, 4 not shown")
        try act("f", "Flagged 4 tasks")
        try act("gAggc", "\"Plan the garden\" has 2 subtasks.")
        try act("s", "Duplicated \"Plan the garden\" with 2 subtasks")
        try act("u", "Undid: duplicated \"Plan the garden\"")
        #expect(try docket("list").split(separator: "\n").count == 4)
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }
}
