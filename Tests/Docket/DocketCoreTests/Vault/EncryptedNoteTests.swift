import DocketFormats
import Encryption
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// Notes whose text the vault's key encrypts.
@Suite struct EncryptedNoteTests {
    private func note(_ bench: VaultBench, _ title: String, _ text: String) throws -> Note {
        try bench.library.addNote(capturing: "\(title)\n\(text)")
    }

    @Test func plainTextLeavesFileHistoryAndIndex() throws {
        try VaultBench.run { bench in
            let note = try note(bench, "Diary", "CanaryFirst text")
            try bench.library.setText("CanarySecond text", of: note)
            try bench.library.setText("CanaryThird text", of: note)
            #expect(try bench.library.encrypt([note]) == [note])
            #expect(note.isEncrypted && note.body == nil)
            #expect(try bench.library.text(of: note) == "CanaryThird text")
            #expect(try bench.files(with: "Canary") == [])
            #expect(try bench.library.search("canarythird", matching: nil).isEmpty)
            #expect(try bench.library.search("diary", matching: nil) == [note.objectID])
            bench.library.close()
            #expect(try bench.files(with: "Canary") == [])
        }
    }

    @Test func lockedTextIsNotReadableAndComesBackAfterUnlocking() throws {
        try VaultBench.run { bench in
            let note = try note(bench, "Diary", "the text")
            try bench.library.encrypt([note])
            bench.vault.lock()
            #expect(note.isEncrypted, "this needs no key")
            #expect(throws: InputError.self) { try bench.library.text(of: note) }
            #expect(throws: InputError.self) { try bench.library.decrypt([note]) }
            #expect(throws: InputError.self) { try bench.library.setText("plain", of: note) }
            #expect(throws: InputError.self) { try bench.library.duplicate([note]) }
            // Everything else works.
            try bench.library.edit(note, [FieldChange("title=New")])
            try bench.unlock()
            #expect(try bench.library.text(of: note) == "the text")
            #expect(try bench.library.decrypt([note]) == [note])
            #expect(note.body == "the text" && !note.isEncrypted)
        }
    }

    @Test func editOfTheEncryptedTextIsOneStepWithoutPlainText() throws {
        try VaultBench.run { bench in
            let note = try note(bench, "Diary", "one")
            try bench.library.encrypt([note])
            #expect(try bench.library.setSealedText("CanaryTwo", of: note) != nil)
            #expect(try bench.library.setSealedText("CanaryTwo", of: note) == nil)
            _ = try bench.library.undo()
            #expect(try bench.library.text(of: note) == "one")
            _ = try bench.library.redo()
            #expect(try bench.library.text(of: note) == "CanaryTwo")
            #expect(try bench.files(with: "Canary") == [])
        }
    }

    @Test func undoNeverLosesTheTextOfAnEncryptedNote() throws {
        try VaultBench.run { bench in
            let note = try note(bench, "Diary", "one")
            try bench.library.setText("two", of: note)
            try bench.library.encrypt([note])
            // The step before is about a text that was erased.
            #expect(throws: InputError.self) { try bench.library.undo() }
            #expect(try bench.library.text(of: note) == "two")
        }
    }

    @Test func encryptingNeedsTheVaultAndLeavesTheNote() throws {
        try VaultBench.run(unlocked: false) { bench in
            let note = try note(bench, "Diary", "one")
            #expect(throws: InputError.self) { try bench.library.encrypt([note]) }
            #expect(note.body == "one" && !note.isEncrypted)
        }
    }

    @Test func exportLeavesTheTextOutAndSaysSo() throws {
        try VaultBench.run { bench in
            let note = try note(bench, "Diary", "CanaryText")
            var before: [UInt8] = []
            _ = try bench.library.export(.json) { before += $0 }
            try bench.library.encrypt([note])
            var bytes: [UInt8] = []
            let report = try bench.library.export(.json) { bytes += $0 }
            #expect(!String(decoding: bytes, as: UTF8.self).contains("Canary"))
            #expect(report.changed.contains { $0.title == "Diary" })
            // Importing an export from before does not put the plain text beside it.
            let outcome = try bench.library.importItems(.json, from: before)
            #expect(outcome.updated == 0)
            #expect(note.body == nil && note.isEncrypted)
        }
    }

    @Test func interruptedErasingIsCompletedAtTheNextOpening() throws {
        try VaultBench.run { bench in
            let note = try note(bench, "Diary", "CanaryOne")
            try bench.library.setText("CanaryTwo", of: note)
            // What a crash after the first transaction leaves.
            let library = bench.library
            library.context.coordinator.setMetadata(
                .string(UUIDText.lowercase(note.uuid)),
                for: "DocketErasing"
            )
            note.sealedBody = note.body
            note.body = nil
            var info = TransactionInfo()
            info.kind = .silent
            _ = try library.context.save(info)
            try library.rest()
            #expect(try bench.files(with: "Canary") != [])
            library.close()
            let again = try bench.folder.open()
            again.close()
            #expect(try bench.files(with: "Canary") == [])
        }
    }
}
