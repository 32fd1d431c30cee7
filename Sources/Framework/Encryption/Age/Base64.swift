/// Base64 as age needs it: canonical, without tolerance for anything else.
///
/// Foundation's decoder accepts bits behind the last byte that are not zero, so that one value has
/// several texts; the formats forbid that.
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 0xff, count: 256)
        for (value, letter) in alphabet.enumerated() { digits[Int(letter)] = UInt8(value) }
        return digits
    }()

    static func encode(_ bytes: some Sequence<UInt8>, padded: Bool = false) -> [UInt8] {
        var result: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                result.append(alphabet[Int(bits >> count & 63)])
            }
        }
        if count > 0 { result.append(alphabet[Int(bits << (6 - count) & 63)]) }
        while padded, result.count % 4 != 0 { result.append(UInt8(ascii: "=")) }
        return result
    }

    /// The bytes of a text; `nil` if another text, or none, is the encoding of any bytes.
    static func decode(_ text: some Collection<UInt8>, padded: Bool = false) -> [UInt8]? {
        var digitsCount = text.count
        if padded {
            guard digitsCount % 4 == 0 else { return nil }
            let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
            guard padding <= 2 else { return nil }
            digitsCount -= padding
        }
        guard digitsCount % 4 != 1 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(digitsCount * 3 / 4)
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for letter in text.prefix(digitsCount) {
            let digit = digits[Int(letter)]
            guard digit < 64 else { return nil }
            bits = bits << 6 | UInt32(digit)
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bits & ((1 << count) - 1) == 0 ? result : nil
    }
}
