import DocketCore
import Encryption

/// A line of typed text that is nowhere but in locked memory, for passphrases.
///
/// It shows how long it is and cannot be read back as a string.
struct SecretLine {
    private static let longest = 1024

    private(set) var bytes: SecretBytes
    /// How many scalars there are.
    private(set) var count = 0

    init() throws { bytes = try SecretBytes("") }

    /// Appends a text at the end; control characters and what is too long are left out.
    mutating func append(_ text: String) throws {
        for scalar in text.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F {
            let unit = Array(UTF8.encode(scalar) ?? UTF8.EncodedScalar())
            if bytes.count + unit.count > SecretLine.longest { return }
            try replace(keeping: bytes.count, adding: unit)
            count += 1
        }
    }

    /// Removes the last scalar.
    mutating func removeLast() throws {
        let kept = try bytes.withBytes { bytes in
            bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? 0
        }
        if count == 0 { return }
        try replace(keeping: kept, adding: [])
        count -= 1
    }

    mutating func clear() throws {
        try replace(keeping: 0, adding: [])
        count = 0
    }

    /// The text, which leaves the line; the line is empty then.
    mutating func take() throws -> SecretBytes {
        defer {
            if let empty = try? SecretBytes("") { bytes = empty }
            count = 0
        }
        return bytes
    }

    private mutating func replace(keeping kept: Int, adding unit: [UInt8]) throws {
        let old = bytes
        bytes = try old.withBytes { old in
            try SecretBytes(count: kept + unit.count) { new in
                new.copyMemory(from: UnsafeRawBufferPointer(rebasing: old[..<kept]))
                for (place, byte) in unit.enumerated() { new[kept + place] = byte }
            }
        }
        old.erase()
    }
}
