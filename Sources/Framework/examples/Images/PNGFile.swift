import CZlib
import ObjectGraph

/// The parts of a PNG file (PNG specification, third edition).
enum PNGFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// How a row is written: as it is, or as the difference from its neighbours.
    enum Filter: UInt8 {
        case none, sub, up, average, paeth
    }

    static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Appends a chunk: length, type, content, check value.
    static func append(_ type: String, _ content: [UInt8], to file: inout [UInt8]) {
        let body = Array(type.utf8) + content
        file += bytes(UInt32(content.count)) + body + bytes(crc(body[...]))
    }

    /// The check value of a chunk: CRC-32 of type and content.
    static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { UInt32(crc32(0, $0.baseAddress, uInt($0.count))) }
    }

    /// Some bytes in the form of zlib, which PNG has.
    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var count = compressBound(uLong(bytes.count))
        return Array(unsafeUninitializedCapacity: Int(count)) { buffer, written in
            let outcome = compress2(
                buffer.baseAddress,
                &count,
                bytes,
                uLong(bytes.count),
                Z_DEFAULT_COMPRESSION
            )
            // zlib fails here for want of memory alone, or of room, of which there is enough.
            precondition(outcome == Z_OK, "zlib cannot compress")
            written = Int(count)
        }
    }

    /// The bytes that were compressed.
    ///
    /// - Parameters:
    ///   - bytes: the compressed ones.
    ///   - count: how many they were; what is more is not read, so that a small file cannot fill
    ///     the memory.
    /// - Returns: `count` bytes.
    /// - Throws: `ObjectGraphError` if the data are damaged or fewer than that.
    static func decompressed(_ bytes: [UInt8], count: Int) throws -> [UInt8] {
        var length = uLong(count)
        var outcome = Z_OK
        let result = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            outcome = uncompress(buffer.baseAddress, &length, bytes, uLong(bytes.count))
            written = Int(length)
        }
        // With the buffer full, Z_BUF_ERROR says that there is more.
        guard outcome == Z_OK || outcome == Z_BUF_ERROR && result.count == count else {
            throw damaged("its pixels cannot be decompressed")
        }
        guard result.count == count else { throw damaged("pixels are missing") }
        return result
    }

    static func damaged(_ what: String) -> ObjectGraphError {
        ObjectGraphError(
            .damagedFile,
            "The picture is not a readable PNG file: \(what).",
            recovery: "Check where it was cut off or changed."
        )
    }
}
