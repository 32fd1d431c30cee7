import Foundation
import SeededRandom
import Testing

@testable import Encryption

@Suite("Age format")
struct AgeFormatTests {
    @Test(arguments: SeededRandom.seeds(40))
    func anyFileComesBack(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let boundary = random.below(4) * AgePayload.chunkSize
        let size = max(0, random.chance(2) ? boundary + random.below(5) - 2 : random.below(200_000))
        let plain = random.data(size)
        let identities = try (0...random.below(3)).map { _ in try AgeIdentity.newKey() }
        let recipients = try identities.compactMap { try $0.recipient() }
        let sink = DataSink()
        let writer = try AgeWriter(to: sink, for: recipients, armored: random.chance(2))
        var rest = plain[...]
        while !rest.isEmpty {
            let count = min(rest.count, 1 + random.below(100_000))
            try rest.prefix(count).withUnsafeBytes { try writer.write($0) }
            rest = rest.dropFirst(count)
        }
        try writer.finish()
        for identity in identities {
            #expect(try AgeFile.decrypt(sink.data, with: [identity]) == plain)
        }
        // Read in pieces of one byte up to some.
        let dripping = Dripping(rest: sink.data, size: 1 + random.below(1000))
        let result = DataSink()
        try AgeFile.decrypt(from: dripping, to: result, with: [identities[0]])
        #expect(result.data == plain)
    }

    private struct Dripping: ByteInput {
        var rest: Data
        let size: Int

        mutating func read(into target: UnsafeMutableRawBufferPointer) -> Int {
            let piece = rest.prefix(min(size, target.count))
            piece.copyBytes(to: target)
            rest = Data(rest.dropFirst(piece.count))
            return piece.count
        }
    }

    @Test func armorHasItsForm() throws {
        let recipient = try #require(try AgeIdentity.newKey().recipient())
        let file = try AgeFile.encrypt(Data(count: 300), for: [recipient], armored: true)
        let text = String(decoding: file, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "-----BEGIN AGE ENCRYPTED FILE-----")
        #expect(lines.suffix(2) == ["-----END AGE ENCRYPTED FILE-----", ""])
        #expect(lines.dropFirst().dropLast(3).allSatisfy { $0.count == 64 })
    }

    @Test func armorWithOtherLineEndsAndMarginsIsRead() throws {
        let identity = try AgeIdentity.newKey()
        let recipient = try #require(try identity.recipient())
        for size in 0..<100 {
            let plain = Data(repeating: 1, count: size)
            let file = try AgeFile.encrypt(plain, for: [recipient], armored: true)
            let text = String(decoding: file, as: UTF8.self)
            let windows = "\r\n \t" + text.replacingOccurrences(of: "\n", with: "\r\n") + "\n\n"
            #expect(try AgeFile.decrypt(Data(windows.utf8), with: [identity]) == plain)
            let spaced = text.replacingOccurrences(of: "\n", with: " \n")
            #expect(throws: EncryptionError.self) {
                try AgeFile.decrypt(Data(spaced.utf8), with: [identity])
            }
            let empty = text.replacingOccurrences(of: "\n", with: "\n\n")
            #expect(throws: EncryptionError.self) {
                try AgeFile.decrypt(Data(empty.utf8), with: [identity])
            }
        }
    }

    @Test func keyOfFixedBytesHasItsText() throws {
        // The example of the specification: 32 bytes of 0x42.
        let secret = try SecretBytes(count: 32) {
            $0.initializeMemory(as: UInt8.self, repeating: 66)
        }
        let text = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
        #expect(try AgeIdentity.key(secret).text() == text)
        #expect(try AgeIdentity(text) == .key(secret))
        let shown = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
        #expect(try AgeIdentity(text).recipient()?.text == shown)
        #expect(try AgeRecipient(shown) == AgeIdentity(text).recipient())
    }

    @Test func misspeltKeysAreRefusedWithoutBeingRepeated() throws {
        let identity = try AgeIdentity.newKey()
        let secret = try #require(try identity.text())
        let shown = try #require(try identity.recipient()?.text)
        for (text, isSecret) in [(secret, true), (shown, false)] {
            for place in text.indices {
                var changed = text
                changed.replaceSubrange(place...place, with: text[place] == "Q" ? "P" : "Q")
                for wrong in [changed, changed.lowercased(), String(text[..<place])]
                where wrong != text {
                    let error = #expect(throws: EncryptionError.self) {
                        if isSecret {
                            _ = try AgeIdentity(wrong)
                        } else {
                            _ = try AgeRecipient(wrong)
                        }
                    }
                    #expect(error?.code == .invalidForm)
                    #expect(wrong.count < 30 || !"\(error as Any)".contains(wrong))
                }
            }
        }
        #expect(throws: EncryptionError.self) { try AgeIdentity(secret.lowercased()) }
        #expect(throws: EncryptionError.self) { try AgeRecipient(shown.uppercased()) }
        #expect(throws: EncryptionError.self) { try AgeRecipient(secret) }
        #expect(throws: EncryptionError.self) { try AgeIdentity(shown) }
    }

    @Test func base64HasOneTextForEachValue() throws {
        var random = SeededRandom()
        for count in 0..<70 {
            let bytes = Array(random.data(count))
            for padded in [false, true] {
                let text = Base64.encode(bytes, padded: padded)
                #expect(Base64.decode(text, padded: padded) == bytes)
                let expected = Data(bytes).base64EncodedString()
                if padded { #expect(String(decoding: text, as: UTF8.self) == expected) }
            }
        }
        for wrong in [
            "A", "AB=", "AB==", "AAA=", "AAB", "AB", "A===", "====", "AA A", "AA\n", "A-_A",
        ] {
            #expect(Base64.decode(Array(wrong.utf8)) == nil, "\(wrong)")
        }
        for wrong in ["AA", "AAA", "AA=A", "AB==", "AAB=", "A===", "====", "=AAA"] {
            #expect(Base64.decode(Array(wrong.utf8), padded: true) == nil, "\(wrong)")
        }
    }

    @Test func derivedKeyIsThatOfTheStandard() throws {
        // RFC 5869, test case 3 (no salt, no info), as far as 32 bytes.
        let secret = try SecretBytes(count: 22) {
            $0.initializeMemory(as: UInt8.self, repeating: 11)
        }
        let key = try AgeKeyDerivation.key(from: secret, salt: [], info: "")
        let text = try key.withBytes {
            $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        }
        #expect(text.joined() == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d")
    }

    @Test func encryptionHoldsOnlySomeChunksWhateverTheSize() throws {
        final class Balance {
            var isRead = 0
            var isWritten = 0
        }
        struct Zeros: ByteInput {
            let balance: Balance
            var rest = 4 << 20
            mutating func read(into target: UnsafeMutableRawBufferPointer) -> Int {
                let count = min(rest, target.count)
                target.initializeMemory(as: UInt8.self, repeating: 0)
                rest -= count
                balance.isRead += count
                #expect(balance.isRead - balance.isWritten <= 4 * AgePayload.chunkSize)
                return count
            }
        }
        struct Counter: ByteSink {
            let balance: Balance
            mutating func write(_ bytes: UnsafeRawBufferPointer) {
                balance.isWritten += bytes.count
                #expect(bytes.count <= 2 * AgePayload.chunkSize)
            }
        }
        let recipient = try #require(try AgeIdentity.newKey().recipient())
        let balance = Balance()
        try AgeFile.encrypt(
            from: Zeros(balance: balance),
            to: Counter(balance: balance),
            for: [recipient]
        )
        #expect(balance.isWritten > 4 << 20)
    }
}
