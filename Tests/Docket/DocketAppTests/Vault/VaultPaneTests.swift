import CivilTime
import DocketCore
import DocketFormats
import Encryption
import Foundation
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// The vault in the interface: the row, the box, the pane, the form, locking.
@Suite struct VaultPaneTests {
    private static let passphrase = "four words are good"

    /// A window whose library has a locked vault with two credentials.
    private func withRobot(
        exists: Bool = true,
        config: String = "",
        rows: Int = 30,
        columns: Int = 120,
        _ body: (Robot) throws -> Void
    ) throws {
        try OneVault.alone {
            let robot = try Robot(rows: rows, columns: columns, config: config)
            defer { robot.library.vault.close() }
            let vault = robot.library.vault
            if exists {
                try vault.create(
                    passphrase: SecretBytes(Self.passphrase),
                    cost: .leastForTests
                )
                var bank = CredentialRecord()
                (bank.name, bank.userID, bank.password) = ("Bank", "ana", "CanaryPassword")
                (bank.category, bank.notes) = ("Banking", "CanaryNotes")
                try vault.add(bank)
                var mail = CredentialRecord()
                (mail.name, mail.address) = ("Mail", "mail.example")
                try vault.add(mail)
                vault.lock()
            }
            robot.settle()
            try body(robot)
        }
    }

    private func unlock(_ robot: Robot) throws {
        try robot.press("g v")
        robot.type(Self.passphrase + "\n")
    }

    @Test func footerNamesOnlyWhatTheKeysDoHere() throws {
        try withRobot { robot in
            try unlock(robot)
            let hints = robot.application.dispatcher.hints
            let undo = hints.filter { $0.key == "u" }
            #expect(undo.count == 1, "\(hints)")
            #expect(Set(hints.map(\.key)).count == hints.count, "\(hints)")
        }
    }

    @Test func rowOfTheListsAsksForThePassphrase() throws {
        try withRobot { robot in
            #expect(robot.shows("Vault"))
            #expect(robot.screen.contains { $0.hasPrefix(" Vault") && $0.contains("locked") })
            try robot.press("tab tab G enter")
            #expect(robot.shows("Unlock the vault"))
            robot.type("wrong\n")
            #expect(robot.shows("The passphrase is wrong."))
            #expect(!robot.shows("wrong words") && !robot.shows(Self.passphrase))
            robot.type(Self.passphrase + "\n")
            #expect(robot.workspace.focus == VaultPane.kind.id)
            #expect(robot.shows("Bank") && robot.shows("Banking") && robot.shows("mail.example"))
        }
    }

    @Test func passwordIsMaskedUntilItsKeyAndHiddenWhenMoving() throws {
        try withRobot { robot in
            try unlock(robot)
            #expect(robot.shows("CanaryNotes") && !robot.shows("CanaryPassword"))
            try robot.press("v")
            #expect(robot.shows("CanaryPassword"))
            try robot.press("v")
            #expect(!robot.shows("CanaryPassword"))
            try robot.press("v j")
            #expect(!robot.shows("CanaryPassword"))
            try robot.press("k v")
            #expect(robot.shows("CanaryPassword"))
            try robot.press("enter")
            #expect(robot.shows("Edit credential") && !robot.shows("CanaryPassword"))
        }
    }

    @Test func copyingSendsTheFieldAndLaterEmptiesTheClipboard() throws {
        try withRobot { robot in
            try unlock(robot)
            try robot.press("y")
            #expect(robot.terminal.copied == ["CanaryPassword"])
            #expect(robot.message.contains("Sent the password of \"Bank\""))
            #expect(robot.screen[0].contains("clipboard 30 s"))
            try robot.press("Y")
            #expect(robot.terminal.copied.last == "ana")
            #expect(robot.workspace.vault.takeClipboardEnd(true))
            #expect(!robot.workspace.vault.takeClipboardEnd(true), "once")
        }
    }

    @Test func rowOfTheListsSaysWhetherThereIsAVault() throws {
        try withRobot(exists: false) { robot in
            #expect(robot.screen.contains { $0.hasPrefix(" Vault  not made") })
            try robot.press("g v")
            robot.type("one one one\none one one\n")
            try robot.press("L")
            #expect(robot.screen.contains { $0.hasPrefix(" Vault    locked") })
        }
    }

