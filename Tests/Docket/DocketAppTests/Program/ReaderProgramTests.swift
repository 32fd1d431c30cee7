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

    @Test func aTerminalThatAnswersLateGetsThePictureOnceAndLosesItAtTheEnd() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("docket-picture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try PictureFiles.blue.write(to: folder.appending(path: "sky.png"))
        let (store, program) = ("\(folder.path)/s.docket", VirtualTerminal.product("docket"))
        let environment = ["HOME": folder.path, "COLORFGBG": "15;0"]
        let lines = (0..<40).map { "line \($0)\n\n" }.joined()
        let added = try ChildProcess(
            program,
            ["--store", store, "add", "--note", "Sky\n![](\(folder.path)/sky.png)\n\n\(lines)"],
            environment: environment
        )
        #expect(added.wait() == .code(0))
        let terminal = try VirtualTerminal(
            program,
            arguments: ["--store", store],
            environment: environment,
            rows: 24,
            columns: 80
        )
        func count(_ text: String) -> Int {
            String(decoding: terminal.output, as: UTF8.self).components(separatedBy: text).count - 1
        }
        try terminal.wait(forText: "Sky")
        try terminal.type("gAG")
        #expect(count("a=q") == 0)
        try terminal.type("o")
        // It shows without an answer.
        try terminal.wait(forText: "▀▀▀")
        try terminal.wait(for: "the question") { count("a=q") == 1 }
        try terminal.type("\u{1B}_Gi=31;OK\u{1B}\\")
        try terminal.wait(for: "the picture") { count("a=p") == 1 }
        #expect(count("a=t") == 1)
        // The emulator prints what it does not know, so that its screen says nothing from here on.
        try terminal.type(String(repeating: "j", count: 26))
        try terminal.wait(for: "another place") { count("a=p") > 1 }
        #expect(count("a=t") == 1 && count("d=I") == 0)
        try terminal.type("q")
        try terminal.wait(for: "the end of the picture") { count("d=I") > 0 }
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        #expect(!String(decoding: terminal.output, as: UTF8.self).contains("IHDR"))
    }

    @Test func sixelsAreDrawnInRowsThatChange() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("docket-sixel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try PictureFiles.blue.write(to: folder.appending(path: "sky.png"))
        let (store, program) = ("\(folder.path)/s.docket", VirtualTerminal.product("docket"))
        let environment = ["HOME": folder.path, "COLORFGBG": "15;0"]
        let added = try ChildProcess(
            program,
            ["--store", store, "add", "--note", "Sky\n![](\(folder.path)/sky.png)\n\nbelow"],
            environment: environment
        )
        #expect(added.wait() == .code(0))
        let terminal = try VirtualTerminal(
            program,
            arguments: ["--store", store],
            environment: environment,
            rows: 24,
            columns: 80
        )
        func count(_ text: String) -> Int {
            String(decoding: terminal.output, as: UTF8.self).components(separatedBy: text).count - 1
        }
        try terminal.wait(forText: "Sky")
        try terminal.type("gAGo")
        try terminal.wait(forText: "▀▀▀")
        try terminal.type("\u{1B}[?62;4c")
        let strip = "\u{1B}P0;1q\"1;1;300;20#5;2;0;0;100#5!300~"
        try terminal.wait(for: "ten rows") { count(strip) == 10 }
        try terminal.type("jjjjj")
        try terminal.wait(for: "the rows of the cursor") { count(strip) > 10 }
        #expect(count(strip) < 20)
        try terminal.type("qq")
        #expect(try terminal.waitForEnd() == 0)
    }
}
