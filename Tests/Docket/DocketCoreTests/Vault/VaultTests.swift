import DocketFormats
import Encryption
import Foundation
import ObjectGraph
import SeededRandom
import Testing

@testable import DocketCore

/// The vault's verbs: creating, locking, credentials, undo, search.
@Suite struct VaultTests {
    @Test func thereIsNoFileBeforeTheVaultIsCreated() throws {
        try VaultBench.run(unlocked: false) { bench in
            #expect(!bench.vault.exists && bench.vault.isLocked)
            #expect(throws: InputError.self) { try bench.vault.entries() }
            #expect(throws: InputError.self) { try bench.unlock() }
            let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.url.path)
            #expect(!names.contains { $0.contains("vault") }, "\(names)")
        }
    }

    @Test func createdVaultIsPrivateAndHasTheSeededCategories() throws {
        try VaultBench.run { bench in
            let attributes = try FileManager.default.attributesOfItem(atPath: bench.vault.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(
                try bench.vault.categories() == ["Banking", "Email", "Home", "Internet", "Work"]
            )
            #expect(try bench.vault.undo() == nil, "seeds are no step of undo")
            #expect(throws: InputError.self) {
                try bench.vault.create(
                    passphrase: SecretBytes("other"),
                    cost: .leastForTests
                )
            }
        }
    }

    @Test func emptyPassphraseCreatesNothing() throws {
        try VaultBench.run(unlocked: false) { bench in
            #expect(throws: EncryptionError.self) {
                try bench.vault.create(passphrase: SecretBytes(""), cost: .leastForTests)
            }
            #expect(!bench.vault.exists)
            let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.url.path)
            #expect(!names.contains { $0.contains("vault") }, "\(names)")
        }
    }

    @Test func fieldsComeBackAfterLockingAndUnlocking() throws {
        try VaultBench.run { bench in
            let step = try bench.add(
                "Bank \u{1F3E6}",
                user: "ana@example.org",
                password: "p\u{0}\u{E9} \n tail",
                address: "https://bank.example",
                category: "Banking",
                notes: "one\ntwo"
            )
            #expect(step.name == "Added a credential" && step.sentence.contains("Bank"))
            bench.vault.lock()
            #expect(throws: InputError.self) { try bench.vault.entries() }
            try bench.unlock()
            let entry = try #require(try bench.vault.entries().first)
            let record = try bench.vault.record(entry.id)
            #expect(record.name == "Bank \u{1F3E6}" && record.userID == "ana@example.org")
            #expect(record.password == "p\u{0}\u{E9} \n tail")
            #expect(record.category == "Banking" && record.notes == "one\ntwo")
            #expect(entry.hasPassword && entry.modified != nil)
        }
    }

    @Test func everythingThrowsWhileLocked() throws {
        try VaultBench.run { bench in
            let id = try #require(try bench.add("Bank", password: "x").id)
            bench.vault.lock()
            func refuses(_ body: () throws -> Void) -> Bool {
                do {
                    try body()
                    return false
                } catch let error as InputError {
                    return error.kind == .locked
                } catch {
                    return false
                }
            }
            #expect(refuses { _ = try bench.vault.entries() })
            #expect(refuses { _ = try bench.vault.record(id) })
            #expect(refuses { _ = try bench.add("Other") })
            #expect(refuses { _ = try bench.vault.edit(id, [.name: "Other"]) })
            #expect(refuses { _ = try bench.vault.remove(id) })
            #expect(refuses { _ = try bench.vault.undo() })
            #expect(refuses { _ = try bench.vault.redo() })
            #expect(refuses { _ = try bench.vault.categories() })
            #expect(refuses { _ = try bench.vault.importCredentials(CredentialExport("x")) })
        }
    }

    @Test func nothingOfACredentialIsPlainInTheFiles() throws {
        try VaultBench.run { bench in
            let id = try #require(
                try bench.add(
                    "CanaryName",
                    user: "CanaryUser",
                    password: "CanaryPassword",
                    address: "CanaryAddress",
                    category: "CanaryCategory",
                    notes: "CanaryNotes"
                ).id
            )
            try bench.vault.edit(id, [.password: "CanaryPasswordTwo", .notes: ""])
            #expect(try bench.files(with: "Canary") == [])
            _ = try bench.vault.undo()
            #expect(try bench.vault.record(id).password == "CanaryPassword")
            try bench.vault.remove(id)
            #expect(try bench.files(with: "Canary") == [])
            bench.vault.close()
            #expect(try bench.files(with: "Canary") == [])
        }
    }

    @Test func editUndoAndRedoRestoreEachState() throws {
        try VaultBench.run { bench in
            let id = try #require(try bench.add("Bank", password: "one").id)
            let step = try #require(try bench.vault.edit(id, [.password: "two", .user: "ana"]))
            #expect(step.name == "Edited a credential: user id, password")
            #expect(try bench.vault.edit(id, [.password: "two"]) == nil)
            try bench.vault.remove(id)
            #expect(try bench.vault.entries().isEmpty)
            #expect(try bench.vault.undo() == "Removed a credential")
            #expect(try bench.vault.record(id).password == "two")
            #expect(try bench.vault.undo() == step.name)
            #expect(try bench.vault.record(id).password == "one")
            #expect(try bench.vault.redo() == step.name)
            #expect(try bench.vault.record(id).userID == "ana")
            #expect(try bench.vault.undo() != nil && bench.vault.undo() != nil)
            #expect(try bench.vault.entries().isEmpty)
            #expect(try bench.vault.undo() == nil)
        }
    }

    @Test(arguments: ["", "  ", "\u{1B}[2J"])
    func nameWithoutTextIsRefused(_ name: String) throws {
        try VaultBench.run { bench in
            if name == "\u{1B}[2J" {
                // The control character goes, the rest is a name.
                try bench.add(name)
                #expect(try bench.vault.entries().allSatisfy { !$0.name.contains("\u{1B}") })
            } else {
                #expect(throws: InputError.self) { try bench.add(name) }
                #expect(try bench.vault.entries().isEmpty)
            }
        }
    }

    @Test func rulesAreCheckedOnThePlainValue() throws {
        try VaultBench.run { bench in
            try bench.add(String(repeating: "n", count: 256))
            #expect(throws: InputError.self) { try bench.add(String(repeating: "n", count: 257)) }
            #expect(throws: InputError.self) {
                try bench.add("Bank", user: String(repeating: "u", count: 257))
            }
            #expect(try bench.vault.entries().count == 1, "a refused one leaves nothing")
            let message = #expect(throws: InputError.self) {
                try bench.add("Bank", user: String(repeating: "Canary", count: 60))
            }
            #expect(message?.message.contains("Canary") == false)
        }
    }

    @Test func searchFoldsAndNeverLooksAtPasswords() throws {
        try VaultBench.run { bench in
            try bench.add("\u{C9}cole", user: "ana", password: "hidden", category: "Work")
            try bench.add("Bank", user: "bob", notes: "Strasse 1")
            func found(_ text: String) throws -> [String] {
                try bench.vault.entries(matching: text).map(\.name)
            }
            #expect(try found("ecole") == ["\u{C9}cole"])
            #expect(try found("work ANA") == ["\u{C9}cole"])
            #expect(try found("stra\u{DF}e") == ["Bank"])
            #expect(try found("hidden") == [])
            #expect(try found("ana bob") == [])
            #expect(try found("").count == 2)
            #expect(try bench.vault.entry(named: "bank").userID == "bob")
            #expect(throws: InputError.self) { try bench.vault.entry(named: "a") }
            #expect(throws: InputError.self) { try bench.vault.entry(named: "nothing") }
        }
    }

    @Test func randomHistoriesUndoToTheStartAndRedoToTheEnd() throws {
        var random = SeededRandom()
        try VaultBench.run { bench in
            func state() throws -> [String] {
                try bench.vault.entries().map {
                    let record = try bench.vault.record($0.id)
                    return CredentialField.allCases.map { record[$0] }.joined(separator: "|")
                }
            }
            var states = [try state()]
            for number in 0..<25 {
                let entries = try bench.vault.entries()
                switch Int.random(in: 0..<4, using: &random) {
                case 0, 1: try bench.add("N\(number)", password: "p\(number)")
                case 2:
                    guard let entry = entries.randomElement(using: &random) else { continue }
                    let field = CredentialField.allCases.randomElement(using: &random) ?? .name
                    if try bench.vault.edit(entry.id, [field: "v\(number)"]) == nil { continue }
                default:
                    guard let entry = entries.randomElement(using: &random) else { continue }
                    try bench.vault.remove(entry.id)
                }
                states.append(try state())
            }
            for expected in states.dropLast().reversed() {
                #expect(try bench.vault.undo() != nil)
                #expect(try state() == expected)
            }
            #expect(try bench.vault.undo() == nil)
            for expected in states.dropFirst() {
                #expect(try bench.vault.redo() != nil)
                #expect(try state() == expected)
            }
        }
    }
}
