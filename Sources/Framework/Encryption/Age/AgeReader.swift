import CSodium

/// Decrypts an age file, binary or armored, chunk by chunk.
///
/// Holds one chunk of 64 KiB. Only authenticated chunks come out. A file that was cut is an error,
/// although the chunks before the cut have come out by then: use the plain text only after the end
/// was reached, or write it under a temporary name.
public final class AgeReader {
    private var source: BufferedSource
    private let key: SecretBytes
    private let sealed = PlainBuffer(count: AgePayload.chunkSize + AgePayload.tagSize)
    private let plain = PlainBuffer(count: AgePayload.chunkSize)
    private var counter: UInt64 = 0
    private var isAtEnd = false

    /// Reads the header and finds the file key.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/invalidForm`` for a file that is
    ///   not an age file or has errors, ``EncryptionError/Code/noIdentity`` if no identity
    ///   opens it, ``EncryptionError/Code/wrongPassphrase``, ``EncryptionError/Code/unsupported``
    ///   for too high a work factor, ``EncryptionError/Code/notAuthentic`` for a changed header.
    public init(from source: some ByteInput, with identities: [AgeIdentity]) throws {
        var buffered = BufferedSource(source)
        if try ArmorReader.isArmored(&buffered) {
            buffered = BufferedSource(ArmorReader(buffered))
        }
        let header = try AgeHeader(from: &buffered)
        var fileKey: SecretBytes?
        for identity in identities where fileKey == nil {
            fileKey = try identity.fileKey(header.stanzas)
        }
        guard let fileKey else { throw Self.noIdentity(header) }
        guard try header.isAuthentic(fileKey: fileKey) else { throw Self.notAuthentic }
        var nonce = [UInt8](repeating: 0, count: AgePayload.nonceSize)
        let count = try nonce.withUnsafeMutableBytes { try buffered.read(into: $0) }
        guard count == nonce.count else { throw Self.notAuthentic }
        key = try AgePayload.key(fileKey, nonce)
        self.source = buffered
    }

    /// The next chunk, valid until the next call; `nil` at the end.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/notAuthentic`` for a chunk that
    ///   was changed, and at the end of a file that was cut.
    public func next() throws -> UnsafeRawBufferPointer? {
        if isAtEnd { return nil }
        let count = try source.read(into: sealed.bytes)
        let isLast = try count < sealed.bytes.count || source.peek() == nil
        // An empty chunk can only be the whole of an empty file.
        guard count > AgePayload.tagSize || (count == AgePayload.tagSize && counter == 0) else {
            throw Self.notAuthentic
        }
        let nonce = AgePayload.nonce(counter, isLast: isLast)
        let isAuthentic = try key.withBytes { key in
            csodium_chacha_open(
                plain.bytes.baseAddress,
                sealed.bytes.baseAddress,
                count,
                nil,
                0,
                nonce,
                key.baseAddress
            )
        }
        guard isAuthentic else { throw Self.notAuthentic }
        counter += 1
        isAtEnd = isLast
        let size = count - AgePayload.tagSize
        return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(plain.bytes)[..<size])
    }

    private static var notAuthentic: EncryptionError {
        EncryptionError(
            .notAuthentic,
            "The age file is damaged: it was changed, or its end is missing.",
            recovery: "Get the file again."
        )
    }

    private static func noIdentity(_ header: AgeHeader) -> EncryptionError {
        let wantsPassphrase = header.stanzas.contains { $0.type == "scrypt" }
        return EncryptionError(
            .noIdentity,
            "None of the given keys opens the age file.",
            recovery: wantsPassphrase
                ? "It wants a passphrase." : "Give the secret key of one of its recipients."
        )
    }
}
