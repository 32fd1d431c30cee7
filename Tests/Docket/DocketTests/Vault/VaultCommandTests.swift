import Foundation
import Testing
import VirtualTerminal

/// `docket vault` as a process: output, exit codes, what is on the terminal.
@Suite struct VaultCommandTests {
    @Test func aRestoreBringsBackTheVaultOfTheBackup() throws {
        let docket = try Docket()
        try docket("add", "one")
        try docket.makeVault()
        #expect(try docket.vault("add", "Bank", "--generate").code == 0)
        let copy = docket.path("copy.sqlite")
        #expect(try docket("backup", copy).code == 0)
        #expect(try docket.vault("remove", "Bank").code == 0)
        let outcome = try docket("restore", "--backup", copy)
        #expect(outcome.output.hasPrefix("Restored 1 item and the vault from "), "\(outcome)")
        #expect(try docket.vault("list").output.contains("Bank"))
        // What was there before is a backup with its own vault.
        let former = try #require(outcome.lines.last?.split(separator: " ").last)
        #expect(try docket("restore", "--backup", String(former)).code == 0)
        #expect(try !docket.vault("list").output.contains("Bank"))
        // A vault without items is kept too.
        let other = try Docket()
        try other.makeVault()
        #expect(try other.vault("add", "Mail", "--generate").code == 0)
        let second = try other("restore", "--backup", copy)
        #expect(second.code == 0, "\(second)")
        #expect(try other.vault("list").output.contains("Bank"))
        let path = try #require(second.lines.last?.split(separator: " ").last)
        #expect(path.hasSuffix("-vault.sqlite") && access(String(path), F_OK) == 0)
    }

    @Test func anEncryptedBackupHasTheVaultBesideIt() throws {
        let docket = try Docket()
        try docket("add", "one")
        try docket.makeVault()
        #expect(try docket.vault("add", "Bank", "--generate").code == 0)
        try docket.write("age passphrase\n", to: "age-pw")
        let outcome = try docket(
            "backup",
            "--encrypt",
            "--passphrase-file",
            docket.path("age-pw"),
            docket.path("copy.sqlite.age")
        )
        #expect(outcome.code == 0, "\(outcome)")
        #expect(access(docket.path("copy-vault.sqlite"), F_OK) == 0)
        let refused = try docket.vault("import", docket.path("copy.sqlite.age"))
        #expect(refused.code != 0 && refused.errors.contains("age --decrypt"), "\(refused)")
    }

