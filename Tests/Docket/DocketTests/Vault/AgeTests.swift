import ChildProcess
import Foundation
import Testing
import VirtualTerminal

/// Encrypted exports, backups and imports, and Debian's age on the other side.
@Suite struct AgeTests {
    private static let hasAge = InstalledProgram.has("age") && InstalledProgram.has("age-keygen")

    private func withKey(_ docket: Docket) throws -> String {
        let made = try docket.shell("age-keygen -o key 2>/dev/null && age-keygen -y key")
        return try #require(made.lines.first)
    }

    @Test func passphraseExportIsReadAgainAndNothingOfItIsPlain() throws {
        let docket = try Docket()
        try docket("add", "CanaryTask one")
        try docket.write("a passphrase\n", to: "age-pw")
        let export = try docket(
            "export",
            docket.path("out.age"),
            "--encrypt",
            "--passphrase-file",
            docket.path("age-pw")
        )
        #expect(export.output.contains("Exported 1 item") && export.code == 0, "\(export.errors)")
        let bytes = try docket.read("out.age")
        #expect(bytes.starts(with: Data("age-encryption.org/v1\n".utf8)))
        #expect(bytes.range(of: Data("CanaryTask".utf8)) == nil)
        let other = try Docket()
        let imported = try other(
            "import",
            docket.path("out.age"),
            "--passphrase-file",
            docket.path("age-pw")
        )
        #expect(imported.output == "Imported 1 item\n", "\(imported.errors)")
        try docket.write("wrong\n", to: "bad")
        let wrong = try other(
            "import",
            docket.path("out.age"),
            "--passphrase-file",
            docket.path("bad")
        )
        #expect(wrong.code == 6 && wrong.output == "", "\(wrong.errors)")
    }

    @Test(.enabled(if: hasAge)) func ageReadsWhatDocketWroteForAKey() throws {
        let docket = try Docket()
        let lines = (1...3000).map { "Task number \($0) \(String(repeating: "x", count: 50))" }
        try docket.write(lines.joined(separator: "\n"), to: "tasks.txt")
        try docket("import", "--format", "todotxt", docket.path("tasks.txt"))
        let key = try withKey(docket)
        let export = try docket(
            "export",
            docket.path("out.age"),
            "--encrypt",
            "--recipient",
            key
        )
        #expect(export.code == 0, "\(export.errors)")
        let plain = try docket("export").bytes
        let opened = try docket.shell("age -d -i key out.age")
        #expect(opened.code == 0 && opened.bytes == plain, "\(opened.errors)")
        let backup = try docket(
            "backup",
            docket.path("backup.age"),
            "--encrypt",
            "--recipient",
            key
        )
        #expect(backup.code == 0, "\(backup.errors)")
        #expect(try docket.shell("age -d -i key -o b.sqlite backup.age").code == 0)
        #expect(try docket.integrity(docket.path("b.sqlite")) == "ok")
        #expect(
            try docket("list", "--limit", "1", "--store", docket.path("b.sqlite")).code == 0
        )
        let left = try FileManager.default.contentsOfDirectory(
            atPath: docket.path("docket.sqlite-backups")
        )
        #expect(left == [], "no plain copy stays: \(left)")
    }

    @Test(.enabled(if: hasAge)) func docketReadsWhatAgeWroteForAKey() throws {
        let docket = try Docket()
        try docket("add", "CanaryTask one")
        try docket("add", "CanaryTask two")
        let key = try withKey(docket)
        for form in ["", "-a"] {
            let made = try docket.shell("$docket export | age \(form) -r \(key) -o in.age")
            #expect(made.code == 0, "\(made.errors)")
            let other = try Docket()
            let imported = try other(
                "import",
                docket.path("in.age"),
                "--identity",
                docket.path("key")
            )
            #expect(imported.output == "Imported 2 items\n", "\(form) \(imported.errors)")
            let piped = try Docket()
            let fromPipe = try piped(
                "import",
                "-",
                "--identity",
                docket.path("key"),
                input: docket.read("in.age")
            )
            #expect(fromPipe.output == "Imported 2 items\n", "\(form) \(fromPipe.errors)")
        }
    }

    @Test(.enabled(if: hasAge)) func passphraseFilesOfBothSidesAreRead() throws {
        let docket = try Docket()
        try docket("add", "CanaryTask one")
        try docket.write("a passphrase\n", to: "age-pw")
        try docket("export", docket.path("plain.json"))
        // age asks on a terminal only.
        let age = try #require(InstalledProgram.path(of: "age"))
        let writer = try VirtualTerminal(
            age,
            arguments: ["-p", "-o", docket.path("in.age"), docket.path("plain.json")]
        )
        try writer.wait(forText: "passphrase")
        try writer.type("a passphrase\r")
        try writer.wait(forText: "Confirm")
        try writer.type("a passphrase\r")
        #expect(try writer.waitForEnd() == 0)
        let other = try Docket()
        let imported = try other(
            "import",
            docket.path("in.age"),
            "--passphrase-file",
            docket.path("age-pw")
        )
        #expect(imported.output == "Imported 1 item\n", "\(imported.errors)")

        try docket(
            "export",
            docket.path("out.age"),
            "--encrypt",
            "--passphrase-file",
            docket.path("age-pw")
        )
        let reader = try VirtualTerminal(
            age,
            arguments: ["-d", "-o", docket.path("back.json"), docket.path("out.age")]
        )
        try reader.wait(forText: "passphrase")
        try reader.type("a passphrase\r")
        #expect(try reader.waitForEnd() == 0)
        #expect(try docket.read("back.json") == docket.read("plain.json"))
    }

    @Test func damagedOrCutFileImportsNothing() throws {
        let docket = try Docket()
        let lines = (0..<40).map { "Task \($0)" }
        try docket.write(lines.joined(separator: "\n"), to: "tasks.txt")
        try docket("import", "--format", "todotxt", docket.path("tasks.txt"))
        // The example of age's specification.
        let (key, file) = ("age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj", "key")
        try docket.write(
            "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX\n",
            to: file
        )
        try docket("export", docket.path("out.age"), "--encrypt", "--recipient", key)
        let identity = ["--identity", docket.path(file)]
        let whole = try docket.read("out.age")
        let other = try Docket()
        for end in [10, 60, 120, whole.count / 2, whole.count - 1] {
            try whole.prefix(end).write(to: docket.folder.appending(path: "cut.age"))
            let cut = try other.run(["import", docket.path("cut.age")] + identity)
            #expect(cut.code == 1 || cut.code == 6, "\(end): \(cut.errors)")
        }
        var changed = whole
        changed[whole.count - 30] ^= 1
        try changed.write(to: docket.folder.appending(path: "changed.age"))
        let damaged = try other.run(["import", docket.path("changed.age")] + identity)
        #expect(damaged.code == 1, "\(damaged.errors)")
        #expect(try other.titles() == [])
        let right = try other.run(["import", docket.path("out.age")] + identity)
        #expect(right.output == "Imported 40 items\n", "\(right)")
    }
}
