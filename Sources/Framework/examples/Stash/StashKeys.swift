import FoundationEssentials
import ObjectGraph
import ObjectGraphEncryption

/// The keys of the passwords.
///
/// The store's metadata keep them in an envelope, which only the passphrase opens.
struct StashKeys {
    /// As the model names the transformer of the passwords.
    private static let purpose = "System.password"
    private static let entry = "Stash.keys"

    let ring: KeyRing
    private let isNew: Bool

    /// Takes the envelope out of the store, or makes one for a new store, opens it and registers the
    /// transformer; so this comes before the store is opened.
    init(of store: StoreDescription, passphrase: String) throws {
        do {
            let passphrase = try SecretBytes(passphrase)
            let kept = try Self.envelope(in: store)
            ring = KeyRing(try kept ?? KeyEnvelope(passphrase: passphrase))
            isNew = kept == nil
            try ring.unlock(passphrase: passphrase)
        } catch let error as EncryptionError {
            throw ObjectGraphError(.valuesLocked, error.message, recovery: error.recovery)
        }
        EncryptedTransformer(ring, for: Self.purpose).register()
    }

    private static func envelope(in store: StoreDescription) throws -> KeyEnvelope? {
        guard let url = store.url, FileManager.default.fileExists(atPath: url.path) else {
            return nil
        }
        let metadata = try PersistentStoreCoordinator.metadata(
            ofStoreAt: url,
            type: store.options.type
        )
        guard case .data(let data)? = metadata[entry] else { return nil }
        return try KeyEnvelope(data: data)
    }

    /// Gives a new envelope to the open store; the next save, which is that of the first password at
    /// the latest, writes it.
    func keep(in container: PersistentContainer, _ store: StoreDescription) throws {
        let coordinator = container.coordinator
        let open = coordinator.persistentStores.first {
            $0.configuration == store.options.configuration
        }
        guard isNew, let open else { return }
        var metadata = try coordinator.metadata(of: open)
        metadata[Self.entry] = .data(ring.envelope.data)
        try coordinator.setMetadata(metadata, of: open)
    }
}
