/// Writes deflate data (RFC 1951) in the frame of zlib (RFC 1950).
///
/// A table of the last place of each four bytes finds repetitions. Everything is written in one
/// block with the fixed code: that is short, and compresses well enough for pictures. The real zlib
/// would be another dependency.
enum Deflate {
    /// The length that a code stands for, and how many bits follow it.
    static let lengths: [(base: Int, extra: Int)] = steps(first: 3, codes: 28, of: 4) + [(258, 0)]
    static let distances: [(base: Int, extra: Int)] = steps(first: 1, codes: 30, of: 2)

    /// Codes in groups whose extra bits grow by one; the first two groups have none.
    private static func steps(first: Int, codes: Int, of group: Int) -> [(base: Int, extra: Int)] {
        var next = first
        return (0..<codes).map { code in
            let extra = max(0, code / group - 1)
            defer { next += 1 << extra }
            return (next, extra)
        }
    }

    static func zlib(_ input: [UInt8]) -> [UInt8] {
        var writer = BitWriter(bytes: [0x78, 0x9C])
        compress(input, into: &writer)
        return writer.finished() + PNGFile.bytes(adler(input))
    }

    /// zlib's check value.
    static func adler(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        // As many bytes as cannot overflow the sums.
        for start in stride(from: 0, to: bytes.count, by: 5_552) {
            for place in start..<min(start + 5_552, bytes.count) {
                low += UInt32(bytes[place])
                high += low
            }
            low %= 65_521
            high %= 65_521
        }
        return high << 16 | low
    }

    private static func compress(_ input: [UInt8], into writer: inout BitWriter) {
        writer.write(1, bits: 1)  // the last block
        writer.write(1, bits: 2)  // with the fixed code
        var lastPlace = [Int](repeating: -1, count: 1 << 14)
        var place = 0
        while place < input.count {
            let match = longestMatch(input, place, &lastPlace)
            if let match {
                writeLength(match.length, &writer)
                writeDistance(match.distance, &writer)
            } else {
                writeSymbol(Int(input[place]), &writer)
            }
            place += match?.length ?? 1
        }
        writeSymbol(256, &writer)
    }

    private static func longestMatch(
        _ input: [UInt8],
        _ place: Int,
        _ lastPlace: inout [Int]
    ) -> (length: Int, distance: Int)? {
        guard place + 4 <= input.count else { return nil }
        var four: UInt32 = 0
        for byte in input[place..<place + 4] { four = four << 8 | UInt32(byte) }
        let slot = Int((four &* 2_654_435_761) >> 18)
        let candidate = lastPlace[slot]
        lastPlace[slot] = place
        guard candidate >= 0, place - candidate <= 32_768 else { return nil }
        let most = min(258, input.count - place)
        var length = 0
        while length < most, input[candidate + length] == input[place + length] { length += 1 }
        return length < 4 ? nil : (length, place - candidate)
    }

    private static func writeLength(_ length: Int, _ writer: inout BitWriter) {
        guard let code = lengths.lastIndex(where: { $0.base <= length }) else { return }
        writeSymbol(257 + code, &writer)
        writer.write(UInt32(length - lengths[code].base), bits: lengths[code].extra)
    }

    private static func writeDistance(_ distance: Int, _ writer: inout BitWriter) {
        guard let code = distances.lastIndex(where: { $0.base <= distance }) else { return }
        writer.write(reversed: UInt32(code), bits: 5)
        writer.write(UInt32(distance - distances[code].base), bits: distances[code].extra)
    }

    /// Writes a byte, a length or the end in the fixed code.
    private static func writeSymbol(_ symbol: Int, _ writer: inout BitWriter) {
        switch symbol {
        case 0..<144: writer.write(reversed: UInt32(0x30 + symbol), bits: 8)
        case 144..<256: writer.write(reversed: UInt32(0x190 + symbol - 144), bits: 9)
        case 256..<280: writer.write(reversed: UInt32(symbol - 256), bits: 7)
        default: writer.write(reversed: UInt32(0xC0 + symbol - 280), bits: 8)
        }
    }
}

/// Bits in bytes, the lowest first.
private struct BitWriter {
    var bytes: [UInt8]
    private var pending: UInt32 = 0
    private var count = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func write(_ value: UInt32, bits: Int) {
        pending |= value << UInt32(count)
        count += bits
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            count -= 8
        }
    }

    /// Huffman codes are written highest bit first.
    mutating func write(reversed code: UInt32, bits: Int) {
        var value: UInt32 = 0
        for bit in 0..<bits { value |= (code >> UInt32(bit) & 1) << UInt32(bits - 1 - bit) }
        write(value, bits: bits)
    }

    func finished() -> [UInt8] {
        count > 0 ? bytes + [UInt8(truncatingIfNeeded: pending)] : bytes
    }
}
