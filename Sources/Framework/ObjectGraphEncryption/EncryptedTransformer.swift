public import Encryption
public import FoundationEssentials
public import ObjectModel

/// Encrypts the values of an attribute with the keys of a ``KeyRing``.
///
/// Register one for each attribute, under the name that the model has for it:
///
///     EncryptedTransformer(ring, for: "Credential.password").register()
///
///     final class Credential: ManagedObject {
///         @Managed var name: String = ""
///         @Managed(transformer: "Credential.password") var password: String?
///     }
///
/// Strings, data and whatever a property list can hold are encrypted with XChaCha20-Poly1305. The
/// length is hidden up to the next multiple of 32 bytes. The purpose is authenticated: the encrypted
/// value of one attribute, put in the place of another's, does not open there. The keys belong to one
/// store, so neither does that of another store. Two values of the same attribute can be exchanged by
/// somebody who can write to the file.
///
/// Values stay encrypted in memory and are decrypted at each access; see
/// ``ValueTransformer/keepsValuesSealed``. While the ring is locked, access by key throws
/// ``ObjectGraphError/Code/valuesLocked``, a typed property reads `nil`, and a save of a value that was
/// set meanwhile fails. Everything else works: other attributes, undo, merges, deletion.
///
/// A fetch can compare the attribute: the store reads all rows that match the rest of the predicate,
/// and they are decrypted one by one. It cannot be searched, indexed, unique or the source of a
/// derived attribute.
public struct EncryptedTransformer: ValueTransformer {
    /// The keys.
    public let ring: KeyRing
    /// What the values are for.
    public let purpose: String

    /// - Parameters:
    ///   - ring: the keys; may be locked.
    ///   - purpose: entity and attribute, such as `"Credential.password"`. Do not change it later:
    ///     the stored values could not be read any more.
    public init(_ ring: KeyRing, for purpose: String) {
        self.ring = ring
        self.purpose = purpose
    }

    /// Registers the transformer under its purpose.
    public func register() { ValueTransformers.register(self, as: purpose) }

    public var keepsValuesSealed: Bool { true }

    /// The encrypted value.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/valuesLocked``, or
    ///   ``ObjectGraphError/Code/wrongValueKind`` for a value that a property list cannot hold.
    public func data(for value: GraphValue) throws -> Data {
        if ring.isLocked { throw Self.locked }
        return try PlainValue.withBytes(of: value) { bytes in
            try translating { try ring.seal(bytes, for: purpose) }
        }
    }

    /// The decrypted value.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/valuesLocked``, or
    ///   ``ObjectGraphError/Code/unreadableValue`` for data that were changed, are for another
    ///   attribute, or need a key that the ring does not have.
    public func value(for data: Data) throws -> GraphValue {
        try translating { try ring.open(data, for: purpose) { try PlainValue.value(of: $0) } }
    }

    private func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as EncryptionError {
            if error.code == .locked { throw Self.locked }
            throw ObjectGraphError(
                .unreadableValue,
                error.message,
                recovery: error.recovery,
                underlying: [error]
            )
        }
    }

    private static var locked: ObjectGraphError {
        ObjectGraphError(
            .valuesLocked,
            "The encrypted values are locked.",
            recovery: "Unlock with the passphrase."
        )
    }
}
