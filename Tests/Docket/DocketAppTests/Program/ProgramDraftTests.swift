import ChildProcess
import Foundation
import Testing
import VirtualTerminal

/// What was typed survives every end of the real program.
@Suite struct ProgramDraftTests {
    private final class Home {
        let folder: URL

        init() throws {
            folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("docket-drafts-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func start() throws -> VirtualTerminal {
            let terminal = try VirtualTerminal(
                VirtualTerminal.product("docket"),
                environment: [
                    "HOME": folder.path, "COLORFGBG": "15;0",
                    "DOCKET_STORE": folder.appendingPathComponent("docket.sqlite").path,
                ],
                rows: 24,
                columns: 110
            )
            try terminal.wait(forText: "Press Space to mark this task")
            return terminal
        }

        /// The draft files that there are.
        var drafts: [URL] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.contains("-draft-") }.map(folder.appendingPathComponent)
        }

        func holds(_ text: String) -> Bool {
            drafts.contains {
                (try? String(contentsOf: $0, encoding: .utf8))?.contains(text) == true
            }
        }
    }

    /// Ends by a signal; -1 is the terminal's window being closed.
    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, -1])
    func textSurvivesTheEndBySignal(_ signal: Int32) throws {
        let home = try Home()
        var terminal = try home.start()
        try terminal.type("aCall the dentist fri")
        try terminal.wait(forText: "Call the dentist fri")
        if signal < 0 { terminal.hangUp() } else { terminal.signal(signal) }
        _ = try terminal.waitForEnd()
        #expect(home.holds("Call the dentist fri"))
        for file in home.drafts {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        terminal = try home.start()
        try terminal.wait(forText: "is kept")
        try terminal.type("a\u{14}")
        try terminal.wait(forText: "Call the dentist fri")
        try terminal.type("\r")
        try terminal.wait(forText: "Added \"Call the dentist\"")
        try terminal.wait(for: "the draft's end") { home.drafts.isEmpty }
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        #expect(home.drafts.isEmpty)
    }

    @Test func formSurvivesAKillOnceTypingPaused() throws {
        let home = try Home()
        var terminal = try home.start()
        try terminal.type("OPlan the trip\tTravel")
        try terminal.wait(for: "the draft") { home.holds("Plan the trip") && home.holds("Travel") }
        terminal.signal(SIGKILL)
        #expect(try terminal.waitForEnd() == -9)
        terminal = try home.start()
        try terminal.wait(forText: "\"Plan the trip\" is kept")
        try terminal.type("O\u{14}")
        try terminal.wait(forText: "Travel")
        try terminal.type("\u{13}")
        try terminal.wait(forText: "Added \"Plan the trip\"")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        #expect(home.drafts.isEmpty)
    }

    @Test func anEditOfAnItemIsOfferedOnThatItem() throws {
        let home = try Home()
        var terminal = try home.start()
        try terminal.type("e, soon")
        try terminal.wait(forText: ", soon")
        terminal.signal(SIGTERM)
        _ = try terminal.waitForEnd()
        terminal = try home.start()
        try terminal.wait(forText: "is kept")
        try terminal.type("e")
        try terminal.wait(forText: "A draft is kept")
        try terminal.type("\u{14}")
        try terminal.wait(forText: ", soon")
        try terminal.type("\u{1B}")
        terminal.signal(SIGTERM)
        _ = try terminal.waitForEnd()
        #expect(home.holds(", soon"))
    }

    @Test func windowsDoNotOverwriteEachOthersDrafts() throws {
        let home = try Home()
        let one = try home.start()
        let two = try home.start()
        try one.type("aFirst text")
        try two.type("aSecond text")
        try one.wait(for: "both drafts") { home.holds("First text") && home.holds("Second text") }
        // A third window takes nothing from those that are open.
        let three = try home.start()
        try three.type("q")
        #expect(try three.waitForEnd() == 0)
        #expect(home.holds("First text") && home.holds("Second text"))
        one.signal(SIGKILL)
        two.signal(SIGTERM)
        _ = try one.waitForEnd()
        _ = try two.waitForEnd()
        let after = try home.start()
        try after.wait(forText: "are kept")
        try after.type("a\u{14}\r")
        try after.wait(forText: "Added \"")
        try after.type("a\u{14}\r")
        try after.wait(for: "both") {
            after.screen.contains { $0.contains("First text") }
                && after.screen.contains { $0.contains("Second text") }
        }
        try after.type("q")
        #expect(try after.waitForEnd() == 0)
        #expect(home.drafts.isEmpty)
    }
}
