import CSodium
public import FoundationEssentials

/// The data keys of a store, encrypted with a key that is derived from a passphrase.
///
/// The data keys are random. A new passphrase encrypts the same keys again, so no data has to change.
/// An envelope is one value: store its ``data`` in one write, and a crash leaves either the old or the
/// new one, each of which opens with its own passphrase.
///
///     let envelope = try KeyEnvelope(passphrase: SecretBytes("four words are good"))
///     let changed = try envelope.changingPassphrase(from: old, to: new)
///
/// The form, version 1: `OGKE`, a byte 1, passes and kibibytes of Argon2id (4 bytes each), its salt
/// (16), the number of the current key (4), how many keys there are (2), a nonce (24), the encrypted
/// keys (4 bytes of number and 32 of key each), a tag (16). The tag covers everything, parameters
/// included. Numbers have the least significant byte first.
public struct KeyEnvelope: Equatable, Sendable {
    /// The stored form; it holds nothing secret that can be read without the passphrase.
    public let data: Data
    /// The number of the key that seals new values.
    public let currentKey: UInt32
    /// How many keys there are: one, and one more after each ``addingKey(passphrase:)``.
    public let keyCount: Int
    public let derivation: KeyDerivation
    private let nonce: [UInt8]
    private let sealed: [UInt8]

    private static let magic = Array("OGKE".utf8)
    private static let version: UInt8 = 1
    /// More keys than anybody rotates to; bounds what a hostile envelope makes a program read.
    private static let largestCount = 1000
    private static let entrySize = 4 + KeyDerivation.keySize
    private static let nonceSize = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
    private static let tagSize = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

    /// An envelope with a new random key.
    ///
    /// - Complexity: up to a second, and 256 MiB of memory; see ``KeyRing``.
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/weakPassphrase`` for an empty
    ///   passphrase, ``EncryptionError/Code/system`` without memory.
    public init(passphrase: SecretBytes) throws {
        try self.init(passphrase: passphrase, cost: .interactive)
    }

    /// As ``init(passphrase:)``, with a chosen cost of the derivation.
    public init(passphrase: SecretBytes, cost: KeyDerivation.Cost) throws {
        let key = try SecretBytes(randomCount: KeyDerivation.keySize)
        try self.init([1: key], current: 1, passphrase, KeyDerivation.chosen(for: cost))
    }

    /// Reads the stored form.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/invalidForm`` for data that is not an
    ///   envelope, ``EncryptionError/Code/unsupported`` for a newer form or for parameters that
    ///   would cost too much.
    public init(data: Data) throws {
        var reader = ByteReader(data)
        guard reader.bytes(4) == Self.magic, let version = reader.integer(UInt8.self) else {
            throw Self.invalid
        }
        guard version == Self.version else {
            throw EncryptionError(
                .unsupported,
                "The key envelope has version \(version); this program knows version 1.",
                recovery: "Update the program."
            )
        }
        guard let operations = reader.integer(UInt32.self),
            let memory = reader.integer(UInt32.self),
            let salt = reader.bytes(KeyDerivation.saltSize),
            let current = reader.integer(UInt32.self),
            let count = reader.integer(UInt16.self), (1...Self.largestCount).contains(Int(count)),
            let nonce = reader.bytes(Self.nonceSize),
            let sealed = reader.bytes(Int(count) * Self.entrySize + Self.tagSize),
            reader.rest == 0
        else { throw Self.invalid }
        derivation = try KeyDerivation(operations: operations, memory: memory, salt: salt)
        currentKey = current
        keyCount = Int(count)
        self.nonce = nonce
        self.sealed = sealed
        self.data = data
    }

    private static var invalid: EncryptionError {
        EncryptionError(
            .invalidForm,
            "The key envelope is damaged.",
            recovery: "Restore the store from a backup."
        )
    }

    // MARK: Keys

    private init(
        _ keys: [UInt32: SecretBytes],
        current: UInt32,
        _ passphrase: SecretBytes,
        _ derivation: KeyDerivation
    ) throws {
        let header = Self.header(derivation, current: current, count: keys.count)
        let nonce = try Sodium.randomBytes(Self.nonceSize)
        let plain = try SecretBytes(count: keys.count * Self.entrySize) { plain in
            for (index, (number, key)) in keys.sorted(by: { $0.key < $1.key }).enumerated() {
                let start = index * Self.entrySize
                plain.storeBytes(of: number.littleEndian, toByteOffset: start, as: UInt32.self)
                try key.withBytes { key in
                    UnsafeMutableRawBufferPointer(rebasing: plain[(start + 4)...])
                        .copyMemory(from: key)
                }
            }
        }
        let wrapping = try derivation.key(for: passphrase)
        var sealed = [UInt8](repeating: 0, count: plain.count + Self.tagSize)
        try plain.withBytes { plain in
            try wrapping.withBytes { key in
                csodium_xchacha_seal(
                    &sealed,
                    plain.baseAddress,
                    plain.count,
                    header,
                    header.count,
                    nonce,
                    key.baseAddress
                )
            }
        }
        self.derivation = derivation
        self.nonce = nonce
        self.sealed = sealed
        currentKey = current
        keyCount = keys.count
        data = Data(header + nonce + sealed)
    }

