import DocketFormats
import Encryption
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// Passphrases: wrong ones, the delay after them, changing, damage of the file.
@Suite struct VaultPassphraseTests {
    private func code(_ body: () throws -> Void) -> EncryptionError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? EncryptionError)?.code
        }
    }

    @Test func wrongPassphraseChangesNothingAndTheDelaySurvivesReopening() throws {
        try VaultBench.run { bench in
            try bench.add("Bank")
            bench.vault.lock()
            for _ in 0..<3 {
                #expect(code { try bench.unlock("wrong") } == .wrongPassphrase)
                #expect(bench.vault.isLocked)
            }
            #expect(bench.vault.waitingTime > 0)
            #expect(code { try bench.unlock() } == .tooManyAttempts, "also for the right one")
            // Another process sees the same.
            let other = Vault(path: bench.vault.path, author: "other")
            #expect(other.waitingTime > 0)
            #expect(code { try other.unlock(passphrase: SecretBytes("x")) } == .tooManyAttempts)
        }
    }

    @Test func changedPassphraseOpensAndTheOldOneDoesNot() throws {
        try VaultBench.run { bench in
            try bench.add("Bank", password: "p")
            let (old, new) = (VaultBench.passphrase, "other words")
            try bench.vault.changePassphrase(
                from: SecretBytes(old),
                to: SecretBytes(new),
                cost: .leastForTests
            )
            #expect(try bench.vault.entries().count == 1, "it stays unlocked")
            bench.vault.close()
            #expect(code { try bench.unlock(old) } == .wrongPassphrase)
            try bench.unlock(new)
            #expect(try bench.vault.entries().map(\.name) == ["Bank"])
            #expect(throws: InputError.self) {
                try bench.vault.changePassphrase(from: SecretBytes(new), to: SecretBytes(""))
            }
            #expect(
                code {
                    try bench.vault.changePassphrase(
                        from: SecretBytes(old),
                        to: SecretBytes("third"),
                        cost: .leastForTests
                    )
                } == .wrongPassphrase
            )
        }
    }

    @Test func passphraseChangedElsewhereIsTakenOverAtTheNextUnlocking() throws {
        try VaultBench.run { bench in
            try bench.add("Bank")
            bench.vault.lock()
            let other = Vault(path: bench.vault.path, author: "other")
            try other.changePassphrase(
                from: SecretBytes(VaultBench.passphrase),
                to: SecretBytes("new"),
                cost: .leastForTests
            )
            other.close()
            #expect(code { try bench.unlock() } == .wrongPassphrase)
            try bench.unlock("new")
            // Saving here does not bring the old keys back.
            try bench.add("Two")
            bench.vault.close()
            try bench.unlock("new")
            #expect(try bench.vault.entries().count == 2)
        }
    }

    @Test func credentialChangedElsewhereIsTold() throws {
        try VaultBench.run { bench in
            let id = try #require(try bench.add("Bank").id)
            #expect(try bench.vault.takeOthersSteps() == [])
            let other = Vault(path: bench.vault.path, author: "other")
            try other.unlock(passphrase: SecretBytes(VaultBench.passphrase))
            let entry = try other.entry(named: "Bank")
            try other.edit(entry.id, [.user: "eve"])
            // The other one's keys are gone, so this one unlocks again.
            other.close()
            try bench.unlock()
            #expect(try bench.vault.takeOthersSteps() == ["Edited a credential: user id"])
            #expect(try bench.vault.record(id).userID == "eve")
            #expect(try bench.vault.takeOthersSteps() == [])
        }
    }

    @Test func damagedVaultIsRefusedWithASentenceAndNeverCrashes() throws {
        try VaultBench.run { bench in
            try bench.add("Bank", password: "p")
            bench.vault.close()
            let url = URL(filePath: bench.vault.path)
            let whole = try Data(contentsOf: url)
            var refusals = 0
            for part in stride(from: 0, to: whole.count, by: max(1, whole.count / 23)) {
                try whole.prefix(part).write(to: url)
                do {
                    try bench.unlock()
                    // What is missing was not needed.
                    let entries = try bench.vault.entries()
                    let records = try entries.map { try bench.vault.record($0.id) }
                    #expect(records.map(\.password) == ["p"], "cut at \(part)")
                } catch {
                    refusals += 1
                    #expect(!"\(error)".isEmpty)
                }
                bench.vault.close()
            }
            #expect(refusals > 10)
            try whole.write(to: url)
            try bench.unlock()
            #expect(try bench.vault.entries().count == 1)
        }
    }

    @Test func vaultInAReadOnlyFolderCanBeRead() throws {
        try VaultBench.run { bench in
            try bench.add("Bank")
            bench.vault.close()
            let reader = Vault(path: bench.vault.path, author: "reader", isReadOnly: true)
            try reader.unlock(passphrase: SecretBytes(VaultBench.passphrase))
            #expect(try reader.entries().map(\.name) == ["Bank"])
            #expect(throws: (any Error).self) {
                var record = CredentialRecord()
                record.name = "Two"
                try reader.add(record)
            }
            reader.close()
        }
    }

    @Test func newKeySealsEverythingAgainAndForgetsTheHistory() throws {
        try VaultBench.run { bench in
            let id = try #require(
                try bench.add("Bank", user: "ana", password: "p", category: "Mine").id
            )
            try bench.vault.edit(id, [.password: "q"])
            let note = try bench.library.addNote(capturing: "Diary\nthe text")
            try bench.library.encrypt([note])
            let before = try VaultStore.envelope(at: bench.vault.path)
            let count = try bench.library.renewVaultKey(
                passphrase: SecretBytes(VaultBench.passphrase)
            )
            #expect(count == 5, "name, user id, password, category, note")
            let after = try VaultStore.envelope(at: bench.vault.path)
            #expect(after.keyCount == 1 && after.currentKey == before.currentKey + 1)
            #expect(try bench.vault.undo() == nil)
            bench.vault.close()
            try bench.unlock()
            #expect(try bench.vault.record(id).password == "q")
            #expect(try bench.library.text(of: note) == "the text")
        }
    }

    @Test func interruptedNewKeyGoesOnAtTheNextCall() throws {
        try VaultBench.run { bench in
            let id = try #require(try bench.add("Bank", password: "p").id)
            let passphrase = try SecretBytes(VaultBench.passphrase)
            // The first part alone, as a crash leaves it.
            try bench.vault.change(passphrase) { try $0.addingKey(passphrase: passphrase) }
            bench.vault.close()
            try bench.unlock()
            #expect(try bench.vault.record(id).password == "p", "both keys are there")
            try bench.add("Two", password: "new key")
            #expect(try bench.library.renewVaultKey(passphrase: passphrase) == 2)
            #expect(try VaultStore.envelope(at: bench.vault.path).keyCount == 1)
            #expect(try bench.vault.record(id).password == "p")
        }
    }

    @Test func backupHasTheVaultAsItIs() throws {
        try VaultBench.run { bench in
            try bench.add("CanaryBank", password: "p")
            try bench.library.addNote(capturing: "Something to back up")
            let backup = try #require(try bench.library.backUp(.asked))
            #expect(try bench.files(with: "CanaryBank") == [])
            let copy = Vault(path: Vault.path(beside: backup.path), author: "copy")
            try copy.unlock(passphrase: SecretBytes(VaultBench.passphrase))
            #expect(try copy.entries().map(\.name) == ["CanaryBank"])
            copy.close()
            #expect(bench.library.backupFolder.backups == [backup], "it is no backup of its own")
        }
    }
}