    @Test func theSelectedCredentialStaysSelectedWhenOthersAppearBeforeIt() throws {
        try withRobot { robot in
            try unlock(robot)
            try robot.press("G")
            let pane = try #require(robot.workspace.pane as? VaultPane)
            #expect(pane.selected?.name == "Mail")
            func add(_ name: String, category: String) throws {
                var record = CredentialRecord()
                (record.name, record.category) = (name, category)
                try robot.library.vault.add(record)
                robot.workspace.vault.markStale()
                robot.settle()
            }
            try add("Another", category: "Banking")
            #expect(pane.selected?.name == "Mail")
            try add("Aaa", category: "")
            #expect(pane.selected?.name == "Mail")
            robot.workspace.vault.query = "a"
            #expect(pane.selected?.name == "Mail", "before the next frame, too")
            robot.settle()
            #expect(pane.selected?.name == "Mail")
            robot.workspace.vault.query = "mail"
            robot.settle()
            try robot.press("d")
            #expect(robot.message.contains("Removed \"Mail\""))
        }
    }

    @Test func anotherCategoryHasItsHeadingAtOnce() throws {
        try withRobot { robot in
            try unlock(robot)
            try robot.press("e tab tab tab tab ctrl+u")
            robot.type("Bankers")
            try robot.press("ctrl+s")
            #expect(robot.row("Bankers") != nil && !robot.shows("Banking"), "\(robot.text)")
        }
    }

    @Test func aLongRefusalIsWholeInTheBoxOfThePassphrase() throws {
        try withRobot(exists: false) { robot in
            try Data(repeating: 7, count: 5000).write(to: URL(filePath: robot.library.vault.path))
            try robot.press("g v")
            robot.type("words\n")
            let box = robot.screen.filter { $0.contains("\u{2502}") || $0.contains("  ") }
            #expect(robot.shows("Unlock the vault"))
            #expect(box.contains { $0.contains("ackup") }, "\(robot.text)")
        }
    }

    @Test func savingGoesToTheFirstFieldInError() throws {
        try withRobot { robot in
            try unlock(robot)
            try robot.press("a tab")
            robot.send(.paste(String(repeating: "u", count: 300)))
            try robot.press("tab tab")
            let form = try #require(robot.workspace.modal as? VaultForm)
            try robot.press("ctrl+s")
            #expect(form.fields[form.focus] == .name && robot.shows("A credential needs a name"))
            robot.type("Shop")
            try robot.press("tab tab tab ctrl+s")
            #expect(form.fields[form.focus] == .user)
            #expect(robot.shows("The user id must be one line of at most 256 characters"))
            #expect(try robot.library.vault.entries().count == 2)
            try robot.press("ctrl+u")
            robot.type("bob")
            try robot.press("ctrl+s")
            #expect(try robot.library.vault.entry(named: "Shop").userID == "bob")
        }
    }

    @Test(
        arguments: [
            "\u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{202E}abc\u{202C}",
            "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} \u{1F3E6}",
            "e\u{301}\u{301}\u{301}", "a\tb", "\"quoted\" %@ ${x}", "\u{200B}",
        ]
    )
    func oddNameIsKeptAsItIsAndDrawn(_ name: String) throws {
        try withRobot { robot in
            try unlock(robot)
            try robot.press("a")
            robot.paste(name)
            try robot.press("ctrl+s")
            #expect(robot.workspace.modals.isEmpty, "\(robot.message)")
            let added = try robot.library.vault.entries().filter {
                !["Bank", "Mail"].contains($0.name)
            }
            #expect(added.map(\.name) == [name.replacing("\t", with: " ")])
            for size in [(24, 80), (10, 30)] {
                robot.resize(rows: size.0, columns: size.1)
                for keys in ["e", "esc", "v", "d", "u"] { try robot.press(keys) }
            }
            #expect(try robot.library.vault.entries().count == 3)
        }
    }

    @Test func pastedControlCharactersAndVeryLongTextsDoNoHarm() throws {
        try withRobot { robot in
            try unlock(robot)
            try robot.press("a")
            robot.paste("one\u{1B}[2J\u{7}\u{0}\ntwo")
            try robot.press("tab tab")
            let long = String(repeating: "p", count: 10_000)
            robot.paste(long)
            try robot.press("tab tab tab")
            robot.paste("line\u{1B}[31m\nnext")
            try robot.press("ctrl+s")
            let entry = try #require(try robot.library.vault.entries(matching: "one").first)
            let record = try robot.library.vault.record(entry.id)
            #expect(!record.name.unicodeScalars.contains { $0.value < 32 }, "\(record.name)")
            #expect(!record.notes.contains("\u{1B}") && record.notes.contains("next"))
            #expect(record.password == long)
            try robot.press("a")
            robot.paste(String(repeating: "n", count: 10_000))
            try robot.press("ctrl+s")
            let form = try #require(robot.workspace.modal as? VaultForm)
            #expect(robot.shows("at most 256 characters") && form.lines[0].text.count == 10_000)
        }
    }

