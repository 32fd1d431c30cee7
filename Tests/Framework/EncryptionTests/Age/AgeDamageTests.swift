import Foundation
import SeededRandom
import Testing

@testable import Encryption

/// Damaged and hostile age files: each is an error, and nothing unauthenticated comes out.
@Suite("Damaged age files")
struct AgeDamageTests {
    private let identity: AgeIdentity
    private let recipient: AgeRecipient
    private let passphrase: SecretBytes

    init() throws {
        identity = try AgeIdentity.newKey()
        recipient = try #require(try identity.recipient())
        passphrase = try SecretBytes("pass")
    }

    private func decrypt(_ data: Data) throws -> Data {
        try AgeFile.decrypt(data, with: [identity, .passphrase(passphrase)])
    }

    @Test(arguments: [0, 1, 100]) func everyFlippedBitIsFound(_ size: Int) throws {
        let plain = Data(repeating: 7, count: size)
        let file = try AgeFile.encrypt(plain, for: [recipient])
        for bit in 0..<file.count * 8 {
            #expect(throws: EncryptionError.self, "bit \(bit)") {
                try decrypt(file.flipping(bit: bit))
            }
        }
    }

    @Test(arguments: [0, 1, 100]) func everyTruncationIsFound(_ size: Int) throws {
        for armored in [false, true] {
            let file = try AgeFile.encrypt(
                Data(repeating: 7, count: size),
                for: [recipient],
                armored: armored
            )
            // The line feed after the armor may be missing.
            for count in 0..<(armored ? file.count - 1 : file.count) {
                #expect(throws: EncryptionError.self, "\(count) bytes, armored \(armored)") {
                    try decrypt(file.prefix(count))
                }
            }
            #expect(throws: EncryptionError.self) { try decrypt(file + Data([65])) }
        }
    }

    @Test func everyFlippedBitOfArmorIsFound() throws {
        let file = try AgeFile.encrypt(Data("secret".utf8), for: [recipient], armored: true)
        for bit in 0..<file.count * 8 {
            #expect(throws: EncryptionError.self, "bit \(bit)") {
                try decrypt(file.flipping(bit: bit))
            }
        }
    }

    @Test func fileCutBetweenChunksIsAnErrorAfterAuthenticChunks() throws {
        let plain = Data(repeating: 9, count: 3 * AgePayload.chunkSize)
        let file = try AgeFile.encrypt(plain, for: [recipient])
        let sealedChunk = AgePayload.chunkSize + AgePayload.tagSize
        for chunks in 1...2 {
            let cut = file.prefix(file.count - chunks * sealedChunk)
            let sink = DataSink()
            let error = #expect(throws: EncryptionError.self) {
                try AgeFile.decrypt(from: DataSource(cut), to: sink, with: [identity])
            }
            #expect(error?.code == .notAuthentic)
            #expect(sink.data == plain.prefix((2 - chunks) * AgePayload.chunkSize))
        }
    }

    @Test func exchangedAndRepeatedChunksAreFound() throws {
        let plain = Data(repeating: 9, count: 3 * AgePayload.chunkSize)
        let file = try AgeFile.encrypt(plain, for: [recipient])
        let size = AgePayload.chunkSize + AgePayload.tagSize
        let head = file.count - 3 * size
        let chunks = (0..<3).map { Data(file[(head + $0 * size)..<(head + ($0 + 1) * size)]) }
        for order in [
            [1, 0, 2], [0, 0, 2], [0, 2], [2], [0, 1, 2, 2], [0, 1, 1, 2], [0, 2, 1],
        ] {
            let changed = file.prefix(head) + Data(order.flatMap { chunks[$0] })
            #expect(throws: EncryptionError.self, "\(order)") { try decrypt(changed) }
        }
    }

    @Test func emptyLastChunkAfterAFullOneIsRefused() throws {
        let fileKey = try SecretBytes(randomCount: 16)
        let nonce = try Sodium.randomBytes(16)
        let key = try AgePayload.key(fileKey, nonce)
        func chunk(_ count: Int, _ number: UInt64, isLast: Bool) throws -> Data {
            try seal(Data(count: count), key, AgePayload.nonce(number, isLast: isLast))
        }
        let header = try AgeHeader([recipient.stanza(for: fileKey)], fileKey: fileKey)
        let start = Data(header.text + nonce)
        let full = try chunk(AgePayload.chunkSize, 0, isLast: false)
        #expect(throws: EncryptionError.self) {
            try decrypt(start + full + chunk(0, 1, isLast: true))
        }
        #expect(try decrypt(start + full + chunk(1, 1, isLast: true)).count == 65537)
        #expect(try decrypt(start + chunk(0, 0, isLast: true)).isEmpty)
    }

    private func seal(_ plain: Data, _ key: SecretBytes, _ nonce: [UInt8]) throws -> Data {
        try plain.withUnsafeBytes { Data(try AgePayload.seal($0, key: key, nonce: nonce)) }
    }

    // MARK: Headers

    /// A file with the given stanzas, valid otherwise.
    private func file(_ stanzas: [AgeStanza], _ fileKey: SecretBytes) throws -> Data {
        let nonce = try Sodium.randomBytes(16)
        let key = try AgePayload.key(fileKey, nonce)
        let chunk = try seal(Data("x".utf8), key, AgePayload.nonce(0, isLast: true))
        return Data(try AgeHeader(stanzas, fileKey: fileKey).text + nonce) + chunk
    }

    @Test func unknownRecipientsAreSkipped() throws {
        let fileKey = try SecretBytes(randomCount: 16)
        let own = try recipient.stanza(for: fileKey)
        for size in [0, 1, 47, 48, 49, 96, 1000] {
            let other = AgeStanza(
                arguments: ["example.com/x", "!~", "a"],
                body: Array(repeating: 1, count: size)
            )
            #expect(try decrypt(file([other, own, other], fileKey)) == Data("x".utf8))
        }
    }

    @Test func passphraseBesidesAnotherRecipientIsRefused() throws {
        let fileKey = try SecretBytes(randomCount: 16)
        let own = try recipient.stanza(for: fileKey)
        let shared = try AgeRecipient.passphrase(passphrase, workFactor: 1).stanza(for: fileKey)
        #expect(try decrypt(file([shared], fileKey)) == Data("x".utf8))
        for stanzas in [[own, shared], [shared, own], [shared, shared]] {
            let error = #expect(throws: EncryptionError.self) {
                try decrypt(file(stanzas, fileKey))
            }
            #expect(error?.code == .invalidForm)
        }
        #expect(throws: EncryptionError.self) {
            try AgeFile.encrypt(Data(), for: [recipient, .passphrase(passphrase)])
        }
        #expect(throws: EncryptionError.self) { try AgeFile.encrypt(Data(), for: []) }
    }

    @Test(arguments: ["21", "30", "63", "64", "999999999999999999999"])
    func tooHighAWorkFactorIsRefusedBeforeAnyWork(_ workFactor: String) throws {
        let fileKey = try SecretBytes(randomCount: 16)
        var stanza = try AgeRecipient.passphrase(passphrase, workFactor: 1).stanza(for: fileKey)
        stanza.arguments[2] = workFactor
        let error = #expect(throws: EncryptionError.self) { try decrypt(file([stanza], fileKey)) }
        #expect(error?.code == .unsupported)
    }

    @Test func workThatTheMachineHasNoMemoryForIsRefused() throws {
        let passphrase = AgeIdentity.passphrase(passphrase, largestWorkFactor: 99)
        let fileKey = try SecretBytes(randomCount: 16)
        var stanza = try AgeRecipient.passphrase(self.passphrase, workFactor: 1)
            .stanza(for: fileKey)
        stanza.arguments[2] = "60"
        let refusal = #expect(throws: EncryptionError.self) {
            try AgeFile.decrypt(file([stanza], fileKey), with: [passphrase])
        }
        #expect(refusal?.code == .unsupported)
        let available = KeyDerivation.availableMemory()
        #expect(available > 0)
        let error = #expect(throws: EncryptionError.self) {
            try KeyDerivation.checkMemory(available * 4)
        }
        #expect(error?.code == .system)
        try KeyDerivation.checkMemory(1)
    }

    @Test(arguments: ["0", "01", "+1", "1 ", "", "x", "1x", "-1", "١"])
    func workFactorThatIsNotADecimalNumberIsRefused(_ workFactor: String) throws {
        let fileKey = try SecretBytes(randomCount: 16)
        var stanza = try AgeRecipient.passphrase(passphrase, workFactor: 1).stanza(for: fileKey)
        stanza.arguments[2] = workFactor
        let error = #expect(throws: EncryptionError.self) { try decrypt(file([stanza], fileKey)) }
        #expect(error?.code == .invalidForm)
    }

    @Test func damagedRecipientIsRefused() throws {
        let fileKey = try SecretBytes(randomCount: 16)
        let own = try recipient.stanza(for: fileKey)
        var changes: [AgeStanza] = [own, own, own, own, own]
        changes[0].arguments.append("more")
        changes[1].arguments.removeLast()
        changes[2].arguments[1] += "A"
        changes[3].body.append(0)
        // Zero shares no secret.
        changes[4].arguments[1] = String(repeating: "A", count: 43)
        for stanza in changes {
            let error = #expect(throws: EncryptionError.self) {
                try decrypt(file([stanza], fileKey))
            }
            #expect(error?.code == .invalidForm)
        }
    }

    @Test func headerThatNeverEndsIsRefusedInBoundedMemory() {
        struct Endless: ByteInput {
            var read = 0
            mutating func read(into target: UnsafeMutableRawBufferPointer) -> Int {
                target.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "A"))
                if read == 0 { target.copyBytes(from: "age-encryption.org/v1\n-> a\n".utf8) }
                read += target.count
                precondition(read < 4 << 20, "the header is read without a limit")
                return target.count
            }
        }
        #expect(throws: EncryptionError.self) {
            try AgeReader(from: Endless(), with: [])
        }
    }

    @Test func anyOtherFileIsNotAnAgeFile() throws {
        var random = SeededRandom()
        let starts = [
            "", "\n", " age-encryption.org/v1\n", "age-encryption.org/v2\n",
            "age-encryption.org/v1",
            "age-encryption.org/v1\r\n", "-----BEGIN AGE ENCRYPTED FILE-----", "--- ",
            "\u{feff}age",
            "age-encryption.org/v1\n--- AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n",
            "-----BEGIN AGE ENCRYPTED FILE-----\n-----END AGE ENCRYPTED FILE-----\n",
        ]
        for start in starts {
            #expect(throws: EncryptionError.self, "\(start)") { try decrypt(Data(start.utf8)) }
            for _ in 0..<20 {
                let data = Data(start.utf8) + random.data(random.below(500))
                #expect(throws: EncryptionError.self) { try decrypt(data) }
            }
        }
    }

    @Test func otherKeysOpenNothing() throws {
        let file = try AgeFile.encrypt(Data("secret".utf8), for: [recipient])
        for identities in [[], [try AgeIdentity.newKey()], [.passphrase(passphrase)]] {
            let error = #expect(throws: EncryptionError.self) {
                try AgeFile.decrypt(file, with: identities)
            }
            #expect(error?.code == .noIdentity)
        }
        let shared = try AgeFile.encrypt(
            Data(),
            for: [.passphrase(SecretBytes("other"), workFactor: 1)]
        )
        let error = #expect(throws: EncryptionError.self) { try decrypt(shared) }
        #expect(error?.code == .wrongPassphrase)
    }
}
