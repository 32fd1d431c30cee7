import CSodium

/// Encrypts what is written to it as an age file.
///
/// Holds one chunk of 64 KiB, whatever the size of the file. A file without ``finish()`` is
/// incomplete, and every reader refuses it.
public final class AgeWriter {
    private var sink: any ByteSink
    private var armor: ArmorWriter?
    private let key: SecretBytes
    private let chunk = PlainBuffer(count: AgePayload.chunkSize)
    private var filled = 0
    private var counter: UInt64 = 0

    /// Writes the header.
    ///
    /// - Parameters:
    ///   - sink: where the file goes.
    ///   - recipients: who can open it: several keys, or one passphrase.
    ///   - armored: whether the file is text, a third longer.
    /// - Throws: `EncryptionError`, and what the sink throws.
    public init(
        to sink: some ByteSink,
        for recipients: [AgeRecipient],
        armored: Bool = false
    ) throws {
        let hasPassphrase = recipients.contains {
            if case .passphrase = $0 { true } else { false }
        }
        guard !recipients.isEmpty, !hasPassphrase || recipients.count == 1 else {
            throw EncryptionError(
                .unsupported,
                "An age file is for one or more keys, or for one passphrase.",
                recovery: "Give either keys or a passphrase."
            )
        }
        let fileKey = try SecretBytes(randomCount: AgeKeyDerivation.fileKeySize)
        let stanzas = try recipients.map { try $0.stanza(for: fileKey) }
        let nonce = try Sodium.randomBytes(AgePayload.nonceSize)
        key = try AgePayload.key(fileKey, nonce)
        self.sink = sink
        if armored { armor = ArmorWriter() }
        try put(AgeHeader(stanzas, fileKey: fileKey).text + nonce)
    }

    /// Encrypts more of the file.
    public func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            // A full chunk waits for the next byte, because the last one is marked.
            if filled == chunk.bytes.count { try flush(isLast: false) }
            let count = min(rest.count, chunk.bytes.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: chunk.bytes[filled...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
            filled += count
            rest = rest.dropFirst(count)
        }
    }

    /// Ends the file; nothing can be written after it.
    public func finish() throws {
        try flush(isLast: true)
        if var armor {
            let end = armor.finish()
            try end.withUnsafeBytes { try sink.write($0) }
        }
    }

    private func flush(isLast: Bool) throws {
        let sealed = try AgePayload.seal(
            UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(chunk.bytes)[..<filled]),
            key: key,
            nonce: AgePayload.nonce(counter, isLast: isLast)
        )
        counter += 1
        filled = 0
        try put(sealed)
    }

    private func put(_ bytes: [UInt8]) throws {
        let text = armor?.encode(bytes) ?? bytes
        try text.withUnsafeBytes { try sink.write($0) }
    }
}

/// The payload's parameters.
enum AgePayload {
    static let chunkSize = 64 << 10
    static let tagSize = 16
    static let nonceSize = 16

    static func key(_ fileKey: SecretBytes, _ nonce: [UInt8]) throws -> SecretBytes {
        try AgeKeyDerivation.key(from: fileKey, salt: nonce, info: "payload")
    }

    /// The number of the chunk in 11 bytes, most significant first, and whether it is the last one.
    static func nonce(_ counter: UInt64, isLast: Bool) -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: 12)
        for index in 0..<8 { nonce[10 - index] = UInt8(truncatingIfNeeded: counter >> (8 * index)) }
        nonce[11] = isLast ? 1 : 0
        return nonce
    }

    /// One encrypted chunk.
    static func seal(
        _ plain: UnsafeRawBufferPointer,
        key: SecretBytes,
        nonce: [UInt8]
    ) throws -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: plain.count + tagSize)
        try key.withBytes { key in
            csodium_chacha_seal(
                &sealed,
                plain.baseAddress,
                plain.count,
                nil,
                0,
                nonce,
                key.baseAddress
            )
        }
        return sealed
    }
}