    @Test func whatWasTypedInAFormIsThereAgainAfterTheVaultLockedItself() throws {
        try withRobot { robot in
            func lockByTime() {
                robot.workspace.vault.lockAfter = -1
                robot.workspace.vault.noteActivity()
                robot.application.handle([.timedOut])
                robot.settle()
                robot.workspace.vault.lockAfter = 60
                #expect(robot.library.vault.isLocked && robot.workspace.modals.isEmpty)
                #expect(!robot.shows("Typed"))
                #expect(robot.message.contains("unlock it to go on with what was typed"))
            }
            try unlock(robot)
            try robot.press("a")
            robot.type("TypedName")
            try robot.press("tab tab")
            robot.type("TypedPassword")
            lockByTime()
            try unlock(robot)
            #expect(robot.shows("TypedName") && robot.shows(UnsavedForm.remark))
            #expect(!robot.shows("TypedPassword"), "it is masked")
            try robot.press("ctrl+s")
            let added = try robot.library.vault.entry(named: "TypedName").id
            #expect(try robot.library.vault.record(added).password == "TypedPassword")

            // What another program saves meanwhile is not overwritten.
            try robot.press("e tab")
            robot.type("TypedUser")
            lockByTime()
            try robot.library.vault.unlock(passphrase: SecretBytes(Self.passphrase))
            try robot.library.vault.edit(added, [.user: "other"])
            robot.application.lockVault()
            try unlock(robot)
            #expect(robot.shows("TypedUser"))
            try robot.press("ctrl+s")
            #expect(robot.shows("Changed elsewhere meanwhile"))
            try robot.press("esc")

            // A form without a change is not opened again, and a text only once.
            try robot.press("e")
            robot.application.lockVault()
            try unlock(robot)
            #expect(robot.workspace.modals.isEmpty && !robot.workspace.vault.hasUnsaved)
        }
    }

    @Test func typedTextOfAnEncryptedNoteIsThereAgainAfterLocking() throws {
        try withRobot { robot in
            let note = try robot.library.addNote(capturing: "Diary\nText")
            try unlock(robot)
            try robot.library.encrypt([note])
            try robot.press("esc")
            robot.settle()
            try robot.select("Diary")
            try robot.press("E")
            robot.type("Typed")
            robot.application.lockVault()
            robot.settle()
            #expect(robot.workspace.modals.isEmpty && !robot.shows("Typed"))
            try robot.press("E")
            robot.type(Self.passphrase + "\n")
            #expect(robot.shows("Typed"))
            try robot.press("ctrl+s")
            #expect(try robot.library.text(of: note).contains("Typed"))
        }
    }

    @Test func lockingRemovesEverythingFromTheScreen() throws {
        try withRobot { robot in
            try unlock(robot)
            try robot.press("e")
            #expect(robot.shows("Edit credential"))
            robot.application.lockVault()
            robot.settle()
            #expect(robot.workspace.modals.isEmpty && robot.workspace.focus != VaultPane.kind.id)
            #expect(!robot.shows("Bank") && !robot.shows("Canary") && !robot.shows("ana"))
            #expect(robot.library.vault.isLocked && robot.terminal.redraws > 0)
            try unlock(robot)
            try robot.press("L")
            #expect(robot.message == "Locked the vault" && robot.library.vault.isLocked)
        }
    }

    @Test func suspensionAndIdleTimeLock() throws {
        try withRobot(config: "[vault]\nlock-after = 60\n") { robot in
            try unlock(robot)
            #expect(robot.workspace.vault.lockAfter == 60)
            let deadline = try #require(robot.workspace.vault.deadline)
            #expect(deadline > .now + .seconds(50) && deadline <= .now + .seconds(60))
            robot.application.handle([.suspensionAsked])
            #expect(robot.library.vault.isLocked && robot.terminal.suspensions == 1)
            #expect(robot.workspace.vault.deadline == nil, "locked costs no timer")
            try unlock(robot)
            robot.workspace.vault.lockAfter = -1
            robot.workspace.vault.noteActivity()
            robot.application.handle([.timedOut])
            #expect(robot.library.vault.isLocked)
            #expect(robot.message.contains("Locked the vault after"))
        }
        try withRobot(config: "[vault]\nlock-after = 0\n") { robot in
            try unlock(robot)
            #expect(robot.workspace.vault.deadline == nil)
        }
    }

    @Test func vaultIsCreatedWithThePassphraseTypedTwice() throws {
        try withRobot(exists: false) { robot in
            try robot.press("g v")
            #expect(robot.shows("Create the vault"))
            robot.type("\n")
            #expect(robot.shows("An empty passphrase protects nothing."))
            robot.type("one one one\n")
            robot.type("two\n")
            #expect(robot.shows("The two differ"))
            robot.type("one one one\n")
            robot.type("one one one\n")
            #expect(robot.workspace.focus == VaultPane.kind.id)
            #expect(robot.shows("The vault is empty; a adds a credential."))
        }
    }

