/// CRC-32 with the polynomial of IEEE 802.3.
///
/// It finds each flipped bit and each run of up to 32 changed bits; it does not protect against
/// somebody who changes a file on purpose.
package struct Checksum {
    /// `tables[k][b]`: the sum of a byte `b` that `k` bytes follow.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var sum = UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 != 0 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
            tables[byte] = sum
        }
        for byte in 0..<256 {
            for table in 1..<8 {
                let sum = tables[(table - 1) << 8 | byte]
                tables[table << 8 | byte] = sum >> 8 ^ tables[Int(sum & 0xff)]
            }
        }
        return tables
    }()

    private var sum: UInt32 = 0xffff_ffff

    package init() {}

    package var value: UInt32 { ~sum }

    /// Adds bytes.
    ///
    /// - Complexity: O(bytes), eight at a time.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var sum = sum
        var place = 0
        Checksum.tables.withUnsafeBufferPointer { tables in
            while bytes.count - place >= 8 {
                let word =
                    UInt64(
                        littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    )
                    ^ UInt64(sum)
                sum =
                    tables[7 << 8 | Int(word & 0xff)]
                    ^ tables[6 << 8 | Int(word >> 8 & 0xff)]
                    ^ tables[5 << 8 | Int(word >> 16 & 0xff)]
                    ^ tables[4 << 8 | Int(word >> 24 & 0xff)]
                    ^ tables[3 << 8 | Int(word >> 32 & 0xff)]
                    ^ tables[2 << 8 | Int(word >> 40 & 0xff)]
                    ^ tables[1 << 8 | Int(word >> 48 & 0xff)]
                    ^ tables[Int(word >> 56)]
                place += 8
            }
            while place < bytes.count {
                sum = sum >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: sum) ^ bytes[place])]
                place += 1
            }
        }
        self.sum = sum
    }

    /// The checksum of some bytes.
    package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var checksum = Checksum()
        checksum.add(bytes)
        return checksum.value
    }
}
