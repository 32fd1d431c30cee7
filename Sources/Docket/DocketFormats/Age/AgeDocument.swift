public import Encryption

// Documents in the age format: https://age-encryption.org/v1.

extension ByteSource {
    /// Whether the document begins like an age file, binary or armored.
    ///
    /// The document is at its beginning afterwards.
    public var isAgeFile: Bool {
        defer { rewind() }
        var start: [UInt8] = []
        rewind()
        _ = read(into: &start)
        let text = start.drop { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) }
        return start.starts(with: "age-encryption.org/v1\n".utf8)
            || text.starts(with: "-----BEGIN AGE ENCRYPTED FILE-----".utf8)
    }

    /// The plain document of an age file.
    ///
    /// It is decrypted while it is read, and again after each ``rewind()``: nothing plain is on the
    /// disk, and one part is in memory.
    ///
    /// - Throws: `EncryptionError`: none of the identities opens the file, or its beginning is
    ///   damaged. Damage further on ends the document; ``checkWhole()`` reports it.
    public func decrypted(with identities: [AgeIdentity]) throws -> ByteSource {
        func open() throws -> AgeReader {
            rewind()
            return try AgeReader(from: AgeInput(source: self), with: identities)
        }
        var first: AgeReader? = try open()
        return ByteSource(making: {
            let reader = try first ?? open()
            first = nil
            return { try reader.next().map { Array($0) } }
        })
    }
}

/// A document as the age reader takes it.
private final class AgeInput: ByteInput {
    private let source: ByteSource
    private var part: [UInt8] = []
    private var start = 0

    init(source: ByteSource) { self.source = source }

    func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        if start == part.count {
            part.removeAll(keepingCapacity: true)
            start = 0
            guard source.read(into: &part) else {
                try source.checkWhole()
                return 0
            }
        }
        let count = min(target.count, part.count - start)
        part.withUnsafeBytes { bytes in
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
        }
        start += count
        return count
    }
}

/// A sink that hands its bytes on.
public struct ClosureSink: ByteSink {
    private let body: ([UInt8]) throws -> Void

    public init(_ body: @escaping ([UInt8]) throws -> Void) { self.body = body }

    public func write(_ bytes: UnsafeRawBufferPointer) throws { try body(Array(bytes)) }
}
