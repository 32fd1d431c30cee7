import CSodium

/// What opens a file.
public enum AgeIdentity: Equatable, Sendable {
    /// An X25519 secret key (32 bytes).
    case key(SecretBytes)
    /// A passphrase; a file that wants a higher work factor is refused: at 20 scrypt needs 1 GiB.
    case passphrase(SecretBytes, largestWorkFactor: Int = 20)

    /// A new random key.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/system``.
    public static func newKey() throws -> AgeIdentity {
        .key(try SecretBytes(randomCount: 32))
    }

    /// A secret key as age-keygen prints it: `AGE-SECRET-KEY-1…`.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/invalidForm``; the message does
    ///   not repeat the text.
    public init(_ text: String) throws {
        guard var decoded = Bech32.decode(text), decoded.prefix == "AGE-SECRET-KEY-",
            decoded.bytes.count == 32
        else {
            throw EncryptionError(
                .invalidForm,
                "This is not a secret key of age.",
                recovery: "A secret key begins with \"AGE-SECRET-KEY-1\" and has 74 characters."
            )
        }
        defer { decoded.bytes.withUnsafeMutableBytes { $0.zero() } }
        self = .key(try decoded.bytes.withUnsafeBytes { try SecretBytes(copying: $0) })
    }

    /// The secret key's text, to be kept by the user; `nil` for a passphrase.
    public func text() throws -> String? {
        guard case .key(let secret) = self else { return nil }
        return try secret.withBytes { Bech32.encode($0, prefix: "age-secret-key-") }.uppercased()
    }

    /// Whom to encrypt for, so that this opens it; `nil` for a passphrase.
    public func recipient() throws -> AgeRecipient? {
        guard case .key(let secret) = self else { return nil }
        return .key(try Self.publicKey(of: secret))
    }

    func fileKey(_ stanzas: [AgeStanza]) throws -> SecretBytes? {
        for stanza in stanzas {
            switch (self, stanza.type) {
            case (.key(let secret), "X25519"):
                guard stanza.arguments.count == 2,
                    let share = Base64.decode(Array(stanza.arguments[1].utf8)), share.count == 32
                else { throw AgeHeader.invalid("a damaged X25519 recipient") }
                let recipient = try Self.publicKey(of: secret)
                let key = try Self.wrapKey(secret, times: share, share: share, recipient: recipient)
                if let fileKey = try AgeKeyDerivation.unwrap(stanza.body, with: key) {
                    return fileKey
                }
            case (.passphrase(let passphrase, let largest), "scrypt"):
                return try Self.fileKey(stanza, passphrase, largest)
            default: continue
            }
        }
        return nil
    }

    private static func fileKey(
        _ stanza: AgeStanza,
        _ passphrase: SecretBytes,
        _ largestWorkFactor: Int
    ) throws -> SecretBytes? {
        guard stanza.arguments.count == 3,
            let salt = Base64.decode(Array(stanza.arguments[1].utf8)), salt.count == 16,
            stanza.arguments[2].utf8.allSatisfy({ (48...57).contains($0) }),
            !stanza.arguments[2].hasPrefix("0"), stanza.body.count == AgeKeyDerivation.wrappedSize
        else { throw AgeHeader.invalid("a damaged passphrase recipient") }
        let workFactor = Int(stanza.arguments[2]) ?? .max
        guard workFactor <= largestWorkFactor else { throw AgePassphrase.tooMuchWork(workFactor) }
        let key = try AgePassphrase.key(passphrase, salt: salt, workFactor: workFactor)
        guard let fileKey = try AgeKeyDerivation.unwrap(stanza.body, with: key) else {
            throw EncryptionError(
                .wrongPassphrase,
                "The passphrase of the age file is wrong.",
                recovery: "Check the keyboard layout and Caps Lock, and type it again."
            )
        }
        return fileKey
    }

    static func publicKey(of secret: SecretBytes) throws -> [UInt8] {
        var point = [UInt8](repeating: 0, count: 32)
        _ = try secret.withBytes { csodium_x25519_base(&point, $0.baseAddress) }
        return point
    }

    /// The key for a stanza, from the shared secret of both sides.
    static func wrapKey(
        _ secret: SecretBytes,
        times point: [UInt8],
        share: [UInt8],
        recipient: [UInt8]
    ) throws -> SecretBytes {
        let shared = try SecretBytes(count: 32) { target in
            let isValid = try secret.withBytes {
                csodium_x25519(target.baseAddress, $0.baseAddress, point)
            }
            guard isValid else { throw AgeHeader.invalid("a public key that shares no secret") }
        }
        let info = "age-encryption.org/v1/X25519"
        return try AgeKeyDerivation.key(from: shared, salt: share + recipient, info: info)
    }
}
