import CSodium

/// How a passphrase becomes a key: Argon2id with its parameters.
///
/// The parameters are stored in the clear beside what the key protects. Those of a file are checked
/// first: more than ``largestMemory`` or ``largestWork`` is refused, so a hostile file can neither
/// take all memory nor keep the processor busy for minutes.
public struct KeyDerivation: Equatable, Sendable {
    /// Passes over the memory.
    public let operations: UInt32
    /// Kibibytes of memory.
    public let memory: UInt32
    /// Makes equal passphrases give different keys.
    public let salt: [UInt8]

    /// Bytes of a salt.
    public static let saltSize = 16
    /// Bytes of a key.
    public static let keySize = 32
    /// Kibibytes.
    public static let largestMemory: UInt32 = 2 << 20
    /// Passes times kibibytes: 16 passes over 1 GiB.
    public static let largestWork: UInt64 = 16 << 20
    /// Kibibytes; the function accepts no less.
    public static let smallestMemory: UInt32 = 8

    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/unsupported`` for parameters out
    ///   of bounds.
    public init(operations: UInt32, memory: UInt32, salt: [UInt8]) throws {
        guard operations >= 1, memory >= Self.smallestMemory, memory <= Self.largestMemory,
            UInt64(operations) * UInt64(memory) <= Self.largestWork, salt.count == Self.saltSize
        else {
            throw EncryptionError(
                .unsupported,
                "The key needs \(operations) passes over \(memory / 1024) MiB of memory, which is"
                    + " outside of the accepted range.",
                recovery: "The file was made by another program, or it was damaged: use a backup."
            )
        }
        self.operations = operations
        self.memory = memory
        self.salt = salt
    }

    /// The key of a passphrase.
    ///
    /// - Complexity: as chosen; up to a second with the parameters of ``chosen(for:)``.
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/weakPassphrase`` for an empty
    ///   passphrase, ``EncryptionError/Code/system`` without enough memory.
    public func key(for passphrase: SecretBytes) throws -> SecretBytes {
        guard passphrase.count > 0 else { throw Self.emptyPassphrase }
        try Self.checkMemory(Int(memory))
        return try SecretBytes(count: Self.keySize) { key in
            try passphrase.withBytes { try derive(key, from: $0) }
        }
    }

    static var emptyPassphrase: EncryptionError {
        EncryptionError(
            .weakPassphrase,
            "The passphrase is empty.",
            recovery: "Type a passphrase of several words."
        )
    }

    private func derive(
        _ key: UnsafeMutableRawBufferPointer,
        from passphrase: UnsafeRawBufferPointer
    ) throws {
        let isDone = csodium_argon2id(
            key.baseAddress,
            key.count,
            passphrase.baseAddress,
            passphrase.count,
            salt,
            operations,
            Int(memory) * 1024
        )
        if !isDone { throw Self.notEnoughMemory(Int(memory)) }
    }

    /// Refuses work for which the machine has not enough memory now, before the system starts to end
    /// programs.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/system``.
    static func checkMemory(_ kibibytes: Int) throws {
        if kibibytes > availableMemory() { throw notEnoughMemory(kibibytes) }
    }

    static func notEnoughMemory(_ kibibytes: Int) -> EncryptionError {
        EncryptionError(
            .system,
            "There is not enough memory for the passphrase: \(max(1, kibibytes / 1024)) MiB are"
                + " needed.",
            recovery: "Close other programs and try again."
        )
    }
}
