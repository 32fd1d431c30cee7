import Encryption
import Foundation
import SeededRandom
import Testing

@Suite("Sealed data")
struct SealedDataTests {
    private let passphrase: SecretBytes
    private let ring: KeyRing

    init() throws {
        passphrase = try SecretBytes("open sesame")
        ring = KeyRing(try KeyEnvelope(passphrase: passphrase, cost: .leastForTests))
        try ring.unlock(passphrase: passphrase)
    }

    private func open(_ data: Data, _ purpose: String = "test") throws -> Data {
        try ring.open(data, for: purpose) { Data($0) }
    }

    @Test(arguments: [0, 1, 15, 16, 17, 1000, 1 << 20])
    func sealedDataOpens(_ count: Int) throws {
        var random = SeededRandom()
        let plain = random.data(count)
        let sealed = try ring.seal(plain, for: "test")
        #expect(sealed.count == count + SealedData.overhead)
        #expect(try open(sealed) == plain)
        // The same data as a slice, whose indexes do not begin at 0.
        #expect(try open((Data([1, 2, 3]) + sealed).dropFirst(3)) == plain)
    }

    @Test func equalDataIsSealedDifferently() throws {
        let plain = Data("same".utf8)
        #expect(try ring.seal(plain, for: "test") != ring.seal(plain, for: "test"))
    }

    @Test func everyChangedBitIsFound() throws {
        let sealed = try ring.seal(Data("secret".utf8), for: "test")
        for bit in 0..<sealed.count * 8 {
            let error = #expect(throws: EncryptionError.self) {
                try open(sealed.flipping(bit: bit))
            }
            #expect(error?.code == .notAuthentic || error?.code == .unknownKey)
        }
    }

    @Test func everyTruncationIsFound() throws {
        let sealed = try ring.seal(Data("secret".utf8), for: "test")
        for count in 0..<sealed.count {
            #expect(throws: EncryptionError.self) { try open(sealed.prefix(count)) }
        }
        #expect(throws: EncryptionError.self) { try open(sealed + Data([0])) }
    }

    @Test func dataForAnotherPurposeDoesNotOpen() throws {
        let sealed = try ring.seal(Data("secret".utf8), for: "Credential.password")
        let error = #expect(throws: EncryptionError.self) {
            try open(sealed, "Credential.notes")
        }
        #expect(error?.code == .notAuthentic)
    }

    @Test func lockedRingNeitherSealsNorOpens() throws {
        let sealed = try ring.seal(Data("secret".utf8), for: "test")
        ring.lock()
        #expect(ring.isLocked)
        let opening = #expect(throws: EncryptionError.self) { try open(sealed) }
        #expect(opening?.code == .locked)
        let sealing = #expect(throws: EncryptionError.self) {
            try ring.seal(Data(), for: "test")
        }
        #expect(sealing?.code == .locked)
        try ring.unlock(passphrase: passphrase)
        #expect(try open(sealed) == Data("secret".utf8))
    }

    @Test func lockingWhileOthersOpenGivesValuesOrErrors() async throws {
        let ring = ring
        let sealed = try ring.seal(Data("secret".utf8), for: "test")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 {
                        do {
                            let plain = try ring.open(sealed, for: "test") { Data($0) }
                            #expect(plain == Data("secret".utf8))
                        } catch {
                            #expect((error as? EncryptionError)?.code == .locked)
                        }
                    }
                }
            }
            group.addTask {
                for _ in 0..<50 {
                    ring.lock()
                    try? ring.unlock(passphrase: passphrase)
                }
            }
        }
    }
}
