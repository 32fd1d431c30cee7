import FoundationEssentials
import ObjectGraph
import ObjectGraphEncryption

/// The transformers of all encrypted attributes; a process has one open vault.
///
/// A store names its transformers, so they exist from the beginning: first as ``ClosedVault``, which
/// opens and seals nothing, and with a vault's keys from the moment when the vault is opened.
enum VaultTransformers {
    /// The encrypted attributes; each name says what the values are for and never changes.
    static let purposes = [
        "Category.name", "Credential.address", "Credential.name", "Credential.notes",
        "Credential.password", "Credential.userID", "Note.sealedBody",
    ]

    /// Registers those that do nothing, where there are none.
    ///
    /// Cost: a few entries in a table; neither a key nor libsodium is touched.
    static func prepare() {
        for purpose in purposes where ValueTransformers.named(purpose) == nil {
            ValueTransformers.register(ClosedVault(), as: purpose)
        }
    }

    static func use(_ ring: KeyRing) {
        for purpose in purposes { EncryptedTransformer(ring, for: purpose).register() }
    }

    /// Whether values are sealed with these keys now.
    static func isUsing(_ ring: KeyRing) -> Bool {
        purposes.allSatisfy {
            (ValueTransformers.named($0) as? EncryptedTransformer)?.ring === ring
        }
    }

    /// Forgets a vault's keys, unless another vault was opened since.
    static func forget(_ ring: KeyRing) {
        for purpose in purposes {
            let known = ValueTransformers.named(purpose) as? EncryptedTransformer
            guard known?.ring === ring else { continue }
            ValueTransformers.register(ClosedVault(), as: purpose)
        }
    }
}

/// Stands for the keys of a vault that was not opened yet.
private struct ClosedVault: ValueTransformer {
    var keepsValuesSealed: Bool { true }

    func data(for value: GraphValue) throws -> Data { throw ClosedVault.locked }
    func value(for data: Data) throws -> GraphValue { throw ClosedVault.locked }

    private static var locked: ObjectGraphError {
        ObjectGraphError(
            .valuesLocked,
            "The vault is locked.",
            recovery: "Unlock it with its passphrase."
        )
    }
}
