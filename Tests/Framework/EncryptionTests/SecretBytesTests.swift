import Encryption
import Foundation
import Glibc
import Testing

@Suite("Secret bytes")
struct SecretBytesTests {
    @Test func bytesAreThoseThatWereGiven() throws {
        let secret = try SecretBytes("Grüße")
        #expect(secret.count == 7)
        #expect(try secret.withBytes { Array($0) } == Array("Grüße".utf8))
    }

    @Test func emptySecretHasNoBytes() throws {
        let secret = try SecretBytes("")
        #expect(secret.count == 0)
        #expect(try secret.withBytes { $0.isEmpty })
        #expect(try secret == SecretBytes(""))
    }

    @Test func equalityIsOfBytes() throws {
        let one = try SecretBytes("same")
        #expect(try one == SecretBytes("same"))
        #expect(try one != SecretBytes("sama"))
        #expect(try one != SecretBytes("sam"))
    }

    @Test func erasedBytesAreNotReadAndEqualNothing() throws {
        let secret = try SecretBytes("gone")
        secret.erase()
        #expect(throws: EncryptionError.self) { try secret.withBytes { _ in } }
        #expect(secret != secret)
        secret.erase()
    }

    @Test func eraseDuringAReadTakesEffectAfterIt() throws {
        let secret = try SecretBytes("still")
        let seen = try secret.withBytes { bytes in
            secret.erase()
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(seen == "still")
        #expect(throws: EncryptionError.self) { try secret.withBytes { _ in } }
    }

    @Test func neitherDescriptionNorMirrorShowsTheBytes() throws {
        let secret = try SecretBytes("canary")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped] {
            #expect(!text.contains("canary"))
            #expect(!text.contains("99"))
        }
    }

    @Test func threadsReadTheSameSecretAtOnce() async throws {
        let secret = try SecretBytes("shared")
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<2000).allSatisfy { _ in
                        (try? secret.withBytes { $0.elementsEqual("shared".utf8) }) == true
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test func failedFillingGivesItsError() {
        struct Failure: Error {}
        #expect(throws: Failure.self) { try SecretBytes(count: 8) { _ in throw Failure() } }
    }

    @Test func memoryOutsideOfAReadIsInaccessible() async {
        await #expect(processExitsWith: .failure) {
            let secret = try SecretBytes("guarded")
            let address = try secret.withBytes { UInt(bitPattern: $0.baseAddress) }
            let pointer = UnsafeRawPointer(bitPattern: address)
            // The kernel ends the process here; whoever could read it would end without a failure.
            let byte = withExtendedLifetime(secret) { pointer?.load(as: UInt8.self) }
            exit(byte == UInt8(ascii: "g") ? 0 : 1)
        }
    }
}
