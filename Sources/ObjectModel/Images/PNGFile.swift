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
        var value: UInt32 = .max
        for byte in bytes {
            value = crcTable[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8
        }
        return ~value
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        }
    }

    static func damaged(_ what: String) -> ObjectGraphError {
        ObjectGraphError(
            .damagedFile,
            "The picture is not a readable PNG file: \(what).",
            recovery: "Save it again from the program that made it."
        )
    }
}
