import Foundation
import Testing
import VirtualTerminal

/// However the program ends, the terminal is as it was.
@Suite(.serialized) struct LeavingTests {
    private let reports = ["?2004", "?1004", "?1002", "?1006"]

    /// Runs a shell that shows the tty's modes before and after the demonstration.
    private func compareModes(
        typing keys: String,
        environment: [String: String] = [:],
        ending: ((VirtualTerminal, Int32) throws -> Void)? = nil
    ) throws -> (terminal: VirtualTerminal, status: Int) {
        let terminal = try VirtualTerminal(
            "/bin/sh",
            arguments: [
                "-c", "stty -g; '\(DemoTerminal.path)'; s=$?; stty -g; echo status $s.; cat",
            ],
            environment: environment
        )
        try terminal.wait(forText: "last: none")
        let before = try #require(line(terminal, 0))
        if let ending {
            let child = try #require(children(of: terminal.process).first)
            try ending(terminal, child)
        } else {
            try terminal.type(keys)
        }
        try terminal.wait(forText: "status ")
        try terminal.wait(for: "the status") { terminal.screen.contains { $0.hasSuffix(".") } }
        let modes = lines(terminal)
        #expect(modes.count == 2, "the modes before and after: \(terminal.screen)")
        #expect(modes.first == modes.last)
        #expect(modes.first == before)
        #expect(!terminal.isAlternate)
        #expect(terminal.cursor != nil)
        #expect(!terminal.reportsMouse)
        checkReportsOff(terminal)
        let status = terminal.screen.compactMap { line -> Int? in
            guard let range = line.range(of: "status ") else { return nil }
            return Int(line[range.upperBound...].dropLast())
        }
        return (terminal, try #require(status.last, "\(terminal.screen)"))
    }

    /// The tty's modes as `stty -g` wrote them, in the whole output: the emulator may have cleared
    /// the first.
    private func lines(_ terminal: VirtualTerminal) -> [Substring] {
        String(decoding: terminal.output, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { line in
                // An escape sequence may stand before it.
                let end = line.lastIndex { !($0 == ":" || $0.isHexDigit) }
                return end.map { line[line.index(after: $0)...] } ?? line
            }
            .filter { $0.filter { $0 == ":" }.count > 20 }
    }

    private func line(_ terminal: VirtualTerminal, _ index: Int) -> Substring? {
        let lines = lines(terminal)
        return lines.indices.contains(index) ? lines[index] : nil
    }

    /// Each report that was turned on was turned off afterwards.
    private func checkReportsOff(_ terminal: VirtualTerminal) {
        let output = String(decoding: terminal.output, as: UTF8.self)
        for report in reports {
            let on = output.range(of: "\u{1B}[\(report)h", options: .backwards)
            let off = output.range(of: "\u{1B}[\(report)l", options: .backwards)
            guard let on, let off else {
                Issue.record("the report \(report) was not turned on and off")
                continue
            }
            #expect(on.lowerBound < off.lowerBound)
        }
        let pushed = output.components(separatedBy: "\u{1B}[>1u").count
        let popped = output.components(separatedBy: "\u{1B}[<u").count
        #expect(pushed == popped)
    }

    private func children(of process: pid_t) throws -> [Int32] {
        let path = "/proc/\(process)/task/\(process)/children"
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: " ")
            .compactMap { Int32($0) }
    }

    @Test func quittingRestoresTheTerminal() throws {
        #expect(try compareModes(typing: "q").status == 0)
    }

    @Test func exitWithoutClosingRestoresTheTerminal() throws {
        #expect(try compareModes(typing: "$").status == 7)
    }

    @Test func crashRestoresTheTerminalAndShowsItsMessage() throws {
        let (terminal, status) = try compareModes(typing: "!")
        #expect(status == 128 + SIGILL || status == 128 + SIGTRAP)
        let output = String(decoding: terminal.output, as: UTF8.self)
        #expect(output.contains("Index out of range"))
    }

    @Test func abortRestoresTheTerminal() throws {
        #expect(try compareModes(typing: "@").status == Int(128 + SIGABRT))
    }

    @Test func stackOverflowRestoresTheTerminal() throws {
        #expect(try compareModes(typing: "&").status == Int(128 + SIGSEGV))
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGALRM, SIGXCPU, 40])
    func terminationSignalRestoresTheTerminal(signal: Int32) throws {
        let (_, status) = try compareModes(typing: "") { _, child in kill(child, signal) }
        #expect(status == Int(128 + signal))
    }

    @Test func heldErrorsAreShownAfterwards() throws {
        let terminal = try DemoTerminal.open()
        try terminal.type("x")
        try terminal.wait(forText: "last: x ")
        #expect(!terminal.screen.joined().contains("an error line"))
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        #expect(terminal.screen.joined().contains("an error line"))
    }

    @Test func closedWindowEndsTheProgram() throws {
        let terminal = try DemoTerminal.open()
        terminal.hangUp()
        #expect(try terminal.waitForEnd() == Int(128 + SIGHUP))
    }
}
