/// Reads fixed-size fields from bytes of an unknown source; each read fails beyond the end.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    var rest: Int { bytes.count - position }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count >= 0, count <= rest else { return nil }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        let size = Number.bitWidth / 8
        guard let bytes = bytes(size) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}

extension [UInt8] {
    /// Appends a number, least significant byte first.
    mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
