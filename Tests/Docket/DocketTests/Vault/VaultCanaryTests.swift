import ChildProcess
import Foundation
import Testing
import VirtualTerminal

/// Secrets of the vault in the real program on a terminal: after locking, no file that it wrote and
/// none of its memory has one.
@Suite struct VaultCanaryTests {
    /// Random words, so that nothing else can contain them.
    private struct Canaries {
        var all: [String: String] = [:]

        subscript(_ name: String) -> String {
            mutating get {
                if let known = all[name] { return known }
                let letters = (0..<14).compactMap { _ in "qwxzkjvbpfygm".randomElement() }
                all[name] = String(letters)
                return String(letters)
            }
        }
    }

    @Test func nothingIsLeftAfterLocking() throws {
        let docket = try Docket()
        docket.environment["TMPDIR"] = docket.path("tmp")
        try FileManager.default.createDirectory(
            atPath: docket.path("tmp"),
            withIntermediateDirectories: true
        )
        var canary = Canaries()
        let terminal = try docket.terminal(columns: 120)
        try terminal.wait(forText: "Press Space to mark this task")

        // Created and filled in the interface.
        try terminal.type("gv")
        try terminal.wait(forText: "New passphrase")
        try terminal.type(canary["passphrase"] + "\r")
        try terminal.wait(forText: "The same again")
        try terminal.type(canary["passphrase"] + "\r")
        try terminal.wait(forText: "The vault is empty")
        try terminal.type("a")
        try terminal.wait(forText: "Add credential")
        try terminal.type(canary["name"] + "\t" + canary["user"] + "\t" + canary["password"] + "\t")
        try terminal.type(canary["address"] + "\t" + canary["category"] + "\t" + canary["notes"])
        try terminal.type("\u{13}")
        try terminal.wait(forText: "Added \"\(canary["name"])\"")
        try terminal.type("e\u{1B}[F" + canary["suffix"])
        try terminal.wait(forText: canary["suffix"])
        try terminal.type("\u{13}")
        try terminal.wait(forText: "Edited \"\(canary["name"])")
        try terminal.type("/" + canary["query"])
        try terminal.wait(forText: "0 found")
        try terminal.type("\u{1B}")
        try terminal.wait(forText: "1 credential")
        try terminal.type("v")
        try terminal.wait(forText: canary["password"])
        try terminal.type("y")
        try terminal.wait(forText: "to the clipboard")
        try terminal.type("a")
        try terminal.wait(forText: "Add credential")
        try terminal.type(canary["draft"])
        try terminal.wait(forText: canary["draft"])
        try terminal.type("\u{1B}")
        try terminal.wait(forText: "1 credential")

        // A note, whose text is plain at first.
        try terminal.type("\u{1B}")
        try terminal.wait(forText: "Press Space to mark this task")
        try docket("add", "--note", "Diary\n\(canary["diary"])")
        try terminal.wait(forText: "Diary")
        try terminal.type("/Diary\r")
        try terminal.wait(forText: canary["diary"])
        try terminal.type(":encrypt the note\r")
        try terminal.wait(forText: "Encrypted the text of \"Diary\"")
        try terminal.type("\u{1B}")

        // Imported by another process.
        try docket.write(canary["passphrase"] + "\n", to: "pw")
        let pass = "\(canary["imported"])\nlogin: \(canary["login"])\n"
        let imported = try docket.vault("import", "-", "--name", "Entry", input: pass)
        #expect(imported.code == 0, "\(imported.errors)")
        try FileManager.default.removeItem(atPath: docket.path("pw"))
        try terminal.wait(forText: "Changed elsewhere in the vault")
        #expect(try docket("backup").code == 0)
        #expect(try docket("export", docket.path("export.json")).code == 0)

        let secrets = canary.all
        let before = try ProcessMemory.secrets(secrets, in: terminal.process)
        #expect(before.contains("name"), "the search finds what is there: \(before)")
        try terminal.type("gL")
        try terminal.wait(forText: "Locked the vault")
        try terminal.type("gv")
        try terminal.wait(forText: "Unlock the vault")
        try terminal.type("\u{1B}")
        try terminal.wait(for: "the end of the box") {
            !terminal.screen.contains { $0.contains("Unlock the vault") }
        }
        #expect(try ProcessMemory.secrets(secrets, in: terminal.process) == [])
        #expect(try docket.files(withAny: Array(secrets.values)) == [])
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
        #expect(try docket.files(withAny: Array(secrets.values)) == [])
    }

    @Test func textOfAFormIsEncryptedWhileTheVaultIsLockedAndIsThereAgainLater() throws {
        let docket = try Docket()
        try docket.makeVault()
        var canary = Canaries()
        let terminal = try docket.terminal(columns: 120)
        try terminal.wait(forText: "Press Space to mark this task")
        try terminal.type("gv")
        try terminal.wait(forText: "Unlock the vault")
        try terminal.type(Docket.passphrase + "\r")
        try terminal.wait(forText: "The vault is empty")
        try terminal.type("a")
        try terminal.wait(forText: "Add credential")
        try terminal.type(canary["name"] + "\t" + canary["user"] + "\t" + canary["password"])
        try terminal.type("\t" + canary["address"])
        try terminal.wait(forText: canary["address"])
        // The program is asked to stop, and locks before.
        terminal.signal(SIGTSTP)
        try terminal.wait(for: "the end of the form") {
            !terminal.screen.contains { $0.contains("Add credential") }
        }
        try terminal.type("gv")
        try terminal.wait(forText: "Unlock the vault")
        #expect(try ProcessMemory.secrets(canary.all, in: terminal.process) == [])
        #expect(try docket.files(withAny: Array(canary.all.values)) == [])
        try terminal.type(Docket.passphrase + "\r")
        try terminal.wait(forText: canary["name"])
        try terminal.wait(forText: canary["address"])
        let password = Array(canary["password"].utf8)
        #expect(Data(terminal.output).range(of: Data(password)) == nil)
        try terminal.type("\u{13}")
        try terminal.wait(forText: "Added \"\(canary["name"])\"")
        let shown = try docket.vault("show", canary["name"], "--password").output
        #expect(shown.contains(canary["password"]) && shown.contains(canary["user"]))
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == 0)
    }
}

/// Looks for texts in the writable memory of a process.
enum ProcessMemory {
    /// The names of the secrets that are somewhere in the memory.
    static func secrets(_ secrets: [String: String], in process: Int32) throws -> [String] {
        let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        let memory = try FileHandle(
            forReadingFrom: URL(filePath: "/proc/\(process)/mem")
        )
        defer { try? memory.close() }
        var found: Set<String> = []
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ")
            let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard fields[1].hasPrefix("rw"), ends.count == 2 else { continue }
            try memory.seek(toOffset: ends[0])
            // Guard pages and device memory cannot be read.
            guard let data = try? memory.read(upToCount: Int(ends[1] - ends[0])) else { continue }
            for (name, secret) in secrets where data.range(of: Data(secret.utf8)) != nil {
                found.insert(name)
            }
        }
        return found.sorted()
    }
}