    @Test func formAddsEditsGeneratesAndUndoes() throws {
        try withRobot { robot in
            try unlock(robot)
            try robot.press("a")
            robot.type("Shop")
            try robot.press("tab")
            robot.type("bob")
            try robot.press("ctrl+g")
            #expect(robot.shows("very strong") && robot.shows("Generated a password"))
            try robot.press("ctrl+z")
            #expect(!robot.shows("very strong"))
            try robot.press("ctrl+y")
            #expect(robot.shows("very strong"))
            try robot.press("ctrl+s")
            #expect(robot.message.contains("Added \"Shop\""), "\(robot.text)")
            let entry = try robot.library.vault.entry(named: "Shop")
            let record = try robot.library.vault.record(entry.id)
            #expect(record.userID == "bob" && record.password.count == 20)
            try robot.press("e tab")
            robot.type("by")
            try robot.press("ctrl+s")
            #expect(robot.message.contains("Edited \"Shop\": user id"))
            #expect(try robot.library.vault.record(entry.id).userID == "bobby")
            try robot.press("u")
            #expect(robot.message == "Undid: Edited a credential: user id")
            #expect(try robot.library.vault.record(entry.id).userID == "bob")
            try robot.press("d")
            #expect(robot.message.contains("Removed \"Shop\""))
            #expect(try robot.library.vault.entries(matching: "shop").isEmpty)
        }
    }

    @Test func cancelledFormLeavesNoDraft() throws {
        try withRobot { robot in
            robot.application.keepDrafts(beside: Robot.store(in: robot.folder).path)
            try unlock(robot)
            try robot.press("a")
            robot.type("CanaryDraft")
            robot.application.writeDrafts()
            try robot.press("esc")
            #expect(robot.workspace.drafts == Drafts() && robot.workspace.keptTexts.isEmpty)
            let names = try FileManager.default.contentsOfDirectory(atPath: robot.folder.path)
            for name in names {
                let data = FileManager.default.contents(
                    atPath: robot.folder.appendingPathComponent(name).path
                )
                #expect(data?.range(of: Data("CanaryDraft".utf8)) == nil, "\(name)")
            }
        }
    }

    @Test func searchFindsInMemoryAndItsTextIsNotKept() throws {
        try withRobot { robot in
            try unlock(robot)
            try robot.press("/")
            robot.type("canarynot")
            #expect(robot.row("Bank") != nil && robot.row("mail.example") == nil)
            try robot.press("esc")
            #expect(robot.workspace.keptTexts.isEmpty && robot.workspace.vault.query == "")
            #expect(robot.shows("2 credentials"))
        }
    }

    @Test func passphraseIsChangedAfterThePresentOne() throws {
        try withRobot { robot in
            try unlock(robot)
            try robot.press(":")
            robot.type("change the passphrase\n")
            #expect(robot.shows("Present passphrase"))
            robot.type(Self.passphrase + "\n")
            #expect(robot.shows("New passphrase"))
            robot.type("new words\n")
            robot.type("new words\n")
            #expect(robot.message == "Changed the passphrase of the vault", "\(robot.text)")
            try robot.press("L g v")
            robot.type("new words\n")
            #expect(robot.shows("Bank"))
        }
    }

    @Test func encryptedNoteIsHiddenWhileLockedAndEditedInItsOwnBox() throws {
        try withRobot { robot in
            let note = try robot.library.addNote(capturing: "Diary\nCanaryText")
            robot.library.context.processPendingChanges()
            robot.settle()
            try robot.select("Diary")
            #expect(robot.shows("CanaryText"))
            try robot.press(":")
            robot.type("encrypt the note\n")
            #expect(robot.shows("Unlock the vault"))
            robot.type(Self.passphrase + "\n")
            #expect(robot.message.contains("Encrypted the text of \"Diary\""))
            #expect(note.isEncrypted && robot.shows("CanaryText"))
            try robot.press("g L")
            #expect(!robot.shows("CanaryText") && robot.shows("Encrypted: locked."))
            try robot.press("e")
            #expect(!robot.shows("CanaryText") && robot.shows("Edit Note"))
            try robot.press("esc E")
            robot.type(Self.passphrase + "\n")
            #expect(robot.shows("Encrypted text of Diary"))
            robot.type("!")
            try robot.press("ctrl+s")
            #expect(try robot.library.text(of: note).contains("!"), "\(robot.text)")
        }
    }

    @Test(arguments: [(3, 20), (8, 30), (24, 60), (24, 80), (60, 200)])
    func everySizeIsDrawn(_ rows: Int, _ columns: Int) throws {
        try withRobot { robot in
            robot.resize(rows: rows, columns: columns)
            try unlock(robot)
            for keys in ["j", "v", "e", "tab tab", "esc", "a", "esc", "/", "esc"] {
                try robot.press(keys)
            }
            #expect(robot.workspace.focus == VaultPane.kind.id)
        }
    }
}
