import Foundation
import SeededRandom
import Testing

@testable import Encryption

@Suite("Key envelope")
struct KeyEnvelopeTests {
    private let passphrase: SecretBytes
    private let envelope: KeyEnvelope

    init() throws {
        passphrase = try SecretBytes("correct horse")
        envelope = try KeyEnvelope(passphrase: passphrase, cost: .leastForTests)
    }

    private func seal(_ text: String, _ envelope: KeyEnvelope, _ key: SecretBytes) throws -> Data {
        let ring = KeyRing(envelope)
        try ring.unlock(passphrase: key)
        return try ring.seal(Data(text.utf8), for: "test")
    }

    private func open(_ data: Data, _ envelope: KeyEnvelope, _ key: SecretBytes) throws -> String {
        let ring = KeyRing(envelope)
        try ring.unlock(passphrase: key)
        return try ring.open(data, for: "test") { String(decoding: $0, as: UTF8.self) }
    }

    @Test func storedFormOpensWithThePassphraseOnly() throws {
        let read = try KeyEnvelope(data: envelope.data)
        #expect(read == envelope)
        let sealed = try seal("secret", envelope, passphrase)
        #expect(try open(sealed, read, passphrase) == "secret")
        for wrong in ["correct hors", "correct horsf", "Correct horse", "correct horse\0"] {
            let error = #expect(throws: EncryptionError.self) {
                try read.keys(passphrase: SecretBytes(wrong))
            }
            #expect(error?.code == .wrongPassphrase)
        }
    }

    @Test func wrongPassphraseLeavesAnUnlockedRingAsItIs() throws {
        let ring = KeyRing(envelope)
        try ring.unlock(passphrase: passphrase)
        #expect(throws: EncryptionError.self) { try ring.unlock(passphrase: SecretBytes("no")) }
        #expect(!ring.isLocked)
    }

    @Test func emptyPassphraseIsRefused() throws {
        let empty = try SecretBytes("")
        let making = #expect(throws: EncryptionError.self) {
            try KeyEnvelope(passphrase: empty, cost: .leastForTests)
        }
        #expect(making?.code == .weakPassphrase)
        let changing = #expect(throws: EncryptionError.self) {
            try envelope.changingPassphrase(from: passphrase, to: empty, cost: .leastForTests)
        }
        #expect(changing?.code == .weakPassphrase)
    }

    @Test(arguments: ["\0", "a", "пароль ключ", "👩‍👩‍👧‍👦", String(repeating: "long ", count: 20_000)])
    func anyOtherTextIsAPassphrase(_ text: String) throws {
        let passphrase = try SecretBytes(text)
        let envelope = try KeyEnvelope(passphrase: passphrase, cost: .leastForTests)
        #expect(try envelope.keys(passphrase: passphrase).count == 1)
    }

    @Test func newPassphraseOpensOldDataAndTheOldOneOpensNothing() throws {
        let sealed = try seal("secret", envelope, passphrase)
        let new = try SecretBytes("battery staple")
        let changed = try envelope.changingPassphrase(
            from: passphrase,
            to: new,
            cost: .leastForTests
        )
        #expect(try open(sealed, changed, new) == "secret")
        #expect(throws: EncryptionError.self) { try changed.keys(passphrase: passphrase) }
        // The old envelope is a value and still opens: a change that was not stored did not happen.
        #expect(try open(sealed, envelope, passphrase) == "secret")
    }

    @Test func envelopeOfAnotherProcessLocksTheRingIfItDiffers() throws {
        let ring = KeyRing(envelope)
        try ring.unlock(passphrase: passphrase)
        ring.replaceEnvelope(try KeyEnvelope(data: envelope.data))
        #expect(!ring.isLocked)
        let new = try SecretBytes("new")
        let changed = try envelope.changingPassphrase(
            from: passphrase,
            to: new,
            cost: .leastForTests
        )
        ring.replaceEnvelope(changed)
        #expect(ring.isLocked)
        #expect(throws: EncryptionError.self) { try ring.unlock(passphrase: passphrase) }
        #expect(ring.isLocked)
        try ring.unlock(passphrase: new)
        #expect(ring.envelope == changed)
    }

    @Test func failedAdoptionKeepsEnvelopeAndKeys() throws {
        let ring = KeyRing(envelope)
        try ring.unlock(passphrase: passphrase)
        let sealed = try ring.seal(Data("x".utf8), for: "test")
        let other = try KeyEnvelope(passphrase: SecretBytes("other"), cost: .leastForTests)
        #expect(throws: EncryptionError.self) { try ring.adopt(other, passphrase: passphrase) }
        #expect(ring.envelope == envelope)
        #expect(try ring.open(sealed, for: "test") { Data($0) } == Data("x".utf8))
    }

    @Test func changeWithAWrongPassphraseIsRefused() throws {
        let error = #expect(throws: EncryptionError.self) {
            try envelope.changingPassphrase(
                from: SecretBytes("wrong"),
                to: passphrase,
                cost: .leastForTests
            )
        }
        #expect(error?.code == .wrongPassphrase)
    }

    @Test func addedKeySealsAndOldKeysStillOpen() throws {
        let old = try seal("old", envelope, passphrase)
        let rotated = try envelope.addingKey(passphrase: passphrase)
        #expect(rotated.keyCount == 2)
        #expect(rotated.currentKey == 2)
        let new = try seal("new", rotated, passphrase)
        #expect(SealedData.keyNumber(of: old) == 1)
        #expect(SealedData.keyNumber(of: new) == 2)
        #expect(KeyRing(rotated).isSealedWithOldKey(old))
        #expect(!KeyRing(rotated).isSealedWithOldKey(new))
        #expect(try open(old, rotated, passphrase) == "old")
        #expect(try open(new, rotated, passphrase) == "new")
        let error = #expect(throws: EncryptionError.self) {
            try open(new, envelope, passphrase)
        }
        #expect(error?.code == .unknownKey)
        let last = try rotated.removingOldKeys(passphrase: passphrase)
        #expect(last.keyCount == 1)
        #expect(try open(new, last, passphrase) == "new")
        #expect(throws: EncryptionError.self) { try open(old, last, passphrase) }
        let next = try last.addingKey(passphrase: passphrase)
        #expect(next.currentKey == 3)
    }

    @Test func everyChangedBitIsFound() throws {
        for bit in 0..<envelope.data.count * 8 {
            #expect(throws: EncryptionError.self, "bit \(bit)") {
                let changed = try KeyEnvelope(data: envelope.data.flipping(bit: bit))
                // A changed cost may be within bounds but expensive; the tag covers it as the rest.
                if changed.derivation.memory > 1 << 14 || changed.derivation.operations > 99 {
                    throw EncryptionError(.unsupported, "too expensive for a test")
                }
                _ = try changed.keys(passphrase: passphrase)
            }
        }
    }

    @Test func everyTruncationAndExtensionIsFound() throws {
        for count in 0..<envelope.data.count {
            let error = #expect(throws: EncryptionError.self) {
                try KeyEnvelope(data: envelope.data.prefix(count))
            }
            #expect(error?.code == .invalidForm)
        }
        #expect(throws: EncryptionError.self) {
            try KeyEnvelope(data: envelope.data + Data([0]))
        }
    }

    @Test(arguments: [
        (UInt32(0), UInt32(8)), (1, 7), (1, .max), (.max, 8), (.max, .max), (17, 1 << 20),
        (1, (2 << 20) + 1),
    ])
    func costOutOfBoundsIsRefusedBeforeAnyWork(_ operations: UInt32, _ memory: UInt32) throws {
        var data = envelope.data
        withUnsafeBytes(of: operations.littleEndian) { data.replaceSubrange(5..<9, with: $0) }
        withUnsafeBytes(of: memory.littleEndian) { data.replaceSubrange(9..<13, with: $0) }
        let error = #expect(throws: EncryptionError.self) { try KeyEnvelope(data: data) }
        #expect(error?.code == .unsupported)
    }

    @Test func randomBytesAreNoEnvelope() throws {
        var random = SeededRandom()
        for _ in 0..<2000 {
            let count = random.below(300)
            let data = Data("OGKE\u{1}".utf8) + random.data(count)
            #expect(throws: EncryptionError.self) { try KeyEnvelope(data: data) }
        }
    }

    @Test func chosenCostUsesTheMemoryAndStaysUnderASecond() {
        let wanted = 256 << 10
        for speed in [1e4, 1e5, 3e5, 5e5, 1e6, 1e7, 1e9] {
            let (operations, memory) = KeyDerivation.parameters(
                wanted: wanted,
                kibibytesPerSecond: speed
            )
            #expect(operations >= 1)
            #expect(memory >= 16 << 10)
            if speed >= 5e5 { #expect(memory == wanted) }
            let seconds = Double(operations) * Double(memory) / speed
            if speed >= 1e5 { #expect(seconds <= 1) }
            #expect(UInt64(operations) * UInt64(memory) <= KeyDerivation.largestWork)
        }
    }

    @Test func interactiveCostWorksOnThisMachine() throws {
        let derivation = try KeyDerivation.chosen()
        let key = try derivation.key(for: passphrase)
        #expect(key.count == 32)
        #expect(try key == derivation.key(for: passphrase))
        #expect(try key != derivation.key(for: SecretBytes("correct horsf")))
        #expect(derivation.memory >= 16 << 10)
    }

    @Test func errorsHoldNoPassphrase() throws {
        let canary = try SecretBytes("canary-passphrase")
        let error = #expect(throws: EncryptionError.self) { try envelope.keys(passphrase: canary) }
        #expect(!"\(error as Any)".contains("canary"))
        #expect(!String(reflecting: envelope).contains("correct horse"))
    }
}
