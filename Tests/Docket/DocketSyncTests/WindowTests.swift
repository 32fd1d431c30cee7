import ChildProcess
import Foundation
import Testing
import VirtualTerminal

/// The real program on a terminal, with a real server.
@Suite(.enabled(if: InstalledProgram.has("radicale"), "radicale is not installed"))
struct WindowTests {
    private final class Home {
        let folder: URL
        let server: ServerAtHand

        init(
            password: String = "echo secret",
            by key: String = "password-command"
        ) throws {
            server = try ServerAtHand(.radicale)
            folder = FileManager.default.temporaryDirectory
                .appending(path: "docket-window-\(UUID().uuidString)")
            let settings = folder.appending(path: ".config/docket")
            try FileManager.default.createDirectory(
                at: settings,
                withIntermediateDirectories: true
            )
            let text = """
                [sync.home]
                url = "\(server.url)"
                user = "ada"
                \(key) = "\(password)"
                """
            try text.write(
                to: settings.appending(path: "config.toml"),
                atomically: true,
                encoding: .utf8
            )
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        var environment: [String: String] {
            ["HOME": folder.path, "LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin"]
        }

        func store(_ name: String) -> String { folder.appending(path: name).path }

        func window(_ store: String) throws -> VirtualTerminal {
            try VirtualTerminal(
                VirtualTerminal.product("docket"),
                arguments: ["--store", self.store(store)],
                environment: environment,
                rows: 24,
                columns: 120
            )
        }

        @discardableResult
        func run(_ store: String, _ words: String..., code: Int32 = 0) throws -> String {
            let output = self.store("output")
            // Without a terminal, as a timer does it.
            let process = try ChildProcess(
                "/usr/bin/setsid",
                ["--wait", VirtualTerminal.product("docket")] + words
                    + ["--store", self.store(store)],
                environment: environment,
                output: output,
                errors: "\(output).errors"
            )
            #expect(process.wait() == .code(code), "\(words)")
            return try ["", ".errors"]
                .map { try String(contentsOfFile: output + $0, encoding: .utf8) }.joined()
        }

        func write(_ line: String, _ name: String) throws -> String {
            let file = folder.appending(path: name)
            try "\(line)\n".write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }
    }

    @Test func aKeySynchronizesAndATimersRunIsSeenToo() throws {
        let home = try Home()
        try home.run("one", "add", "From the window")
        try home.run("two", "add", "From elsewhere")
        try home.run("two", "sync")
        let terminal = try home.window("one")
        try terminal.wait(forText: "not synchronized yet")
        try terminal.type("\u{13}")
        try terminal.wait(forText: "1 new")
        #expect(terminal.screen.contains { $0.contains("home: ") && $0.contains("u undoes") })
        try terminal.wait(forText: "From elsewhere")
        #expect(!terminal.screen[0].contains("yet"))
        try home.run("two", "add", "A second one")
        try home.run("two", "sync")
        // As a timer does it.
        try home.run("one", "sync")
        try terminal.wait(forText: "A second one")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test func aCommandOfThePasswordHasNoTerminal() throws {
        let home = try Home(
            password: "sleep 1; echo TO-THE-SCREEN >&2; read x </dev/tty; echo $x >/dev/tty; false"
        )
        try home.run("one", "add", "A task")
        let terminal = try home.window("one")
        try terminal.wait(forText: "not synchronized yet")
        try terminal.type("\u{13}")
        try terminal.wait(forText: "synchronizing")
        try terminal.type("aTyped meanwhile\r")
        try terminal.wait(forText: "Typed meanwhile")
        try terminal.wait(forText: "has printed no password and ended with an error")
        #expect(terminal.screen[0].contains("home not synchronized"), "\(terminal.screen[0])")
        #expect(!terminal.screen.contains { $0.contains("TO-THE-SCREEN") })
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        // The next window says it again.
        let next = try home.window("one")
        try next.wait(forText: "has printed no password")
    }

    @Test func quittingLeavesTheExchangeToItsEnd() throws {
        let home = try Home(password: "sleep 1; echo secret")
        try home.run("one", "add", "A task")
        let terminal = try home.window("one")
        try terminal.wait(forText: "not synchronized yet")
        try terminal.type("\u{13}")
        try terminal.wait(forText: "synchronizing")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        #expect(terminal.screen.contains { $0.contains("docket sync goes on in the background.") })
        let next = try home.window("one")
        try next.wait(for: "the end of the exchange") {
            next.screen[0].contains("synchronized ") && !next.screen[0].contains("yet")
        }
    }

    @Test func thePasswordOfTheVaultIsUsedWithThePassphraseAlone() throws {
        let home = try Home(password: "Calendar", by: "password-vault")
        let passphrase = try home.write("four words are good", "passphrase")
        let password = try home.write("secret", "password")
        try home.run("one", "add", "A task")
        try home.run("one", "vault", "init", "--passphrase-file", passphrase)
        try home.run(
            "one",
            "vault",
            "add",
            "Calendar",
            "--password-file",
            password,
            "--passphrase-file",
            passphrase
        )
        let refused = try home.run("one", "sync", code: 6)
        #expect(refused.contains("no terminal to ask for the passphrase"), "\(refused)")
        #expect(refused.contains("run docket sync home in a terminal"), "\(refused)")
        let sent = try home.run("one", "sync", "--passphrase-file", passphrase)
        #expect(sent == "home: 1 item sent.\n")
        let wrong = try home.write("four words are bad", "wrong")
        try home.run("one", "sync", "--passphrase-file", wrong, code: 6)
        let terminal = try VirtualTerminal(
            VirtualTerminal.product("docket"),
            arguments: ["sync", "--store", home.store("one")],
            environment: home.environment,
            rows: 24,
            columns: 120
        )
        try terminal.wait(forText: "Passphrase of the vault:")
        try terminal.type("four words are good\r")
        try terminal.wait(forText: "home: nothing has changed.")
        #expect(try terminal.waitForEnd() == 0)
    }

    @Test func aShellShowsAndSettlesWhatWasNotTaken() throws {
        let home = try Home()
        try home.run("one", "add", "Report +House")
        try home.run("one", "sync")
        try home.run("two", "sync")
        try home.run("two", "edit", "1", "title=Theirs")
        try home.run("two", "sync")
        try home.run("one", "edit", "1", "title=Mine")
        try home.run("one", "sync")
        let shown = try home.run("one", "conflicts")
        #expect(shown.hasPrefix("1 Mine\n  title (is): Mine\n  title (home, "), "\(shown)")
        #expect(shown.hasSuffix("): Theirs\n"), "\(shown)")
        let json = try home.run("one", "conflicts", "1", "--json")
        for part in ["\"id\":1,", "\"field\":\"title\"", "\"other\":\"Theirs\""] {
            #expect(json.contains(part), "\(json)")
        }
        let swapped = try home.run("one", "conflicts", "1", "--swap")
        #expect(swapped == "Swapped title of \"Theirs\"\n")
        #expect(try home.run("one", "conflicts").hasPrefix("1 Theirs\n  title (is): Theirs\n"))
        try home.run("one", "undo")
        #expect(try home.run("one", "conflicts") == shown)
        try home.run("one", "conflicts", "1", "--field", "title", "--forget")
        #expect(try home.run("one", "conflicts") == "")
        let none = try home.run("one", "conflicts", "1", "--swap")
        #expect(none == "Nothing changed: there is no such conflict.\n")
        try home.run("one", "conflicts", "--swap", code: 64)
    }
}
