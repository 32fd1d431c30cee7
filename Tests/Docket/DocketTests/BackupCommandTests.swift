import ChildProcess
import Foundation
import Testing

/// `docket backup` and `docket restore --backup`, with the real program.
@Suite("Backups")
struct BackupCommandTests {
    private func sample() throws -> Docket {
        try Docket.adding("one", "two", "three")
    }

    @Test func aBackupHoldsEverythingAndIsOneFile() throws {
        let docket = try sample()
        let outcome = try docket("backup", docket.path("copy.sqlite"))
        #expect(outcome.code == 0 && outcome.output.hasPrefix("Backed up to "), "\(outcome)")
        let files = try FileManager.default.contentsOfDirectory(atPath: docket.folder.path)
        #expect(files.filter { $0.hasPrefix("copy.sqlite") } == ["copy.sqlite"])
        let mode = try FileManager.default.attributesOfItem(atPath: docket.path("copy.sqlite"))
        #expect(mode[.posixPermissions] as? Int == 0o600)
        let own = try docket("export").output
        #expect(try docket("--store", docket.path("copy.sqlite"), "export").output == own)
        // Behind the names are their ages.
        func steps(_ history: Docket.Outcome) -> [Substring] {
            history.lines.map { $0[...($0.lastIndex(of: "\"") ?? $0.startIndex)] }
        }
        let history = try steps(docket("history"))
        #expect(history.count == 3)
        #expect(try steps(docket("--store", docket.path("copy.sqlite"), "history")) == history)
        // An earlier backup of the same store is replaced.
        try docket("add", "four")
        #expect(try docket("backup", docket.path("copy.sqlite")).code == 0)
        #expect(try docket("--store", docket.path("copy.sqlite"), "list").lines.count == 4)
    }

    @Test func aBackupReplacesNothingElse() throws {
        let docket = try sample()
        try docket.write("hello", to: "letter.txt")
        let letter = try docket("backup", docket.path("letter.txt"))
        #expect(letter.code == 1 && letter.errors.contains("is not a backup of this store"))
        #expect(try docket.read("letter.txt") == Data("hello".utf8))
        let store = docket.path("docket.sqlite")
        let itself = try docket("backup", store)
        #expect(itself.code != 0 && itself.errors.contains("onto the store itself"), "\(itself)")
        try FileManager.default.createSymbolicLink(
            atPath: docket.path("link"),
            withDestinationPath: store
        )
        #expect(try docket("backup", docket.path("link")).errors.contains("onto the store itself"))
        let folder = try docket("backup", docket.folder.path)
        #expect(folder.code != 0 && folder.errors.contains("is not a file"), "\(folder)")
        let nowhere = try docket("backup", docket.path("no/such/folder"))
        #expect(nowhere.code != 0 && nowhere.errors.contains("No such file or directory"))
        #expect(try docket("backup", "/dev/full").errors.contains("is not a file"))
        #expect(try docket("list").lines.count == 3)
        // Not a copy of a sample, which is the same store.
        let other = try Docket()
        try other("add", "one")
        #expect(try other("backup", store).errors.contains("is not a backup of this store"))
    }