    private static func header(
        _ derivation: KeyDerivation,
        current: UInt32,
        count: Int
    ) -> [UInt8] {
        var header = magic + [version]
        header.append(number: derivation.operations)
        header.append(number: derivation.memory)
        header += derivation.salt
        header.append(number: current)
        header.append(number: UInt16(count))
        return header
    }

    /// The data keys by number.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/wrongPassphrase``, also if the
    ///   envelope was changed: the two cannot be distinguished.
    public func keys(passphrase: SecretBytes) throws -> [UInt32: SecretBytes] {
        let wrapping = try derivation.key(for: passphrase)
        let header = Self.header(derivation, current: currentKey, count: keyCount)
        let plain = try SecretBytes(count: sealed.count - Self.tagSize) { plain in
            let isAuthentic = try wrapping.withBytes { key in
                csodium_xchacha_open(
                    plain.baseAddress,
                    sealed,
                    sealed.count,
                    header,
                    header.count,
                    nonce,
                    key.baseAddress
                )
            }
            guard isAuthentic else {
                throw EncryptionError(
                    .wrongPassphrase,
                    "The passphrase is wrong.",
                    recovery: "Check the keyboard layout and Caps Lock, and type it again."
                )
            }
        }
        var keys: [UInt32: SecretBytes] = [:]
        try plain.withBytes { plain in
            for start in stride(from: 0, to: plain.count, by: Self.entrySize) {
                let number = plain.loadUnaligned(fromByteOffset: start, as: UInt32.self)
                let key = plain[(start + 4)..<(start + Self.entrySize)]
                keys[UInt32(littleEndian: number)] = try SecretBytes(
                    copying: UnsafeRawBufferPointer(rebasing: key)
                )
            }
        }
        guard keys[currentKey] != nil, keys.count == keyCount else { throw Self.invalid }
        return keys
    }

    // MARK: Changes

    /// An envelope with the same keys for another passphrase, with new parameters and a new salt.
    ///
    /// - Complexity: up to two seconds.
    /// - Throws: what ``init(passphrase:)`` throws, and `EncryptionError` with code
    ///   ``EncryptionError/Code/wrongPassphrase``; this envelope stays as it is.
    public func changingPassphrase(
        from old: SecretBytes,
        to new: SecretBytes
    ) throws -> KeyEnvelope {
        try changingPassphrase(from: old, to: new, cost: .interactive)
    }

    /// As ``changingPassphrase(from:to:)``, with a chosen cost of the derivation.
    public func changingPassphrase(
        from old: SecretBytes,
        to new: SecretBytes,
        cost: KeyDerivation.Cost
    ) throws -> KeyEnvelope {
        guard new.count > 0 else { throw KeyDerivation.emptyPassphrase }
        let keys = try keys(passphrase: old)
        return try KeyEnvelope(keys, current: currentKey, new, KeyDerivation.chosen(for: cost))
    }

    /// An envelope with one more key, which seals new values; the old keys open what they sealed.
    ///
    /// - Complexity: up to two seconds.
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/wrongPassphrase``, or
    ///   ``EncryptionError/Code/unsupported`` with a thousand keys.
    public func addingKey(passphrase: SecretBytes) throws -> KeyEnvelope {
        var keys = try keys(passphrase: passphrase)
        guard keys.count < Self.largestCount, let last = keys.keys.max(), last < .max else {
            throw EncryptionError(
                .unsupported,
                "The envelope has \(keys.count) keys, the most that it can have.",
                recovery: "Encrypt all values with the current key, then remove the old keys."
            )
        }
        keys[last + 1] = try SecretBytes(randomCount: KeyDerivation.keySize)
        return try KeyEnvelope(keys, current: last + 1, passphrase, newSalt())
    }

    /// An envelope with the current key only.
    ///
    /// What the old keys sealed can never be read again: first seal all of it with the current key,
    /// and erase it from the history.
    ///
    /// - Complexity: up to two seconds.
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/wrongPassphrase``.
    public func removingOldKeys(passphrase: SecretBytes) throws -> KeyEnvelope {
        let keys = try keys(passphrase: passphrase).filter { $0.key == currentKey }
        return try KeyEnvelope(keys, current: currentKey, passphrase, newSalt())
    }

    /// The same cost with another salt.
    private func newSalt() throws -> KeyDerivation {
        try KeyDerivation(
            operations: derivation.operations,
            memory: derivation.memory,
            salt: Sodium.randomBytes(KeyDerivation.saltSize)
        )
    }
}
