import CSodium

/// Whom a file is encrypted for.
public enum AgeRecipient: Equatable, Sendable {
    /// The owner of an X25519 identity, by the public key (32 bytes).
    case key([UInt8])
    /// Whoever knows the passphrase; must be the only recipient of a file.
    ///
    /// The work factor is the base-two logarithm of scrypt's cost: 18 needs 256 MiB and about a
    /// second.
    case passphrase(SecretBytes, workFactor: Int = 18)

    /// A public key as age prints it: `age1…`.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/invalidForm``.
    public init(_ text: String) throws {
        guard let (prefix, bytes) = Bech32.decode(text), prefix == "age", bytes.count == 32 else {
            throw EncryptionError(
                .invalidForm,
                "This is not a public key of age.",
                recovery: "A public key begins with \"age1\" and has 62 characters."
            )
        }
        self = .key(bytes)
    }

    /// The public key's text; empty for a passphrase.
    public var text: String {
        guard case .key(let bytes) = self else { return "" }
        return bytes.withUnsafeBytes { Bech32.encode($0, prefix: "age") }
    }

    func stanza(for fileKey: SecretBytes) throws -> AgeStanza {
        switch self {
        case .key(let point):
            let secret = try SecretBytes(randomCount: 32)
            let share = try AgeIdentity.publicKey(of: secret)
            let key = try AgeIdentity.wrapKey(secret, times: point, share: share, recipient: point)
            return AgeStanza(
                arguments: ["X25519", String(decoding: Base64.encode(share), as: UTF8.self)],
                body: try AgeKeyDerivation.wrap(fileKey, with: key)
            )
        case .passphrase(let passphrase, let workFactor):
            let salt = try Sodium.randomBytes(16)
            let key = try AgePassphrase.key(passphrase, salt: salt, workFactor: workFactor)
            let text = String(decoding: Base64.encode(salt), as: UTF8.self)
            return AgeStanza(
                arguments: ["scrypt", text, String(workFactor)],
                body: try AgeKeyDerivation.wrap(fileKey, with: key)
            )
        }
    }
}

/// The key of a passphrase in age's format: scrypt.
enum AgePassphrase {
    /// What may be chosen; at 24 unlocking needs 16 GiB.
    static let workFactors = 1...24

    static func key(
        _ passphrase: SecretBytes,
        salt: [UInt8],
        workFactor: Int
    ) throws -> SecretBytes {
        guard passphrase.count > 0 else { throw KeyDerivation.emptyPassphrase }
        guard workFactors.contains(workFactor) else { throw tooMuchWork(workFactor) }
        try KeyDerivation.checkMemory(1 << workFactor)
        let salt = Array("age-encryption.org/v1/scrypt".utf8) + salt
        return try SecretBytes(count: 32) { target in
            let isDone = try passphrase.withBytes { passphrase in
                csodium_scrypt(
                    target.baseAddress,
                    target.count,
                    passphrase.baseAddress,
                    passphrase.count,
                    salt,
                    salt.count,
                    UInt32(workFactor)
                )
            }
            if !isDone { throw KeyDerivation.notEnoughMemory(1 << workFactor) }
        }
    }

    static func tooMuchWork(_ workFactor: Int) -> EncryptionError {
        EncryptionError(
            .unsupported,
            "The age file wants a work factor of \(workFactor) for its passphrase, which would take"
                + " very much time and memory.",
            recovery: "If you trust the file, allow a higher work factor."
        )
    }
}