    @Test func aRestoreBringsTheBackupAndKeepsWhatWasThere() throws {
        let docket = try sample()
        try docket("backup")
        try docket("done", "1")
        try docket("add", "later")
        let outcome = try docket("restore", "--backup", "latest")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("Restored 3 items from "))
        #expect(try docket("list").lines.count == 3)
        let former = try #require(outcome.lines.last?.split(separator: " ").last)
        let back = try docket("restore", "--backup", String(former))
        #expect(back.code == 0, "\(back.errors)")
        #expect(
            try docket.titles("--all").sorted() == [
                "later", "one", "three", "two",
            ]
        )
        #expect(try docket.integrity() == "ok")
    }

    @Test func aRestoreOverAnOpenStoreIsRefused() throws {
        let docket = try sample()
        try docket("backup", docket.path("copy.sqlite"))
        try docket("add", "later")
        // Another program that has the store open.
        let sqlite = try docket.shell(
            """
            mkfifo in
            sqlite3 "$DOCKET_STORE" < in > out &
            exec 3> in
            echo "SELECT 'ready';" >&3
            until grep -q ready out; do :; done
            echo "SELECT COUNT(*) FROM ZITEM;" >&3
            "$docket" restore --backup copy.sqlite; echo "code $?"
            exec 3>&-
            wait
            """
        )
        #expect(sqlite.errors.contains("is open in another program"), "\(sqlite)")
        #expect(sqlite.output.contains("code 2"))
        #expect(try docket("list").lines.count == 4)
    }

    @Test func whatIsNotABackupIsRefused() throws {
        let docket = try sample()
        try docket.write("hello", to: "letter.txt")
        for name in ["letter.txt", "nothing", ""] {
            let outcome = try docket("restore", "--backup", docket.path(name))
            #expect(outcome.code != 0 && outcome.errors.hasPrefix("docket: "), "\(name)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
        let bytes = try docket.read("docket.sqlite")
        try bytes.prefix(bytes.count / 2).write(to: URL(filePath: docket.path("half.sqlite")))
        let half = try docket("restore", "--backup", docket.path("half.sqlite"))
        #expect(half.code != 0 && half.errors.contains("damaged"), "\(half.errors)")
        #expect(try docket("restore", "--backup", docket.path("docket.sqlite")).code != 0)
        #expect(try docket("list").lines.count == 3)
    }

    @Test func aDamagedStoreIsReplacedByABackupAndKept() throws {
        let docket = try sample()
        try docket("backup")
        let bytes = try docket.read("docket.sqlite")
        try bytes.prefix(6000).write(to: URL(filePath: docket.path("docket.sqlite")))
        let outcome = try docket("restore", "--backup", "latest")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(".damaged"))
        #expect(try docket("list").lines.count == 3)
    }

    @Test func anImportIsPrecededByABackupAndOldOnesGo() throws {
        let docket = try sample()
        for round in 0..<5 {
            try docket.write("round \(round)\n", to: "in.txt")
            try docket("import", "--format", "todotxt", "in.txt")
        }
        let backups = try docket("backup", "--list").lines
        #expect(backups.count == 3)
        #expect(backups.allSatisfy { $0.contains("before-import") })
        try docket("restore", "--backup", "latest")
        #expect(try docket.titles("--all").contains("round 3"))
        #expect(try !docket.titles("--all").contains("round 4"))
    }

    /// Three such backups would replace those from before imports that have changed something.
    @Test func anImportThatImportsNothingMakesNoBackup() throws {
        let docket = try sample()
        try docket.write("", to: "empty.txt")
        try docket.write("{", to: "broken.json")
        try docket.write("new\n", to: "new.txt")
        try docket("import", "--format", "todotxt", "empty.txt")
        #expect(try docket("import", "--format", "json", "broken.json").code == 1)
        try docket("import", "--format", "todotxt", "--dry-run", "new.txt")
        let backups = docket.store + "-backups"
        #expect(!FileManager.default.fileExists(atPath: backups))
        try docket("import", "--format", "todotxt", "new.txt")
        #expect(try docket("backup", "--list").lines.count == 1)
    }

    /// Makes a store look as if it was used two days ago.
    private func age(_ docket: Docket) throws {
        try docket.sqlite(
            docket.store,
            "UPDATE OG_TRANSACTION SET date = date - 172800",
            keepsChecksums: true
        )
    }

    @Test func theDailyBackupIsMadeOnceADayByWhoeverComesFirst() throws {
        let docket = try sample()
        try docket("backup", "--daily")
        #expect(try docket("backup", "--list").output.contains("no backups"))
        try age(docket)
        let all = try docket.shell(
            "for i in 1 2 3 4 5 6; do \"$docket\" backup --daily & done; wait"
        )
        #expect(all.code == 0 && all.output.isEmpty, "\(all)")
        #expect(try docket("backup", "--list").lines.count == 1)
        try docket("backup", "--daily")
        #expect(try docket("backup", "--list").lines.count == 1)
        #expect(try docket("backup", "--list").output.contains("daily"))
    }

    @Test func aCommandThatChangesSomethingStartsTheDailyBackup() throws {
        let docket = try sample()
        try age(docket)
        try docket("list")
        try docket("done", "1")
        var count = 0
        // The backup is made by a process that nobody waits for.
        for _ in 0..<1000 where count == 0 {
            count = try docket("backup", "--list").lines.count { $0.contains("daily") }
        }
        #expect(count == 1)
    }

    @Test func theSettingsCanForbidTheDailyBackup() throws {
        let docket = try sample()
        try age(docket)
        let folder = docket.path(".config/docket")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try docket.write("[backup]\ndaily = false\n", to: ".config/docket/config.toml")
        try docket("backup", "--daily")
        try docket("done", "1")
        #expect(try docket("backup", "--list").output.contains("no backups"))
    }
}
