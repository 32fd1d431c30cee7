import Foundation
import Testing
import VirtualTerminal

@Suite(.serialized) struct DrawingTests {
    @Test func firstFrameShowsTheCanvas() throws {
        let terminal = try DemoTerminal.open()
        #expect(terminal.row(0) == "demo 24x80 colors 256")
        #expect(terminal.row(1).hasPrefix("0 plain text|"))
        #expect(terminal.isAlternate)
        try terminal.wait(for: "mouse reports") { terminal.reportsMouse }
    }

    @Test func wideAndCombiningCellsAlign() throws {
        let terminal = try DemoTerminal.open()
        #expect(terminal.row(2).hasPrefix("1 会議の議事録|"))
        #expect(terminal.cell(row: 2, column: 2).width == 2)
        #expect(terminal.cell(row: 2, column: 14).text == "|")
        #expect(terminal.row(3).hasPrefix("2 Cafe\u{301} a\u{308}\u{323}|"))
        #expect(terminal.cell(row: 3, column: 8).text == "|")
        // The skin tone and what ZWJ joins are not sent; the bar stands where the canvas has it.
        #expect(terminal.cell(row: 4, column: 7).text == "|")
        #expect(terminal.row(5).hasPrefix("4 家族 👨 dinner|"))
        #expect(terminal.row(8).hasPrefix("7 tab here|"))
        #expect(terminal.row(9).hasPrefix("8 bell\u{FFFD}here|"))
        #expect(!terminal.output.contains(0x07))
    }

    /// The C library's table may be older than ours and call a scalar unprintable.
    @Test func ncursesGoesByOurWidths() throws {
        let terminal = try DemoTerminal.open()
        #expect(String(decoding: terminal.output, as: UTF8.self).contains("9 \u{1FAE8} new|"))
    }

    @Test(arguments: ["C", "POSIX", "de_DE.ISO-8859-1"])
    func charactersAreUnicodeInAnyLocale(locale: String) throws {
        let terminal = try DemoTerminal.open(environment: ["LC_ALL": locale])
        #expect(terminal.row(2).hasPrefix("1 会議の議事録|"))
    }

    @Test func misleadingSizeInTheEnvironmentIsIgnored() throws {
        let terminal = try DemoTerminal.open(environment: ["LINES": "7", "COLUMNS": "33"])
        #expect(terminal.row(0) == "demo 24x80 colors 256")
    }

    @Test func rolesHaveColors() throws {
        let terminal = try DemoTerminal.open()
        let selected = terminal.cell(row: 1, column: 0)
        #expect(selected.foreground == .indexed(231))
        #expect(selected.background == .indexed(237))
        #expect(selected.bold)
        let high = terminal.cell(row: 2, column: 0)
        #expect(high.foreground == .indexed(210))
        #expect(high.background == .standard)
        #expect(terminal.cell(row: 3, column: 0).foreground == .standard)
    }

    @Test func noColorLeavesAttributesOnly() throws {
        let terminal = try DemoTerminal.open(environment: ["NO_COLOR": "1"])
        #expect(terminal.row(0) == "demo 24x80 colors 0")
        let selected = terminal.cell(row: 1, column: 0)
        #expect(selected.reverse)
        #expect(selected.foreground == .standard)
        #expect(terminal.cell(row: 2, column: 0).bold)
        for row in 0..<24 {
            for column in 0..<80 {
                let cell = terminal.cell(row: row, column: column)
                #expect(cell.foreground == .standard && cell.background == .standard)
            }
        }
    }

    @Test func terminalOfEightColorsGetsBasicOnes() throws {
        let terminal = try DemoTerminal.open(environment: ["TERM": "xterm-color"])
        #expect(terminal.row(0) == "demo 24x80 colors 8")
        #expect(terminal.cell(row: 2, column: 0).foreground == .indexed(1))
    }

    @Test func unknownTerminalIsDrivenAsXterm() throws {
        let terminal = try DemoTerminal.open(environment: ["TERM": "xterm-kitty-of-tomorrow"])
        #expect(terminal.row(0) == "demo 24x80 colors 256")
    }

    @Test(arguments: ["dumb", ""]) func dumbTerminalIsRefusedWithASentence(name: String) throws {
        let terminal = try VirtualTerminal(
            DemoTerminal.path,
            environment: ["TERM": name],
            columns: 160
        )
        #expect(try terminal.waitForEnd() == 2)
        let text = terminal.screen.joined(separator: " ")
        #expect(text.contains("terminal-demo: The terminal"))
        #expect(text.contains("set TERM to the terminal's real name"))
        #expect(!terminal.output.contains(0x1B))
    }

    @Test func redirectedInputIsRefusedWithASentence() throws {
        let terminal = try VirtualTerminal(
            "/bin/sh",
            arguments: ["-c", "'\(DemoTerminal.path)' </dev/null; echo status $?"]
        )
        try terminal.wait(forText: "status 2")
        #expect(terminal.screen.joined().contains("Standard input is not a terminal"))
    }

    @Test func everyFrameIsOneSynchronizedWrite() throws {
        let terminal = try DemoTerminal.open()
        try terminal.type("j")
        try terminal.wait(forText: "last: j")
        let start = terminal.output.count
        try terminal.type("k")
        try terminal.wait(forText: "last: k")
        let frame = String(decoding: terminal.output[start...], as: UTF8.self)
        #expect(frame.hasPrefix("\u{1B}[?2026h"))
        #expect(frame.hasSuffix("\u{1B}[?2026l"))
        #expect(frame.components(separatedBy: "\u{1B}[?2026h").count == 2)
        #expect(frame.utf8.count < 100)
    }

    @Test func resizeToASmallScreenAndBackKeepsTheSelection() throws {
        let terminal = try DemoTerminal.open()
        for _ in 0..<30 { try terminal.type("\u{1B}[B") }
        try terminal.wait(for: "row 30 selected") {
            terminal.cursor.map { terminal.row($0.row).hasPrefix("30 ") } ?? false
        }
        terminal.resize(rows: 3, columns: 20)
        try terminal.wait(for: "the small screen") { terminal.row(0) == "demo 3x20 colors 256" }
        terminal.resize(rows: 1, columns: 1)
        try terminal.wait(for: "the smallest screen") { !terminal.row(0).isEmpty }
        terminal.resize(rows: 30, columns: 100)
        try terminal.wait(forText: "demo 30x100")
        try terminal.wait(for: "row 30 selected") {
            terminal.cursor.map { terminal.row($0.row).hasPrefix("30 ") } ?? false
        }
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test func idleProgramDoesNotWake() throws {
        let terminal = try DemoTerminal.open()
        var last = try switches(of: terminal)
        var change = ContinuousClock.now
        // It may settle first; one that wakes more often than every 600 ms never passes.
        try terminal.wait(for: "a while without a wake-up") {
            guard let now = try? switches(of: terminal) else { return false }
            if now != last { change = .now }
            last = now
            return ContinuousClock.now - change > .milliseconds(600)
        }
    }

    private func switches(of terminal: VirtualTerminal) throws -> [Substring] {
        let path = "/proc/\(terminal.process)/status"
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var text = ""
        var line = [CChar](repeating: 0, count: 512)
        while fgets(&line, 512, file) != nil {
            text += String(
                decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
                as: UTF8.self
            )
        }
        return text.split(separator: "\n").filter { $0.hasPrefix("voluntary_ctxt") }
    }
}
