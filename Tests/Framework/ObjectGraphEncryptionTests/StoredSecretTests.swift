import Encryption
import Foundation
import ObjectGraph
import ObjectGraphEncryption
import Testing

/// What is on the disk and in messages: never a secret.
@Suite("Secrets at rest")
struct StoredSecretTests {
    /// UTF-8 and UTF-16, as text and as Base64.
    private func findCanary(in data: Data) -> Bool {
        let canary = "canary"
        let wide = canary.data(using: .utf16LittleEndian) ?? Data()
        return data.contains(canary) || data.contains(canary.uppercased())
            || data.firstRange(of: wide) != nil
            || data.contains(Data(canary.utf8).base64EncodedString())
    }

    @Test func noFileOfTheStoreEverHoldsASecret() throws {
        let vault = try Vault()
        let first = try vault.add("kept", "canary-1")
        let second = try vault.add(
            "deleted",
            ["canary-2": ["canary-3", .data(Data("canary".utf8))]]
        )
        try first.setValue("canary-4", forKey: "notes")
        try vault.context.save()
        // The log and its index are open now.
        #expect(try !findCanary(in: vault.files()))
        try first.setValue("canary-5", forKey: "password")
        vault.context.delete(second)
        try vault.context.save()
        #expect(try !findCanary(in: vault.files()))
        _ = try vault.context.undoLastCommand()
        _ = try vault.context.redoLastCommand()
        #expect(try !findCanary(in: vault.files()))
        let names = try FileManager.default.subpathsOfDirectory(atPath: vault.folder)
        #expect(names.contains { $0.hasSuffix("-wal") })
        vault.container.close()
        #expect(try !findCanary(in: vault.files()))
        // The test would find what is not encrypted.
        #expect(try vault.files().contains("kept"))
    }

    @Test func largeSecretIsNotWrittenToAFileInTheClear() throws {
        let vault = try Vault()
        let large = String(repeating: "canary ", count: 300_000)
        let object = try vault.add("large", .string(large))
        try vault.context.save()
        #expect(try !findCanary(in: vault.files()))
        let other = vault.container.newContext()
        let read = try other.existingObject(with: object.objectID)
        #expect(try read.value(forKey: "password") == .string(large))
    }

    @Test func defaultValueIsEncryptedToo() throws {
        let vault = try Vault { entity in
            for case let attribute as AttributeDescription in entity.ownProperties
            where attribute.name == "notes" {
                attribute.defaultValue = "canary default"
            }
        }
        let object = try vault.add("a", "canary")
        #expect(try object.value(forKey: "notes") == "canary default")
        try vault.context.save()
        object.setPrimitiveValue("canary primitive", forKey: "notes")
        try object.setValue("b", forKey: "name")
        try vault.context.save()
        #expect(try object.value(forKey: "notes") == "canary primitive")
        #expect(try !findCanary(in: vault.files()))
    }

    @Test func lengthIsHiddenUpToItsBlock() throws {
        let vault = try Vault()
        let transformer = EncryptedTransformer(vault.ring, for: "test")
        let sizes = try (0...30).map { count in
            try transformer.data(for: .string(String(repeating: "x", count: count))).count
        }
        #expect(Set(sizes).count == 1)
    }

