/// Bech32 (BIP 173) without its limit on the length, for the keys of age.
enum Bech32 {
    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

    /// The text of bytes, in lower case.
    static func encode(_ bytes: UnsafeRawBufferPointer, prefix: String) -> String {
        let lowered = prefix.lowercased()
        let values = regroup(bytes, from: 8, to: 5, padding: true) ?? []
        let checked = expanded(lowered) + values + [0, 0, 0, 0, 0, 0]
        let sum = checksum(checked) ^ 1
        let tail = (0..<6).map { UInt8(truncatingIfNeeded: sum >> (5 * (5 - $0)) & 31) }
        let letters = (values + tail).map { alphabet[Int($0)] }
        return lowered + "1" + String(decoding: letters, as: UTF8.self)
    }

    /// The prefix, in its case, and the bytes; `nil` for a text with a typing error.
    static func decode(_ text: String) -> (prefix: String, bytes: [UInt8])? {
        let lowered = text.lowercased()
        guard text == lowered || text == text.uppercased(),
            let separator = lowered.utf8.lastIndex(of: UInt8(ascii: "1")),
            separator != lowered.utf8.startIndex,
            text.utf8.allSatisfy({ (33...126).contains($0) })
        else { return nil }
        var values: [UInt8] = []
        for letter in lowered.utf8[separator...].dropFirst() {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            values.append(UInt8(value))
        }
        let prefix = String(lowered[..<separator])
        guard values.count >= 6, checksum(expanded(prefix) + values) == 1,
            let bytes = regroup(values.dropLast(6), from: 5, to: 8, padding: false)
        else { return nil }
        return (text == lowered ? prefix : prefix.uppercased(), bytes)
    }

    private static func expanded(_ prefix: String) -> [UInt8] {
        prefix.utf8.map { $0 >> 5 } + [0] + prefix.utf8.map { $0 & 31 }
    }

    private static func checksum(_ values: [UInt8]) -> UInt32 {
        let generator: [UInt32] = [
            0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3,
        ]
        var sum: UInt32 = 1
        for value in values {
            let top = sum >> 25
            sum = (sum & 0x1ff_ffff) << 5 ^ UInt32(value)
            for bit in 0..<5 where top >> UInt32(bit) & 1 != 0 { sum ^= generator[bit] }
        }
        return sum
    }

    /// The same bits in groups of another size; without padding `nil` if bits are left that are not
    /// zero, or a whole group of them.
    private static func regroup(
        _ values: some Sequence<UInt8>,
        from: UInt32,
        to: UInt32,
        padding: Bool
    ) -> [UInt8]? {
        var result: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for value in values {
            bits = (bits << from | UInt32(value)) & 0xfff
            count += from
            while count >= to {
                count -= to
                result.append(UInt8(truncatingIfNeeded: bits >> count & (1 << to - 1)))
            }
        }
        if padding {
            if count > 0 {
                result.append(UInt8(truncatingIfNeeded: bits << (to - count) & (1 << to - 1)))
            }
        } else if count >= from || bits & (1 << count - 1) != 0 {
            return nil
        }
        return result
    }
}
