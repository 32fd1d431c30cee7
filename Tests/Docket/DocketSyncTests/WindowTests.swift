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

        init(password: String = "echo secret") throws {
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
                password-command = "\(password)"
                """
            try text.write(
                to: settings.appending(path: "config.toml"),
                atomically: true,
                encoding: .utf8
            )
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        private var environment: [String: String] {
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

        func run(_ store: String, _ words: String...) throws {
            let process = try ChildProcess(
                VirtualTerminal.product("docket"),
                words + ["--store", self.store(store)],
                environment: environment
            )
            #expect(process.wait() == .code(0), "\(words)")
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
}
