public import FoundationEssentials

/// Whole files in the age format; see ``AgeWriter`` and ``AgeReader``.
public enum AgeFile {
    /// Encrypts a source, in bounded memory.
    ///
    /// - Throws: `EncryptionError`, and what the source and the sink throw; the sink's content is
    ///   incomplete then.
    public static func encrypt(
        from source: some ByteInput,
        to sink: some ByteSink,
        for recipients: [AgeRecipient],
        armored: Bool = false
    ) throws {
        let writer = try AgeWriter(to: sink, for: recipients, armored: armored)
        let buffer = PlainBuffer(count: AgePayload.chunkSize)
        var source = source
        while true {
            let count = try source.read(into: buffer.bytes)
            if count == 0 { break }
            try writer.write(
                UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer.bytes)[..<count])
            )
        }
        try writer.finish()
    }

    /// Decrypts a source, in bounded memory.
    ///
    /// - Throws: what ``AgeReader`` throws. The sink has got only authentic chunks then, but not all
    ///   of them: discard what it has.
    public static func decrypt(
        from source: some ByteInput,
        to sink: some ByteSink,
        with identities: [AgeIdentity]
    ) throws {
        let reader = try AgeReader(from: source, with: identities)
        var sink = sink
        while let chunk = try reader.next() { try sink.write(chunk) }
    }

    /// Encrypts data.
    public static func encrypt(
        _ data: Data,
        for recipients: [AgeRecipient],
        armored: Bool = false
    ) throws -> Data {
        let sink = DataSink()
        try encrypt(from: DataSource(data), to: sink, for: recipients, armored: armored)
        return sink.data
    }

    /// Decrypts data; all or nothing.
    public static func decrypt(_ data: Data, with identities: [AgeIdentity]) throws -> Data {
        let sink = DataSink()
        try decrypt(from: DataSource(data), to: sink, with: identities)
        return sink.data
    }
}
