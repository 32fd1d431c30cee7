import CSodium

/// The derived keys and the small encryptions of the age format.
enum AgeKeyDerivation {
    static let fileKeySize = 16
    static let wrappedSize = 32

    /// HKDF with SHA-256 (RFC 5869), 32 bytes.
    static func key(from secret: SecretBytes, salt: [UInt8], info: String) throws -> SecretBytes {
        let extracted = try SecretBytes(count: 32) { target in
            try secret.withBytes { secret in
                let base = target.baseAddress
                csodium_hmac(base, salt, salt.count, secret.baseAddress, secret.count, nil, 0)
            }
        }
        // One block of output: HMAC(extracted, info || 1).
        let info = Array(info.utf8) + [1]
        return try SecretBytes(count: 32) { target in
            try extracted.withBytes { key in
                csodium_hmac(
                    target.baseAddress,
                    key.baseAddress,
                    key.count,
                    info,
                    info.count,
                    nil,
                    0
                )
            }
        }
    }

    /// HMAC with SHA-256 of a header.
    static func mac(of header: [UInt8], fileKey: SecretBytes) throws -> [UInt8] {
        let key = try key(from: fileKey, salt: [], info: "header")
        var mac = [UInt8](repeating: 0, count: 32)
        try key.withBytes { key in
            csodium_hmac(&mac, key.baseAddress, key.count, header, header.count, nil, 0)
        }
        return mac
    }

    /// The file key, encrypted with a key that is used once; so the nonce is zero.
    static func wrap(_ fileKey: SecretBytes, with key: SecretBytes) throws -> [UInt8] {
        let nonce = [UInt8](repeating: 0, count: 12)
        var body = [UInt8](repeating: 0, count: wrappedSize)
        try fileKey.withBytes { plain in
            try key.withBytes { key in
                csodium_chacha_seal(
                    &body,
                    plain.baseAddress,
                    plain.count,
                    nil,
                    0,
                    nonce,
                    key.baseAddress
                )
            }
        }
        return body
    }

    /// The file key of a stanza's body; `nil` if the key is another one.
    static func unwrap(_ body: [UInt8], with key: SecretBytes) throws -> SecretBytes? {
        guard body.count == wrappedSize else { throw AgeHeader.invalid("a key of a wrong size") }
        let nonce = [UInt8](repeating: 0, count: 12)
        var isAuthentic = false
        let fileKey = try SecretBytes(count: fileKeySize) { target in
            isAuthentic = try key.withBytes { key in
                csodium_chacha_open(
                    target.baseAddress,
                    body,
                    body.count,
                    nil,
                    0,
                    nonce,
                    key.baseAddress
                )
            }
        }
        return isAuthentic ? fileKey : nil
    }
}
