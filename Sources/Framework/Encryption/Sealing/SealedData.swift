import CSodium
public import FoundationEssentials

/// Data sealed with XChaCha20-Poly1305: encrypted and authenticated.
///
/// The form, version 1: a byte 1, the number of the key (4 bytes, least significant first), a random
/// nonce of 24 bytes, the encrypted bytes, a tag of 16 bytes. The tag also covers the first five bytes
/// and the *purpose*, a text that says what the data is for, so that sealed data moved to another
/// place does not open there.
public enum SealedData {
    static let version: UInt8 = 1
    static let headerSize = 5
    private static let nonceSize = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    private static let tagSize = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
    /// Bytes that sealing adds.
    public static let overhead = headerSize + nonceSize + tagSize

    /// The number of the key that sealed data needs; `nil` if the data does not have the form.
    public static func keyNumber(of data: Data) -> UInt32? {
        guard data.count >= overhead, data.first == version else { return nil }
        var reader = ByteReader(data.dropFirst().prefix(4))
        return reader.integer(UInt32.self)
    }

    static func seal(
        _ plain: UnsafeRawBufferPointer,
        key: SecretBytes,
        number: UInt32,
        purpose: String
    ) throws -> Data {
        var result: [UInt8] = [version]
        result.reserveCapacity(plain.count + overhead)
        result.append(number: number)
        let header = authenticated(result, purpose)
        let nonce = try Sodium.randomBytes(nonceSize)
        result += nonce
        let start = result.count
        result.append(contentsOf: repeatElement(0, count: plain.count + tagSize))
        try key.withBytes { key in
            result.withUnsafeMutableBytes { target in
                csodium_xchacha_seal(
                    target.baseAddress.map { $0 + start },
                    plain.baseAddress,
                    plain.count,
                    header,
                    header.count,
                    nonce,
                    key.baseAddress
                )
            }
        }
        return Data(result)
    }

    /// Opens sealed data into memory that is zeroed after `body`.
    static func open<Result>(
        _ data: Data,
        key: SecretBytes,
        purpose: String,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard data.count >= overhead, data.first == version else { throw notAuthentic }
        let sealed = [UInt8](data)
        let header = authenticated(Array(sealed.prefix(headerSize)), purpose)
        let start = headerSize + nonceSize
        let size = sealed.count - overhead
        let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, 1), alignment: 16)
        defer {
            plain.zero()
            plain.deallocate()
        }
        let isAuthentic = try key.withBytes { key in
            sealed.withUnsafeBytes { sealed in
                csodium_xchacha_open(
                    plain.baseAddress,
                    sealed.baseAddress.map { $0 + start },
                    sealed.count - start,
                    header,
                    header.count,
                    sealed.baseAddress.map { $0 + headerSize },
                    key.baseAddress
                )
            }
        }
        guard isAuthentic else { throw notAuthentic }
        return try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(plain)[..<size]))
    }

    /// One error for all causes: an attacker learns nothing from it.
    static var notAuthentic: EncryptionError {
        EncryptionError(
            .notAuthentic,
            "Encrypted data does not open: it was changed, or it belongs elsewhere.",
            recovery: "Restore it from a backup."
        )
    }

    /// Header and purpose; the header has a fixed size, so no two pairs give the same bytes.
    private static func authenticated(_ header: [UInt8], _ purpose: String) -> [UInt8] {
        header + Array(purpose.utf8)
    }
}
