import ChildProcess
import Foundation
import Testing
import VirtualTerminal

/// The reader of the real program on a real pseudo terminal.
@Suite struct ReaderProgramTests {
    @Test func aNoteIsReadTickedFollowedAndLeft() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("docket-reader-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appendingPathComponent("store.docket").path
        // What stands in for xdg-open says what it was asked for.
        let opener = folder.appendingPathComponent("xdg-open")
        let opened = folder.appendingPathComponent("opened").path
        try "#!/bin/sh\necho \"$1\" > '\(opened).part'\nmv '\(opened).part' '\(opened)'\n"
            .write(to: opener, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: opener.path
        )
        var variables = ["HOME": folder.path, "COLORFGBG": "15;0", "LC_ALL": "C.UTF-8"]
        func run(_ words: String...) throws {
            let process = try ChildProcess(
                VirtualTerminal.product("docket"),
                ["--store", store] + words,
                environment: variables
            )
            #expect(process.wait() == .code(0))
        }
        try run("add", "--note", "Target")
        try run("add", "--note", "Trip\n- [ ] pass [[Target]]\n\nhttp://rail.org/x")
        variables["PATH"] = "\(folder.path):/usr/bin:/bin"
        let terminal = try VirtualTerminal(
            VirtualTerminal.product("docket"),
            arguments: ["--store", store],
            environment: variables,
            rows: 20,
            columns: 80
        )
        try terminal.wait(forText: "Trip")
        try terminal.type("gAGo")
        try terminal.wait(forText: "0 of 1 ticked")
        try terminal.type("jjj ")
        try terminal.wait(forText: "1 of 1 ticked")
        try terminal.wait(forText: "Ticked \"pass Target\" in \"Trip\"")
        try terminal.type("u")
        try terminal.wait(forText: "0 of 1 ticked")
        try terminal.type("\t\r")
        try terminal.wait(forText: "linked from Trip")
        try terminal.type("q")
        try terminal.wait(forText: "0 of 1 ticked")
        try terminal.type("\t\t\r")
        try terminal.wait(forText: "Opened \"http://rail.org/x\" by xdg-open")
        try terminal.type("q")
        try terminal.wait(forText: "Target")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        let deadline = Date(timeIntervalSinceNow: 20)
        while !FileManager.default.fileExists(atPath: opened), Date() < deadline { sched_yield() }
        #expect(try String(contentsOfFile: opened, encoding: .utf8) == "http://rail.org/x\n")
    }
}
