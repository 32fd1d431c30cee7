public import FoundationEssentials

/// UUIDs as text, written and read as bytes for bulk work.
public enum UUIDText {
    /// The places of the four dashes among the 36 characters.
    private static func isDash(_ index: Int) -> Bool {
        index == 8 || index == 13 || index == 18 || index == 23
    }

    /// A random UUID (version 4) from the system's generator.
    ///
    /// `UUID()` of FoundationEssentials opens and closes `/dev/urandom` for every one, which slows
    /// down an import of 100,000 lines.
    public static func random() -> UUID {
        var generator = SystemRandomNumberGenerator()
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { raw in
            raw.storeBytes(of: generator.next(), toByteOffset: 0, as: UInt64.self)
            raw.storeBytes(of: generator.next(), toByteOffset: 8, as: UInt64.self)
            raw[6] = raw[6] & 0x0F | 0x40
            raw[8] = raw[8] & 0x3F | 0x80
        }
        return UUID(uuid: value)
    }

    /// A UUID (version 8, our own) for a text: always the same for the same text.
    public static func made(from text: String) -> UUID {
        var words: (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9AE1_6A3B_2F90_404F)
        for byte in text.utf8 {
            words.0 = (words.0 ^ UInt64(byte)) &* 0x100_0000_01B3
            words.1 = (words.1 ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
            words.1 ^= words.1 >> 32
        }
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { raw in
            raw.storeBytes(of: words.0.bigEndian, toByteOffset: 0, as: UInt64.self)
            raw.storeBytes(of: words.1.bigEndian, toByteOffset: 8, as: UInt64.self)
            raw[6] = raw[6] & 0x0F | 0x80
            raw[8] = raw[8] & 0x3F | 0x80
        }
        return UUID(uuid: value)
    }

    /// Appends the 36 characters, in upper or lower case.
    public static func append(_ uuid: UUID, to bytes: inout [UInt8], isLowercase: Bool = false) {
        let letters: UInt8 = isLowercase ? 87 : 55
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { line in
            var at = 0
            withUnsafeBytes(of: uuid.uuid) { raw in
                for index in 0..<16 {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        line[at] = 45
                        at += 1
                    }
                    let high = raw[index] >> 4
                    let low = raw[index] & 15
                    line[at] = high + (high < 10 ? 48 : letters)
                    line[at + 1] = low + (low < 10 ? 48 : letters)
                    at += 2
                }
            }
            bytes.append(contentsOf: line)
        }
    }

    public static func lowercase(_ uuid: UUID) -> String {
        var bytes: [UInt8] = []
        append(uuid, to: &bytes, isLowercase: true)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads the 36 characters, in upper or lower case.
    public static func parse(_ text: String) -> UUID? {
        var text = text
        return text.withUTF8(parse)
    }

    private static func parse(_ text: UnsafeBufferPointer<UInt8>) -> UUID? {
        guard text.count == 36 else { return nil }
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let isValid = withUnsafeMutableBytes(of: &value) { raw in
            var nibble = 0
            for index in 0..<36 {
                if isDash(index) {
                    guard text[index] == 45 else { return false }
                    continue
                }
                guard let digit = hexDigit(text[index]) else { return false }
                raw[nibble / 2] = raw[nibble / 2] << 4 | digit
                nibble += 1
            }
            return true
        }
        return isValid ? UUID(uuid: value) : nil
    }

    static func isPrefix(_ bytes: [UInt8]) -> Bool {
        bytes.indices.allSatisfy { isDash($0) ? bytes[$0] == 45 : hexDigit(bytes[$0]) != nil }
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}
