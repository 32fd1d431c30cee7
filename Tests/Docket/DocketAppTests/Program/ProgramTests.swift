import ChildProcess
import Foundation
import Testing
import VirtualTerminal

/// The real program on a real pseudo terminal.
@Suite struct ProgramTests {
    /// A home of its own for each test.
    private final class Home {
        let folder: URL

        init() throws {
            folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("docket-program-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true
            )
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func start(
            rows: Int = 24,
            columns: Int = 110,
            _ environment: [String: String] = [:],
            arguments: [String] = []
        ) throws -> VirtualTerminal {
            var variables = ["HOME": folder.path, "COLORFGBG": "15;0"]
            variables.merge(environment) { $1 }
            return try VirtualTerminal(
                VirtualTerminal.product("docket"),
                arguments: arguments,
                environment: variables,
                rows: rows,
                columns: columns
            )
        }

        /// Runs a subcommand to its end.
        func run(_ arguments: String...) throws {
            let process = try ChildProcess(
                VirtualTerminal.product("docket"),
                arguments,
                environment: ["HOME": folder.path, "LC_ALL": "C.UTF-8", "TZ": "UTC"]
            )
            #expect(process.wait() == .code(0))
        }
    }

    @Test func addWithoutATextOpensTheLineAloneAndSaysWhatItDid() throws {
        let home = try Home()
        let terminal = try home.start(arguments: ["add"])
        try terminal.wait(forText: "Add  a task, like Pay rent")
        #expect(!terminal.screen.contains { $0.contains("Inbox") })
        try terminal.type("Water the fern fri #green")
        try terminal.wait(forText: "#green")
        try terminal.type("\r")
        #expect(try terminal.waitForEnd() == 0)
        #expect(terminal.screen.contains { $0.hasPrefix("Added \"Water the fern\"") })
        #expect(!terminal.isAlternate)
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func aTourThatIsEndedByASignalLeavesNothing(signal: Int32) throws {
        let home = try Home()
        let terminal = try home.start(["TMPDIR": home.folder.path], arguments: ["tour"])
        try terminal.wait(forText: "1/14")
        func folders() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: home.folder.path)
                .filter { $0.hasPrefix("docket-tour") }
        }
        #expect(try folders().count == 1)
        terminal.signal(signal)
        #expect(try terminal.waitForEnd() == 128 + Int(signal))
        #expect(try folders() == [])
    }

    @Test func addWithoutATextThatIsLeftAddsNothingAndKeepsTheText() throws {
        let home = try Home()
        let terminal = try home.start(arguments: ["add"])
        try terminal.wait(forText: "Add  a task, like Pay rent")
        try terminal.type("Water the fern")
        try terminal.wait(forText: "Water the fern")
        try terminal.type("\u{1B}")
        #expect(try terminal.waitForEnd() == 1)
        #expect(terminal.screen.contains { $0.contains("Nothing was added") })
        let next = try home.start(arguments: ["add"])
        try next.wait(forText: "Add  a task, like Pay rent")
        try next.type("\u{14}")
        try next.wait(forText: "Add  Water the fern")
    }

