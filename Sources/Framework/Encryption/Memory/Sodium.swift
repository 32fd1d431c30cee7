import CSodium

/// The library below.
enum Sodium {
    private static let isStarted = csodium_start()

    /// Starts the library at its first use, so that a program that encrypts nothing pays nothing.
    static func start() throws {
        guard isStarted else {
            throw EncryptionError(
                .system,
                "The system has no source of random numbers.",
                recovery: "Make /dev/urandom available to the program."
            )
        }
    }

    /// Random bytes that are not secret: salts and nonces.
    static func randomBytes(_ count: Int) throws -> [UInt8] {
        try start()
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            csodium_random(buffer.baseAddress, count)
            filled = count
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Zeroes the bytes; the compiler cannot leave this out.
    public func zero() {
        if let baseAddress { sodium_memzero(baseAddress, count) }
    }
}
