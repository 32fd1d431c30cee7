import CDeflate

/// CRC-32 with the polynomial of IEEE 802.3.
///
/// It finds each flipped bit and each run of up to 32 changed bits; it does not protect against
/// somebody who changes a file on purpose.
package enum Checksum {
    /// The checksum of some bytes.
    package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        cdeflate_crc(bytes.baseAddress, bytes.count)
    }
}
