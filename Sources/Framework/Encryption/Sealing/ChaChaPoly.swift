import CSodium

/// Data sealed with ChaCha20-Poly1305 of RFC 8439, for exchange with other programs: a random nonce of
/// 12 bytes, the encrypted bytes, a tag of 16 bytes.
///
/// Nonces are random, so a key is good for some 2³² messages. What only this program reads is sealed
/// as ``SealedData``.
public struct ChaChaPoly: Sendable {
    private let key: SecretBytes

    private static let nonceSize = Int(crypto_aead_chacha20poly1305_ietf_NPUBBYTES)
    private static let tagSize = Int(crypto_aead_chacha20poly1305_ietf_ABYTES)
    private static let keySize = Int(crypto_aead_chacha20poly1305_ietf_KEYBYTES)

    /// Derives the key from a passphrase, with PBKDF2 and HMAC-SHA-256 (RFC 8018).
    ///
    /// - Parameters:
    ///   - passphrase: the passphrase.
    ///   - salt: the salt.
    ///   - iterations: how often; at least 1.
    /// - Throws: ``EncryptionError`` if the system has no memory or random numbers.
    /// - Complexity: O(iterations); 600,000 take about half a second.
    public init(passphrase: SecretBytes, salt: [UInt8], iterations: UInt32) throws {
        key = try SecretBytes(count: ChaChaPoly.keySize) { target in
            try passphrase.withBytes { passphrase in
                csodium_pbkdf2(
                    target.baseAddress,
                    passphrase.baseAddress,
                    passphrase.count,
                    salt,
                    salt.count,
                    iterations
                )
            }
        }
    }

    /// Encrypts data.
    ///
    /// - Parameters:
    ///   - plain: the data.
    ///   - header: what is authenticated with it, and not part of the result.
    /// - Returns: nonce, encrypted data and tag.
    /// - Throws: ``EncryptionError`` if the system has no random numbers.
    public func seal(_ plain: [UInt8], authenticating header: [UInt8]) throws -> [UInt8] {
        let nonce = try Sodium.randomBytes(ChaChaPoly.nonceSize)
        var result = nonce
        result.append(contentsOf: repeatElement(0, count: plain.count + ChaChaPoly.tagSize))
        try key.withBytes { key in
            result.withUnsafeMutableBytes { target in
                csodium_chacha_seal(
                    target.baseAddress.map { $0 + nonce.count },
                    plain,
                    plain.count,
                    header,
                    header.count,
                    nonce,
                    key.baseAddress
                )
            }
        }
        return result
    }

    /// Decrypts what ``seal(_:authenticating:)`` has made.
    ///
    /// - Parameters:
    ///   - sealed: nonce, encrypted data and tag.
    ///   - header: what was authenticated with it.
    /// - Returns: the data; `nil` if the key or the header is another one, or the data is damaged.
    /// - Throws: ``EncryptionError`` if the system has no memory.
    public func open(
        _ sealed: ArraySlice<UInt8>,
        authenticating header: [UInt8]
    ) throws -> [UInt8]? {
        let size = sealed.count - ChaChaPoly.nonceSize
        guard size >= ChaChaPoly.tagSize else { return nil }
        let nonce = Array(sealed.prefix(ChaChaPoly.nonceSize))
        let data = sealed.dropFirst(ChaChaPoly.nonceSize)
        var isAuthentic = false
        let plain = try [UInt8](unsafeUninitializedCapacity: size) { target, filled in
            isAuthentic = try key.withBytes { key in
                data.withUnsafeBytes { data in
                    csodium_chacha_open(
                        target.baseAddress,
                        data.baseAddress,
                        size,
                        header,
                        header.count,
                        nonce,
                        key.baseAddress
                    )
                }
            }
            filled = isAuthentic ? size - ChaChaPoly.tagSize : 0
        }
        return isAuthentic ? plain : nil
    }
}
