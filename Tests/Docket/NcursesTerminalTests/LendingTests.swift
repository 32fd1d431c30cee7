import Foundation
import Testing
import VirtualTerminal

/// The terminal is lent to a shell or an editor and taken back.
@Suite(.serialized) struct LendingTests {
    private func shell() throws -> VirtualTerminal {
        let terminal = try VirtualTerminal(
            "/bin/bash",
            arguments: ["--norc", "--noprofile", "-i"],
            environment: ["PS1": "ready> ", "HISTFILE": "", "INPUTRC": "/dev/null"]
        )
        try terminal.wait(forText: "ready>")
        return terminal
    }

    /// Waits until the shell says that its job stopped, and reads again.
    private func waitForStop(_ terminal: VirtualTerminal) throws {
        try terminal.wait(for: "a stopped job") {
            let output = String(decoding: terminal.output, as: UTF8.self)
            guard let stop = output.range(of: "Stopped", options: .backwards) else { return false }
            return output[stop.upperBound...].contains("ready>")
                // A reader that the signal has not reached yet would take the shell's input.
                && descendants(of: terminal.process).allSatisfy(isStopped)
        }
    }

    private func descendants(of process: Int32) -> [Int32] {
        let path = "/proc/\(process)/task/\(process)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let children = text.split(separator: " ").compactMap { Int32($0) }
        return children + children.flatMap(descendants)
    }

    private func isStopped(_ process: Int32) -> Bool {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return text?.contains(") T ") ?? true
    }

    @Test func suspendGivesTheShellBackAndResumeRedraws() throws {
        let terminal = try shell()
        try terminal.type("stty -g >/tmp/$$.before; '\(DemoTerminal.path)'\r")
        try terminal.wait(forText: "last: none")
        try terminal.type("\u{1A}")
        try waitForStop(terminal)
        #expect(!terminal.isAlternate)
        #expect(terminal.cursor != nil)
        try terminal.type("stty -g | cmp - /tmp/$$.before && echo modes-equal; rm /tmp/$$.before\r")
        try terminal.wait(for: "the comparison") { terminal.screen.contains("modes-equal") }
        try terminal.type("fg\r")
        try terminal.wait(forText: "note: back")
        #expect(terminal.isAlternate)
        try terminal.wait(for: "mouse reports") { terminal.reportsMouse }
        #expect(terminal.row(1).hasPrefix("0 plain text|"))
        try terminal.type("j")
        try terminal.wait(forText: "last: j ")
        try terminal.type("q")
        try terminal.wait(for: "the shell") { !terminal.isAlternate }
    }

    @Test func resizeWhileStoppedIsSeenOnResume() throws {
        let terminal = try shell()
        try terminal.type("'\(DemoTerminal.path)'\r")
        try terminal.wait(forText: "last: none")
        try terminal.type("\u{1A}")
        try waitForStop(terminal)
        terminal.resize(rows: 15, columns: 60)
        try terminal.type("fg\r")
        try terminal.wait(forText: "demo 15x60")
    }

    @Test func stopFromOutsideAndContinueRedraws() throws {
        let terminal = try shell()
        try terminal.type("'\(DemoTerminal.path)'\r")
        try terminal.wait(forText: "last: none")
        let demo = try #require(descendants(of: terminal.process).first)
        kill(demo, SIGSTOP)
        try waitForStop(terminal)
        try terminal.type("fg\r")
        try terminal.wait(forText: "note: resumed")
        try terminal.type("j")
        try terminal.wait(forText: "last: j ")
    }

    @Test func suspendWithoutJobControlGoesOn() throws {
        let terminal = try DemoTerminal.open()
        try terminal.type("\u{1A}")
        try terminal.wait(forText: "note: back")
        #expect(terminal.isAlternate)
    }

    @Test func editorHasTheTerminalAndItsStatusComesBack() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let editor = try folder.script(
            "editor",
            """
            stty -a | grep -o -e '-\\?icanon'
            printf 'editing '
            read line
            echo "got $line"
            exit 3
            """
        )
        let terminal = try DemoTerminal.open(environment: ["EDITOR": editor])
        try terminal.type("e")
        try terminal.wait(forText: "editing")
        #expect(terminal.screen.contains("icanon"))
        #expect(!terminal.isAlternate)
        #expect(!terminal.reportsMouse)
        try terminal.type("text\r")
        try terminal.wait(forText: "note: editor 3")
        #expect(terminal.isAlternate)
        try terminal.type("j")
        try terminal.wait(forText: "last: j ")
    }

    @Test func interruptInTheEditorIsTheEditorsAlone() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let terminal = try DemoTerminal.open(environment: ["EDITOR": try folder.reader()])
        try terminal.type("e")
        try terminal.wait(forText: "editor ready")
        try terminal.type("\u{3}")
        try terminal.wait(forText: "note: editor \(128 + SIGINT)")
    }

    @Test func editorStoppedByTheUserStopsTheProgramToo() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let terminal = try shell()
        try terminal.type("EDITOR='\(try folder.reader())' '\(DemoTerminal.path)'\r")
        try terminal.wait(forText: "last: none")
        try terminal.type("e")
        try terminal.wait(forText: "editor ready")
        try terminal.type("\u{1A}")
        try waitForStop(terminal)
        let start = terminal.output.count
        try terminal.type("fg\r")
        // The shell names the job once the modes are the job's.
        try terminal.wait(for: "the job's name") {
            String(decoding: terminal.output[start...], as: UTF8.self).contains("terminal-demo")
        }
        try terminal.type("to the reader\r\u{4}")
        try terminal.wait(forText: "note: editor 0")
    }

    @Test func missingEditorIsReportedInASentence() throws {
        let terminal = try DemoTerminal.open(
            environment: ["EDITOR": "no-such-editor"],
            columns: 120
        )
        try terminal.type("e")
        try terminal.wait(forText: "“no-such-editor” cannot be run: No such file or directory.")
        try terminal.type("j")
        try terminal.wait(forText: "last: j ")
    }
}