    @Test func errorsAndDescriptionsHoldNoSecret() throws {
        let vault = try Vault { entity in
            for case let attribute as AttributeDescription in entity.ownProperties
            where attribute.name == "password" {
                attribute.rules = [.maximumLength(3)]
            }
        }
        let object = try vault.add("a", "canary")
        let error = #expect(throws: ObjectGraphError.self) { try vault.context.save() }
        #expect(error?.key == "password")
        var texts = ["\(object)", "\(error as Any)", String(reflecting: error as Any)]
        var dumped = ""
        if let error { dump(error, to: &dumped) }
        texts.append(dumped)
        vault.ring.lock()
        let stored = object.primitiveValue(forKey: "password")
        texts += ["\(stored)", String(reflecting: stored)]
        try vault.unlock()
        for text in texts { #expect(!text.contains("canary"), "\(text.prefix(300))") }
        try object.setValue("abc", forKey: "password")
        try vault.context.save()
    }

    // MARK: Damage

    private func withStoredValue(
        _ change: (Vault, String) throws -> Void
    ) throws -> (Vault, ManagedObject) {
        let vault = try Vault()
        let object = try vault.add("a", "secret")
        try object.setValue("notes", forKey: "notes")
        try vault.context.save()
        try change(vault, vault.folder + "/vault.sqlite")
        let context = vault.container.newContext()
        context.stalenessInterval = .zero
        return (vault, try context.existingObject(with: object.objectID))
    }

    private func run(_ sql: String, _ path: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [path, sql]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test func valueMovedToAnotherAttributeDoesNotOpen() throws {
        let (vault, object) = try withStoredValue { _, path in
            try run("UPDATE ZCREDENTIAL SET ZNOTES = ZPASSWORD", path)
        }
        let error = #expect(throws: ObjectGraphError.self) { try object.value(forKey: "notes") }
        #expect(error?.code == .unreadableValue)
        #expect(try object.value(forKey: "password") == "secret")
        _ = vault
    }

    @Test func damagedValueIsReportedKeptAndCanBeReplaced() throws {
        let (vault, object) = try withStoredValue { _, path in
            try run("UPDATE ZCREDENTIAL SET ZPASSWORD = x'01020304'", path)
        }
        let error = #expect(throws: ObjectGraphError.self) { try object.value(forKey: "password") }
        #expect(error?.code == .unreadableValue)
        try object.setValue("renamed", forKey: "name")
        try object.context?.save()
        let again = vault.container.newContext()
        let read = try again.existingObject(with: object.objectID)
        #expect(throws: ObjectGraphError.self) { try read.value(forKey: "password") }
        try read.setValue("new", forKey: "password")
        try again.save()
        #expect(try read.value(forKey: "password") == "new")
        try read.setValue(nil, forKey: "password")
        try again.save()
        #expect(try read.value(forKey: "password") == nil)
    }

    // MARK: Keys

    @Test func newPassphraseKeepsEveryValue() throws {
        let vault = try Vault()
        let object = try vault.add("a", "secret")
        try vault.context.save()
        let new = try SecretBytes("another one")
        let changed = try vault.ring.envelope.changingPassphrase(
            from: vault.passphrase,
            to: new,
            cost: .leastForTests
        )
        try vault.ring.adopt(changed, passphrase: new)
        #expect(try object.value(forKey: "password") == "secret")
        vault.ring.lock()
        #expect(throws: EncryptionError.self) { try vault.unlock() }
        try vault.ring.unlock(passphrase: new)
        #expect(try object.value(forKey: "password") == "secret")
    }

    @Test func valuesAreEncryptedAgainWithANewKeyInParts() throws {
        let vault = try Vault()
        for index in 0..<25 { try vault.add("n", index == 7 ? nil : .string("secret \(index)")) }
        try vault.context.save()
        let rotated = try vault.ring.envelope.addingKey(passphrase: vault.passphrase)
        try vault.ring.adopt(rotated, passphrase: vault.passphrase)
        let work = Reencryption(of: "password", in: "Credential", with: vault.ring)
        struct Stop: Error {}
        var contexts = 0
        #expect(throws: Stop.self) {
            try work.run(batchSize: 10) {
                contexts += 1
                if contexts == 3 { throw Stop() }
                return vault.container.newContext()
            }
        }
        // One batch of ten, of which one has no value, was saved; the rest follows.
        #expect(try work.run(batchSize: 10) { vault.container.newContext() } == 15)
        #expect(try work.run { vault.container.newContext() } == 0)
        let last = try rotated.removingOldKeys(passphrase: vault.passphrase)
        try vault.ring.adopt(last, passphrase: vault.passphrase)
        let context = vault.container.newContext()
        let found = try context.fetch(FetchRequest<ManagedObject>(entityName: "Credential"))
        let values = Set(try found.map { try $0.value(forKey: "password") })
        let expected = (0..<25).map { $0 == 7 ? .null : GraphValue.string("secret \($0)") }
        #expect(values == Set(expected))
    }
}
