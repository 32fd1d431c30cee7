public import FoundationEssentials
import Synchronization

/// The data keys of a store: locked, or unlocked by the passphrase.
///
/// While the ring is locked the process holds no key: sealing and opening throw. No flag decides this;
/// ``lock()`` zeroes the keys.
///
///     let ring = KeyRing(try KeyEnvelope(data: stored))
///     try ring.unlock(passphrase: SecretBytes(typed))
///     let sealed = try ring.seal(Data("secret".utf8), for: "Credential.password")
///     ring.lock()
///
/// Unlocking derives a key with Argon2id, whose parameters were chosen when the passphrase was set:
/// up to a second on that machine and 256 MiB. Call it off the main thread of an interface. A ring can
/// be used from several threads.
public final class KeyRing: Sendable {
    private let state: Mutex<State>

    private struct State {
        var envelope: KeyEnvelope
        /// The keys by number; empty while locked.
        var keys: [UInt32: SecretBytes] = [:]
    }

    /// A locked ring.
    public init(_ envelope: KeyEnvelope) {
        state = Mutex(State(envelope: envelope))
    }

    deinit { lock() }

    /// What to store.
    public var envelope: KeyEnvelope { state.withLock { $0.envelope } }

    /// Whether sealing and opening throw because there are no keys in memory.
    public var isLocked: Bool { state.withLock { $0.keys.isEmpty } }

    /// Takes the keys out of the envelope; a ring that is unlocked checks the passphrase again.
    ///
    /// A wrong passphrase changes nothing.
    ///
    /// - Complexity: up to a second.
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/wrongPassphrase`` or
    ///   ``EncryptionError/Code/system``.
    public func unlock(passphrase: SecretBytes) throws {
        try adopt(envelope, passphrase: passphrase)
    }

    /// Zeroes the keys.
    ///
    /// A value that is being opened on another thread is opened; then its key is zeroed too.
    public func lock() {
        state.withLock { state in
            for key in state.keys.values { key.erase() }
            state.keys = [:]
        }
    }

    /// Uses a new envelope and unlocks the ring with it.
    ///
    /// The envelope comes from ``KeyEnvelope/changingPassphrase(from:to:)``, for instance. Store it
    /// first.
    ///
    /// - Complexity: up to a second.
    /// - Throws: what ``unlock(passphrase:)`` throws; then the ring keeps its envelope and keys.
    public func adopt(_ envelope: KeyEnvelope, passphrase: SecretBytes) throws {
        let keys = try envelope.keys(passphrase: passphrase)
        state.withLock { state in
            for key in state.keys.values { key.erase() }
            state = State(envelope: envelope, keys: keys)
        }
    }

    /// Uses an envelope that another process has stored; the ring is locked, unless it is the same.
    public func replaceEnvelope(_ envelope: KeyEnvelope) {
        state.withLock { state in
            if state.envelope == envelope { return }
            for key in state.keys.values { key.erase() }
            state = State(envelope: envelope)
        }
    }

    /// Seals data with the current key.
    ///
    /// Only the same purpose opens it.
    ///
    /// - Parameters:
    ///   - data: the plain data.
    ///   - purpose: what the data is for.
    /// - Returns: the sealed data; see ``SealedData``.
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/locked``.
    public func seal(_ data: Data, for purpose: String) throws -> Data {
        try data.withUnsafeBytes { try seal($0, for: purpose) }
    }

    /// Seals bytes with the current key; see ``seal(_:for:)-(Data,_)``.
    public func seal(_ bytes: UnsafeRawBufferPointer, for purpose: String) throws -> Data {
        let (number, key) = try state.withLock { state in
            guard let key = state.keys[state.envelope.currentKey] else { throw Self.locked }
            return (state.envelope.currentKey, key)
        }
        return try SealedData.seal(bytes, key: key, number: number, purpose: purpose)
    }

    /// Opens sealed data; the bytes are zeroed after `body`.
    ///
    /// - Throws: `EncryptionError` with code ``EncryptionError/Code/locked``,
    ///   ``EncryptionError/Code/unknownKey`` if the data was sealed with a key that the ring does
    ///   not have, ``EncryptionError/Code/notAuthentic`` if the data was changed or is for another
    ///   purpose; and what `body` throws.
    public func open<Result>(
        _ data: Data,
        for purpose: String,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        let key = try state.withLock { state in
            guard !state.keys.isEmpty else { throw Self.locked }
            guard let number = SealedData.keyNumber(of: data) else {
                throw SealedData.notAuthentic
            }
            guard let key = state.keys[number] else {
                throw EncryptionError(
                    .unknownKey,
                    "The data was encrypted with key \(number), which the key ring does not have.",
                    recovery: "Another window may have changed the keys: lock and unlock again."
                )
            }
            return key
        }
        return try SealedData.open(data, key: key, purpose: purpose, body)
    }

    /// Whether sealed data is not yet sealed with the current key; readable while locked.
    public func isSealedWithOldKey(_ data: Data) -> Bool {
        SealedData.keyNumber(of: data) != envelope.currentKey
    }

    static var locked: EncryptionError {
        EncryptionError(
            .locked,
            "The encrypted values are locked.",
            recovery: "Unlock with the passphrase."
        )
    }
}