    @Test func firstStartAddEditSearchUndoQuitAndComeBack() throws {
        let home = try Home()
        var terminal = try home.start()
        try terminal.wait(forText: "Press Space to mark this task")
        #expect(terminal.isAlternate)
        try terminal.type("aWater the fern fri #green")
        try terminal.wait(forText: "#green")
        try terminal.type("\r")
        try terminal.wait(forText: "Added \"Water the fern\"")
        try terminal.type("e\u{1B}[F s\u{13}")
        try terminal.wait(forText: "Edited \"Water the fern s\"")
        try terminal.type("u")
        try terminal.wait(forText: "Undid: edited \"Water the fern s\"")
        try terminal.type("/fern gre")
        try terminal.wait(forText: "1 found")
        try terminal.type("\u{1B}")
        try terminal.wait(for: "the end of the search") {
            terminal.screen.contains { $0.contains("Press Space") }
        }
        terminal.resize(rows: 12, columns: 50)
        try terminal.wait(for: "one pane") {
            terminal.screen.contains { $0.contains("Docket  Lists › All") }
        }
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        #expect(!terminal.isAlternate)
        terminal = try home.start()
        try terminal.wait(forText: "Water the fern")
        try terminal.type("u")
        try terminal.wait(forText: "Undid: added \"Water the fern\"")
        try terminal.wait(for: "the task's end") {
            !terminal.screen.contains { $0.contains("Water the fern") }
        }
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    /// The cursor of the terminal itself, which a reader of screens follows.
    @Test func theCursorStandsOnTheRowTheFieldAndTheAnswer() throws {
        let home = try Home()
        let terminal = try home.start()
        try terminal.wait(forText: "Press Space to mark this task")
        func stands(on text: String, _ what: String) throws {
            try terminal.wait(for: what) {
                terminal.cursor.map { terminal.row($0.row).contains(text) } ?? false
            }
        }
        for (keys, text) in [
            ("j", "no. "), (",", "Theme"), ("j", "ASCII only"), ("\u{1B}", "Press"), ("a", "Add"),
            ("\u{1B}", "Press"), (":", "what to do"), ("\u{1B}", "Press"), ("?", "Moving around"),
        ] {
            try terminal.type(keys)
            if text == "no. " { continue }
            try stands(on: text, "the cursor on \(text) after \(keys)")
        }
        try terminal.type("\u{1B}")
        try stands(on: "Press", "the cursor on the list")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    /// On a pipe as a reader of screens or a script has it: lines in, lines out.
    @Test func thePlainInterfaceReadsAndWritesLines() throws {
        let home = try Home()
        let typed = home.folder.appendingPathComponent("typed")
        try "Add a task\nWater the fern fri #green\nrows\nq\n"
            .write(to: typed, atomically: true, encoding: .utf8)
        let printed = home.folder.appendingPathComponent("printed")
        let process = try ChildProcess(
            VirtualTerminal.product("docket"),
            ["--plain-ui"],
            environment: ["HOME": home.folder.path, "LC_ALL": "C.UTF-8", "TZ": "UTC"],
            input: typed.path,
            output: printed.path
        )
        #expect(process.wait() == .code(0))
        let text = try String(contentsOf: printed, encoding: .utf8)
        #expect(text.contains("Added \"Water the fern\"") && !text.contains("\u{1B}"), "\(text)")
        #expect(text.contains(". Water the fern, "), "\(text)")
    }

    @Test func aShellCommandShowsInTheOpenInterface() throws {
        let home = try Home()
        let terminal = try home.start()
        try terminal.wait(forText: "Press Space to mark this task")
        try home.run("add", "From the shell")
        try terminal.wait(forText: "From the shell")
        try terminal.wait(forText: "Changed elsewhere: Added \"From the shell\"")
        try terminal.type("u")
        try terminal.wait(forText: "Undid: added \"From the shell\"")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test func inspectorShowsWhatAShellCommandHasAddedAndReturns() throws {
        let home = try Home()
        let terminal = try home.start()
        try terminal.wait(forText: "Press Space to mark this task")
        try terminal.type("ge")
        try terminal.wait(forText: "docket.sqlite")
        try terminal.type("\r")
        try terminal.wait(forText: "Store docket.sqlite")
        try terminal.type("/task\r\r")
        try terminal.wait(forText: "Press Space to")
        try home.run("add", "From the shell")
        try terminal.type("rG")
        try terminal.wait(forText: "From the shell")
        try terminal.type("\u{1B}")
        try terminal.type("\u{1B}")
        try terminal.wait(forText: "SavedSearch")
        try terminal.type("\u{1B}")
        try terminal.wait(forText: "#learn")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test func terminationRestoresTheTerminal() throws {
        let home = try Home()
        let terminal = try home.start()
        try terminal.wait(forText: "Press Space to mark this task")
        terminal.signal(SIGTERM)
        #expect(try terminal.waitForEnd() == 128 + Int(SIGTERM))
        #expect(!terminal.isAlternate)
    }

    @Test func editorIsLentTheTerminal() throws {
        let home = try Home()
        let script = home.folder.appendingPathComponent("editor.sh")
        try "printf 'from the editor' > \"$1\"\n".write(
            to: script,
            atomically: true,
            encoding: .utf8
        )
        let terminal = try home.start(["EDITOR": "/bin/sh \(script.path)"])
        try terminal.wait(forText: "Press Space to mark this task")
        try terminal.type("E")
        try terminal.wait(forText: "Edited ")
        try terminal.wait(forText: "from the editor")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test func pastedLinesAreNoCommands() throws {
        let home = try Home()
        let terminal = try home.start()
        try terminal.wait(forText: "Press Space to mark this task")
        try terminal.paste("d\nd\nq\n")
        try terminal.wait(forText: "The pasted text has 3 lines.")
        try terminal.type("\u{7}\u{7}")
        try terminal.wait(for: "the end of the question") {
            !terminal.screen.contains { $0.contains("pasted text") }
        }
        #expect(terminal.screen.contains { $0.contains("Press Space") })
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test func aPasteWithoutAnEndDoesNotDeafenTheProgram() throws {
        let home = try Home()
        let terminal = try home.start()
        try terminal.wait(forText: "Press Space to mark this task")
        try terminal.type("a\u{1B}[200~cut off")
        try terminal.wait(forText: "cut off")
        try terminal.type(" and on\r")
        try terminal.wait(forText: "Added \"cut off and on\"")
        try terminal.type("\u{1B}[200~q\u{3}")
        try terminal.wait(forText: "⏎ add")
        try terminal.type("\u{7}q")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test func aFormSaysWhatAShellCommandChangedMeanwhile() throws {
        let home = try Home()
        let terminal = try home.start()
        try terminal.wait(forText: "Press Space to mark this task")
        try home.run("add", "Plan")
        try terminal.wait(forText: "Changed elsewhere: Added \"Plan\"")
        try terminal.type("Ge\u{1B}[F mine")
        try terminal.wait(forText: "Plan mine")
        // The lesson's seven items have the numbers before it.
        try home.run("edit", "8", "title=Plan theirs")
        try home.run("edit", "8", "priority=high")
        try terminal.wait(forText: "changed meanwhile by the shell: title is Plan theirs now.")
        try terminal.type("\u{13}")
        try terminal.wait(forText: "^S again overwrites theirs")
        try terminal.type("\u{12}\u{13}")
        try terminal.wait(forText: "Nothing changed in \"Plan theirs\"")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test func withoutColourNoCellHasOne() throws {
        let home = try Home()
        let terminal = try home.start(["NO_COLOR": "1"])
        try terminal.wait(forText: "Press Space to mark this task")
        for row in 0..<24 {
            for column in 0..<110 {
                let cell = terminal.cell(row: row, column: column)
                #expect(cell.foreground == .standard && cell.background == .standard)
            }
        }
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test func theSmallestTerminalIsSurvived() throws {
        let home = try Home()
        let terminal = try home.start(rows: 3, columns: 10)
        try terminal.wait(for: "a row") { terminal.screen.contains { $0.contains("Pre") } }
        try terminal.type("jjaxyz\u{07}/p\r?q:\u{07}q")
        #expect(try terminal.waitForEnd() == 0)
    }
}
