import Encryption
import FoundationEssentials

/// Encrypted files and keys.
extension ParserEntry {
    static let secrets = [
        ParserEntry("age") { bytes in
            // The keys of the files in the corpus.
            let key = try AgeIdentity(AgeFixture.key)
            let passphrase = AgeIdentity.passphrase(
                try SecretBytes("pass"),
                largestWorkFactor: 2
            )
            let plain = try AgeFile.decrypt(Data(bytes), with: [key, passphrase])
            guard let recipient = try key.recipient() else { return }
            let sealed = try AgeFile.encrypt(plain, for: [recipient], armored: true)
            try keeps(
                AgeFile.decrypt(sealed, with: [key]) == plain,
                "a file that is encrypted and decrypted is another one"
            )
        },
        ParserEntry("age-key") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if let identity = try? AgeIdentity(text) {
                try keeps(identity.text() == text.uppercased(), "a key is printed as another one")
            }
            let recipient = try AgeRecipient(text)
            try keeps(recipient.text == text.lowercased(), "a recipient is printed as another one")
        },
        ParserEntry("key-envelope") { bytes in
            let data = Data(bytes)
            try keeps(KeyEnvelope(data: data).data == data, "an envelope has other bytes")
        },
    ]
}

/// A key that protects nothing.
enum AgeFixture {
    static let key = "AGE-SECRET-KEY-1AFQ0S9XDNNWYY60ZCDJ2VEG8ELGV8J6UAEHNJ8PTYYTQH2N06KNQZ88S6P"
}