    @Test func anEncryptedBackupIsRestoredWithItsVault() throws {
        let docket = try Docket()
        try docket("add", "one")
        try docket.makeVault()
        #expect(try docket.vault("add", "Bank", "--generate").code == 0)
        try docket.write("age passphrase\n", to: "age-pw")
        try docket.write("another\n", to: "wrong-pw")
        let options = ["--passphrase-file", docket.path("age-pw")]
        #expect(try docket.run(["backup", "--encrypt"] + options).code == 0)
        let listed = try #require(try docket("backup", "--list").lines.first)
        let name = String(
            try #require(listed.split(separator: " ").first?.split(separator: "/").last)
        )
        #expect(name.hasSuffix(".sqlite.age"))
        try docket("add", "two")
        #expect(try docket.vault("remove", "Bank").code == 0)

        let wrong = try docket(
            "restore",
            "--backup",
            "latest",
            "--passphrase-file",
            docket.path("wrong-pw")
        )
        #expect(wrong.code != 0 && wrong.errors.split(separator: "\n").count == 1, "\(wrong)")
        #expect(try docket.titles("--all") == ["one", "two"])

        let right = try docket.run(["restore", "--backup", name] + options)
        #expect(right.output.hasPrefix("Restored 1 item and the vault from "), "\(right)")
        #expect(try docket.titles("--all") == ["one"])
        #expect(try docket.vault("list").output.contains("Bank"))
        let folder = docket.store + "-backups"
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!left.contains { $0.contains("encrypting") }, "\(left)")
        let inspected = try docket("inspect", folder + "/" + name)
        #expect(inspected.code == 1 && inspected.errors.contains("age -d"), "\(inspected)")
    }

    @Test func aNoteWithUnsavedTextIsNotEncrypted() throws {
        let docket = try Docket()
        try docket("add", "--note", "plain")
        try docket.makeVault()
        let uuid = try #require(try docket.items().first?["uuid"] as? String)
        let draft =
            #"{"forms":[{"item":"\#(uuid.uppercased())","isNote":true,"title":"plain","fields":{}}],"captures":[]}"#
        try docket.write(draft, to: "docket.sqlite-draft-1-a")
        let outcome = try docket.vault("encrypt", "1")
        #expect(outcome.code == 1 && outcome.errors.contains("has unsaved text in a form"))
    }

    @Test func addListShowEditRemoveUndoRedo() throws {
        let docket = try Docket()
        try docket.makeVault()
        #expect(try docket.vault("list").output == "")
        try docket.write("secret one\n", to: "p1")
        let added = try docket.vault(
            "add",
            "Bank",
            "--user",
            "ana",
            "--address",
            "https://bank.example",
            "--category",
            "Banking",
            "--password-file",
            docket.path("p1")
        )
        #expect(added.output == "Added \"Bank\"\n" && added.code == 0)
        #expect(try docket.vault("add", "Mail", "--generate").code == 0)
        #expect(try docket.vault("list").output.contains("Bank  ana  https://bank.example"))
        #expect(
            try docket.vault("list", "ANA").lines == [
                "Banking", "  Bank  ana  https://bank.example",
            ]
        )
        let shown = try docket.vault("show", "bank")
        #expect(shown.output.contains("Password  (hidden)"))
        #expect(!shown.output.contains("secret one"))
        #expect(try docket.vault("show", "bank", "--password").output.contains("secret one"))
        let json = try docket.vault("list", "--json").bytes
        let list = try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]])
        #expect(list.count == 2 && list.allSatisfy { $0["password"] == nil })
        #expect(
            try docket.vault("edit", "bank", "user=eve", "notes=x").output
                == "Edited \"Bank\": user id, notes\n"
        )
        #expect(try docket.vault("edit", "bank", "user=eve").output.hasPrefix("Nothing changed"))
        #expect(
            try docket.vault("undo").output
                == "Undone: Edited a credential: user id, notes\n"
        )
        #expect(try docket.vault("show", "bank").output.contains("ana"))
        #expect(try docket.vault("redo").code == 0)
        #expect(try docket.vault("remove", "mail").output == "Removed \"Mail\"\n")
        #expect(try docket.vault("list").lines.count == 2)
        #expect(try docket.vault("redo").code == 3)
    }

    @Test func exitCodesTellLockedFromNotFound() throws {
        let docket = try Docket()
        try docket.write("x\n", to: "pw")
        let missing = try docket.vault("list")
        #expect(missing.code == 6 && missing.errors.contains("There is no vault yet"))
        #expect(!FileManager.default.fileExists(atPath: docket.path("docket-vault.sqlite")))
        try docket.makeVault()
        try docket.write("wrong\n", to: "bad")
        let wrong = try docket("vault", "list", "--passphrase-file", docket.path("bad"))
        #expect(wrong.code == 6 && wrong.errors.contains("The passphrase is wrong."))
        #expect(try docket.vault("show", "nothing").code == 1)
        #expect(try docket.vault("undo").code == 3)
        #expect(try docket.vault("init").code == 1)
        let secret = try docket.vault("edit", "x", "password=CanaryArgument")
        #expect(secret.code == 1 && !secret.errors.contains("Canary"))
        let nowhere = try docket("vault", "list")
        #expect(nowhere.code == 6, "no terminal to ask on: \(nowhere.errors)")
        try docket.write("\n", to: "empty")
        #expect(
            try Docket().run(["vault", "init", "--passphrase-file", docket.path("empty")]).code == 1
        )
    }

    @Test func wrongPassphrasesAreRefusedWithAGrowingDelayAcrossProcesses() throws {
        let docket = try Docket()
        try docket.makeVault()
        try docket.write("wrong\n", to: "bad")
        for _ in 0..<3 {
            #expect(
                try docket("vault", "list", "--passphrase-file", docket.path("bad")).code == 6
            )
        }
        let file = "docket-vault.sqlite.unlock"
        let counted = String(decoding: try docket.read(file), as: UTF8.self)
        #expect(counted.hasPrefix("unlock-delay 1 3 "), "\(counted)")
        // Nine wrong ones are more than a minute, however slow this machine is.
        try docket.write(
            "unlock-delay 1 9 \(Date().timeIntervalSince1970) 0 another-start\n",
            to: file
        )
        let refused = try docket.vault("list")
        #expect(refused.code == 6 && refused.errors.contains("Try again in"))
    }

    @Test func changedPassphraseIsTheOnlyOne() throws {
        let docket = try Docket()
        try docket.makeVault()
        try docket.vault("add", "Bank", "--generate")
        try docket.write("new words\n", to: "new")
        let changed = try docket.vault("passphrase", "--new-passphrase-file", docket.path("new"))
        #expect(changed.code == 0, "\(changed.errors)")
        #expect(try docket.vault("list").code == 6)
        try docket.write("new words\n", to: "pw")
        #expect(try docket.vault("list").output.contains("Bank"))
    }

    @Test func aNewKeyThatFailsSaysWhichPassphraseOpensTheVaultAndGoesOnLater() throws {
        let docket = try Docket()
        try docket.makeVault()
        try docket.vault("add", "Bank", "--generate")
        let vault = docket.path("docket-vault.sqlite")
        // A value that no key opens, so that it cannot be encrypted again.
        let good = try docket.sqlite(vault, "SELECT hex(ZPASSWORD) FROM ZCREDENTIAL")
        try docket.sqlite(
            vault,
            "UPDATE ZCREDENTIAL SET ZPASSWORD = substr(ZPASSWORD, 1, length(ZPASSWORD) - 1) || x'00'",
            keepsChecksums: true
        )
        try docket.write("new words\n", to: "new")
        let change = ["vault", "passphrase", "--new-key", "--new-passphrase-file"]
        let old = ["--passphrase-file", docket.path("pw")]
        let failed = try docket.run(change + [docket.path("new")] + old)
        #expect(failed.code != 0)
        #expect(failed.errors.contains("the new one opens the vault"), "\(failed)")
        #expect(failed.errors.contains("use --new-key again"), "\(failed)")
        #expect(!failed.errors.contains("othing was changed"), "\(failed)")
        #expect(try docket.vault("list").code == 6)
        try docket.write("new words\n", to: "pw")
        #expect(try docket.vault("list").output.contains("Bank"))
        try docket.sqlite(
            vault,
            "UPDATE ZCREDENTIAL SET ZPASSWORD = x'\(good[0])'",
            keepsChecksums: true
        )
        let again = try docket.run(change + [docket.path("new")] + old)
        #expect(again.code == 0 && again.output.contains("with a new key"), "\(again)")
        #expect(try docket.vault("show", "Bank", "--password").code == 0)
    }

    @Test func passphraseAndPasswordComeFromOneStandardInput() throws {
        let docket = try Docket()
        try docket.makeVault()
        let input = Data("\(Docket.passphrase)\nsecret two\n".utf8)
        let added = try docket.run(
            ["vault", "add", "Bank", "--passphrase-file", "-", "--password-file", "-"],
            input: input
        )
        #expect(added.code == 0, "\(added.errors)")
        #expect(try docket.vault("show", "Bank", "--password").output.contains("secret two"))
    }

    @Test func typedPassphraseIsNotEchoedAndTheTerminalIsAsBefore() throws {
        let docket = try Docket()
        try docket.makeVault()
        try docket.vault("add", "Bank", "--generate")
        let shell = try VirtualTerminal(
            "/bin/sh",
            arguments: ["-c", "stty -a; \(Docket.program) vault list; echo rc=$?; stty -a"],
            environment: docket.environment
        )
        try shell.wait(forText: "Passphrase of the vault:")
        try shell.type(Docket.passphrase + "\r")
        try shell.wait(forText: "rc=0")
        #expect(try shell.waitForEnd() == 0)
        let text = String(decoding: shell.output, as: UTF8.self)
        #expect(text.contains("Bank") && !text.contains(Docket.passphrase))
        #expect(!text.contains("-echo "), "the echo is on before and after")
    }

    @Test func interruptAtThePassphraseTurnsTheEchoOnAgain() throws {
        let docket = try Docket()
        try docket.makeVault()
        let shell = try VirtualTerminal(
            "/bin/sh",
            arguments: ["-c", "trap : INT; \(Docket.program) vault list; echo rc=$?; stty -a"],
            environment: docket.environment
        )
        try shell.wait(forText: "Passphrase of the vault:")
        try shell.type("half\u{3}")
        try shell.wait(forText: "rc=130")
        #expect(try shell.waitForEnd() == 0)
        let text = String(decoding: shell.output, as: UTF8.self)
        #expect(!text.contains("half") && !text.contains("-echo "))
    }

    @Test func copySendsThePasswordToTheTerminalOnly() throws {
        let docket = try Docket()
        try docket.makeVault()
        try docket.write("CanaryCopy\n", to: "p1")
        try docket.vault("add", "Bank", "--password-file", docket.path("p1"))
        let terminal = try docket.terminal(
            "vault",
            "copy",
            "bank",
            "--keep",
            "--passphrase-file",
            docket.path("pw")
        )
        try terminal.wait(forText: "Sent the password of \"Bank\" to the clipboard")
        #expect(try terminal.waitForEnd() == 0)
        let text = String(decoding: terminal.output, as: UTF8.self)
        let encoded = Data("CanaryCopy".utf8).base64EncodedString()
        #expect(text.contains("\u{1B}]52;c;\(encoded)\u{7}") && !text.contains("CanaryCopy"))
        #expect(try docket.vault("copy", "bank").code == 1, "there is no terminal")
    }

    @Test func generatedPasswordsHaveTheirLengthAndStrength() throws {
        let docket = try Docket()
        let made = try docket("vault", "generate", "--length", "32")
        #expect(made.lines.first?.count == 32 && made.errors.contains("very strong"))
        let words = try docket("vault", "generate", "--words", "4")
        #expect(words.lines.first?.split(separator: "-").count == 4)
        #expect(words.errors.contains("40 bits: fair"))
        #expect(try docket("vault", "generate", "--length", "3").code == 1)
    }

    @Test func encryptedNoteIsLockedEverywhereButInTheVault() throws {
        let docket = try Docket()
        try docket.makeVault()
        try docket("add", "--note", "Diary\nCanaryText of the day")
        #expect(try docket("show", "1").output.contains("CanaryText"))
        let encrypted = try docket.vault("encrypt", "1")
        #expect(encrypted.output == "Encrypted the text of \"Diary\"\n", "\(encrypted.errors)")
        #expect(try docket.files(withAny: ["CanaryText"]) == [])
        #expect(try docket("show", "1").output.contains("The text is encrypted"))
        #expect(try docket("search", "canarytext").output == "")
        let export = try docket("export")
        #expect(!export.output.contains("CanaryText") && export.errors.contains("left out"))
        #expect(try docket("edit", "1", "body=x").code == 6)
        #expect(try docket.vault("read", "1").output == "CanaryText of the day\n")
        #expect(try docket.vault("decrypt", "1").code == 0)
        #expect(try docket("show", "1").output.contains("CanaryText"))
    }

    /// What a keyboard types for é depends on the system.
    @Test func aPassphraseWithAccentsIsOneInBothSpellings() throws {
        for (made, typed) in [("caf\u{e9}", "cafe\u{301}"), ("cafe\u{301}", "caf\u{e9}")] {
            let docket = try Docket()
            try docket.makeVault(made)
            try docket.write(typed + "\n", to: "typed")
            try docket.write("cafe\n", to: "plain")
            for (name, code) in [("pw", 0), ("typed", 0), ("plain", 6)] as [(String, Int32)] {
                let outcome = try docket("vault", "list", "--passphrase-file", docket.path(name))
                #expect(outcome.code == code, "\(name): \(outcome)")
            }
            // Once: the new key is derived with full strength.
            if made == "caf\u{e9}" { continue }
            let changed = try docket(
                "vault",
                "passphrase",
                "--new-key",
                "--passphrase-file",
                docket.path("typed"),
                "--new-passphrase-file",
                docket.path("typed")
            )
            #expect(changed.code == 0, "\(changed)")
            let list = try docket.vault("list")
            #expect(list.code == 0, "\(list)")
        }
    }

    @Test func aPasswordThatCannotBeStoredAsItIsIsRefused() throws {
        let docket = try Docket()
        try docket.makeVault()
        try Data([0x70, 0xff, 0xfe, 10]).write(to: URL(filePath: docket.path("bytes")))
        try Data().write(to: URL(filePath: docket.path("empty")))
        try docket.write(String(repeating: "x", count: 5000), to: "long")
        for (file, reason) in [
            ("bytes", "is not text in UTF-8"),
            ("empty", "The password cannot be read: there is no"),
            ("long", "The password cannot be read: it has more than"),
        ] {
            let outcome = try docket.vault("add", "bank", "--password-file", docket.path(file))
            #expect(outcome.code == 1 && outcome.errors.contains(reason), "\(outcome)")
        }
        let list = try docket.vault("list")
        #expect(list.code == 0 && list.output == "")
    }

    @Test func twoCredentialsThatAreAlikeAreReachedByTheirNumbers() throws {
        let docket = try Docket()
        try docket.makeVault()
        for _ in 0..<2 {
            let added = try docket.vault("add", "bank", "--password-file", docket.path("pw"))
            #expect(added.code == 0)
        }
        #expect(try docket.vault("list").output == "bank  id:1\nbank  id:2\n")
        let both = try docket.vault("show", "bank")
        #expect(both.code == 1 && both.errors.contains("id:1, id:2"), "\(both)")
        #expect(try docket.vault("edit", "id:2", "user=anna").code == 0)
        #expect(try docket.vault("show", "id:2").output.contains("anna"))
        #expect(try docket.vault("remove", "id:1").code == 0)
        #expect(try docket.vault("list").output == "bank  anna\n")
    }
}
